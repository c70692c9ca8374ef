/* options_file.h - options out of the config file. */
#ifndef RT_OPTIONS_FILE_H
#define RT_OPTIONS_FILE_H

#include "option_table.h"

/*
 * Reads to->config, or ./resource-tracker.toml if that is NULL and the file exists.  Every value is
 * checked; it is kept where may_set agrees.  An unknown key is an error in a file that was named and
 * a warning in the other.
 */
int options_file(struct options *to, bool (*may_set)(void *context, const struct option_info *option),
		 void *context, void (*warn)(const char *sentence), struct why *why);

#endif
