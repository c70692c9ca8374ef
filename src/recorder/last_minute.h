/*
 * last_minute.h - the last minute of a run at a finer resolution than its samples: memory, CPU and processes of the
 * tree and the machine's memory, kept in a ring of fixed size.  Only a run that fails shows it.
 *
 * A poll between samples costs 110 us, 60 of them for waking up; at 10 Hz that would cost twice as much as all samples
 * at an interval of 1 s.  So polls are frequent only when they can matter: every 0.1 s in the first second, while
 * memory grows so that it will be full within a minute, and while processes multiply; else every second, which at the
 * usual interval means none.  They also have a budget: 0.015 % of a core, with credit for a minute at 10 Hz for a tree
 * of a few processes.  A tree with many processes, where a poll costs more, gets fewer polls.
 */
#ifndef RT_LAST_MINUTE_H
#define RT_LAST_MINUTE_H

#include "../core/run.h"
#include "../core/sample.h"
#include "../core/source.h"
#include "../tree/tree.h"

enum { MOMENTS = 640 };

struct last_minute {
	struct moment ring[MOMENTS];
	size_t  first, n;
	int64_t start_ns;                       /* start of the run: `seconds` of moments count from here */
	double  memory_limit_bytes;             /* of the control group; NONE: none */
	int64_t restless_until_ns;              /* polls at 10 Hz until then */
	int64_t credit_ns, credited_ns;         /* CPU time for polls, and when it was last added to */
	int     meminfo, pressure;              /* opened at the first poll; -1: not open yet, or missing */
	bool    opened;
	struct text text;
};

/*
 * *l is zeroed.  Times are CLOCK_MONOTONIC.  memory_limit_bytes: of the control group, for polls before the first
 * sample; or NONE.
 */
void last_minute_open(struct last_minute *l, int64_t start_ns, double memory_limit_bytes);
void last_minute_close(struct last_minute *l);          /* does nothing if all is zero */

/* Call it after each sample.  tree: NULL: none. */
void last_minute_sample(struct last_minute *l, const struct sample *s, const struct tree *tree);
/* A poll between samples: reads the tree and the machine's memory. */
void last_minute_poll(struct last_minute *l, const struct source *src, struct tree *tree);
/*
 * When the next poll is due, after a sample or poll at now_ns and with the next sample at sample_ns; 0: none before
 * that sample.
 */
int64_t last_minute_due(const struct last_minute *l, int64_t now_ns, int64_t sample_ns);

/* Pure: whether the change between the two moments requires polls at 10 Hz. */
bool last_minute_is_restless(const struct moment *was, const struct moment *now, double memory_limit_bytes);
/* Copies the moments of the last sixty seconds, oldest first.  Returns their number. */
size_t last_minute_moments(const struct last_minute *l, struct moment ret[MOMENTS]);

#endif
