/* store_error.c - elements of a store's answer. */
#include "store_error.h"

#include <string.h>

static const struct { const char *name; char sign; } entities[] = {
	{ "&lt;", '<' }, { "&gt;", '>' }, { "&quot;", '"' }, { "&apos;", '\'' }, { "&amp;", '&' },
};

static char next_sign(const char **at, const char *end)
{
	for (size_t i = 0; i < countof(entities); i++) {
		size_t n = strlen(entities[i].name);

		if ((size_t)(end - *at) >= n && memcmp(*at, entities[i].name, n) == 0) {
			*at += n;
			return entities[i].sign;
		}
	}
	return *(*at)++;
}

void store_element_read(char *ret, size_t size, const char *text, size_t n, const char *open)
{
	const char *at = memmem(text, n, open, strlen(open)), *end = text + n;
	size_t length = 0;

	ret[0] = '\0';
	if (!at)
		return;
	at += strlen(open);
	while (at < end && *at != '<' && length < size - 1) {
		char sign = next_sign(&at, end);

		ret[length++] = sign == '\n' || sign == '\r' || sign == '\0' ? ' ' : sign;
	}
	ret[length] = '\0';
}

void store_error_read(struct store_error *ret, const char *text, size_t n)
{
	store_element_read(ret->code, sizeof ret->code, text, n, "<Code>");
	store_element_read(ret->message, sizeof ret->message, text, n, "<Message>");
}
