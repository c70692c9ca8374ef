/* reply.c - what the recorder's own subcommands print. */
#include "reply.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>

#include "../text/sentence.h"

int reply_print(struct buffer *text)
{
	bool ok = !text->failed && (text->len == 0 || fwrite(text->at, 1, text->len, stdout) == text->len) &&
		  fflush(stdout) == 0;

	buffer_release(text);
	if (ok)
		return 0;
	sentence_print(NULL, "cannot write to stdout");
	return OWN_FAILURE;
}

unsigned reply_columns(void)
{
	struct winsize size = { 0 };

	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

bool reply_help_is_asked(int argc, char **argv)
{
	return argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0);
}

int reply_usage(int argc, char **argv, const char *takes, const char *help)
{
	struct buffer text = { 0 };

	if (reply_help_is_asked(argc, argv)) {
		buffer_format(&text, "Usage: resource-tracker %s %s\n\n%s", argv[0], takes, help);
		return reply_print(&text);
	}
	sentence_print(argv[0], "takes %s", takes);
	return OWN_FAILURE;
}
