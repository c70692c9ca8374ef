/* markdown.c - escapes external text for GitHub's Markdown. */
#include "markdown.h"

#include <string.h>

#include "shown.h"

/* In a code span only the backquote that ends it is markup; a newline would end the line. */
void markdown_code(struct buffer *out, const char *text, size_t n)
{
	size_t from = out->len + 1;

	buffer_char(out, '`');
	show_text(out, text, n, '?');
	for (size_t i = from; i < out->len; i++)
		if (out->at[i] == '`')
			out->at[i] = '\'';
	buffer_char(out, '`');
}

void markdown_plain(struct buffer *out, const char *text)
{
	size_t n = strlen(text);

	for (size_t i = 0, length; i < n; i += length) {
		bool fit;

		length = sign_length(text + i, n - i, &fit);
		if (strchr("\\`*_{}[]<>()#+-.!|~&$@:", text[i]))
			buffer_char(out, '\\');
		show_text(out, text + i, length, ' ');
	}
}
