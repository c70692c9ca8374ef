/* session_leaf.c - the control group of its own that a command lives in. */
#include "session_leaf.h"

#include <string.h>

static bool in_use(const struct session_leaf *s)
{
	return s->open && s->leaf.directory >= 0;
}

struct child_group session_leaf_open(struct session_leaf *s, const struct source *src, const struct options *o)
{
	static const struct child_group none = { -1, -1 };
	enum leaf_wish wish = o->cpu_source == CPU_CGROUP ? LEAF_ASKED :
			      o->cpu_source == CPU_AUTO   ? LEAF_WANTED : LEAF_UNWANTED;

	if (o->root || o->no_children)
		return none;
	s->open = true;
	s->source = src;
	if (leaf_open(&s->leaf, src, wish, &s->refusal) < 0)
		return none;
	return (struct child_group){ s->leaf.is_v1 ? -1 : s->leaf.directory, s->leaf.tasks };
}

void session_leaf_born(struct session_leaf *s, const struct options *o, bool in_leaf, struct why *why)
{
	if (in_use(s) && !in_leaf) {
		(void)why_set(&s->refusal, 0, "the command could not be started in a control group of its own");
		leaf_give_up(&s->leaf, s->source);
	}
	if (!in_use(s) && o->cpu_source == CPU_CGROUP && s->refusal.text[0])
		(void)why_set(why, 0, "CPU time without a control group: %s", s->refusal.text);
}

const struct leaf *session_leaf_of(const struct session_leaf *s)
{
	return s->open ? &s->leaf : NULL;
}

void session_leaf_sweep(const struct session_leaf *s)
{
	if (in_use(s))
		leaf_sweep(&s->leaf, s->source);
}

int session_leaf_close(struct session_leaf *s, struct why *why)
{
	char name[sizeof s->leaf.name];

	if (!s->open)
		return 0;
	memcpy(name, s->leaf.name, sizeof name);

	int r = leaf_close(&s->leaf, s->source);

	s->open = false;
	return r == -EBUSY ? why_set(why, r, "processes that the command left behind live on in the control group %s; "
				     "the next recorder removes it when they have ended", name) : 0;
}
