/* config_lexer.c - the tokens of a config file.  https://toml.io/en/v1.0.0 */
#include "config_lexer.h"

#include <string.h>

#include "config_number.h"

int lexer_wrong(const struct lexer *l, const char *sentence)
{
	return why_set(l->why, -EBADMSG, "%s", sentence);
}

static char peek(const struct lexer *l)
{
	return l->s.at < l->s.end ? *l->s.at : '\0';
}

bool lexer_newline(struct lexer *l)
{
	if (!scan_literal(&l->s, "\n") && !scan_literal(&l->s, "\r\n"))
		return false;
	l->line++;
	return true;
}

void lexer_comment(struct lexer *l)
{
	scan_blanks(&l->s);
	if (peek(l) != '#')
		return;
	while (l->s.at < l->s.end && *l->s.at != '\n')
		l->s.at++;
	if (l->s.at < l->s.end && l->s.at[-1] == '\r')
		l->s.at--;
}

void lexer_lines(struct lexer *l)
{
	do
		lexer_comment(l);
	while (lexer_newline(l));
}

int lexer_line_end(struct lexer *l)
{
	lexer_comment(l);
	if (l->s.at == l->s.end || lexer_newline(l))
		return 0;
	return lexer_wrong(l, "there is more on this line than one entry; a text needs quotes around it");
}

static char *put_utf8(char *to, uint64_t code)
{
	if (code < 0x80) {
		*to++ = (char)code;
		return to;
	}

	int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
	static const unsigned char leads[] = { 0, 0xc0, 0xe0, 0xf0 };

	*to++ = (char)(leads[more] | code >> 6 * more);
	while (more-- > 0)
		*to++ = (char)(0x80 | (code >> 6 * more & 0x3f));
	return to;
}

/* The character after a backslash; false: not a TOML escape. */
static bool escape(struct lexer *l, char **to)
{
	static const char names[] = "b\bt\tn\nf\fr\r\"\"\\\\";
	char c = peek(l);
	size_t digits = c == 'u' ? 4 : c == 'U' ? 8 : 0;

	if (digits > 0) {
		uint64_t code;
		const char *first = l->s.at + 1;
		struct scan hex = { first, first + digits };

		if ((size_t)(l->s.end - first) < digits || *first == ' ' || *first == '\t' ||
		    !scan_hex(&hex, &code) || hex.at != hex.end)
			return false;
		if (code == 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
			return false;
		*to = put_utf8(*to, code);
		l->s.at += 1 + digits;
		return true;
	}
	for (size_t i = 0; c && i + 1 < sizeof names; i += 2)
		if (names[i] == c) {
			*(*to)++ = names[i + 1];
			l->s.at++;
			return true;
		}
	return false;
}

int lexer_string(struct lexer *l, char quote, const char **ret)
{
	const char three[] = { quote, quote, quote, '\0' };
	const char *first = l->s.at + 1, *stop = first;

	if (scan_literal(&l->s, three))
		return lexer_wrong(l, "strings over several lines are not understood here");
	while (stop < l->s.end && *stop != quote && *stop != '\n' && *stop != '\r')
		stop += quote == '"' && *stop == '\\' && stop + 1 < l->s.end ? 2 : 1;
	if (stop >= l->s.end || *stop != quote)
		return lexer_wrong(l, "a string has no closing quote on its line");

	/* A decoded escape is never longer than its source. */
	char *text = arena_take(l->arena, (size_t)(stop - first) + 1), *to = text;

	if (!text)
		return why_set(l->why, -ENOMEM, "out of memory");
	for (l->s.at = first; l->s.at < stop;) {
		char c = *l->s.at++;

		if (c != '\\' || quote == '\'')
			*to++ = c;
		else if (!escape(l, &to))
			return lexer_wrong(l, "a backslash in a \"string\" is followed by something unknown; "
					   "in a 'string' it has no special meaning");
	}
	*to = '\0';
	l->s.at = stop + 1;
	*ret = text;
	return 0;
}

static bool is_bare(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

int lexer_key_part(struct lexer *l, const char **ret, bool *ret_bare)
{
	char quote = peek(l);

	if (quote == '"' || quote == '\'') {
		int r = lexer_string(l, quote, ret);

		if (r < 0)
			return r;
	} else {
		const char *first = l->s.at;

		while (is_bare(peek(l)))
			l->s.at++;
		if (l->s.at == first)
			return lexer_wrong(l, "here a key was expected: letters, digits, _ and -, or a text in quotes");
		*ret = arena_copy(l->arena, first, (size_t)(l->s.at - first));
		if (!*ret)
			return why_set(l->why, -ENOMEM, "out of memory");
	}
	*ret_bare = **ret != '\0';
	for (const char *c = *ret; *c; c++)
		*ret_bare = *ret_bare && is_bare(*c);
	return 0;
}

int lexer_value(struct lexer *l, struct config_value *ret)
{
	char c = peek(l);

	if (c == '"' || c == '\'') {
		ret->type = CONFIG_STRING;
		return lexer_string(l, c, &ret->text);
	}
	if (c == '{')
		return lexer_wrong(l, "inline tables are not understood here; write a [table]");
	if (c == '[')
		return lexer_wrong(l, "arrays in arrays are not understood here");

	struct word w = { l->s.at, 0 };

	while (l->s.at < l->s.end && !strchr(" \t\r\n,]#}=", *l->s.at))
		l->s.at++;
	w.len = (size_t)(l->s.at - w.at);
	if (w.len == 0)
		return lexer_wrong(l, "a value is missing");
	if (word_is(w, "true") || word_is(w, "false")) {
		ret->type = CONFIG_BOOLEAN;
		ret->text = *w.at == 't' ? "true" : "false";
		return 0;
	}

	int r = config_number(ret, l->arena, w);

	if (r == -ENOMEM)
		return why_set(l->why, r, "out of memory");
	if (r == 0)
		return 0;

	bool date = w.len >= 5 && w.at[0] >= '0' && w.at[0] <= '9' && (w.at[4] == '-' || w.at[2] == ':');

	return lexer_wrong(l, date ? "dates and times of day are not understood here; put it in quotes"
				   : "a value is not a number, true or false; a text needs quotes around it");
}
