/* buffer.c - a buffer for bytes, which grows. */
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

bool buffer_grow(struct buffer *b, size_t more)
{
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
	if (n == 0 || !buffer_reserve(b, n))    /* memcpy accepts no null pointer, not even for 0 bytes */
		return;
	memcpy(b->at + b->len, bytes, n);
	b->len += n;
}

void buffer_text(struct buffer *b, const char *text)
{
	buffer_bytes(b, text, strlen(text));
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

static const uint64_t powers_of_ten[] = {
	1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000, 10000000000,
	100000000000, 1000000000000, 10000000000000, 100000000000000, 1000000000000000,
	10000000000000000, 100000000000000000, 1000000000000000000, 10000000000000000000u,
};

static size_t count_digits(uint64_t value)
{
	/* log10 from log2: 1233 / 4096 is a little more than log10(2). */
	size_t guess = (size_t)(64 - __builtin_clzll(value | 1)) * 1233 >> 12;

	return guess + (value >= powers_of_ten[guess < 20 ? guess : 19]) + (value == 0 && guess == 0);
}

/* Writes exactly n digits of the value at `at`, with zeros in front. */
static void write_digits(char *at, uint64_t value, size_t n)
{
	static const char pairs[] =
		"00010203040506070809101112131415161718192021222324252627282930313233343536373839"
		"40414243444546474849505152535455565758596061626364656667686970717273747576777879"
		"8081828384858687888990919293949596979899";

	for (; n >= 2; n -= 2, value /= 100)
		memcpy(at + n - 2, pairs + 2 * (value % 100), 2);
	if (n > 0)
		at[0] = (char)('0' + value % 10);
}

void u64_text(char ret[U64_TEXT], uint64_t value)
{
	size_t n = count_digits(value);

	write_digits(ret, value, n);
	ret[n] = '\0';
}

void buffer_u64(struct buffer *b, uint64_t value)
{
	size_t n = count_digits(value);

	if (!buffer_reserve(b, n))
		return;
	write_digits(b->at + b->len, value, n);
	b->len += n;
}

void buffer_i64(struct buffer *b, int64_t value)
{
	if (value < 0)
		buffer_char(b, '-');
	buffer_u64(b, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

/* whole.fraction, the fraction in units of 10^-decimals. */
static size_t write_parts(char *at, uint64_t whole, uint64_t fraction, size_t decimals, bool trim)
{
	for (; trim && decimals > 1 && fraction % 10 == 0; decimals--)
		fraction /= 10;

	size_t n = count_digits(whole);

	write_digits(at, whole, n);
	if (decimals == 0)
		return n;
	at[n] = '.';
	write_digits(at + n + 1, fraction, decimals);
	return n + 1 + decimals;
}

#ifdef __FP_FAST_FMA
static double product_error(double a, double b, double product)
{
	return fma(a, b, -product);
}
#else
/* The upper half of a double's digits; the rest is exact too (Veltkamp). */
static double upper_half(double value)
{
	double scaled = value * 134217729.0;            /* 2^27 + 1 */

	return scaled - (scaled - value);
}

/* The exact rounding error of a * b (Dekker).  fma(3) would need libm on a processor without it. */
static double product_error(double a, double b, double product)
{
	double a1 = upper_half(a), a2 = a - a1, b1 = upper_half(b), b2 = b - b1;

	return ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2;
}
#endif

/*
 * magnitude * unit as an integer.  The product is rounded itself, so an exact half in it can be slightly less or more
 * than a half: 0.615 is below, but 0.615 * 100 is 61.5.
 */
static uint64_t round_scaled(double product, double magnitude, double unit)
{
	uint64_t nearest = (uint64_t)llrint(product);
	double rest = product - (double)nearest;

	if (fabs(rest) < 0.5)
		return nearest;

	double error = product_error(magnitude, unit, product);

	if (rest > 0 && error > 0)
		return nearest + 1;
	return rest < 0 && error < 0 ? nearest - 1 : nearest;
}

static void write_number(struct buffer *b, double value, int decimals, bool trim)
{
	double magnitude = fabs(value);
	uint64_t unit = powers_of_ten[decimals], whole, fraction;

	if (!isfinite(value))
		return;

	double scaled = magnitude * (double)unit;

	if (scaled < 9007199254740992.0) {              /* 2^53: a double represents all integers below */
		uint64_t all = round_scaled(scaled, magnitude, (double)unit);

		whole = all / unit;
		fraction = all % unit;
	} else if (magnitude < 9223372036854775808.0) {
		double below = double_floor(magnitude);

		whole = (uint64_t)below;
		fraction = (uint64_t)llrint((magnitude - below) * (double)unit);
		if (fraction >= unit) {
			fraction = 0;
			whole++;
		}
	} else {                                        /* no fraction left to show */
		buffer_format(b, decimals > 0 ? "%.0f.0" : "%.0f", value);
		return;
	}
	if (!buffer_reserve(b, NUMBER_MAX))
		return;
	if (value < 0 && (whole > 0 || fraction > 0))
		b->at[b->len++] = '-';
	b->len += write_parts(b->at + b->len, whole, fraction, (size_t)decimals, trim);
}

void buffer_fixed(struct buffer *b, double value, int decimals)
{
	write_number(b, value, decimals, false);
}

void buffer_trimmed(struct buffer *b, double value, int decimals)
{
	/* Most amounts in a second are 0. */
	if (fabs(value) <= 0)
		buffer_bytes(b, "0.0", decimals > 0 ? 3 : 1);
	else
		write_number(b, value, decimals, true);
}
