/* answer.c - how a subcommand answers: text on stdout, a sentence on stderr. */
#include <stdio.h>

#include "commands.h"

int complain(const char *sentence)
{
	(void)fprintf(stderr, "resource-tracker: %s\n", sentence);
	return OWN_FAILURE;
}

int print(struct buffer *text)
{
	bool ok = !text->failed && (text->len == 0 || fwrite(text->at, 1, text->len, stdout) == text->len) &&
		  fflush(stdout) == 0;

	buffer_release(text);
	return ok ? 0 : complain("cannot write to stdout");
}
