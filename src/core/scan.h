/*
 * scan.h - words and numbers from a piece of text, without locale, errno or allocation.
 *
 * A scan is a cursor over [at, end).  A function that returns false has not moved it and not set *ret, apart from
 * scan_next_line.  "Blanks" are spaces and tabs, never a newline, so a scan cannot slip into the next line.
 */
#ifndef RT_SCAN_H
#define RT_SCAN_H

#include <string.h>

#include "base.h"

struct scan { const char *at, *end; };
struct word { const char *at; size_t len; };            /* a piece of the text, not terminated */

static inline struct scan scan_of(const char *text, size_t len)
{
	return (struct scan){ text, text + len };
}

static inline struct word word_of(const char *text)
{
	return (struct word){ text, strlen(text) };
}

/* Steps over exactly this text.  Inline, because parsers try many on each line: a known word is one comparison. */
static inline bool scan_literal(struct scan *s, const char *literal)
{
	size_t n = strlen(literal);

	if ((size_t)(s->end - s->at) < n || memcmp(s->at, literal, n) != 0)
		return false;
	s->at += n;
	return true;
}

bool scan_u64(struct scan *s, uint64_t *ret);           /* blanks, digits; false: none, or overflow */
bool scan_i64(struct scan *s, int64_t *ret);            /* blanks, optional minus, digits */
bool scan_hex(struct scan *s, uint64_t *ret);           /* blanks, hexadecimal digits without 0x */
bool scan_decimal(struct scan *s, double *ret);         /* blanks, digits with optional fraction */
bool scan_word(struct scan *s, struct word *ret);       /* blanks, then up to a blank or newline */
bool scan_line(struct scan *s, struct word *ret);       /* this line's rest, and over its newline; false: at the end */
bool scan_until(struct scan *s, char stop, struct word *ret);  /* up to `stop` in this line, steps over it */
void scan_blanks(struct scan *s);
bool scan_skip(struct scan *s, unsigned words);         /* steps over so many words of this line */
bool scan_next_line(struct scan *s);                    /* false: there is none, and s is at the end */

/*
 * The next item of a list separated by commas, which it steps over; *list becomes NULL after the last one, and then it
 * returns false.  Items can be empty: "" is a list of one.
 */
bool list_next(const char **list, struct word *ret);

bool word_is(struct word w, const char *text);
bool word_starts(struct word w, const char *prefix);
/* Copies as much as fits, always terminated; size is at least 1.  Returns false if it had to cut. */
bool word_copy(struct word w, char *ret, size_t size);

#endif
