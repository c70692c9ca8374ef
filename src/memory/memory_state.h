/* memory_state.h - the memory of a tree, internal to this room. */
#ifndef RT_MEMORY_STATE_H
#define RT_MEMORY_STATE_H

#include "tree_memory.h"
#include "../members/pss_levels.h"

/*
 * Processes that may share private memory: related by fork, without an exec in between.  Their stacks begin at the same
 * random address; exec moves it.
 */
struct fork_group {
	uint64_t stack;
	size_t   members;
	int64_t  largest;                       /* private memory of its largest member: sharing cannot make it less */
	int64_t  credit;                        /* sum of what the readings of its members vouch for */
	uint32_t epoch;                         /* of readings that still count: +1 at each fork */
	bool     outside;                       /* processes outside the tree may share it too */
	bool     stale;                         /* its largest shrank or left */
	uint32_t read_pass, judged_pass;        /* passes: PSS of its members was read; that was considered */
	uint32_t grew_pass;                     /* pass in which it was not read because its members forked */
	uint32_t whole_files_pass;              /* the reading since which its files count in full */
	int64_t  read_ns;                       /* end of the last of these readings */
	struct fork_group *chain;
};

enum { FORK_GROUP_BUCKETS = 512 };

struct fork_groups {
	struct fork_group *bucket[FORK_GROUP_BUCKETS];
	struct blocks fork_group;               /* memory of all fork groups */
	int64_t least;                          /* sum of the lower bounds of all fork groups */
	bool    stale;                          /* at least one fork group is stale */
};

/* The most that any one process had resident. */
struct largest_process {
	int64_t  rss;
	int64_t  before;                        /* the highest from before the baseline; the peak can be up to it */
	enum peak_source source;
	bool     missed;                        /* a process exited, and its peak is unknown */
	uint64_t left_bytes;                    /* resident memory of members that exited, each at its peak */
};

struct memory {
	struct tracked *tracked;
	struct accounts *accounts;
	enum pss_policy policy;
	struct pss_budget budget;
	struct fork_groups fork_groups;
	int64_t  oldest_ns;                     /* oldest reading in the sum */
	bool     changed;                       /* the oldest readings must be found again */
	/* Bytes since the beginning, and before the oldest reading in the sum. */
	uint64_t parted, oldest_parted;         /* shares that may have passed to processes that stay */
	uint64_t mapped, oldest_mapped;         /* of files, mapped since the reading before */
	struct { uint64_t parted, mapped; } drift;      /* both, during the readings of this pass */
	struct largest_process peak;
	struct { bool pss, long_reading; } noticed;
};

/* fork_group.c */
void fork_group_count(struct memory *mem, struct member *m, const struct figures *now);
bool fork_group_enter(struct memory *mem, struct member *m, uint64_t stack);    /* false: it was in it already */
void fork_group_leave(struct memory *mem, struct member *m);
void fork_group_void_credit(struct memory *mem, struct fork_group *f);  /* readings of its members vouch for nothing */
int64_t fork_groups_least(struct memory *mem);                          /* private memory of the tree, lower bound */
void fork_groups_release(struct memory *mem);   /* once */

/* rollup.c */
struct pss_size member_pss_size(const struct tracked *t, const struct member *m);
void member_read_rollup(struct memory *mem, struct member *m);
int64_t member_uncertain(const struct memory *mem, const struct member *m);     /* upper less lower bound of its PSS */
bool member_is_asleep(const struct tracked *t, const struct member *m);
/* Adds a notice: its reading would hold up the process for too long. */
void member_is_slow_to_read(struct memory *mem, const struct member *m, int64_t expected_ns);

/* fork_group_reading.c: reads fork groups as a whole, if their bounds are wide. */
bool member_is_of_many(const struct member *m);                 /* it is read with its fork group only */
void fork_groups_read(struct memory *mem);

#endif
