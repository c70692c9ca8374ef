/*
 * tree.h - the tracked processes and all their descendants.
 *
 * Membership: identity is (pid, start time); once a member, always a member until death, even when
 * re-parented.  CPU and I/O are kept in a ledger at the level of the sum: live members (with what
 * they inherited from children they waited for) plus what ended under us; nothing is differenced
 * per process, so a child that dies between two samples is neither lost nor counted twice.
 */
#ifndef RT_TREE_H
#define RT_TREE_H

#include <sys/resource.h>
#include <sys/types.h>

#include "../core/collector.h"
#include "../core/tree_exit.h"
#include "../cpu/cpu_source.h"
#include "../memory/pss_budget.h"

struct tree_options {
	const pid_t *roots;                     /* copied */
	size_t n_roots;                         /* 1..ROOT_MAX */
	bool   ours;                            /* root 0 is our child and we are its subreaper: every
						   descendant of this process is a member, but for itself */
	bool   alone;                           /* and we have no other child */
	bool   no_children;                     /* the roots alone */
	enum pss_policy pss;
	enum cpu_choice cpu;
	const struct leaf *leaf;                /* where root 0 was born, if in a group of ours; NULL: unknown */
	unsigned perf_cpus;                     /* perf tells of forks on so many CPUs at most; 0: PERF_CPUS_MAX */
	int    signal;                          /* real-time and blocked: sent to this process when tree_drain should
						   be called (kernel/sideband.h); 0: none */
};

struct tree;

/* -ESRCH with a sentence if a root does not exist.  `src` must outlive the tree. */
int  tree_open(struct tree **ret, const struct source *src, const struct tree_options *options,
	       struct why *why) must_use;
void tree_close(struct tree *t);                /* NULL is fine */

/*
 * The command was let go, after the baseline, and lives on: from now on the ends of TCP connections are listened
 * to, and it is known what else the kernel counts.  Where it is not called the one begins with the next reading, and
 * delays of block I/O are missing.
 */
void tree_listen(struct tree *t);

/*
 * Takes one reading into tick->out: total.process_*, programs, roots.  The first is the baseline.
 * Without an `out` it is a look, whose gains go to the next sample.
 */
int  tree_read(struct tree *t, struct tick *tick);

/*
 * For a child of ours (the command, or an orphan we adopted) that has ended and is a zombie:
 * call tree_zombie before reaping it (reads its final counters), then reap it with wait4 and hand
 * the usage to tree_reaped.  The pair moves its CPU and I/O into the ledger exactly once.
 */
void tree_zombie(struct tree *t, pid_t pid);
void tree_reaped(struct tree *t, pid_t pid, const struct rusage *usage);

/* Members' ends, each told once, in the order they were noticed. */
bool tree_next_exit(struct tree *t, struct tree_exit *ret);     /* at most 64 are kept between reads */

/* When options.signal comes, so that what the kernel tells is not lost. */
void tree_drain(struct tree *t);

/* Sums over all roots, as last read; CPU time by the ledger, since the processes began. */
struct tree_sums {
	double cpu_seconds, rss_bytes;
	double largest_bytes;                           /* that any one process of it ever had resident */
	double disk_read_bytes, disk_write_bytes;       /* NONE: not known */
	size_t processes;
};
void tree_sums(const struct tree *t, struct tree_sums *ret);

/* All members but for one, as last read.  still: none of them ran since the reading before. */
struct tree_others { double rss_bytes; size_t processes; bool still; };
bool tree_others(const struct tree *t, pid_t pid, struct tree_others *ret);     /* false: it is no member */
/* Reads the tree between two samples, to which nothing is lost by it. */
void tree_look(struct tree *t, struct tree_sums *ret);

/* The members' numbers as of the last reading, at most `room` of them: how many there are. */
size_t tree_pids(const struct tree *t, pid_t *ret, size_t room);
/* The key under which the program of this member stands in the last sample; "": none; NULL: it is no member. */
const char *tree_program(const struct tree *t, pid_t pid);
size_t tree_alive(const struct tree *t);        /* members alive at the last reading, zombies not counted */
/* The same of now: those that run may be about to end, and running_ns is their CPU time so far. */
struct tree_left { size_t stay, running; int64_t running_ns; };
void tree_left(struct tree *t, struct tree_left *ret);
/* The next reason not told yet why something is missing, or NULL (as sampler_notice). */
const char *tree_notice(struct tree *t);

#endif
