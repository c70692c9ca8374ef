/*
 * members.h - the table of a tree's members: by pid, and in the order in which they were found.
 *
 * It owns the members.  A pointer to one is valid until members_compact frees those that are `gone`; an index into
 * `order` until then too.  Used by the sampling thread alone.
 */
#ifndef RT_MEMBERS_H
#define RT_MEMBERS_H

#include "blocks.h"
#include "member.h"

struct glance {
	pid_t    pid;
	uint32_t full_due : 31;                 /* CLOCK_MONOTONIC in seconds: read then, even if it did not run */
	uint32_t walk_due : 1;                  /* ran since its children were last listed */
	int64_t  clock_ns;                      /* its CPU clock when it was last read; negative: not read */
};

/*
 * Members are in the order in which they were found, so a parent is always read before its children.  With that order a
 * child that was read is not yet inside its parent's figures.
 */
struct members {
	struct member **order;
	struct glance *glance;                  /* of order[i] */
	struct member **due;                    /* those with visits.slow.due or memory.due */
	size_t n, n_due, room;
	struct member **bucket;
	size_t buckets;                         /* a power of two */
	struct blocks member, waited;           /* their memory */
};

void members_open(struct members *m);
int  members_reserve(struct members *m, size_t n) must_use;             /* room for n in all; -ENOMEM: m is as it was */
/* Last in the order; zeroed, apart from pid and place, with no file open.  NULL: out of memory. */
struct member *members_add(struct members *m, pid_t pid);
/* What it inherited from children that it waited for; made if needed.  NULL: out of memory. */
struct waited *members_waited(struct members *m, struct member *p);
struct member *members_find(const struct members *m, pid_t pid);        /* alive, or a zombie; NULL: none */
/* Its parent by pid and start time, which may be gone; NULL: not a member. */
struct member *members_parent(const struct members *m, const struct member *child);
enum { GENERATIONS = 4096 };                    /* ancestors that are searched at most: recycled pids may form a ring */
/* The member that may hold a gone one's figures: the nearest ancestor not gone, or reaped by us; or NULL. */
struct member *members_heir(const struct members *m, const struct member *gone);
void members_set_due(struct members *m, struct member *p);              /* adds it to `due`, once */
void members_compact(struct members *m);        /* frees members that are gone; their files are closed before it */
void members_release(struct members *m);        /* the same for all; m is as opened */

#endif
