/*
 * membership.h - who belongs to a tree: found by perf's records of forks and ends, by the kernel's lists of children,
 * or by a scan of /proc; and who left it.
 *
 * Identity is (pid, start time); once a member, always a member until its end, even when it gets another parent.
 */
#ifndef RT_MEMBERSHIP_H
#define RT_MEMBERSHIP_H

#include <sys/resource.h>

#include "../core/tree_exit.h"
#include "../kernel/sideband.h"
#include "../visits/visits.h"

struct membership;

int  membership_open(struct membership **ret, struct visits *v) must_use;       /* v outlives it */
void membership_close(struct membership *ms);                                   /* NULL is fine */

/* ---- finding ---- */

bool membership_has_lists(struct membership *ms);       /* the kernel has lists of children (task/TID/children) */
/*
 * Opens perf's events of a command that is ours and has not begun, on so many CPUs at most; signal: as in tree_options.
 * Where they are refused, members are found by walking.
 */
void membership_follow(struct membership *ms, pid_t root, unsigned cpus, int signal);
struct sideband *membership_events(const struct membership *ms);        /* NULL: refused */

/*
 * In a pass: drain and judge; walk, if anything may be found by it, which may find more than one visits; meet once who
 * was there is visited (a child is read after its parent); repair when all were visited; settle; and settle_records.
 */
void membership_drain(struct membership *ms);           /* takes perf's records; at any time */
void membership_suspect(struct membership *ms, const struct member *m);   /* it lives: is there a record of it? */
void membership_judge(struct membership *ms);           /* whether perf's events follow those it has no records of */
void membership_put_off_walk(struct membership *ms);    /* nothing has begun: there is nothing to be found */
bool membership_walks_all(const struct membership *ms); /* all are to be walked now: at times, and after a loss */
/* true: the children of members are to be listed as well (membership_walk_member). */
bool membership_walk(struct membership *ms, uint64_t forks, bool all);
void membership_walk_member(struct membership *ms, struct member *m);
void membership_meet(struct membership *ms);
void membership_repair(struct membership *ms);          /* after records were lost */
void membership_settle_records(struct membership *ms);  /* of those that have ended and were read */
void membership_look_outside(struct membership *ms);    /* for relatives that are not of the tree; once */

/* What perf recorded by now. */
struct membership_news {
	uint64_t tasks;                         /* processes and threads started, at most; UINT64_MAX: unknown */
	uint64_t ended;                         /* processes */
	uint64_t lost;                          /* records */
	bool     waiting;                       /* some are to be met */
};
struct membership_news membership_news(const struct membership *ms);

/* ---- ends ---- */

void membership_ended(struct membership *ms, struct member *m, bool exact);     /* a zombie, or gone */
void membership_gone(struct membership *ms, struct member *m);                  /* it is no more, or was reaped */
/* Reads again what may have ended or inherited in this pass, and takes those that are gone out of the sums. */
void membership_settle(struct membership *ms);
/* As tree_zombie, tree_reaped, tree_next_exit. */
void membership_zombie(struct membership *ms, pid_t pid);
void membership_reaped(struct membership *ms, pid_t pid, const struct rusage *usage);
bool membership_next_exit(struct membership *ms, struct tree_exit *ret);

void membership_report(struct membership *ms, struct totals *out);

#endif
