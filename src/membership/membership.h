/*
 * membership.h - the members of a tree: found by perf's records of forks and exits, by the kernel's lists of children,
 * or by a scan of /proc; and those that left it.
 *
 * A process is identified by (pid, start time).  A member stays a member until it exits, even when it gets another
 * parent.
 */
#ifndef RT_MEMBERSHIP_H
#define RT_MEMBERSHIP_H

#include <sys/resource.h>

#include "../core/tree_exit.h"
#include "../kernel/sideband.h"
#include "../visits/visits.h"

struct membership;

int  membership_open(struct membership **ret, struct visits *v) must_use;       /* -ENOMEM; v outlives it */
void membership_close(struct membership *ms);                                   /* NULL is fine */

/* ---- finding ---- */

bool membership_has_lists(struct membership *ms);       /* the kernel has lists of children (task/TID/children) */
/*
 * Opens perf's events of our command before its exec, on at most so many CPUs; signal: as in tree_options.  If they are
 * refused, members are found by walking.
 */
void membership_follow(struct membership *ms, pid_t root, unsigned cpus, int signal);
struct sideband *membership_events(const struct membership *ms);        /* belong to ms; NULL: refused */

/*
 * The order in a pass: drain; judge; walk, if it may find a member; visit the known members; meet, so that a child is
 * read after its parent; visit the new members; repair; settle; settle_records.
 */
void membership_drain(struct membership *ms);           /* reads perf's records; at any time */
void membership_suspect(struct membership *ms, const struct member *m); /* it lives: checks that it has a record */
void membership_judge(struct membership *ms);           /* whether perf's events follow members without a record */
void membership_put_off_walk(struct membership *ms);    /* the command has not started: nothing can be found */
bool membership_walks_all(const struct membership *ms); /* all members are walked now: periodically, and after a loss */
/*
 * forks: the machine's fork counter, 0: unknown; all: as membership_walks_all.  true: the caller lists the children of
 * members as well (membership_walk_member).
 */
bool membership_walk(struct membership *ms, uint64_t forks, bool all);
void membership_walk_member(struct membership *ms, struct member *m);
void membership_meet(struct membership *ms);
void membership_repair(struct membership *ms);          /* after records were lost */
void membership_settle_records(struct membership *ms);  /* of members that exited and were read */
void membership_poll_outside(struct membership *ms);    /* finds relatives outside the tree; once */

/* perf's records so far. */
struct membership_news {
	uint64_t tasks;                         /* processes and threads started, upper bound; UINT64_MAX: unknown */
	uint64_t ended;                         /* processes */
	uint64_t lost;                          /* records */
	bool     waiting;                       /* some processes wait to be visited */
};
struct membership_news membership_news(const struct membership *ms);

/* ---- exits ---- */

void membership_ended(struct membership *ms, struct member *m, bool exact);     /* a zombie, or gone */
void membership_gone(struct membership *ms, struct member *m);                  /* it no longer exists, or was reaped */
/* Reads members again that may have exited or inherited in this pass, and takes gone ones out of the sums. */
void membership_settle(struct membership *ms);
/* As tree_zombie, tree_reaped, tree_next_exit. */
void membership_zombie(struct membership *ms, pid_t pid);
void membership_reaped(struct membership *ms, pid_t pid, const struct rusage *usage);
bool membership_next_exit(struct membership *ms, struct tree_exit *ret);

void membership_report(struct membership *ms, struct totals *out);

#endif
