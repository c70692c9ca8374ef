/*
 * schedule.h - when samples are due: at absolute deadlines, one interval after the other, however late the one before
 * was taken.  If there is an end, the last is due there: it is shorter unless the intervals fill the time.
 */
#ifndef RT_SCHEDULE_H
#define RT_SCHEDULE_H

#include "../core/base.h"

struct schedule {
	int      timer;                         /* readable when a sample is due; -1: not open */
	int64_t  begin_ns, interval_ns;         /* CLOCK_MONOTONIC; the first is due an interval after the beginning */
	int64_t  duration_ns;                   /* from the beginning to the last deadline; 0: there is none */
	uint64_t expired, deadlines;            /* that have passed; that there are: UINT64_MAX without an end */
};

#define SCHEDULE_CLOSED (struct schedule){ .timer = -1 }

int  schedule_open(struct schedule *s) must_use;        /* nothing is due yet */
void schedule_close(struct schedule *s);
void schedule_start(struct schedule *s, int64_t now_ns, double interval_seconds, double duration_seconds);
void schedule_stop(struct schedule *s);                 /* nothing more is due */

/* false: none is due.  due_ns: when the latest was; missed: deadlines before it that have passed as well. */
struct due { int64_t due_ns; uint64_t missed; };
bool schedule_due(struct schedule *s, struct due *ret);
/* What came due while we were stopped was not missed: there was nothing to see. */
void schedule_forget(struct schedule *s);
int64_t schedule_next_ns(const struct schedule *s);
bool schedule_over(const struct schedule *s);           /* the last deadline has passed */

#endif
