/*
 * record_identity.h - numbers the rows of a table in the record.
 *
 * A record names a row once, with its constant values (texts and FIXED metrics), and later refers to it by its number.
 * Numbers are given in the order in which rows are first seen.  A table has as many numbers as an aggregate has rows;
 * then a new row gets the number that is unused for the longest time.  A row without a number (all are in use, or
 * memory is short) is not in the record.
 */
#ifndef RT_RECORD_IDENTITY_H
#define RT_RECORD_IDENTITY_H

#include "../core/metrics.h"

struct identity {
	enum table table;
	char  *at;                              /* slots: struct slot, then the row as last seen with a change */
	size_t n, room, stride;
};

void identity_open(struct identity *d, enum table t);           /* takes no memory yet */
void identity_release(struct identity *d);

/* Gives numbers to the new rows of a sample, and notes changed ones.  `window` grows with each row of the record. */
void identity_see(struct identity *d, const struct sample *s, uint64_t window);
/* The number of the row with this key, trying `hint` first; -1: none. */
ptrdiff_t identity_number(const struct identity *d, const char *key, size_t hint);
/* The next number at or after `from` with a new or changed row, which it marks as written; -1: none. */
ptrdiff_t identity_next_unwritten(struct identity *d, size_t from);
void identity_forget_written(struct identity *d);               /* the line was lost: marks all as unwritten again */
struct rows identity_rows(const struct identity *d);            /* the rows by number; valid until identity_see */

#endif
