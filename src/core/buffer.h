/*
 * buffer.h - a buffer for bytes, which grows: output lines, JSON, CSV.
 *
 * It grows as needed and keeps its room when cleared, so the steady state allocates nothing.  If memory is short,
 * `failed` is set instead of an error from every call, and nothing more is appended until buffer_clear: the code that
 * sends the bytes checks it once.  Numbers are written without locale.
 */
#ifndef RT_BUFFER_H
#define RT_BUFFER_H

#include "base.h"

/* Zeroed: empty.  `at` is its own, not terminated, moves as it grows, and is NULL before the first byte. */
struct buffer { char *at; size_t len, size; bool failed; };

void buffer_clear(struct buffer *b);                    /* empties it, keeps the room */
void buffer_release(struct buffer *b);                  /* b is zeroed */
bool buffer_grow(struct buffer *b, size_t more);        /* for buffer_reserve, if there is too little room */

/* Room for `more` bytes; false: failed. */
static inline bool buffer_reserve(struct buffer *b, size_t more)
{
	return b->size - b->len >= more ? !b->failed : buffer_grow(b, more);
}

static inline void buffer_char(struct buffer *b, char c)
{
	if (buffer_reserve(b, 1))
		b->at[b->len++] = c;
}

void buffer_bytes(struct buffer *b, const char *bytes, size_t n);       /* n 0: bytes can be NULL */
void buffer_text(struct buffer *b, const char *text);
void buffer_format(struct buffer *b, const char *format, ...) printf_like(2, 3);

/* The number as terminated text, for a key.  It avoids printf: large code, which is cold at one sample a second. */
enum { U64_TEXT = 21 };
void u64_text(char ret[U64_TEXT], uint64_t value);

void buffer_u64(struct buffer *b, uint64_t value);
void buffer_i64(struct buffer *b, int64_t value);

/*
 * `decimals` (0..9) digits after the point, rounded half to even from the binary value; the same text as printf("%.*f")
 * in the C locale for any finite |value| < 2^63 / 10^decimals.  NaN and infinities write nothing.  Never writes "-0".
 */
void buffer_fixed(struct buffer *b, double value, int decimals);
/* The same without trailing zeros, but at least one digit after the point if decimals > 0: "2.0". */
void buffer_trimmed(struct buffer *b, double value, int decimals);

#endif
