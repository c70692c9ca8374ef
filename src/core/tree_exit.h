/* tree_exit.h - a process of the tracked tree that has exited: from the tree, or from a record. */
#ifndef RT_TREE_EXIT_H
#define RT_TREE_EXIT_H

#include <stdbool.h>
#include <sys/types.h>

struct tree_exit {
	pid_t   pid, parent;
	char    name[64];                       /* comm */
	double  start_seconds;                  /* since boot */
	double  seen_seconds;                   /* CLOCK_MONOTONIC when its exit was noticed */
	double  cpu_seconds;                    /* own, as last read, or exact if we reaped it */
	double  peak_rss_bytes;                 /* NONE if never read */
	bool    exact;                          /* we reaped it */
};

#endif
