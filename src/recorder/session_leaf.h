/* session_leaf.h - the control group of its own that a command lives in: made, used, removed. */
#ifndef RT_SESSION_LEAF_H
#define RT_SESSION_LEAF_H

#include "../options/options.h"
#include "../cpu/leaf.h"
#include "child.h"

struct session_leaf {
	bool open;                              /* `leaf` is, whether the command lives in it or not */
	const struct source *source;
	struct leaf leaf;
	struct why refusal;                     /* "": there is one, or none was looked for */
};

/* Both -1: none is wanted or to be had. */
struct child_group session_leaf_open(struct session_leaf *s, const struct source *src, const struct options *o);
/* Whether the command lives in it.  `why`: a sentence if one was asked for and is not in use. */
void session_leaf_born(struct session_leaf *s, const struct options *o, bool in_leaf, struct why *why);
const struct leaf *session_leaf_of(const struct session_leaf *s);       /* for the tree; NULL: nothing is known */
void session_leaf_sweep(const struct session_leaf *s);
/* -EBUSY with a sentence: what the command left behind lives in it. */
int  session_leaf_close(struct session_leaf *s, struct why *why);

#endif
