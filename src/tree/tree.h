/*
 * tree.h - the tracked processes and all their descendants.
 *
 * A process is identified by (pid, start time).  A member stays a member until it exits, even when it gets another
 * parent.  CPU time and I/O are kept as sums in a ledger: those of live members (with what they inherited from children
 * they waited for) plus those of members that exited.  No process is differenced by itself, so a child that exits
 * between two samples is neither lost nor counted twice.
 *
 * For one thread; several trees in a process are independent.  Nothing here waits, except for the counters of closed
 * connections after the last exit: at most 50 ms.  A tree is read by the collector `process` at each sample; the
 * recorder and the library call the rest.
 */
#ifndef RT_TREE_H
#define RT_TREE_H

#include <sys/resource.h>
#include <sys/types.h>

#include "../core/collector.h"
#include "../core/program_tree.h"
#include "../core/tree_exit.h"
#include "../cpu/cpu_source.h"
#include "../memory/pss_budget.h"

struct tree_options {
	const pid_t *roots;                     /* copied */
	size_t n_roots;                         /* 1..ROOT_MAX */
	bool   ours;                            /* root 0 is our child and we are its subreaper: every descendant of
						   this process is a member, this process is not */
	bool   alone;                           /* and we have no other child */
	pid_t  starter;                         /* a process of ours that waits until we measure: no member; 0: none */
	bool   no_children;                     /* only the roots are tracked */
	bool   peaks_from_baseline;             /* memory that a process had before is no peak of the tree */
	enum pss_policy pss;
	enum cpu_choice cpu;
	const struct own_cgroup *own_cgroup;    /* our control group in which root 0 was started; NULL: unknown */
	unsigned perf_cpus;                     /* perf records forks on at most so many CPUs; 0: PERF_CPUS_MAX */
	int    signal;                          /* real-time and blocked; sent to this process when tree_drain is due
						   (kernel/sideband.h); 0: none */
};

struct tree;

/*
 * `src` and the control group must outlive the tree.  -errno with a sentence; -ESRCH: a root does not exist; -EINVAL:
 * no root, or too many.  What cannot be had (perf, a control group) is replaced by something less exact: tree_notice.
 */
int  tree_open(struct tree **ret, const struct source *src, const struct tree_options *options,
	       struct why *why) must_use;
void tree_close(struct tree *t);                /* NULL is fine */

/*
 * For a command that keeps running after its release.  Starts to listen for closed TCP connections, and checks what
 * else the kernel counts.  Without this call, listening starts with the next reading, and delays of block I/O are
 * missing.
 */
void tree_listen(struct tree *t);

/*
 * Takes one reading into tick->out: total.process_*, programs, roots.  The first is the baseline.  Without an `out`,
 * the gains go to the next sample.  Returns 0: what could not be read is NONE, and noticed.
 */
int  tree_read(struct tree *t, struct tick *tick);

/*
 * For a child of ours (the command, or an orphan we adopted) that has exited and is a zombie: call tree_zombie, which
 * reads its final counters; then reap it with wait4 and pass the usage to tree_reaped.  The pair moves its CPU time and
 * I/O into the ledger exactly once.
 */
void tree_zombie(struct tree *t, pid_t pid);
void tree_reaped(struct tree *t, pid_t pid, const struct rusage *usage);

/* Exits of members, each returned once, in the order in which they were noticed, of at most 64.  false: no more. */
bool tree_next_exit(struct tree *t, struct tree_exit *ret);

/* Call it when options.signal arrives, before the kernel drops records. */
void tree_drain(struct tree *t);

/* Sums over all roots at the last reading; CPU time from the ledger, since the processes started. */
struct tree_sums {
	double cpu_seconds, rss_bytes;
	double largest_bytes;                           /* the most that any one process ever had resident */
	double disk_read_bytes, disk_write_bytes;       /* NONE: unknown */
	size_t processes;
};
void tree_sums(const struct tree *t, struct tree_sums *ret);

/* All members except one, at the last reading.  still: none of them ran since the reading before. */
struct tree_others { double rss_bytes; size_t processes; bool still; };
bool tree_others(const struct tree *t, pid_t pid, struct tree_others *ret);     /* false: it is not a member */
/* Reads the tree between two samples.  The next sample loses nothing by it. */
void tree_poll(struct tree *t, struct tree_sums *ret);

/* The pids of the members at the last reading, at most `room` of them.  Returns the number of members. */
size_t tree_pids(const struct tree *t, pid_t *ret, size_t room);
/* The key of this member's program in the last sample, valid until the next; "": none; NULL: it is not a member. */
const char *tree_program(const struct tree *t, pid_t pid);
/* Which program started which, as of the last reading with a sample.  -ENOMEM: ret->n is 0. */
int  tree_programs(const struct tree *t, struct program_tree *ret) must_use;
size_t tree_alive(const struct tree *t);        /* members alive at the last reading, without zombies */
/* Members alive now.  Those that run may be about to exit; running_ns is their CPU time so far. */
struct tree_left { size_t stay, running; int64_t running_ns; };
void tree_left(struct tree *t, struct tree_left *ret);
/* The next notice about missing figures, each returned once; or NULL (as sampler_notice). */
const char *tree_notice(struct tree *t);

#endif
