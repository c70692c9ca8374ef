/*
 * tree_memory.h - the memory of a tree: PSS within a budget, its bounds between readings, and the largest process.
 *
 * Private memory is shared by fork alone, so processes related by fork without exec are a fork group (fork_group.c): a
 * fork does not change the total of a fork group.  A child of vfork runs in its parent's memory, which counts once
 * (shared_mm.c).
 */
#ifndef RT_TREE_MEMORY_H
#define RT_TREE_MEMORY_H

#include "../accounting/accounting.h"
#include "pss_budget.h"

struct memory;

/* -ENOMEM.  t and a outlive it.  The budget begins now. */
int  memory_open(struct memory **ret, struct tracked *t, struct accounts *a, enum pss_policy policy) must_use;
void memory_close(struct memory *mem);                          /* NULL is fine */

/*
 * At a visit of a member, in this order; its accounts are set afterwards.  parent, stack: from its stat; now: its
 * figures, of which has_pss, shares, unreadable and the rollup are set here.
 */
void memory_new_pass(struct member *m);         /* before its figures change in this pass */
/* Whether it runs in another member's memory; stack 0: unknown, so it does not. */
bool memory_is_shared_mm(struct memory *mem, const struct member *m, pid_t parent, uint64_t stack);
void memory_join(struct memory *mem, struct member *m, uint64_t stack, struct figures *now);
void memory_found(struct memory *mem, struct member *m, struct figures *now);   /* first seen */
void memory_take(struct memory *mem, struct member *m, struct figures *now);
void memory_renamed(struct member *m, bool is_zombie);          /* it runs another program */
void memory_visited(struct tracked *t, struct member *m, bool ran);
void memory_is_due(struct tracked *t, struct member *m);        /* the number of sharers may have changed */
bool memory_has_due(const struct member *m);                    /* it waits to be read (members.due) */
void memory_set_tables(struct member *m, uint64_t pages);       /* of page tables */
/* peak: in bytes, of itself or of a child, from wait4; childless: it had no child, so it is its own. */
void memory_reaped(struct memory *mem, struct member *m, int64_t peak, bool childless);
void memory_leave(struct memory *mem, struct member *m);        /* it is gone, but still in the sums */

/* A process outside the tree has this stack: it may share memory with the fork group that has the same stack. */
void memory_note_outside(struct memory *mem, uint64_t stack);

/* pss.c: reads members that need it, within the budget.  slowdown: the divisor of the earnings (governor.h). */
void memory_read(struct memory *mem, unsigned slowdown);
bool memory_reads_always(const struct memory *mem);     /* at any cost */
void memory_changed(struct memory *mem);        /* members left: another reading may be the oldest */
/* Sets PSS, USS and the bounds of PSS, for the sums over the tree; NONE where no member has them. */
void memory_report(struct memory *mem, struct totals *out, const int64_t level[LEVELS]);

/* peak.c: the most that any one process had resident. */
enum peak_source { PEAK_SEEN, PEAK_REAPED };    /* from its own files, or from wait4 */
void memory_member_peak(struct memory *mem, struct member *m, int64_t rss);     /* it had so much once */
/* The high-water mark that the kernel keeps of it, and what it has now. */
void memory_member_mark(struct memory *mem, struct member *m, int64_t mark, int64_t rss);
void memory_peak(struct memory *mem, int64_t rss, enum peak_source source);     /* some process had so much once */
void memory_peak_missed(struct memory *mem);    /* a process exited, and its peak is unknown */
void memory_ended(struct memory *mem, const struct member *m);
struct largest { int64_t rss; uint64_t left_bytes; };   /* left: of members that exited, each at its peak */
struct largest memory_largest(const struct memory *mem);
void memory_report_peak(const struct memory *mem, struct totals *out);

#endif
