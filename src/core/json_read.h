/*
 * json_read.h - reads JSON text in place: allocates nothing, and copies only the strings that are asked for.
 *
 * json_parse checks a whole text once (RFC 8259, nesting up to JSON_DEPTH_MAX; bytes beyond ASCII are not checked to be
 * UTF-8).  A value is then a piece of that text, valid as long as the text is.  All functions below accept values of
 * checked text only.
 */
#ifndef RT_JSON_READ_H
#define RT_JSON_READ_H

#include "json_text.h"

enum { JSON_DEPTH_MAX = 32 };

struct json_value { enum json_kind kind; const char *at; size_t n; };   /* with its quotes or brackets */

/* One value with blanks around it and nothing else.  -EBADMSG otherwise. */
int json_parse(struct json_value *ret, const char *text, size_t n) must_use;
/*
 * The same, but of an array with more than `items` (at least 1) items the first ones alone, as an array of those: the
 * others are not even checked, and the value ends with a comma in place of its bracket.
 */
int json_parse_first(struct json_value *ret, const char *text, size_t n, size_t items) must_use;

/* The items of an array or the members of an object in their order; nothing for other kinds. */
struct json_walk { const char *at, *end; bool object; };
struct json_walk json_walk(struct json_value v);
/* false: there is no more.  key: the member's name, a string; can be NULL, and is not set in arrays. */
bool json_next(struct json_walk *w, struct json_value *key, struct json_value *ret);
/* The next item of an array, as json_as_number returns it; false: there is no more.  Fast, for long rows of numbers. */
bool json_next_number(struct json_walk *w, double *ret);
/* The first member of this name; false: there is none, or v is not an object. */
bool json_find(struct json_value v, const char *name, struct json_value *ret);  /* name: compared by json_is */
size_t json_count(struct json_value v);                 /* of items or members; 0 for other kinds */

bool json_is(struct json_value v, const char *text);    /* a string of plain ASCII, written without escapes */
double json_as_number(struct json_value v);             /* NONE if it is not a number, or beyond a double */
bool json_as_bool(struct json_value v);                 /* false if it is not a bool */
/*
 * The bytes of a string, its escapes as UTF-8, terminated; cut to fit (size is at least 1), which can be within a
 * character, and is no error.  \u0000 and half a surrogate pair become U+FFFD.  false and "" if it is not a string.
 */
bool json_as_text(struct json_value v, char *ret, size_t size);

#endif
