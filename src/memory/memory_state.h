/* memory_state.h - the memory of a tree, as the files of this room see it. */
#ifndef RT_MEMORY_STATE_H
#define RT_MEMORY_STATE_H

#include "tree_memory.h"
#include "../members/pss_levels.h"

/*
 * Processes that may share private memory: fork has made one out of the other and no exec came between.
 * Their stacks begin at the same random place; exec moves it.
 */
struct family {
	uint64_t stack;
	size_t   members;
	int64_t  largest;                       /* private memory of its largest member: no sharing makes it less */
	int64_t  credit;                        /* sum of what the members' own readings vouch for */
	uint32_t epoch;                         /* of the readings that vouch for something: +1 at each fork */
	bool     outside;                       /* processes outside the tree may share it too */
	bool     stale;                         /* its largest shrank or left */
	uint32_t read_pass, judged_pass;        /* when PSS of its members was read; when that was considered */
	uint32_t grew_pass;                     /* when it was not read because it was being forked */
	uint32_t whole_files_pass;              /* the reading since which its files count in full */
	int64_t  read_ns;                       /* the end of the last of these readings */
	struct family *chain;
};

enum { FAMILY_BUCKETS = 512 };

struct families {
	struct family *bucket[FAMILY_BUCKETS];
	struct blocks family;                   /* their memory */
	int64_t least;                          /* sum of what each family holds at least */
	bool    stale;                          /* one of them is */
};

/* The most that any one process had resident. */
struct largest_process {
	int64_t  rss;
	enum peak_source source;
	bool     missed;                        /* a process ended, and nothing says what it had at most */
	uint64_t left_bytes;                    /* resident memory of members that ended, each at its peak */
};

struct memory {
	struct tracked *tracked;
	struct accounts *accounts;
	enum pss_policy policy;
	struct pss_budget budget;
	struct families families;
	int64_t  oldest_ns;                     /* oldest reading in the sum */
	bool     changed;                       /* the oldest are to be found anew */
	/* Bytes since the beginning, and before the oldest reading in the sum. */
	uint64_t parted, oldest_parted;         /* shares that may have gone to those that stay */
	uint64_t mapped, oldest_mapped;         /* of files, found mapped by a reading and not by the one before */
	struct { uint64_t parted, mapped; } drift;      /* both, during the readings of this pass */
	struct largest_process peak;
	struct { bool pss, long_reading; } noticed;
};

/* family.c */
void family_count(struct memory *mem, struct member *m, const struct figures *now);
bool family_enter(struct memory *mem, struct member *m, uint64_t stack);        /* false: it is in that one */
void family_leave(struct memory *mem, struct member *m);
void family_void_credit(struct memory *mem, struct family *f);  /* its members' readings vouch for nothing */
int64_t families_least(struct memory *mem);                     /* private memory of the tree, at least */
void families_release(struct memory *mem);

/* rollup.c */
struct pss_size member_pss_size(const struct tracked *t, const struct member *m);
void member_read_rollup(struct memory *mem, struct member *m);
int64_t member_uncertain(const struct memory *mem, const struct member *m);     /* its PSS at most, less at least */
bool member_is_asleep(const struct tracked *t, const struct member *m);
/* That its reading would hold it up for too long. */
void member_is_slow_to_read(struct memory *mem, const struct member *m, int64_t expected_ns);

/* family_reading.c: families are read as a whole, if their bounds say little. */
bool member_is_of_many(const struct member *m);                 /* it is read with its family, and not by itself */
void families_read(struct memory *mem);

#endif
