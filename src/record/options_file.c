/* options_file.c - options out of the config file. */
#include "options_file.h"

int options_file(struct options *to, bool (*may_set)(void *context, const struct option_info *option),
		 void *context, void (*warn)(const char *sentence), struct why *why)
{
	(void)to; (void)may_set; (void)context; (void)warn; (void)why;
	return 0;
}
