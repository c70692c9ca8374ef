/*
 * accounting.h - what a tree used: CPU and I/O at the level of the sum, levels of its members, its roots and programs.
 *
 * Live members stand in the sums with what they have, and with what they inherited from children they waited for; of
 * those that ended, what no living member inherited (settle.c).  No process is differenced by itself, so a child that
 * ends between two readings is neither lost nor counted twice.
 */
#ifndef RT_ACCOUNTING_H
#define RT_ACCOUNTING_H

#include "../core/sample.h"
#include "../members/tracked.h"

struct accounts;

int  accounts_open(struct accounts **ret, struct tracked *t) must_use;  /* t outlives them */
void accounts_close(struct accounts *a);                                /* NULL is fine */

/* accounts.c.  Roots are numbered as they are added; a descendant of another comes after it. */
void accounts_add_root(struct accounts *a, pid_t pid, uint64_t start_ticks, const char *comm);
void accounts_name_root(struct accounts *a, pid_t pid, const char *comm);
bool accounts_has_root(const struct accounts *a, pid_t pid);
uint64_t accounts_sum(const struct accounts *a, enum counter k);        /* since the processes began */
int64_t  accounts_level(const struct accounts *a, enum level k);        /* as last read */
bool accounts_ever(const struct accounts *a, enum level has);           /* it was above 0 once */

/* CPU time in all, ns: for the choice of the best source (cpu/ladder.h). */
struct accounts_cpu {
	uint64_t ledger_ns, user_ns, system_ns; /* as of the last report */
	/*
	 * What the ledger may lack of waited children's: cutime and cstime are in ticks, and what may stand there
	 * twice is held back.
	 */
	uint64_t slack_ns;
	uint64_t visible_ns;                    /* of processes that were seen alive ... */
	uint64_t unseen_ns;                     /* ... of others, by perf's records at their ends ... */
	uint64_t unread_ns;                     /* ... and of those without a record, at most */
};
struct accounts_cpu accounts_cpu(const struct accounts *a);

/* sums.c: a member's figures, instead of those it had. */
void accounts_set(struct accounts *a, struct member *m, const struct figures *now);
/* What children left it by now.  -ENOMEM, with a notice: nothing was changed, the next reading has it. */
int  accounts_set_waited(struct accounts *a, struct member *m, const uint64_t figures[APART]) must_use;
/* A gain of those counters that are told once (from KEPT on): it stays, whatever becomes of the member. */
void accounts_add(struct accounts *a, const struct member *m, enum counter k, uint64_t gain);
/*
 * What m inherited since `waited` and `own` may be of members that are still taken for alive: it is held back from the
 * sums until they were read after it.
 */
void accounts_hold(struct accounts *a, const struct member *m, const uint64_t waited[APART],
		   const uint64_t own[KEPT]);
void accounts_release_held(struct accounts *a);
/* wait4 told all of its CPU time: nothing of it is rounded away. */
void accounts_set_exact(struct accounts *a, struct member *m);
/* Takes a member out of the sums.  What it used is settled or kept; its program keeps its gains. */
void accounts_drop(struct accounts *a, struct member *m);

/* settle.c */
bool accounts_reserve(struct accounts *a, size_t n);    /* for so many members that are gone; false: no memory */
void accounts_keep(struct accounts *a, const struct member *gone);
/*
 * Where the figures of members went that are gone, once all that may have inherited them were read.  false: of some, no
 * other process has all.
 */
bool accounts_settle(struct accounts *a, struct member **gone, size_t n);
/*
 * Pure: what of `lost` no one inherited, given what the heir's children gained (APART counters).
 * *remainder_ns is what the heir's children time rounded away so far.  Returns the share, 0..1.
 */
double settle_share(uint64_t ret_kept[KEPT], const uint64_t lost[KEPT], const uint64_t gain[APART],
		    uint64_t *remainder_ns, uint64_t ns_per_tick);

/* programs.c.  Programs are numbered; 0: those without a name or a place. */
uint16_t program_named(struct accounts *a, const char *comm);
void program_count_start(struct accounts *a, uint16_t program);
void program_count_end(struct accounts *a, uint16_t program);
/*
 * A process of it ended having used cpu_ns, of which *counted_ns stands with it already, with so many threads that perf
 * has no more to say of; missing_ns: what there is no record of, at most.
 */
void program_count_ended_cpu(struct accounts *a, uint16_t program, uint64_t *counted_ns, uint64_t cpu_ns,
			     uint32_t threads);
void program_count_missing(struct accounts *a, uint16_t program, uint64_t missing_ns);
/* The key under which the program of this member stands in the last sample; "": none. */
const char *accounts_program(const struct accounts *a, const struct member *m);

/* Into a sample, in this order: the tree's CPU time is known best in between (cpu/cpu_source.h). */
void accounts_report(struct accounts *a, struct sample *out, int64_t ret_level[LEVELS]);
void accounts_report_programs(struct accounts *a, struct sample *out);
void accounts_report_unaccounted(struct accounts *a, struct totals *out);

#endif
