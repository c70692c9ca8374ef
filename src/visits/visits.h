/*
 * visits.h - reads the files of one member into its figures, its accounts and its memory.
 *
 * A visit reads stat, statm and io (visit.c): in each pass of the tree (tree/pass.c) for members that ran, and when a
 * member is found or has exited.  Slower files are read at intervals (slow.c): status and descriptors, and the waits of
 * its threads (waits.c).  Which processes are members is decided elsewhere (membership/).
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
	struct sockets *sockets;                /* NULL: the source is not this machine */
	bool noticed_io, noticed_threads;
};

/*
 * visit.c.  clock_ns: its CPU clock, read just now; negative: not read.  -ESRCH: the process is gone, or its pid
 * belongs to another.  After other errors its figures stay, and it may live; -EAGAIN: its parent reaps it just now.
 */
int  visit(struct visits *v, struct member *m, int64_t clock_ns) must_use;
bool visit_is_due(const struct tracked *t, const struct glance *g);     /* even if it did not run */
bool visit_finds_same(struct tracked *t, struct member *m);     /* for an unchanged clock; reads its memory */
void visit_new_pass(const struct tracked *t, struct member *m); /* before its figures change in this pass */

/* slow.c */
void visit_slow_files(struct visits *v);                        /* of members that ran and are due */
void visit_peaks(struct visits *v);                             /* peaks only, of members that had page faults */
void visit_start(struct visits *v, struct member *m);           /* our command before its release: its waits so far */
void visit_last(struct visits *v, struct member *m);            /* a zombie, before wait4 returns its switches */

/*
 * waits.c.  Adds counters from HANDED_ON on to now, from KEPT on to its root's sums.  of_main: the main thread's
 * status.
 */
void visit_waits(struct visits *v, struct member *m, struct figures *now, const struct proc_status *of_main);
/* The gain of a delay counter; 0 if it is more than `threads` threads can have waited in that time. */
uint64_t delay_gain(uint64_t was, uint64_t now, int64_t elapsed_ns, size_t threads);

#endif
