/* json_read.c - reads JSON text in place. */
#include "json_read.h"

#include <math.h>
#include <string.h>

#include "sample.h"

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static const char *skip_blanks(const char *p, const char *end)
{
	while (p < end && is_blank(*p))
		p++;
	return p;
}

/* ---- checking: each returns the first byte after the checked part, NULL if it is wrong ------ */

static const char *check_word(const char *p, const char *end, const char *word)
{
	size_t n = strlen(word);

	return (size_t)(end - p) >= n && memcmp(p, word, n) == 0 ? p + n : NULL;
}

static const char *check_digits(const char *p, const char *end)
{
	const char *first = p;

	while (p < end && is_digit(*p))
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

static int hex_digit(char c)
{
	if (is_digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
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
			if (end - p <= i + 1 || hex_digit(p[i + 1]) < 0)
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
	p = skip_blanks(p, end);
	return p < end && *p == ':' ? skip_blanks(p + 1, end) : NULL;
}

/*
 * In an array most items are numbers without blanks and exponents, each with its comma: they are passed over here, up
 * to the first that is anything else, or wrong.
 */
static const char *pass_numbers(const char *p, const char *end)
{
	for (const char *next = p;; p = next) {
		next += next < end && *next == '-';
		if (next >= end || !is_digit(*next) || (*next == '0' && end - next > 1 && is_digit(next[1])))
			break;
		while (next < end && is_digit(*next))
			next++;
		if (next < end && *next == '.') {
			const char *point = next++;

			while (next < end && is_digit(*next))
				next++;
			if (next == point + 1)
				break;
		}
		if (next >= end || *next++ != ',')
			break;
	}
	return skip_blanks(p, end);
}

/* Closes the levels that end here; stops before the next item.  `open` holds the closing bracket of each level. */
static const char *close_levels(const char *p, const char *end, const char *open, int *depth)
{
	while (*depth > 0) {
		p = skip_blanks(p, end);
		if (p >= end)
			return NULL;
		if (*p == ',') {
			p = skip_blanks(p + 1, end);
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
			p = skip_blanks(p + 1, end);
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

static enum json_kind kind_at(char c)
{
	switch (c) {
	case '{': return JSON_OBJECT;
	case '[': return JSON_ARRAY;
	case '"': return JSON_STRING;
	case 'n': return JSON_NULL;
	case 't':
	case 'f': return JSON_BOOL;
	default: return JSON_NUMBER;
	}
}

int json_parse(struct json_value *ret, const char *text, size_t n)
{
	const char *end = text + n, *first = skip_blanks(text, end);
	const char *last = check_value(first, end);

	if (!last || skip_blanks(last, end) != end)
		return -EBADMSG;
	*ret = (struct json_value){ kind_at(*first), first, (size_t)(last - first) };
	return 0;
}

int json_parse_first(struct json_value *ret, const char *text, size_t n, size_t items)
{
	const char *end = text + n, *first = skip_blanks(text, end), *p = first;

	if (p >= end || *p != '[')
		return json_parse(ret, text, n);
	for (size_t i = 0; i < items; i++) {
		p = check_value(skip_blanks(p + 1, end), end);
		p = p ? skip_blanks(p, end) : end;
		if (p >= end || *p != ',')
			return json_parse(ret, text, n);
	}
	/* The comma after the last of them is where an array's bracket would be. */
	*ret = (struct json_value){ JSON_ARRAY, first, (size_t)(p - first) + 1 };
	return 0;
}

/* ---- walking over checked text ------------------------------------------------------------- */

static const char *skip_string(const char *p)
{
	for (p++; *p != '"'; p++)
		if (*p == '\\')
			p++;
	return p + 1;
}

/* The end of an array without strings, arrays and objects in it; NULL: it is not one. */
static const char *skip_plain_array(const char *p, const char *end)
{
	const char *close = memchr(p, ']', (size_t)(end - p));
	size_t n = close ? (size_t)(close - p) - 1 : 0;

	return close && !memchr(p + 1, '[', n) && !memchr(p + 1, '"', n) && !memchr(p + 1, '{', n) ? close + 1 : NULL;
}

static const char *skip_value(const char *p, const char *end)
{
	const char *plain = *p == '[' ? skip_plain_array(p, end) : NULL;
	size_t depth = 0;

	if (plain)
		return plain;

	if (*p != '[' && *p != '{' && *p != '"') {
		while (p < end && *p != ',' && *p != ']' && *p != '}' && !is_blank(*p))
			p++;
		return p;
	}
	do {
		if (*p == '"') {
			p = skip_string(p);
			continue;
		}
		/* Most bytes are digits and commas, which come before both kinds of brackets. */
		if (*p >= '[') {
			depth += *p == '[' || *p == '{';
			depth -= *p == ']' || *p == '}';
		}
		p++;
	} while (depth > 0);
	return p;
}

struct json_walk json_walk(struct json_value v)
{
	if (v.kind != JSON_ARRAY && v.kind != JSON_OBJECT)
		return (struct json_walk){ NULL, NULL, false };
	return (struct json_walk){ v.at + 1, v.at + v.n - 1, v.kind == JSON_OBJECT };
}

static bool take(struct json_walk *w, struct json_value *ret)
{
	const char *first = skip_blanks(w->at, w->end);

	if (first == w->end)
		return false;
	w->at = skip_value(first, w->end);
	*ret = (struct json_value){ kind_at(*first), first, (size_t)(w->at - first) };
	return true;
}

bool json_next(struct json_walk *w, struct json_value *key, struct json_value *ret)
{
	struct json_value name;

	if (w->object) {
		if (!take(w, &name))
			return false;
		w->at = skip_blanks(w->at, w->end) + 1;         /* the colon */
		if (key)
			*key = name;
	}
	if (!take(w, ret))
		return false;
	w->at = skip_blanks(w->at, w->end);
	if (w->at < w->end)
		w->at++;                                        /* the comma */
	return true;
}

bool json_find(struct json_value v, const char *name, struct json_value *ret)
{
	struct json_walk w = json_walk(v);
	struct json_value key, value;

	while (w.object && json_next(&w, &key, &value))
		if (json_is(key, name)) {
			*ret = value;
			return true;
		}
	return false;
}

size_t json_count(struct json_value v)
{
	struct json_walk w = json_walk(v);
	struct json_value item;
	size_t n = 0;

	while (json_next(&w, NULL, &item))
		n++;
	return n;
}

/* ---- values -------------------------------------------------------------------------------- */

bool json_is(struct json_value v, const char *text)
{
	size_t n = strlen(text);

	return v.kind == JSON_STRING && v.n == n + 2 && memcmp(v.at + 1, text, n) == 0;
}

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
	for (p += negative; p < end && (is_digit(*p) || *p == '.'); p++) {
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

	for (p += negative; p < end && is_digit(*p); p++, n++)
		digits = digits * 10 + (uint64_t)(*p - '0');
	if (p < end && *p == '.')
		for (p++; p < end && is_digit(*p); p++, n++, after_point++)
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
		unit = unit << 4 | (unsigned)hex_digit(p[i]);
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
