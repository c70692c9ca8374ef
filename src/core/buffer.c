/* buffer.c - bytes being put together. */
#include "buffer.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { BUFFER_FIRST = 4096, NUMBER_MAX = 40 };

void buffer_clear(struct buffer *b)
{
	b->len = 0;
	b->failed = false;
}

void buffer_release(struct buffer *b)
{
	free(b->at);
	*b = (struct buffer){ 0 };
}

bool buffer_reserve(struct buffer *b, size_t more)
{
	if (b->size - b->len >= more)
		return !b->failed;

	size_t size = b->size ? b->size : BUFFER_FIRST;

	while (size - b->len < more)
		size *= 2;

	char *at = realloc(b->at, size);

	if (!at) {
		b->failed = true;
		return false;
	}
	b->at = at;
	b->size = size;
	return !b->failed;
}

void buffer_bytes(struct buffer *b, const char *bytes, size_t n)
{
	if (!buffer_reserve(b, n))
		return;
	memcpy(b->at + b->len, bytes, n);
	b->len += n;
}

void buffer_text(struct buffer *b, const char *text)
{
	buffer_bytes(b, text, strlen(text));
}

void buffer_char(struct buffer *b, char c)
{
	buffer_bytes(b, &c, 1);
}

void buffer_format(struct buffer *b, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	int n = vsnprintf(NULL, 0, format, arguments);
	va_end(arguments);
	if (n < 0 || !buffer_reserve(b, (size_t)n + 1))
		return;
	va_start(arguments, format);
	(void)vsnprintf(b->at + b->len, (size_t)n + 1, format, arguments);
	va_end(arguments);
	b->len += (size_t)n;
}

/* Writes the digits so that they end before `end`; returns their first. */
static char *digits_before(char *end, uint64_t value)
{
	do {
		*--end = (char)('0' + value % 10);
		value /= 10;
	} while (value > 0);
	return end;
}

void buffer_u64(struct buffer *b, uint64_t value)
{
	char room[NUMBER_MAX], *end = room + sizeof room;
	char *first = digits_before(end, value);

	buffer_bytes(b, first, (size_t)(end - first));
}

void buffer_i64(struct buffer *b, int64_t value)
{
	if (value < 0)
		buffer_char(b, '-');
	buffer_u64(b, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

static const double power_of_ten[] = { 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9 };

/* The text of |value|; returns its length, 0 if the value is beyond what scaled integers hold. */
static size_t fixed_text(char *room, double magnitude, int decimals)
{
	/* Up to 2^53 the scaled value is an integer that a double holds, so llrint is exact to
	 * the last digit shown; the fraction is split off beyond. */
	double scaled = magnitude * power_of_ten[decimals];
	uint64_t whole, fraction;

	if (scaled < 9007199254740992.0) {
		uint64_t all = (uint64_t)llrint(scaled), unit = (uint64_t)power_of_ten[decimals];

		whole = all / unit;
		fraction = all % unit;
	} else if (magnitude < 9223372036854775808.0) {
		double below = floor(magnitude);

		whole = (uint64_t)below;
		fraction = (uint64_t)llrint((magnitude - below) * power_of_ten[decimals]);
		if (fraction >= (uint64_t)power_of_ten[decimals]) {
			fraction = 0;
			whole++;
		}
	} else {
		return 0;
	}

	char digits[NUMBER_MAX], *end = digits + sizeof digits;
	char *first = digits_before(end, whole);
	size_t n = (size_t)(end - first);

	memcpy(room, first, n);
	if (decimals > 0) {
		char *last = room + n + 1 + decimals;

		room[n] = '.';
		memset(room + n + 1, '0', (size_t)decimals);
		for (; fraction > 0; fraction /= 10)
			*--last = (char)('0' + fraction % 10);
		n += 1 + (size_t)decimals;
	}
	return n;
}

static bool all_zero(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (text[i] != '0' && text[i] != '.')
			return false;
	return true;
}

static void write_number(struct buffer *b, double value, int decimals, bool trim)
{
	char room[NUMBER_MAX];

	if (!isfinite(value))
		return;

	size_t n = fixed_text(room, fabs(value), decimals);

	if (n == 0) {                                   /* beyond 2^63: no fraction left to show */
		buffer_format(b, decimals > 0 ? "%.0f.0" : "%.0f", value);
		return;
	}
	if (trim && decimals > 0)
		while (room[n - 1] == '0' && room[n - 2] != '.')
			n--;
	if (value < 0 && !all_zero(room, n))
		buffer_char(b, '-');
	buffer_bytes(b, room, n);
}

void buffer_fixed(struct buffer *b, double value, int decimals)
{
	write_number(b, value, decimals, false);
}

void buffer_trimmed(struct buffer *b, double value, int decimals)
{
	write_number(b, value, decimals, true);
}
