/* options_text.c - --help. */
#include "options.h"

void options_help(struct buffer *out, unsigned columns)
{
	(void)columns;
	buffer_text(out, "resource-tracker [OPTIONS] [--] COMMAND...\n");
}

void options_man(struct buffer *out)
{
	(void)out;
}

int options_completion(struct buffer *out, const char *shell)
{
	(void)out;
	(void)shell;
	return -EINVAL;
}
