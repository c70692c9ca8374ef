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

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c);
}

/* Not "3.14", "no-op", "note: it" and "(so)": brackets begin a link only behind ']', which is markup itself. */
static bool is_markup(const char *text, size_t i)
{
	char before = i > 0 ? text[i - 1] : '\0', after = text[i + 1];

	switch (text[i]) {
	case '.': return !is_digit(before) || !is_digit(after);
	case '-': return !is_letter(before) || !is_letter(after);
	case ')': return is_digit(before);      /* "1) " begins a list */
	case ':': return after != ' ' && after != '\0';
	default:  return strchr("\\`*_{}[]<>#+!|~&$@", text[i]);
	}
}

void markdown_plain(struct buffer *out, const char *text)
{
	size_t n = strlen(text);

	for (size_t i = 0, length; i < n; i += length) {
		bool fit;

		length = sign_length(text + i, n - i, &fit);
		if (is_markup(text, i))
			buffer_char(out, '\\');
		show_text(out, text + i, length, ' ');
	}
}
