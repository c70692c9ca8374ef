/* left.c - what a command left behind: processes that stay, and those that are on their way out. */
#include "state.h"

#include <stdio.h>

/* Read anew: at the last reading it may have been about to end.  false: it is gone, or as good as that. */
static bool stays(struct tree *t, const struct member *m, struct proc_stat *ret)
{
	char path[32];

	(void)snprintf(path, sizeof path, "%d/stat", (int)m->pid);
	if (m->gone || text_read_at(&t->text, t->src->proc, path) < 0 ||
	    proc_parse_stat(ret, t->text.at, t->text.len) < 0 || ret->start != m->start_ticks)
		return false;
	return ret->state != 'Z' && ret->state != 'X' && (!ret->ending || ret->threads > 1);
}

void tree_left(struct tree *t, struct tree_left *ret)
{
	struct tree_left left = { 0 };

	for (size_t i = 0; i < t->members.n; i++) {
		const struct member *m = t->members.order[i];
		struct proc_stat stat;
		int64_t clock_ns;

		if (!stays(t, m, &stat))
			continue;
		left.stay++;
		if (stat.state != 'R' && stat.state != 'D')
			continue;
		left.running++;
		left.running_ns += member_clock(t, m->pid, &clock_ns) ? clock_ns : 0;
	}
	*ret = left;
}
