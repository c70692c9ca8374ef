/* json_value.c - numbers and texts out of checked JSON text. */
#include "json_read.h"

#include <math.h>
#include <string.h>

#include "sample.h"

bool json_as_bool(struct json_value v)
{
	return v.kind == JSON_BOOL && *v.at == 't';
}

enum { EXACT_POWERS = 23 };

/* Powers that a double represents exactly. */
static const double exact_powers[EXACT_POWERS] = {
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
	1e20, 1e21, 1e22,
};

/* Infinity beyond the range of a double. */
static double power_of_ten(int64_t exponent)
{
	double power = exact_powers[exponent < EXACT_POWERS ? exponent : EXACT_POWERS - 1];

	for (int64_t i = EXACT_POWERS - 1; i < exponent && i < 400; i++)
		power *= 10;
	return power;
}

double json_as_number(struct json_value v)
{
	if (v.kind != JSON_NUMBER)
		return NONE;

	const char *p = v.at, *end = v.at + v.n;
	uint64_t digits = 0;
	int64_t exponent = 0, given = 0;
	bool negative = *p == '-', after_point = false;

	/* Eighteen digits always fit and are more than a double represents; the rest only moves the point. */
	for (p += negative; p < end && (json_is_digit(*p) || *p == '.'); p++) {
		if (*p == '.') {
			after_point = true;
		} else if (digits < UINT64_C(100000000000000000)) {
			digits = digits * 10 + (uint64_t)(*p - '0');
			exponent -= after_point;
		} else {
			exponent += !after_point;
		}
	}
	if (p < end) {                                          /* e */
		bool down = p[1] == '-';

		for (p += 1 + (p[1] == '-' || p[1] == '+'); p < end; p++)
			given = given < 100000 ? given * 10 + (*p - '0') : given;
		exponent += down ? -given : given;
	}

	/* Division by a power of ten that a double represents is exact to the last bit, multiplication is not. */
	double value = (double)digits;

	if (exponent < 0 && exponent >= -22)
		value /= power_of_ten(-exponent);
	else if (exponent < 0)
		value = value / 1e22 / power_of_ten(-exponent - 22);
	else if (exponent > 0 && digits > 0)
		value *= power_of_ten(exponent);
	if (!isfinite(value))                                   /* beyond a double: unknown */
		return NONE;
	return negative ? -value : value;
}

/* A number without blank or exponent that is short enough to be exact is read here, others as any item. */
bool json_next_number(struct json_walk *w, double *ret)
{
	const char *p = w->at, *end = w->end;
	struct json_value item;
	uint64_t digits = 0;
	size_t n = 0, after_point = 0;

	if (p == end)
		return false;

	bool negative = *p == '-';

	for (p += negative; p < end && json_is_digit(*p); p++, n++)
		digits = digits * 10 + (uint64_t)(*p - '0');
	if (p < end && *p == '.')
		for (p++; p < end && json_is_digit(*p); p++, n++, after_point++)
			digits = digits * 10 + (uint64_t)(*p - '0');
	if (n > 0 && n <= 17 && (p == end || *p == ',')) {
		double value = (double)digits / exact_powers[after_point];

		*ret = negative ? -value : value;
		w->at = p < end ? p + 1 : p;
		return true;
	}
	if (!json_next(w, NULL, &item))
		return false;
	*ret = json_as_number(item);
	return true;
}

static unsigned code_unit(const char *p)
{
	unsigned unit = 0;

	for (int i = 0; i < 4; i++)
		unit = unit << 4 | (unsigned)json_hex_digit(p[i]);
	return unit;
}

/* Writes a character in UTF-8; returns its length. */
static size_t utf8_of(char ret[4], unsigned code)
{
	if (code < 0x80) {
		ret[0] = (char)code;
		return 1;
	}

	size_t n = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;

	for (size_t i = n - 1; i > 0; i--, code >>= 6)
		ret[i] = (char)(0x80 | (code & 0x3f));
	ret[0] = (char)((0xf00 >> n & 0xff) | code);
	return n;
}

/* The escape at p (after the backslash); a surrogate without its other half becomes U+FFFD. */
static const char *unescape(const char *p, const char *end, char ret[4], size_t *n)
{
	static const char plain[] = "b\bf\fn\nr\rt\t";

	if (*p != 'u') {
		const char *name = strchr(plain, *p);

		*n = 1;
		ret[0] = name ? name[1] : *p;
		return p + 1;
	}

	unsigned code = code_unit(p + 1);

	p += 5;
	if (code >= 0xd800 && code < 0xdc00 && end - p >= 6 && p[0] == '\\' && p[1] == 'u') {
		unsigned low = code_unit(p + 2);

		if (low >= 0xdc00 && low < 0xe000) {
			code = 0x10000 + ((code - 0xd800) << 10 | (low - 0xdc00));
			p += 6;
		}
	}
	if ((code >= 0xd800 && code < 0xe000) || code == 0)     /* our texts end at a zero */
		code = 0xfffd;
	*n = utf8_of(ret, code);
	return p;
}

bool json_as_text(struct json_value v, char *ret, size_t size)
{
	size_t used = 0;

	*ret = '\0';
	if (v.kind != JSON_STRING)
		return false;

	const char *p = v.at + 1, *end = v.at + v.n - 1;

	while (p < end) {
		char piece[4] = { *p };
		size_t n = 1;

		if (*p == '\\')
			p = unescape(p + 1, end, piece, &n);
		else
			p++;
		if (used + n >= size)
			break;
		memcpy(ret + used, piece, n);
		used += n;
	}
	ret[used] = '\0';
	return true;
}
