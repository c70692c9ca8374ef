/* tree_queries.c - the last reading of a tree, and the processes that are left at the end. */
#include "tree_state.h"

#include <stdio.h>

#include "../members/member_files.h"

void tree_sums(const struct tree *t, struct tree_sums *ret)
{
	const struct accounts *a = t->accounts;
	bool io = accounts_ever(a, HAS_IO);

	*ret = (struct tree_sums){
		.cpu_seconds = (double)accounts_sum(a, CPU_NS) / 1e9, .rss_bytes = (double)accounts_level(a, RSS),
		.largest_bytes = (double)memory_largest(t->memory).rss,
		.disk_read_bytes = io ? (double)accounts_sum(a, READ_BYTES) : NONE,
		.disk_write_bytes = io ? (double)accounts_sum(a, WRITE_BYTES) : NONE, .processes = tree_alive(t),
	};
}

bool tree_others(const struct tree *t, pid_t pid, struct tree_others *ret)
{
	const struct member *but = members_find(&t->tracked.members, pid);
	struct tree_others others = { .still = true };

	if (!but && !accounts_has_root(t->accounts, pid))               /* the root may have exited */
		return false;
	for (size_t i = 0; i < t->tracked.members.n; i++) {
		const struct member *m = t->tracked.members.order[i];

		if (m == but || m->gone || m->figures.state == 'Z')
			continue;
		others.rss_bytes += (double)m->figures.rss;
		others.processes++;
		others.still &= m->reads > 0 && m->pass + 1 != t->tracked.pass; /* an idle member was not read */
	}
	*ret = others;
	return true;
}

size_t tree_alive(const struct tree *t)
{
	int64_t n = accounts_level(t->accounts, ALIVE);

	return n > 0 ? (size_t)n : 0;
}

size_t tree_pids(const struct tree *t, pid_t *ret, size_t room)
{
	size_t n = 0;

	for (size_t i = 0; i < t->tracked.members.n; i++)
		if (!t->tracked.members.order[i]->gone && n++ < room)
			ret[n - 1] = t->tracked.members.order[i]->pid;
	return n;
}

const char *tree_program(const struct tree *t, pid_t pid)
{
	const struct member *m = members_find(&t->tracked.members, pid);

	return m ? accounts_program(t->accounts, m) : NULL;
}

int tree_programs(const struct tree *t, struct program_tree *ret)
{
	return accounts_program_tree(t->accounts, ret);
}

/* Reads its stat again, because it may have begun to exit by now.  false: it has exited or is exiting. */
static bool stays(struct tracked *t, const struct member *m, struct proc_stat *ret)
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

	for (size_t i = 0; i < t->tracked.members.n; i++) {
		const struct member *m = t->tracked.members.order[i];
		struct proc_stat stat;
		int64_t clock_ns;

		if (!stays(&t->tracked, m, &stat))
			continue;
		left.stay++;
		if (stat.state != 'R' && stat.state != 'D')
			continue;
		left.running++;
		left.running_ns += member_clock(&t->tracked, m->pid, &clock_ns) ? clock_ns : 0;
	}
	*ret = left;
}
