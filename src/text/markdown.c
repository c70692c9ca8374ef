/* markdown.c - words from outside in GitHub's Markdown. */
#include "markdown.h"

#include <string.h>

static bool is_control(char c)
{
	return (unsigned char)c < ' ' || c == 0x7f;
}

/* In a code span nothing is markup but the backquote that ends it; a newline would end the line. */
void markdown_code(struct buffer *out, const char *text, size_t n)
{
	buffer_char(out, '`');
	for (size_t i = 0; i < n; i++)
		buffer_char(out, text[i] == '`' ? '\'' : is_control(text[i]) ? '?' : text[i]);
	buffer_char(out, '`');
}

void markdown_plain(struct buffer *out, const char *text)
{
	for (const char *p = text; *p; p++) {
		if (strchr("\\`*_{}[]<>()#+-.!|~&$@:", *p))
			buffer_char(out, '\\');
		buffer_char(out, is_control(*p) ? ' ' : *p);
	}
}
