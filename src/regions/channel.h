/*
 * channel.h - the shared memory in which a command tells of its regions: made, offered, read, summed up.
 *
 * It is a sealed memfd of ours that programs map by its name below /proc, so nobody can cut it off under us, it
 * needs no descriptor in the command, and whoever may not look at us cannot open it.
 */
#ifndef RT_CHANNEL_H
#define RT_CHANNEL_H

#include "../core/source.h"
#include "channel_read.h"
#include "region_attribution.h"
#include "memory_notes.h"

/* A tick of the channel's clock; the rate gets better the longer it runs. */
struct channel_clock {
	bool     cpu_counter;
	uint64_t first_tick;
	int64_t  first_ns;
	double   ns_per_tick;
};

struct channel {
	struct rt_region_channel *memory;       /* NULL: there is none */
	int      fd;
	struct channel_clock clock;
	long     page_bytes;
	struct channel_reader reader;
	struct memory_notes *reported;               /* where notes of memory go; NULL: programs are not asked */
	struct region_sums gone;                       /* what was open where a thread or process was gone */
	struct region_event dead[RT_REGION_DEPTH];      /* of one lane, to be told */
	size_t   n_dead, next_dead;
	uint32_t lane;
	bool     last, live;
	int64_t  start_ns;                      /* before the command may use it: nothing in it is older */
	int64_t  now_ns;                        /* of this pass */
};

/* `c` is all zero: most of it is never touched.  -errno: the kernel gives none; nothing is to be undone then. */
int  channel_open_memory(struct channel *c) must_use;
void channel_close(struct channel *c);

/* "/proc/PID/fd/N", for the command's environment. */
void channel_address(char *ret, size_t size, const struct channel *c);

/*
 * Decides on the clock, as long after channel_open_memory as may be, and before the command may use the channel:
 * the CPU's counter where the kernel itself keeps time by it, and so knows it for invariant.
 */
void channel_start(struct channel *c, const struct source *src, double call_least_ns);

/*
 * Programs may call, by changing this number, when regions of call_least_ns or more begin and end: not again before
 * they were answered, and once in every_ns, with a credit.  Before channel_listen once, which tells their memory.
 */
uint32_t *channel_number(const struct channel *c);
void channel_listen(struct channel *c, int64_t credit_ns);
uint32_t channel_answer(struct channel *c, int64_t every_ns);   /* what the number was */

/*
 * Begins a pass over what is new, and over those whose thread is gone.  last: whoever is there yet is left behind, and
 * what it has open is told as unfinished.
 */
void channel_drain(struct channel *c, const struct source *src, bool last);
bool channel_next_event(struct channel *c, struct region_event *ret);     /* false: the pass is over */

/*
 * After a pass: the regions that are open now, and the time of the entries since the last time that the pass did not
 * tell one by one.
 */
void channel_share(struct channel *c, struct attribution *to);

/* All of the run, with `more`, whose times are in ns (may be NULL).  0 or -ENOMEM. */
int  channel_totals(struct region_totals *ret, const struct channel *c, const struct region_sums *more) must_use;

#endif
