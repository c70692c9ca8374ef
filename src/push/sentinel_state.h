/* sentinel_state.h - what is known of a run at the service Sentinel, for the next process, too: in sentinel.json. */
#ifndef RT_SENTINEL_STATE_H
#define RT_SENTINEL_STATE_H

#include "sentinel_answer.h"
#include "spool.h"

struct sentinel_state {
	struct sentinel_run run;                /* id "": it is not registered */
	uint64_t sent;                          /* objects that the store has */
	uint64_t last;                          /* number of the parcel that was the last one of these */
};

/* spool: NULL: none.  Without a file, or of one that cannot be read, a state without a run. */
void sentinel_state_read(struct sentinel_state *ret, const struct spool *spool);
void sentinel_state_write(const struct sentinel_state *s, const struct spool *spool);
/* The number of the object for this parcel: a parcel that is sent again replaces its own one. */
uint64_t sentinel_state_object(const struct sentinel_state *s, uint64_t parcel);

#endif
