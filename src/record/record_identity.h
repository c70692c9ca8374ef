/*
 * record_identity.h - which row of a table is which number in the record.
 *
 * A record names a row once, with all that does not change (texts and FIXED metrics), and speaks of it
 * by its number from then on.  Numbers are given in order of first sight.  A table has room for as many
 * as an aggregate holds; then the number that was not used for longest is given to the next newcomer.
 */
#ifndef RT_RECORD_IDENTITY_H
#define RT_RECORD_IDENTITY_H

#include "../core/metrics.h"

struct identity {
	enum table table;
	char  *at;                              /* slots: struct slot, then the row as it was last told or seen */
	size_t n, room, stride;
};

void identity_open(struct identity *d, enum table t);
void identity_release(struct identity *d);

/* Numbers the rows of a sample that have none.  `window` grows with each row of the record. */
void identity_see(struct identity *d, const struct sample *s, uint64_t window);
/* The number of the row with this key, looking at `hint` first; -1: it has none. */
ptrdiff_t identity_number(const struct identity *d, const char *key, size_t hint);
/* The next number at or after `from` whose row is new or has changed, marked as told; -1: none. */
ptrdiff_t identity_next_unwritten(struct identity *d, size_t from);
void identity_forget_written(struct identity *d);          /* what was told did not get out: all is untold again */
struct rows identity_rows(const struct identity *d);            /* by number */

#endif
