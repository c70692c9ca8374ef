/* mask_names.c - recognises names of secrets. */
#include "mask_names.h"

#include <strings.h>

enum { NAME_LONGEST = 100 };                    /* of a longer name the end is used */
enum where { ANYWHERE, ENDING, LAST, WHOLE, QUERY };
enum when { ALWAYS, FOR_KEY };

static const struct { enum where where; const char *part; } names[] = {
#define NAME(where, part) { where, part },
#include "mask.def"
};

static const struct { enum when when; const char *part; } plains[] = {
#define PLAIN(when, part) { when, part },
#include "mask.def"
};

static const char *const headers[] = {
#define HEADER(name) name,
#include "mask.def"
};

static const char *const schemes[] = {
#define SCHEME(word) word,
#include "mask.def"
};

static const struct { const char *prefix; size_t least; } tokens[] = {
#define TOKEN(prefix, least) { prefix, least },
#include "mask.def"
};

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
static bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
static bool is_separator(char c) { return c == '-' || c == '_' || c == '.'; }

bool is_name_char(char c)
{
	return is_digit(c) || is_upper(c) || is_lower(c) || is_separator(c);
}

/* A quick test first: most words differ in the first letter from everything in the table. */
static bool same(struct word w, const char *text)
{
	return w.len > 0 && (*w.at | ' ') == (*text | ' ') && w.len == strlen(text) &&
	       strncasecmp(w.at, text, w.len) == 0;
}

static bool ends(struct word w, const char *text)
{
	size_t n = strlen(text);

	return w.len >= n && strncasecmp(w.at + w.len - n, text, n) == 0;
}

/* A capital begins a part after a small letter, or before one: accessToken, APIKey. */
static bool begins_part(const char *at, const char *end)
{
	return is_upper(*at) && (!is_upper(at[-1]) || (at + 1 < end && is_lower(at[1])));
}

static bool next_part(struct scan *s, struct word *ret)
{
	while (s->at < s->end && is_separator(*s->at))
		s->at++;
	if (s->at == s->end)
		return false;

	const char *from = s->at++;

	while (s->at < s->end && !is_separator(*s->at) && !begins_part(s->at, s->end))
		s->at++;
	*ret = (struct word){ from, (size_t)(s->at - from) };
	while (ret->len > 1 && is_digit(ret->at[ret->len - 1]))
		ret->len--;
	return true;
}

static bool part_is_secret(struct word part, struct word name, bool last, enum name_place place, const char **by)
{
	for (size_t i = 0; i < countof(names); i++) {
		bool fits = false;

		switch (names[i].where) {
		case ANYWHERE: fits = same(part, names[i].part); break;
		case ENDING: fits = ends(part, names[i].part); break;
		case LAST: fits = last && same(part, names[i].part); break;
		case WHOLE: fits = same(name, names[i].part); break;
		case QUERY: fits = place == NAME_IN_QUERY && same(name, names[i].part); break;
		}
		if (fits) {
			*by = names[i].part;
			return true;
		}
	}
	return false;
}

/* PWD=/home/me is the shell's own; programs use key=value for data. */
static bool is_usual(struct word name, enum name_place place)
{
	return word_is(name, "PWD") || word_is(name, "OLDPWD") || (place == NAME_OF_DATA && word_is(name, "key"));
}

bool name_is_secret(struct word name, enum name_place place)
{
	if (is_usual(name, place))
		return false;
	if (name.len > NAME_LONGEST)
		name = (struct word){ name.at + name.len - NAME_LONGEST, NAME_LONGEST };

	struct scan s = scan_of(name.at, name.len);
	bool secret = false, key_alone = true, plain_for_key = false;
	struct word part;

	while (next_part(&s, &part)) {
		const char *by = NULL;

		if (part_is_secret(part, name, s.at == s.end, place, &by)) {
			secret = true;
			key_alone = key_alone && strcmp(by, "key") == 0;
		}
		for (size_t i = 0; i < countof(plains); i++)
			if (same(part, plains[i].part)) {
				if (plains[i].when == ALWAYS)
					return false;
				plain_for_key = true;
			}
	}
	return secret && !(key_alone && plain_for_key);
}

bool name_has_parts(struct word name)
{
	struct scan s = scan_of(name.at, size_min(name.len, NAME_LONGEST));
	struct word part;

	return next_part(&s, &part) && next_part(&s, &part);
}

bool name_is_header(struct word name)
{
	for (size_t i = 0; i < countof(headers); i++)
		if (same(name, headers[i]))
			return true;
	return false;
}

bool word_is_scheme(struct word word)
{
	for (size_t i = 0; i < countof(schemes); i++)
		if (same(word, schemes[i]))
			return true;
	return false;
}

size_t token_length(const char *text, const char *end, size_t *ret_prefix)
{
	for (size_t i = 0; i < countof(tokens); i++) {
		if (text == end || *text != *tokens[i].prefix)
			continue;

		size_t prefix = strlen(tokens[i].prefix), n = prefix;

		if ((size_t)(end - text) < prefix + tokens[i].least || memcmp(text, tokens[i].prefix, prefix) != 0)
			continue;
		while (text + n < end && (is_name_char(text[n]) || text[n] == '/'))
			n++;
		if (n - prefix < tokens[i].least)
			continue;
		*ret_prefix = prefix;
		return n;
	}
	return 0;
}
