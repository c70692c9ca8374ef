/*
 * membership_state.h - the members of a tree, internal to this room.
 *
 *     events.c              perf's events                 found.c   a process that was found
 *     fork_events_table.c   perf's records by process     walk.c    finding by lists of children
 *     fork_events_cpu.c     CPU time after the exit       meet.c    finding by records
 *     fork_events_report.c  counts for a sample           gone.c    removing a member
 *     records.c             one record                    follow.c  exits while the tree is read
 *     ends.c                exits to be returned          reap.c    exits of our children
 */
#ifndef RT_MEMBERSHIP_STATE_H
#define RT_MEMBERSHIP_STATE_H

#include "../members/member_files.h"
#include "fork_events.h"
#include "membership.h"

enum { EXITS = 64 };

struct stranger { pid_t pid, parent; uint64_t stack; }; /* a process that is not a member */

/* Finding members by the kernel's lists of children, or by a scan of /proc. */
struct walking {
	enum { CHILDREN_UNKNOWN, CHILDREN_ABSENT, CHILDREN_LISTED } lists;
	uint64_t forks;                         /* fork counter at the last walk; 0: unknown */
	int64_t  all_ns;                        /* when all members are walked next, idle ones too */
	struct stranger *strangers;             /* of list_strangers */
	size_t   strangers_room;
	int      own_children;                  /* of walk_self */
};

/* Finding members by perf's records of forks, names and exits. */
struct following {
	struct sideband *events;                /* NULL: refused */
	struct sideband *sideband;              /* the same while followed; NULL: members are found by walking */
	struct why refusal;                     /* the reason */
	struct fork_events fork_events;
	uint64_t reported_started, reported_ended, reported_lost;
	pid_t    suspects[SUSPECTS];
	size_t   n_suspects;
	pid_t    parents[PARENTS];              /* of processes that exited unread: they may have zombies */
	size_t   n_parents;
	bool     repair_due;                    /* records were lost */
};

/* Exits to be returned: the oldest at `first`. */
struct ends { struct tree_exit at[EXITS]; size_t first, n; };

/* Members found to be gone in this pass. */
struct leaving { struct member **gone; size_t n, room; };

struct membership {
	struct tracked *tracked;
	struct accounts *accounts;
	struct memory *memory;
	struct visits *visits;
	struct walking walking;
	struct following forks;
	struct leaving leaving;
	struct ends ends;
	bool     holes;                         /* there are members to be freed */
	struct { bool memory, forks, unwatched; } noticed;
};

/* events.c */
void membership_unfollow(struct membership *ms);        /* members are found by walking from now on ... */
void fork_events_give_up(struct membership *ms);        /* ... because memory is short */

/* records.c */
uint64_t fork_events_now_ns(void);                                      /* the clock of perf's records */
void fork_events_take(struct membership *ms, const struct sideband_record *r);
uint32_t fork_events_begin(struct membership *ms, pid_t pid, pid_t parent, bool scanned);   /* 0: no longer followed */
void fork_events_set_name(struct membership *ms, uint32_t i, const char *name);
void fork_events_count_start(struct membership *ms, struct fork_event *b);
void fork_events_note_end(struct membership *ms, uint32_t i, uint64_t time_ns);

/* fork_events_cpu.c: CPU time of processes that exited. */
void fork_events_take_cpu_time(struct membership *ms, const struct sideband_record *r);
void fork_events_forget(struct membership *ms, uint32_t i);
/* Forgets those with complete records.  true: another drain will complete more. */
bool fork_events_forget_ended(struct membership *ms, bool members_too);
void fork_events_leave(struct membership *ms, const struct member *m);  /* a member is gone */

/* found.c */
struct member *member_found(struct membership *ms, pid_t pid, struct member *parent);   /* NULL: not added */
struct member *descendant_found(struct membership *ms, pid_t pid, pid_t parent);        /* NULL: not added */

/* gone.c */
void membership_drop(struct membership *ms, struct member *m);          /* takes it out of the sums */

#endif
