/*
 * channel_read.h - the shared memory of a program's regions, read as what it is: memory in which any process of
 * the job may write anything at any time.  Pure.
 *
 * Each number is fetched once and then judged.  The memory is as large as its type for as long as it is mapped, as its
 * size is sealed, so nothing here can fault.
 */
#ifndef RT_CHANNEL_READ_H
#define RT_CHANNEL_READ_H

#include "region_sums.h"

struct channel_reader {
	const struct rt_region_channel *channel;
	uint64_t ring_tail[RT_REGION_LANES];
	uint64_t notes_tail;
	uint64_t unseen, unseen_notes;          /* entries and notes that were written over before they were read */
	uint64_t reported_wall[RT_REGION_PATHS];    /* of the entries of this pass */
	uint64_t block_wall[RT_REGION_BLOCKS]; /* as it stood at the last channel_short */
	uint32_t lane;                          /* where the pass is */
	uint64_t end;                           /* of this lane's ring, or of the notes; set when `entered` */
	bool     entered;
};

/* An entry or a note; times are in ticks. */
struct channel_item {
	enum region_event_kind kind;
	bool     memory;                        /* it is a note of memory, and of no other kind: pages in `value` */
	uint32_t path, tid;
	uint64_t at, wall, cpu_ns;
	double   value;
	char     text[RT_REGION_TEXT + 1];      /* of memory a struct rt_region_memory */
};

void channel_pass(struct channel_reader *r);            /* begins a pass over all that is new */
bool channel_next(struct channel_reader *r, struct channel_item *ret);  /* false: the pass is over */

uint32_t channel_lanes(const struct rt_region_channel *c);      /* ever used */
uint64_t channel_lost(const struct rt_region_channel *c);

/* The names from the outermost on, "train/epoch 7"; "?" for a place that is none. */
void channel_path(char ret[REGION_PATH_SIZE], const struct rt_region_channel *c, uint32_t path);

struct channel_open { uint32_t path; uint64_t begin; bool recursed; };
uint64_t channel_owner(const struct rt_region_channel *c, uint32_t lane);
/* The regions that are open in a lane, the outermost first. */
size_t channel_open(struct channel_open ret[RT_REGION_DEPTH], const struct rt_region_channel *c, uint32_t lane);

/*
 * After a pass: for each path (below RT_REGION_PATHS) the time of the entries that ended since the last time and were
 * not told by the pass.
 */
void channel_short(struct channel_reader *r, uint64_t ret_ticks[RT_REGION_PATHS]);

/*
 * Adds all that was counted.  What cannot be, because the run has not been so long (in ticks), counts as lost: it was
 * not written by our header.
 */
void channel_sum(struct region_sums *to, const struct rt_region_channel *c, uint64_t run);

#endif
