/* answer.c - the output of subcommands: text on stdout, sentences on stderr. */
#include <stdio.h>

#include "../text/sentence.h"
#include "answer.h"

static const char *command;                     /* NULL: none recognised yet */

void answer_as(const char *name)
{
	command = name;
}

void remark(const char *sentence)
{
	sentence_print(command, "%s", sentence);
}

int complain(const char *sentence)
{
	remark(sentence);
	return OWN_FAILURE;
}

int print(struct buffer *text)
{
	bool ok = !text->failed && (text->len == 0 || fwrite(text->at, 1, text->len, stdout) == text->len) &&
		  fflush(stdout) == 0;

	buffer_release(text);
	return ok ? 0 : complain("cannot write to stdout");
}
