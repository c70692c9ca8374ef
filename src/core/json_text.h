/* json_text.h - what single bytes of JSON text mean, for those that read it. */
#ifndef RT_JSON_TEXT_H
#define RT_JSON_TEXT_H

#include "base.h"

enum json_kind { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

static inline bool json_is_digit(char c) { return c >= '0' && c <= '9'; }
static inline bool json_is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static inline const char *json_skip_blanks(const char *p, const char *end)
{
	while (p < end && json_is_blank(*p))
		p++;
	return p;
}

/* -1: it is none. */
static inline int json_hex_digit(char c)
{
	if (json_is_digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The kind of a checked value by its first byte. */
static inline enum json_kind json_kind_at(char c)
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

#endif
