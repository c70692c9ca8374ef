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

struct program {
	char     comm[64], command[64];
	int64_t  processes, rss, has_memory, pss, has_pss;
	uint64_t cpu_ns;                        /* since the beginning */
	int64_t  peak_rss;                      /* of all its processes together, at the samples */
	int64_t  largest;                       /* of any one of them, ever */
	uint64_t started;                       /* processes that took this name, since the beginning */
	uint64_t gained_cpu_ns;                 /* since the last sample */
	int64_t  gained_read, gained_write;     /* likewise */
	/* Likewise, of processes that exited between samples: threads, CPU time by perf, upper bound of the rest. */
	uint64_t gained_unseen, gained_unseen_ns, gained_missing_ns;
	uint64_t gained_started, gained_ended;
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
	uint64_t reported[COUNTERS];            /* sums over roots as in the last sample */
	bool     ever[LEVELS];                  /* HAS_x was above 0 once */
	uint64_t visible_ns, unseen_ns, unread_ns;      /* as in struct accounts_cpu */
	struct unaccounted unaccounted;
	struct losses *losses;
	size_t   n_losses, losses_room;
	bool     noticed_waited;
};

/* programs.c */
uint16_t program_of(struct accounts *a, const struct member *m, const struct figures *now);
/* A process of the program has used now_ns, of which *counted_ns is already counted for it.  Returns the gain. */
uint64_t program_count_cpu(struct program *p, uint64_t *counted_ns, uint64_t now_ns);

/* sums.c */
void figures_levels(int64_t ret[LEVELS], const struct tracked *t, const struct figures *f);     /* of one member */

#endif
