/*
 * schedule.h - when samples are due: at absolute deadlines, one interval apart, however late the sample before was
 * taken.  With a duration, the last deadline is at its end, so the last interval can be shorter.
 */
#ifndef RT_SCHEDULE_H
#define RT_SCHEDULE_H

#include "../core/base.h"

struct schedule {
	int      timer;                         /* readable when a sample is due; -1: not open */
	int64_t  begin_ns, interval_ns;         /* CLOCK_MONOTONIC; first deadline: begin_ns + interval_ns */
	int64_t  duration_ns;                   /* from begin_ns to the last deadline; 0: no end */
	uint64_t expired, deadlines;            /* deadlines that have passed; in all (UINT64_MAX: no end) */
};

#define SCHEDULE_CLOSED (struct schedule){ .timer = -1 }

int  schedule_open(struct schedule *s) must_use;        /* 0 or -errno; nothing is due before schedule_start */
void schedule_close(struct schedule *s);
/* interval_seconds: above 0; duration_seconds 0: no end. */
void schedule_start(struct schedule *s, int64_t now_ns, double interval_seconds, double duration_seconds);
void schedule_stop(struct schedule *s);                 /* nothing is due any more */

/* false: none is due.  due_ns: the latest deadline; missed: number of deadlines that passed before it. */
struct due { int64_t due_ns; uint64_t missed; };
bool schedule_due(struct schedule *s, struct due *ret);
/* After the recorder was stopped with the command: drops the deadlines that passed, without counting them as missed. */
void schedule_forget(struct schedule *s);
int64_t schedule_next_ns(const struct schedule *s);     /* time of the next deadline */
bool schedule_over(const struct schedule *s);           /* the last deadline has passed */

#endif
