/*
 * accounting.h - the resources that a tree used: CPU and I/O as sums, levels of its members, roots, programs, branches.
 *
 * The sums contain live members, with what they inherited from children they waited for; and of members that exited,
 * what no living member inherited (settle.c).  No process is differenced by itself, so a child that exits between two
 * readings is neither lost nor counted twice.
 *
 * In one pass: accounts_release_held; accounts_set, accounts_set_waited and accounts_add for each member that is read;
 * when all are read, accounts_settle for those that are gone, then accounts_drop for each of these; then a report.
 * Counters and levels have the units of members/figures.h: ns, bytes, or numbers.  Used by the sampling thread alone.
 */
#ifndef RT_ACCOUNTING_H
#define RT_ACCOUNTING_H

#include "../core/program_tree.h"
#include "../core/sample.h"
#include "../members/tracked.h"

struct accounts;

int  accounts_open(struct accounts **ret, struct tracked *t) must_use;  /* -ENOMEM.  t outlives them */
void accounts_close(struct accounts *a);                                /* NULL is fine */

/*
 * accounts.c.  At most ROOT_MAX roots, which the caller checks, numbered as they are added; a root is added after its
 * ancestors.  comm is copied.
 */
void accounts_add_root(struct accounts *a, pid_t pid, uint64_t start_ticks, const char *comm);
void accounts_name_root(struct accounts *a, pid_t pid, const char *comm);       /* if it is the first; "": no change */
bool accounts_has_root(const struct accounts *a, pid_t pid);
uint64_t accounts_sum(const struct accounts *a, enum counter k);        /* since the processes started */
int64_t  accounts_level(const struct accounts *a, enum level k);        /* as last read */
bool accounts_ever(const struct accounts *a, enum level has);           /* it was above 0 once */

/* Total CPU time, ns; for the choice of the best source (cpu/cpu_estimate.h). */
struct accounts_cpu {
	uint64_t ledger_ns, user_ns, system_ns; /* as of the last report */
	/*
	 * CPU time of waited children that the ledger may lack: cutime and cstime are in ticks, and time that may be
	 * counted twice is held back.
	 */
	uint64_t slack_ns;
	uint64_t visible_ns;                    /* of processes that were read alive ... */
	uint64_t unseen_ns;                     /* ... of others, from perf's records at their exits ... */
	uint64_t unread_ns;                     /* ... and of those without a record, upper bound */
};
struct accounts_cpu accounts_cpu(const struct accounts *a);

/* sums.c: replaces a member's figures. */
void accounts_set(struct accounts *a, struct member *m, const struct figures *now);
/* The figures inherited from children so far.  -ENOMEM, with a notice: nothing changed; the next reading sets them. */
int  accounts_set_waited(struct accounts *a, struct member *m, const uint64_t figures[APART]) must_use;
/* Adds a gain of a counter that no other process inherits (from KEPT on).  It stays when the member exits. */
void accounts_add(struct accounts *a, const struct member *m, enum counter k, uint64_t gain);
/*
 * Figures that m inherited since `waited` and `own` may belong to members that are still taken for alive.  They are
 * held back from the sums until those members are read.
 */
void accounts_hold(struct accounts *a, const struct member *m, const uint64_t waited[APART],
		   const uint64_t own[KEPT]);
void accounts_release_held(struct accounts *a);
/* wait4 returned its exact CPU time: nothing of it is rounded away. */
void accounts_set_exact(struct accounts *a, struct member *m);
/*
 * Takes a member that is gone out of the sums; its program keeps its gains.  accounts_settle or accounts_keep comes
 * before it, else what the member used is lost.
 */
void accounts_drop(struct accounts *a, struct member *m);

/* settle.c */
bool accounts_reserve(struct accounts *a, size_t n);    /* accounts_settle takes at most n; false: out of memory */
void accounts_keep(struct accounts *a, const struct member *gone);      /* no other process has any of its figures */
/*
 * Moves the figures of members that are gone to their heirs, after all possible heirs were read.  false: some figures
 * are not complete in any other process.
 */
bool accounts_settle(struct accounts *a, struct member **gone, size_t n);
/*
 * Pure: ret_kept is the part of `lost` that was not inherited, by the gain of the heir's children figures (APART
 * counters).  Returns the share of `lost` that this is, 0..1.  *remainder_ns: what the heir's children times rounded
 * away so far.
 */
double settle_share(uint64_t ret_kept[KEPT], const uint64_t lost[KEPT], const uint64_t gain[APART],
		    uint64_t *remainder_ns, uint64_t ns_per_tick);

/*
 * branches.c.  A branch is a program below the branch of the process that started it: of `make` that runs `sh` that
 * runs `cc`, three.  A process is on one branch; its program is that of the branch.  Branches are numbered and never
 * removed.  Two have no program: BRANCH_TOP, where the roots begin, and BRANCH_UNKNOWN, for a process of an unknown
 * parent.  Programs without an entry share one that has no name.
 */
enum { BRANCH_TOP, BRANCH_UNKNOWN };

uint16_t branch_of_child(struct accounts *a, uint16_t parent);  /* of a process that one on this branch forked */
/* Of a process on this branch, when its name is comm; "": it has none yet, and stays where it is. */
uint16_t branch_named(struct accounts *a, uint16_t branch, const char *comm);
void branch_count_start(struct accounts *a, uint16_t branch);
void branch_count_end(struct accounts *a, uint16_t branch);
/*
 * A process of the branch exited with cpu_ns of CPU time, of which *counted_ns is already counted for the branch;
 * threads: its threads that exited.  missing_ns: upper bound of the time without a record.
 */
void branch_count_ended_cpu(struct accounts *a, uint16_t branch, uint64_t *counted_ns, uint64_t cpu_ns,
			    uint32_t threads);
void branch_count_missing(struct accounts *a, uint16_t branch, uint64_t missing_ns);
/* As of the last report.  -ENOMEM: ret->n is 0. */
int  accounts_program_tree(const struct accounts *a, struct program_tree *ret) must_use;
/* The key of this member's program in the last sample, valid until the next report; "": none. */
const char *accounts_program(const struct accounts *a, const struct member *m);

/*
 * Fill a sample, in this order.  After the first, cpu/cpu_source.h sets the tree's CPU time.  ret_level: sums of the
 * levels of all roots.  Amounts are since the last report.
 */
void accounts_report(struct accounts *a, struct sample *out, int64_t ret_level[LEVELS]);
void accounts_report_programs(struct accounts *a, struct sample *out);
void accounts_report_unaccounted(struct accounts *a, struct totals *out);

#endif
