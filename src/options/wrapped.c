/* wrapped.c - wraps text to a width. */
#include "wrapped.h"

#include <string.h>

void spaces(struct buffer *out, size_t n)
{
	while (n-- > 0)
		buffer_char(out, ' ');
}

void wrapped(struct buffer *out, const char *text, size_t at, size_t indent, size_t columns)
{
	bool first = true;                              /* of its line: it is written even if too long */

	if (at < indent) {
		spaces(out, indent - at);
		at = indent;
	}
	while (*text) {
		size_t n = strcspn(text, " ");

		if (!first && at + 1 + n > columns) {
			buffer_char(out, '\n');
			spaces(out, indent);
			at = indent;
			first = true;
		}
		if (!first) {
			buffer_char(out, ' ');
			at++;
		}
		buffer_bytes(out, text, n);
		at += n;
		first = false;
		text += n;
		text += *text == ' ';
	}
	buffer_char(out, '\n');
}
