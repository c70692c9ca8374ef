/* sentence.c - prints a sentence on stderr. */
#include "sentence.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "shown.h"

enum { LONGEST = 1000 };

void sentence_print(const char *subcommand, const char *format, ...)
{
	struct buffer line = { 0 };
	char text[LONGEST + 1];
	va_list arguments;

	va_start(arguments, format);
	(void)vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);

	buffer_text(&line, "resource-tracker");
	if (subcommand)
		buffer_format(&line, " %s", subcommand);
	buffer_text(&line, ": ");
	show_text(&line, text, strlen(text), '?');
	buffer_char(&line, '\n');
	if (line.failed)
		(void)fputs("resource-tracker: out of memory\n", stderr);
	else
		(void)fwrite(line.at, 1, line.len, stderr);
	buffer_release(&line);
}
