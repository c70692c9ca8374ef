/* mask.c - command lines without their secrets. */
#include "mask.h"

#include <string.h>
#include <strings.h>

#include "../core/scan.h"

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }
static bool is_quote(char c) { return c == '"' || c == '\''; }

static bool names_secret(const char *at, const char *end)
{
	static const char *const words[] = { "token", "secret", "password", "passwd", "key" };

	for (; at < end; at++)
		for (size_t i = 0; i < countof(words); i++) {
			size_t n = strlen(words[i]);

			if ((size_t)(end - at) >= n && strncasecmp(at, words[i], n) == 0)
				return true;
		}
	return false;
}

/* Where the value of NAME=value or "name":value begins if the name is a secret's, else NULL. */
static const char *named_value(const char *word, const char *end)
{
	for (const char *p = word; p < end; p++) {
		bool equals = *p == '=' && p > word;
		bool quoted_colon = *p == ':' && p > word && is_quote(p[-1]);

		if ((equals || quoted_colon) && names_secret(word, p))
			return p + 1;
	}
	return NULL;
}

/* -x, --api-key, X-Api-Key:, Bearer: the next word is what is to be hidden. */
static bool announces(const char *word, const char *end)
{
	while (word < end && is_quote(*word))
		word++;
	while (end > word && is_quote(end[-1]))
		end--;
	if (word == end)
		return false;
	return ((*word == '-' || end[-1] == ':') && names_secret(word, end)) ||
	       (end - word == 6 && strncasecmp(word, "bearer", 6) == 0);
}

/* The password of a URL in [word, end), or the user alone of a web address: tokens stand there. */
static bool url_secret(const char *word, const char *end, struct word *ret)
{
	const char *mark = memmem(word, (size_t)(end - word), "://", 3);

	if (!mark)
		return false;

	const char *host = mark + 3, *stop = host, *colon = NULL, *at = NULL;

	for (; stop < end && *stop != '/' && *stop != '?' && *stop != '#'; stop++) {
		if (*stop == ':' && !colon)
			colon = stop;
		if (*stop == '@')
			at = stop;
	}
	bool web = mark - word >= 4 && (strncmp(mark - 4, "http", 4) == 0 || strncmp(mark - 4, "ttps", 4) == 0);

	if (!at || ((!colon || colon > at) && !web))
		return false;

	const char *first = colon && colon < at ? colon + 1 : host;

	*ret = (struct word){ first, (size_t)(at - first) };
	return true;
}

/* One word without blanks; returns where to go on: a quoted value may reach beyond the word. */
static const char *mask_word(struct buffer *out, const char *word, const char *end, bool *secret)
{
	const char *value = *secret ? word : named_value(word, end);
	struct word hidden;

	if (*secret && end - word > 2 && memcmp(word, "--", 2) == 0)
		value = named_value(word, end);         /* --key was a switch, this is the next option */
	if (value && value < end) {
		const char *past = end;

		if (is_quote(*value) && value[1]) {
			const char *closing = strchr(value + 1, *value);

			past = closing && closing + 1 > end ? closing + 1 : end;
		}
		buffer_bytes(out, word, (size_t)(value - word));
		buffer_text(out, "***");
		/* "Authorization: Bearer V": the second word is the value. */
		*secret = announces(value, end);
		return past;
	}
	*secret = announces(word, end);
	if (url_secret(word, end, &hidden)) {
		buffer_bytes(out, word, (size_t)(hidden.at - word));
		buffer_text(out, "***");
		word = hidden.at + hidden.len;
	}
	buffer_bytes(out, word, (size_t)(end - word));
	return end;
}

bool mask_argument(struct buffer *out, const char *argument, bool secret)
{
	const char *p = argument;

	/* A value that is an argument of its own is hidden in one piece, blanks and all. */
	if (secret && strncmp(argument, "--", 2) != 0) {
		buffer_text(out, "***");
		return false;
	}
	while (*p) {
		const char *end = p;

		while (*end && is_blank(*end))
			end++;
		buffer_bytes(out, p, (size_t)(end - p));
		p = end;
		while (*end && !is_blank(*end))
			end++;
		if (end > p)
			p = mask_word(out, p, end, &secret);
	}
	return secret;
}
