/* socket_tree.h - the process tree as its sockets use it, and the input of each poll. */
#ifndef RT_SOCKET_TREE_H
#define RT_SOCKET_TREE_H

#include <sys/types.h>

#include "../core/notices.h"
#include "../core/source.h"

/* The state of a member for its sockets; zeros at its beginning. */
struct socket_mark {
	bool due : 1;                           /* ran since its descriptors were read */
	bool listed : 1;                        /* they were read once */
	bool here : 1;                          /* in our network namespace */
};

/* A member as it is now. */
struct socket_owner {
	pid_t pid, speaker;                     /* speaker: the thread to read descriptors from; 0: the main one */
	const char *name;
	bool  readable;                         /* it was read, and is not a zombie */
	bool  fresh;                            /* it started during the run: all that it has belongs to the tree */
	struct socket_mark *mark;
};

/* The tree.  All of it outlives the sockets. */
struct socket_tree {
	const struct source *src;
	struct notices *notices;
	struct text *text;                      /* buffer for a file */
	void *tree;
	bool (*find)(void *tree, pid_t pid, struct socket_owner *ret);  /* false: it is not a member any more */
	bool (*is_ending)(void *tree, pid_t pid);       /* it exits or has exited; reads its stat */
	bool ours;                              /* its root is our child, which inherited our descriptors */
	bool visible;                           /* /proc shows us: the network namespaces can be compared */
};

/* One poll. */
struct socket_pass {
	int64_t  now_ns;
	unsigned slowdown;                      /* the divisor of the earnings (governor.h) */
	bool baseline;                          /* the first reading of the tree: nothing counts yet */
	bool over;                              /* no member lives */
	bool brief;                             /* there is no time to find new ones */
};

#endif
