/* socket_tree.h - what is asked of a process tree for its sockets, and what it says at each look. */
#ifndef RT_SOCKET_TREE_H
#define RT_SOCKET_TREE_H

#include <sys/types.h>

#include "../core/notices.h"
#include "../core/source.h"

/* What is kept of each member for its sockets; zeros at its beginning. */
struct socket_mark {
	bool due : 1;                           /* ran since its descriptors were looked at */
	bool listed : 1;                        /* they were once */
	bool here : 1;                          /* in our network namespace */
};

/* A member as it is now. */
struct socket_owner {
	pid_t pid, speaker;                     /* speaker: the thread that tells of descriptors; 0: the main one */
	const char *name;
	bool  readable;                         /* it was read, and is no zombie */
	bool  fresh;                            /* it began under our eyes: all that it has is the tree's */
	struct socket_mark *mark;
};

/* What is asked of the tree.  All of it outlives the sockets. */
struct socket_tree {
	const struct source *src;
	struct notices *notices;
	struct text *text;                      /* room to read a file into */
	void *tree;
	bool (*find)(void *tree, pid_t pid, struct socket_owner *ret);  /* false: it is no member any more */
	bool (*is_ending)(void *tree, pid_t pid);       /* a member: or has ended; reads its stat anew */
	bool ours;                              /* its root is our child, which inherited our descriptors */
	bool visible;                           /* /proc knows us: it can be told who is in our network namespace */
};

/* One look. */
struct socket_pass {
	int64_t  now_ns;
	unsigned slowdown;                      /* how many times less is earned (governor.h) */
	bool baseline;                          /* the first reading of the tree: nothing counts so far */
	bool over;                              /* no member lives */
	bool brief;                             /* there is no time to find new ones */
};

#endif
