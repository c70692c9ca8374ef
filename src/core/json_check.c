/* json_check.c - checks JSON text: each check returns the first byte after the checked part, NULL if it is wrong. */
#include "json_read.h"

#include <string.h>

static const char *check_word(const char *p, const char *end, const char *word)
{
	size_t n = strlen(word);

	return (size_t)(end - p) >= n && memcmp(p, word, n) == 0 ? p + n : NULL;
}

static const char *check_digits(const char *p, const char *end)
{
	const char *first = p;

	while (p < end && json_is_digit(*p))
		p++;
	return p > first ? p : NULL;
}

static const char *check_number(const char *p, const char *end)
{
	if (p < end && *p == '-')
		p++;
	p = p < end && *p == '0' ? p + 1 : check_digits(p, end);
	if (p && p < end && *p == '.')
		p = check_digits(p + 1, end);
	if (p && p < end && (*p == 'e' || *p == 'E')) {
		p++;
		if (p < end && (*p == '+' || *p == '-'))
			p++;
		p = check_digits(p, end);
	}
	return p;
}

static const char *check_string(const char *p, const char *end)
{
	for (p++; p < end && *p != '"'; p++) {
		if ((unsigned char)*p < 0x20)
			return NULL;
		if (*p != '\\')
			continue;
		if (++p >= end || !*p || !strchr("\"\\/bfnrtu", *p))
			return NULL;
		for (int i = 0; *p == 'u' && i < 4; i++)
			if (end - p <= i + 1 || json_hex_digit(p[i + 1]) < 0)
				return NULL;
	}
	return p < end ? p + 1 : NULL;
}

static const char *check_scalar(const char *p, const char *end)
{
	switch (*p) {
	case '"':
		return check_string(p, end);
	case 't':
		return check_word(p, end, "true");
	case 'f':
		return check_word(p, end, "false");
	case 'n':
		return check_word(p, end, "null");
	default:
		return check_number(p, end);
	}
}

/* The name of a member with its colon. */
static const char *check_name(const char *p, const char *end)
{
	if (p >= end || *p != '"')
		return NULL;
	p = check_string(p, end);
	if (!p)
		return NULL;
	p = json_skip_blanks(p, end);
	return p < end && *p == ':' ? json_skip_blanks(p + 1, end) : NULL;
}

/*
 * In an array most items are numbers without blanks and exponents, each with its comma: they are passed over here, up
 * to the first that is anything else, or wrong.
 */
static const char *pass_numbers(const char *p, const char *end)
{
	for (const char *next = p;; p = next) {
		next += next < end && *next == '-';
		if (next >= end || !json_is_digit(*next) || (*next == '0' && end - next > 1 && json_is_digit(next[1])))
			break;
		while (next < end && json_is_digit(*next))
			next++;
		if (next < end && *next == '.') {
			const char *point = next++;

			while (next < end && json_is_digit(*next))
				next++;
			if (next == point + 1)
				break;
		}
		if (next >= end || *next++ != ',')
			break;
	}
	return json_skip_blanks(p, end);
}

/* Closes the levels that end here; stops before the next item.  `open` holds the closing bracket of each level. */
static const char *close_levels(const char *p, const char *end, const char *open, int *depth)
{
	while (*depth > 0) {
		p = json_skip_blanks(p, end);
		if (p >= end)
			return NULL;
		if (*p == ',') {
			p = json_skip_blanks(p + 1, end);
			return open[*depth - 1] == '}' ? check_name(p, end) : pass_numbers(p, end);
		}
		if (*p != open[*depth - 1])
			return NULL;
		--*depth;
		p++;
	}
	return p;
}

static const char *check_value(const char *p, const char *end)
{
	char open[JSON_DEPTH_MAX];
	int depth = 0;

	do {
		if (!p || p >= end)
			return NULL;
		if (*p == '[' || *p == '{') {
			if (depth == JSON_DEPTH_MAX)
				return NULL;
			open[depth++] = *p == '[' ? ']' : '}';
			p = json_skip_blanks(p + 1, end);
			if (p < end && *p == open[depth - 1])
				p = close_levels(p, end, open, &depth);
			else
				p = open[depth - 1] == '}' ? check_name(p, end) : pass_numbers(p, end);
		} else {
			p = check_scalar(p, end);
			if (p)
				p = close_levels(p, end, open, &depth);
		}
	} while (depth > 0);
	return p;
}

int json_parse(struct json_value *ret, const char *text, size_t n)
{
	const char *end = text + n, *first = json_skip_blanks(text, end);
	const char *last = check_value(first, end);

	if (!last || json_skip_blanks(last, end) != end)
		return -EBADMSG;
	*ret = (struct json_value){ json_kind_at(*first), first, (size_t)(last - first) };
	return 0;
}

int json_parse_first(struct json_value *ret, const char *text, size_t n, size_t items)
{
	const char *end = text + n, *first = json_skip_blanks(text, end), *p = first;

	if (p >= end || *p != '[')
		return json_parse(ret, text, n);
	for (size_t i = 0; i < items; i++) {
		p = check_value(json_skip_blanks(p + 1, end), end);
		p = p ? json_skip_blanks(p, end) : end;
		if (p >= end || *p != ',')
			return json_parse(ret, text, n);
	}
	/* The comma after the last of them is where an array's bracket would be. */
	*ret = (struct json_value){ JSON_ARRAY, first, (size_t)(p - first) + 1 };
	return 0;
}
