/* session_own_cgroup.c - a control group of its own for the command. */
#include "session_own_cgroup.h"

#include <string.h>

static bool in_use(const struct session_own_cgroup *s)
{
	return s->open && s->own_cgroup.directory >= 0;
}

struct child_group session_own_cgroup_open(struct session_own_cgroup *s, const struct source *src,
					   const struct options *o)
{
	static const struct child_group none = { -1, -1 };
	enum own_cgroup_wish wish = o->cpu_source == CPU_CGROUP ? OWN_CGROUP_ASKED :
			      o->cpu_source == CPU_AUTO   ? OWN_CGROUP_WANTED : OWN_CGROUP_UNWANTED;

	if (o->root || o->no_children)
		return none;
	s->open = true;
	s->source = src;
	if (own_cgroup_open(&s->own_cgroup, src, wish, &s->refusal) < 0)
		return none;
	return (struct child_group){ s->own_cgroup.is_v1 ? -1 : s->own_cgroup.directory, s->own_cgroup.tasks };
}

void session_own_cgroup_forked(struct session_own_cgroup *s, const struct options *o, bool in_own_cgroup,
			       struct why *why)
{
	if (in_use(s) && !in_own_cgroup) {
		(void)why_set(&s->refusal, 0, "the command could not be started in a control group of its own");
		own_cgroup_give_up(&s->own_cgroup, s->source);
	}
	if (!in_use(s) && o->cpu_source == CPU_CGROUP && s->refusal.text[0])
		(void)why_set(why, 0, "CPU time without a control group: %s", s->refusal.text);
}

const struct own_cgroup *session_own_cgroup_of(const struct session_own_cgroup *s)
{
	return s->open ? &s->own_cgroup : NULL;
}

void session_own_cgroup_sweep(const struct session_own_cgroup *s)
{
	if (in_use(s))
		own_cgroup_sweep(&s->own_cgroup, s->source);
}

int session_own_cgroup_close(struct session_own_cgroup *s, struct why *why)
{
	char name[sizeof s->own_cgroup.name];

	if (!s->open)
		return 0;
	memcpy(name, s->own_cgroup.name, sizeof name);

	int r = own_cgroup_close(&s->own_cgroup, s->source);

	s->open = false;
	return r == -EBUSY ? why_set(why, r, "processes that the command left behind live on in the control group %s; "
				     "the next recorder removes it when they have ended", name) : 0;
}
