/* accounting_state.h - the accounts of a tree, internal to this room. */
#ifndef RT_ACCOUNTING_STATE_H
#define RT_ACCOUNTING_STATE_H

#include "accounting.h"

struct root {
	pid_t    pid;
	uint64_t start_ticks;
	char     comm[64];
	bool     alive;
	uint64_t live[COUNTERS];                /* sums over members */
	/* Of members that exited, what no living member inherited; from KEPT on, all gains. */
	uint64_t ended[COUNTERS];
	uint64_t held[COUNTERS];                /* in `live`, but perhaps counted twice: left out of this sample */
	uint64_t reported[COUNTERS];            /* as in the last sample; never decreases */
	int64_t  level[LEVELS];
};

/* Since the last sample. */
struct gains {
	uint64_t cpu_ns;
	/* Of processes that exited between samples: threads, CPU time by perf, upper bound of the rest. */
	uint64_t unseen, unseen_ns, missing_ns;
	uint64_t started, ended;                /* processes that took the program's name, and that exited with it */
};

struct program {
	char     comm[64], command[64];
	int64_t  processes, rss, has_memory, pss, has_pss;
	uint64_t cpu_ns;                        /* since the beginning, as of the last report; so too `started` */
	int64_t  peak_rss;                      /* of all its processes together, at the samples */
	int64_t  largest;                       /* of any one of them, ever */
	uint64_t started;                       /* processes that took this name, since the beginning */
	int64_t  gained_read, gained_write;     /* since the last sample */
	struct gains gained;                    /* of its branches, while a sample is reported */
	bool     has_io, shown;
};

enum { PROGRAMS = 512 };

struct program_table {
	struct program *at;                     /* [0]: programs without an entry */
	size_t   n;
	uint16_t shown[PROGRAM_MAX];
	size_t   n_shown;
	bool     has_memory;                    /* some process had memory at the last report */
};

struct branch {
	uint16_t program, above;                /* indices; above: the branch that started it */
	uint16_t below, beside;                 /* the first branch below it, and the next one below `above`; 0: none */
	uint64_t cpu_ns, started;               /* since the beginning, by the last report */
	uint64_t given_ns;                      /* of cpu_ns and of the gains: a share of what no record explains */
	int64_t  largest;                       /* the most that any one of its processes ever had resident */
	struct gains gained;
};

/*
 * PLACES: with their place in the tree; then a program's further processes share a branch below BRANCH_UNKNOWN.  The
 * memory is zeroed by the kernel, and pages of it that no branch is in are never touched.
 */
enum { PLACES = 2048, BRANCHES_FIRST = BRANCH_UNKNOWN + 1, BRANCHES = PLACES + PROGRAMS };

struct branch_table {
	struct branch *at;
	size_t n;
	bool     full;                          /* some branch is below BRANCH_UNKNOWN for want of a place */
};

/* Figures of members of one root that are gone, by the member that may have inherited them. */
struct losses {
	struct member *heir;
	uint16_t root;
	uint64_t lost[KEPT];
};

/* CPU time counted for programs since the last report; and CPU time of the tree that no program has. */
struct unaccounted { int64_t seen_ns, sum_ns, reported_ns; };

struct accounts {
	struct tracked *tracked;
	struct root root[ROOT_MAX];
	size_t   n_roots;
	struct program_table programs;
	struct branch_table branches;
	uint64_t reported[COUNTERS];            /* sums over roots as in the last sample */
	bool     ever[LEVELS];                  /* HAS_x was above 0 once */
	uint64_t visible_ns, unseen_ns, unread_ns;      /* as in struct accounts_cpu */
	struct unaccounted unaccounted;
	struct losses *losses;
	size_t   n_losses, losses_room;
	bool     noticed_waited;
};

/* programs.c */
uint16_t program_named(struct accounts *a, const char *comm);   /* 0: without a name, or without an entry */
void program_see_command(struct accounts *a, const struct member *m, const struct figures *now);        /* once */

static inline struct program *program_of(const struct accounts *a, uint16_t branch)
{
	return &a->programs.at[a->branches.at[branch].program];
}

/* branches.c */
/* A process of the branch has used now_ns, of which *counted_ns is already counted for it.  Returns the gain. */
uint64_t branch_count_cpu(struct branch *b, uint64_t *counted_ns, uint64_t now_ns);

/* sums.c */
void figures_levels(int64_t ret[LEVELS], const struct tracked *t, const struct figures *f);     /* of one member */

#endif
