/* scan.c - words and numbers from a piece of text. */
#include "scan.h"

#include <endian.h>
#include <string.h>

static bool is_blank(char c) { return c == ' ' || c == '\t'; }
/* Most bytes of a text are above the blanks: one comparison. */
static bool is_of_word(char c) { return (unsigned char)c > ' ' || (!is_blank(c) && c != '\n'); }
static unsigned digit_of(char c) { return (unsigned char)c - (unsigned)'0'; }          /* 10 and above: not a digit */
static bool is_digit(char c) { return digit_of(c) < 10; }

static const char *skip_blanks(const char *at, const char *end)
{
	while (at < end && is_blank(*at))
		at++;
	return at;
}

void scan_blanks(struct scan *s)
{
	s->at = skip_blanks(s->at, s->end);
}

bool scan_u64(struct scan *s, uint64_t *ret)
{
	const char *p = skip_blanks(s->at, s->end);
	const char *digits = p, *safe = s->end - p > 19 ? p + 19 : s->end;
	uint64_t value = 0;

	/* Nineteen digits always fit; only the twentieth can overflow. */
	for (uint64_t digit; p < safe && (digit = digit_of(*p)) < 10; p++)
		value = value * 10 + digit;
	for (uint64_t digit; p < s->end && (digit = digit_of(*p)) < 10; p++)
		if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, digit, &value))
			return false;
	if (p == digits)
		return false;
	s->at = p;
	*ret = value;
	return true;
}

bool scan_i64(struct scan *s, int64_t *ret)
{
	struct scan ahead = *s;
	uint64_t magnitude;

	scan_blanks(&ahead);
	bool negative = scan_literal(&ahead, "-");

	if (ahead.at < ahead.end && is_blank(*ahead.at))
		return false;
	if (!scan_u64(&ahead, &magnitude) || magnitude > (uint64_t)INT64_MAX)
		return false;
	*ret = negative ? -(int64_t)magnitude : (int64_t)magnitude;
	s->at = ahead.at;
	return true;
}

static int hex_digit(char c)
{
	if (is_digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

bool scan_hex(struct scan *s, uint64_t *ret)
{
	const char *p = skip_blanks(s->at, s->end);
	const char *digits = p;
	uint64_t value = 0;

	for (; p < s->end && hex_digit(*p) >= 0; p++) {
		if (value >> 60)
			return false;
		value = value << 4 | (uint64_t)hex_digit(*p);
	}
	if (p == digits)
		return false;
	s->at = p;
	*ret = value;
	return true;
}

bool scan_decimal(struct scan *s, double *ret)
{
	struct scan ahead = *s;
	uint64_t whole;
	double fraction = 0, place = 0.1;

	if (!scan_u64(&ahead, &whole))
		return false;
	if (ahead.at + 1 < ahead.end && *ahead.at == '.' && is_digit(ahead.at[1]))
		for (ahead.at++; ahead.at < ahead.end && is_digit(*ahead.at); ahead.at++, place /= 10)
			fraction += place * (*ahead.at - '0');
	*ret = (double)whole + fraction;
	s->at = ahead.at;
	return true;
}

bool scan_word(struct scan *s, struct word *ret)
{
	const char *first = skip_blanks(s->at, s->end);
	const char *p = first;

	while (p < s->end && is_of_word(*p))
		p++;
	if (p == first)
		return false;
	*ret = (struct word){ first, (size_t)(p - first) };
	s->at = p;
	return true;
}

bool scan_skip(struct scan *s, unsigned words)
{
	struct scan ahead = *s;
	struct word w;

	while (words-- > 0)
		if (!scan_word(&ahead, &w))
			return false;
	s->at = ahead.at;
	return true;
}

/*
 * The next newline, or `end`.  The kernel's lines are short and many, and a call of memchr() for each would be most of
 * the cost: this reads eight bytes at a time.
 */
static const char *find_newline(const char *at, const char *end)
{
	static const uint64_t ones = UINT64_C(0x0101010101010101);

	for (; end - at >= 8; at += 8) {
		uint64_t bytes;

		memcpy(&bytes, at, sizeof bytes);
		bytes = le64toh(bytes) ^ ones * '\n';

		/* The lowest bit set is that of the first zero byte; higher ones can come from its borrow. */
		uint64_t zeros = (bytes - ones) & ~bytes & ones << 7;

		if (zeros)
			return at + __builtin_ctzll(zeros) / 8;
	}
	while (at < end && *at != '\n')
		at++;
	return at;
}

bool scan_line(struct scan *s, struct word *ret)
{
	if (s->at >= s->end)
		return false;

	const char *stop = find_newline(s->at, s->end);

	*ret = (struct word){ s->at, (size_t)(stop - s->at) };
	s->at = stop < s->end ? stop + 1 : s->end;
	return true;
}

bool scan_until(struct scan *s, char stop, struct word *ret)
{
	const char *p = s->at;

	while (p < s->end && *p != stop && *p != '\n')
		p++;
	if (p >= s->end || *p != stop)
		return false;
	*ret = (struct word){ s->at, (size_t)(p - s->at) };
	s->at = p + 1;
	return true;
}

bool scan_next_line(struct scan *s)
{
	const char *newline = find_newline(s->at, s->end);

	s->at = newline < s->end ? newline + 1 : s->end;
	return s->at < s->end;
}

bool list_next(const char **list, struct word *ret)
{
	if (!*list)
		return false;

	const char *comma = strchr(*list, ',');

	*ret = (struct word){ *list, comma ? (size_t)(comma - *list) : strlen(*list) };
	*list = comma ? comma + 1 : NULL;
	return true;
}

bool word_is(struct word w, const char *text)
{
	return strlen(text) == w.len && memcmp(w.at, text, w.len) == 0;
}

bool word_starts(struct word w, const char *prefix)
{
	size_t n = strlen(prefix);

	return n <= w.len && memcmp(w.at, prefix, n) == 0;
}

bool word_copy(struct word w, char *ret, size_t size)
{
	size_t n = size_min(w.len, size - 1);

	memcpy(ret, w.at, n);
	ret[n] = '\0';
	return n == w.len;
}
