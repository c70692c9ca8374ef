/*
 * visits.h - one member's files, read into its figures, its accounts and its memory.
 *
 * At a visit its stat, statm and io are read (visit.c); what is too slow for every visit is read at times (slow.c): its
 * status and descriptors, and what its threads waited (waits.c).
 */
#ifndef RT_VISITS_H
#define RT_VISITS_H

#include "../kernel/proc_parse.h"
#include "../memory/tree_memory.h"
#include "../sockets/sockets.h"

struct visits {
	struct tracked *tracked;
	struct accounts *accounts;
	struct memory *memory;
	struct sockets *sockets;                /* NULL: they are not of this machine */
	bool noticed_io, noticed_threads;
};

/*
 * visit.c.  clock_ns: its CPU clock, read just now; negative: not read.
 * -ESRCH: the process is gone.  Other errors: nothing is known, it may live.
 */
int  visit(struct visits *v, struct member *m, int64_t clock_ns) must_use;
bool visit_is_due(const struct tracked *t, const struct glance *g);     /* whether it ran or not */
bool visit_finds_same(struct tracked *t, struct member *m);     /* its clock is the same; looks at its memory */
void visit_new_pass(const struct tracked *t, struct member *m); /* before its figures change in this pass */

/* slow.c */
void visit_slow_files(struct visits *v);                        /* of those that ran and are due */
void visit_peaks(struct visits *v);                             /* alone, of those that had page faults */
void visit_start(struct visits *v, struct member *m);           /* a command before its release: what it did by then */
void visit_last(struct visits *v, struct member *m);            /* a zombie, before wait4 tells its switches */

/* waits.c.  Into now, and into the sums of its root at once (HANDED_ON).  of_main: status of the main thread. */
void visit_waits(struct visits *v, struct member *m, struct figures *now, const struct proc_status *of_main);
/* What a count of delays gained; 0 where it is more than `threads` can have waited in that time. */
uint64_t delay_gain(uint64_t was, uint64_t now, int64_t elapsed_ns, size_t threads);

#endif
