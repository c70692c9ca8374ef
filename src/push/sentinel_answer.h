/*
 * sentinel_answer.h - what the service Sentinel answers, as JSON: a run that is registered, and short-lived keys to the
 * store that has its rows.  Members that are not known are skipped.
 */
#ifndef RT_SENTINEL_ANSWER_H
#define RT_SENTINEL_ANSWER_H

#include "../store/credentials.h"

struct sentinel_run { char id[129], place[1200]; };     /* place: s3://BUCKET[/PREFIX], as sent */

struct sentinel_keys {
	struct credentials keys;
	char region[64];                        /* of the store; "": not said */
	int64_t end;                            /* Unix time; INT64_MAX: not said; INT64_MIN: it cannot be read */
};

/* The id is one part of a path: of letters, digits and "-._", and not "." or "..".  -EBADMSG: no such answer. */
int  sentinel_read_run(struct sentinel_run *ret, const char *text, size_t n) must_use;
/* -EBADMSG: it has no keys, or such as cannot be in a header. */
int  sentinel_read_keys(struct sentinel_keys *ret, const char *text, size_t n) must_use;
void sentinel_forget_keys(struct sentinel_keys *keys);
/*
 * The sentence with which the service refuses something, made fit to be shown; "" if it has none, or repeats the
 * secret.  Lists of what is wrong repeat what was sent, and are left out.
 */
void sentinel_read_detail(char *ret, size_t size, const char *text, size_t n, const char *secret);

/* "2026-11-25T18:00:00Z", with a fraction, "+01:00" or nothing for the Z.  false: it is none. */
bool sentinel_read_time(int64_t *ret, const char *text);

#endif
