/*
 * job.h - the scheduler's job of a run, and its rank in the job.
 *
 * It is known from a fixed list of variables (job.def), and from nothing else of the environment.  Their values come
 * from outside, like those of a record: an impossible value is left out, and is never an error.
 */
#ifndef RT_JOB_H
#define RT_JOB_H

#include "base.h"

enum { JOB_TEXT_SIZE = 128 };
#define JOB_AMOUNT_MOST (INT64_C(1) << 53)      /* a double counts so far, and so do the readers of JSON */

/* Unknown texts are "", unknown numbers -1.  All texts are printable: ASCII without control characters. */
struct job {
#define JOB_TEXT(key, help) char key[JOB_TEXT_SIZE];
#define JOB_NUMBER(key, help) int64_t key;
#define JOB_AMOUNT(key, help) int64_t key;
#include "job.def"
};

enum job_key {
#define JOB_TEXT(key, help) JOB_KEY_##key,
#define JOB_NUMBER(key, help) JOB_KEY_##key,
#define JOB_AMOUNT(key, help) JOB_KEY_##key,
#include "job.def"
	JOB_KEYS
};

/* most: of a number. */
struct job_key_info { const char *name, *help; size_t offset; bool number; int64_t most; };

extern const struct job_key_info job_keys[JOB_KEYS];

void job_unknown(struct job *ret);              /* all values unknown */
/* environment: "NAME=VALUE", up to a NULL; copied.  false: it has no job, and all of *ret is unknown. */
bool job_from_environment(struct job *ret, char *const *environment);

/* The value of a key, which must be of this kind; "", -1: unknown. */
const char *job_text(const struct job *job, enum job_key key);
int64_t     job_number(const struct job *job, enum job_key key);

/*
 * Sets a value of a record.  false: not a possible value, and the old one stays.  Possible are texts that are not
 * empty, have no blanks at their ends and fit; and whole numbers from 0 to INT32_MAX, amounts to JOB_AMOUNT_MOST.
 */
bool job_put_text(struct job *job, enum job_key key, const char *text);
bool job_put_number(struct job *job, enum job_key key, double value);

#endif
