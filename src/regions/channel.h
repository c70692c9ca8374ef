/*
 * channel.h - the shared memory in which a command reports its regions: created, offered, read, summed up.
 *
 * It is a sealed memfd of the recorder that programs map by its name below /proc.  So no process can truncate it while
 * the recorder reads it, the command needs no descriptor, and a process without access to the recorder cannot open it.
 */
#ifndef RT_CHANNEL_H
#define RT_CHANNEL_H

#include "../core/source.h"
#include "channel_read.h"
#include "region_attribution.h"
#include "memory_notes.h"

/* The channel's clock in ticks, and its rate, which gets more precise the longer the run lasts. */
struct channel_clock {
	bool     cpu_counter;
	uint64_t first_tick;
	int64_t  first_ns;
	double   ns_per_tick;
};

struct channel {
	struct rt_region_channel *memory;       /* NULL: no channel */
	int      fd;
	struct channel_clock clock;
	long     page_bytes;
	struct channel_reader reader;
	struct memory_notes *reported;          /* receives the notes of memory; NULL: programs write none */
	struct region_sums gone;                /* entries that were open when their thread or process ended */
	struct region_event dead[RT_REGION_DEPTH];      /* the same of one lane, still to be returned as events */
	size_t   n_dead, next_dead;
	uint32_t lane;
	bool     last, live;
	int64_t  start_ns;                      /* before the command can use the channel: no entry is older */
	int64_t  now_ns;                        /* time of this pass */
};

/* `c` must be all zero (most of it is never written).  -errno: no memory of this kind; then `c` needs no close. */
int  channel_open_memory(struct channel *c) must_use;
void channel_close(struct channel *c);          /* without a channel it does nothing */

/* Writes "/proc/PID/fd/N", for the command's environment. */
void channel_address(char *ret, size_t size, const struct channel *c);

/*
 * Chooses the clock and makes the channel valid: the CPU's counter if the kernel uses it as its own clock source, so
 * it is invariant; else CLOCK_MONOTONIC.  Call it before the command can use the channel, but as late after
 * channel_open_memory as possible: the time between them measures the counter's rate.  A program calls the recorder
 * (below) only for regions of call_least_ns or more.
 */
void channel_start(struct channel *c, const struct source *src, double call_least_ns);

/*
 * Programs call the recorder by changing this number when a region of call_least_ns or more begins or ends.  They call
 * again only after channel_answer, and on average once in every_ns; they can save up calls for credit_ns.  Before
 * channel_listen they call once, to report their memory.
 */
uint32_t *channel_number(const struct channel *c);              /* c has a channel, here and in the next two */
void channel_listen(struct channel *c, int64_t credit_ns);
uint32_t channel_answer(struct channel *c, int64_t every_ns);   /* returns the number that was answered */

/*
 * Begins a pass over the new entries and notes, and over the entries of threads that have ended.  last: threads that
 * still run count as ended, so their open entries are returned as unfinished.
 */
void channel_drain(struct channel *c, const struct source *src, bool last);
bool channel_next_event(struct channel *c, struct region_event *ret);   /* false: the pass is over */

/*
 * After a pass: adds the regions that are open now, and the time of the entries since the last call that the pass did
 * not return one by one.
 */
void channel_share(struct channel *c, struct attribution *to);

/*
 * The totals of the whole run, including `more` (times in ns; NULL: nothing); without a channel only these.  Free them
 * with region_totals_release.  0 or -ENOMEM.
 */
int  channel_totals(struct region_totals *ret, const struct channel *c, const struct region_sums *more) must_use;

#endif
