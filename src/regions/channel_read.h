/*
 * channel_read.h - reads the shared memory of a program's regions, in which any process of the job can write
 * anything at any time.  Pure.
 *
 * Each number is fetched once and then checked.  The size of the memory is sealed, so it stays as large as its type
 * while it is mapped, and no access here can fault.  Ticks are those of the channel: of the CPU's counter or ns
 * (rt_region_channel.cpu_counter); channel.h converts them.
 *
 * A reader is zeroed at first, but for `channel`.  In each pass: channel_pass, channel_next until it is false, then
 * channel_short.
 */
#ifndef RT_CHANNEL_READ_H
#define RT_CHANNEL_READ_H

#include "region_sums.h"

struct channel_reader {
	const struct rt_region_channel *channel;
	uint64_t ring_tail[RT_REGION_LANES];
	uint64_t notes_tail;
	uint64_t unseen, unseen_notes;          /* entries and notes that were overwritten before they were read */
	uint64_t reported_wall[RT_REGION_PATHS];        /* ticks, by path, of the entries that this pass returned */
	uint64_t block_wall[RT_REGION_BLOCKS];  /* ticks of each block at the last channel_short */
	uint32_t lane;                          /* the pass is at this lane; RT_REGION_LANES: at the notes */
	uint64_t end;                           /* end of this lane's ring, or of the notes; set when `entered` */
	bool     entered;
};

/* An entry or a note; times are in ticks. */
struct channel_item {
	enum region_event_kind kind;
	bool     memory;                        /* a note of memory: pages in `value`; `kind` is void then */
	uint32_t path, tid;
	uint64_t at, wall, cpu_ns;
	double   value;
	char     text[RT_REGION_TEXT + 1];      /* of a note of memory: a struct rt_region_memory */
};

void channel_pass(struct channel_reader *r);            /* begins a pass over the new entries and notes */
bool channel_next(struct channel_reader *r, struct channel_item *ret);  /* false: the pass is over */

uint32_t channel_lanes(const struct rt_region_channel *c);      /* number of lanes ever used; lanes below are less */
uint64_t channel_lost(const struct rt_region_channel *c);       /* entries that programs had no room for */

/*
 * The names from the outermost to the innermost, "train/epoch 7", without control characters; of too long a path the
 * last ones, after "?/"; "?" for a number that is not a path's; "" for 0.
 */
void channel_path(char ret[REGION_PATH_SIZE], const struct rt_region_channel *c, uint32_t path);

struct channel_open { uint32_t path; uint64_t begin; bool recursed; };
uint64_t channel_owner(const struct rt_region_channel *c, uint32_t lane);       /* pid << 32 | tid; 0: free */
/* The regions that are open in a lane, outermost first; returns their number. */
size_t channel_open(struct channel_open ret[RT_REGION_DEPTH], const struct rt_region_channel *c, uint32_t lane);

/*
 * After a pass: for each path (below RT_REGION_PATHS) the ticks of the entries that ended since the last call and
 * that the pass did not return.
 */
void channel_short(struct channel_reader *r, uint64_t ret_ticks[RT_REGION_PATHS]);

/*
 * Adds the sums of all entries.  A sum that is impossible for a run of `run` ticks was not written by our header; it
 * counts as one lost entry.
 */
void channel_sum(struct region_sums *to, const struct rt_region_channel *c, uint64_t run);

#endif
