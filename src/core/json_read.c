/* json_read.c - walks over checked JSON text. */
#include "json_read.h"

#include <string.h>

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
		while (p < end && *p != ',' && *p != ']' && *p != '}' && !json_is_blank(*p))
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
	const char *first = json_skip_blanks(w->at, w->end);

	if (first == w->end)
		return false;
	w->at = skip_value(first, w->end);
	*ret = (struct json_value){ json_kind_at(*first), first, (size_t)(w->at - first) };
	return true;
}

bool json_next(struct json_walk *w, struct json_value *key, struct json_value *ret)
{
	struct json_value name;

	if (w->object) {
		if (!take(w, &name))
			return false;
		w->at = json_skip_blanks(w->at, w->end) + 1;         /* the colon */
		if (key)
			*key = name;
	}
	if (!take(w, ret))
		return false;
	w->at = json_skip_blanks(w->at, w->end);
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

bool json_is(struct json_value v, const char *text)
{
	size_t n = strlen(text);

	return v.kind == JSON_STRING && v.n == n + 2 && memcmp(v.at + 1, text, n) == 0;
}
