/*
 * tracked.h - the state that all rooms of a tree share: its source, its members, and the present reading.
 *
 * The tree opens it and begins each pass.  The rooms read it, and keep their own state in a struct of their own.
 */
#ifndef RT_TRACKED_H
#define RT_TRACKED_H

#include "../core/notices.h"
#include "../core/source.h"
#include "members.h"

/* The command until it execs: a copy of us, with our name and stack.  It is not a program of the tree yet. */
struct command_before_exec {
	char     name[64];
	uint64_t stack;
	bool     executed;
};

/* Descriptors of members' files. */
struct kept_fds {
	size_t   kept, max;
	bool     counted;                       /* the size of /proc/PID/fd is the number of its entries */
	bool     noticed;                       /* the lack of descriptors was reported */
};

struct tracked {                                /* read and written by the sampling thread alone */
	const struct source *src;
	pid_t    self;                          /* our pid in src->proc; 0: not there */
	pid_t    starter;                       /* as in tree_options; 0: none, or not there */
	pid_t    root;                          /* the first root */
	uint64_t ns_per_tick;
	bool     ours, no_children, peaks_from_baseline;        /* as in tree_options */
	bool     alone;                         /* the root is our only child */
	bool     wants_pss;
	bool     clocks;                        /* pids of src->proc are valid for CPU clocks */
	bool     block_delay;                   /* the kernel counts delays of block I/O */

	bool     followed;                      /* perf records forks, names and exits ... */
	bool     unwatched;                     /* ... but not for some member */
	bool     primed;                        /* a reading was reported */
	uint32_t pass;
	int64_t  now_ns, before_ns;             /* beginning of this pass, and of the one before */
	int64_t  huge_bytes;                    /* private memory in huge pages, of the machine; negative: unknown */

	struct notices notices;
	struct text text, list;                 /* list: the list of children that is walked */
	struct command_before_exec command;
	struct members members;
	struct kept_fds fds;
};

#endif
