/*
 * json_write.h - JSON text into a buffer.  The writer keeps track of commas, the caller of nesting.
 *
 * Strings can hold any bytes: invalid UTF-8 becomes U+FFFD, so the output is always JSON.  Errors are those of the
 * buffer: its `failed`.
 */
#ifndef RT_JSON_WRITE_H
#define RT_JSON_WRITE_H

#include "buffer.h"

struct json { struct buffer *out; bool comma; };        /* comma: one is due before the next item */

static inline struct json json_to(struct buffer *out) { return (struct json){ out, false }; }

/* Length of the UTF-8 sequence at `at`, n at least 1; 0 if it is not one (overlong forms and surrogates are not). */
size_t utf8_length(const char *at, size_t n);
/* The text unchanged, except for invalid UTF-8, which becomes U+FFFD. */
void utf8_write(struct buffer *out, const char *text, size_t n);

void json_open(struct json *j, char bracket);           /* '{' or '[' */
void json_close(struct json *j, char bracket);          /* '}' or ']' */
void json_key(struct json *j, const char *key);         /* plain ASCII, written as it is */
void json_word(struct json *j, const char *word);       /* the same as a value: a name of ours */
void json_text(struct json *j, const char *text);       /* NULL writes null */
void json_text_n(struct json *j, const char *text, size_t n);
void json_bool(struct json *j, bool value);
void json_i64(struct json *j, int64_t value);
void json_u64(struct json *j, uint64_t value);
/* NONE and infinity write null; with decimals (0..9) 0 an integer, else a trimmed decimal: 2.0, 0.125. */
void json_number(struct json *j, double value, int decimals);
void json_null(struct json *j);

/* The same, with their key before them. */
static inline void json_member_open(struct json *j, const char *key, char bracket)
{
	json_key(j, key);
	json_open(j, bracket);
}

static inline void json_member_word(struct json *j, const char *key, const char *word)
{
	json_key(j, key);
	json_word(j, word);
}

static inline void json_member_text(struct json *j, const char *key, const char *text)
{
	json_key(j, key);
	json_text(j, text);
}

static inline void json_member_bool(struct json *j, const char *key, bool value)
{
	json_key(j, key);
	json_bool(j, value);
}

static inline void json_member_i64(struct json *j, const char *key, int64_t value)
{
	json_key(j, key);
	json_i64(j, value);
}

static inline void json_member_u64(struct json *j, const char *key, uint64_t value)
{
	json_key(j, key);
	json_u64(j, value);
}

static inline void json_member_number(struct json *j, const char *key, double value, int decimals)
{
	json_key(j, key);
	json_number(j, value, decimals);
}

#endif
