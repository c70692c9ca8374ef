/* sums.c - a member's figures in the sums of its root and of its program. */
#include "state.h"

#include <string.h>

static enum level state_level(char state)
{
	switch (state) {
	case 'R': return RUNNING;
	case 'D': return DISK_SLEEP;
	case 'T': case 't': return STOPPED;
	default: return SLEEPING;
	}
}

void figures_levels(int64_t ret[LEVELS], const struct tree *t, const struct figures *f)
{
	struct pss_levels pss = figures_pss(t, f);

	memset(ret, 0, LEVELS * sizeof *ret);
	if (f->state == 'Z')
		ret[ZOMBIE] = 1;
	else if (f->state)
		ret[ALIVE] = ret[state_level(f->state)] = 1;
	ret[THREADS] = f->threads;
	ret[RSS] = f->rss;
	ret[VIRTUAL] = f->virtual;
	ret[SHARED] = f->shared;
	ret[SWAP] = f->swap;
	ret[FDS] = f->fds;
	ret[PSS] = pss.pss;
	ret[USS] = f->rollup.uss;
	ret[PSS_MOST] = pss.most;
	ret[PSS_MOVED] = pss.moved;
	ret[PSS_FILE] = pss.file;
	ret[PSS_SMALL] = pss.small;
	ret[PSS_FAULTS] = pss.faults;
	ret[HAS_MEMORY] = f->has_memory;
	ret[HAS_IO] = f->has_io;
	ret[HAS_PSS] = f->has_pss;
	ret[HAS_SWAP] = f->has_swap;
	ret[HAS_FDS] = f->has_fds;
	ret[HAS_DELAY] = f->has_delay;
	ret[HAS_SWITCHES] = f->has_switches;
	ret[UNREADABLE] = f->unreadable;
}

static void add_to_program(struct program *p, const int64_t level[LEVELS], int64_t sign)
{
	p->processes += sign * level[ALIVE];
	p->rss += sign * level[RSS];
	p->has_memory += sign * level[HAS_MEMORY];
	p->pss += sign * level[PSS];
	p->has_pss += sign * level[HAS_PSS];
}

static void count_in_program(struct tree *t, struct member *m, const struct figures *now, const int64_t level[LEVELS])
{
	struct program *p = &t->programs.at[m->program];

	if (strcmp(p->comm, m->comm) != 0 || m->program == 0)
		m->program = program_of(t, m, now);
	p = &t->programs.at[m->program];
	add_to_program(p, level, 1);
	if (p->rss > p->peak_rss)
		p->peak_rss = p->rss;
	if (m->peak_rss > p->largest)
		p->largest = m->peak_rss;
	if (t->forks.sideband && now->state == 'Z' && m->figures.state == 0 && !m->unwatched)
		m->found_ended = true;
	if (!t->primed || m->found_ended) {
		m->counted_ns = now->own[CPU_NS];
		if (!t->primed)
			return;
	}
	t->visible_ns += program_count_cpu(p, &m->counted_ns, now->own[CPU_NS]);
	p->gained_read += (int64_t)(now->own[READ_BYTES] - m->figures.own[READ_BYTES]);
	p->gained_write += (int64_t)(now->own[WRITE_BYTES] - m->figures.own[WRITE_BYTES]);
	p->has_io |= now->has_io;
}

static void add_levels(struct tree *t, const struct member *m, const int64_t level[LEVELS], int64_t sign)
{
	for (size_t i = 0; i < LEVELS; i++)
		t->root[m->root].level[i] += sign * level[i];
}

static void take_out_levels(struct tree *t, const struct member *m)
{
	int64_t level[LEVELS];

	figures_levels(level, t, &m->figures);
	add_levels(t, m, level, -1);
	add_to_program(&t->programs.at[m->program], level, -1);
}

void member_set(struct tree *t, struct member *m, const struct figures *now)
{
	int64_t level[LEVELS];

	take_out_levels(t, m);
	figures_levels(level, t, now);
	add_levels(t, m, level, 1);
	count_in_program(t, m, now, level);
	for (size_t k = 0; k < KEPT; k++)
		t->root[m->root].live[k] += now->own[k] - m->figures.own[k];
	m->figures = *now;
}

int member_set_waited(struct tree *t, struct member *m, const uint64_t figures[APART])
{
	uint64_t any = 0;

	for (size_t k = 0; k < APART; k++)
		any |= figures[k];
	if (!m->waited && any == 0)
		return 0;
	if (!members_waited(&t->members, m)) {
		notices_add(&t->notices, &t->noticed.waited, "out of memory: what children of some processes used is counted late");
		return -ENOMEM;
	}
	for (size_t k = 0; k < APART; k++)
		t->root[m->root].live[k] += figures[k] - m->waited->figures[k];
	memcpy(m->waited->figures, figures, sizeof m->waited->figures);
	return 0;
}

/* Takes a member out of the sums.  What it used is settled elsewhere; its program keeps its gains. */
void member_drop(struct tree *t, struct member *m)
{
	struct root *root = &t->root[m->root];

	member_drop_pss(t, m);
	for (size_t k = 0; k < KEPT; k++)
		root->live[k] -= m->figures.own[k] + member_waited(m, k);
	root->live[CPU_NS] -= m->remainder_ns;
	take_out_levels(t, m);
	member_close(t, m);
}
