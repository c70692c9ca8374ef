/* sums.c - a member's figures in the sums of its root and of its program. */
#include "accounting_state.h"

#include "../members/member_files.h"
#include "../members/pss_levels.h"

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

void figures_levels(int64_t ret[LEVELS], const struct tracked *t, const struct figures *f)
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

static void count_in_program(struct accounts *a, struct member *m, const struct figures *now,
			     const int64_t level[LEVELS])
{
	struct tracked *t = a->tracked;
	struct program *p = program_of(a, m->branch);
	struct branch *b;

	bool other = strcmp(p->comm, m->comm) != 0 || !p->comm[0];

	if (other)
		m->branch = branch_named(a, m->branch, m->comm);
	if (other || m->figures.state == 0)             /* its first reading */
		program_see_command(a, m, now);
	p = program_of(a, m->branch);
	b = &a->branches.at[m->branch];
	add_to_program(p, level, 1);
	if (p->rss > p->peak_rss)
		p->peak_rss = p->rss;
	if (m->memory.peak_rss > b->largest)
		b->largest = m->memory.peak_rss;
	if (t->followed && now->state == 'Z' && m->figures.state == 0 && !m->unwatched)
		m->account.found_ended = true;
	if (!t->primed || m->account.found_ended) {
		m->account.counted_ns = now->own[CPU_NS];
		if (!t->primed)
			return;
	}
	a->visible_ns += branch_count_cpu(b, &m->account.counted_ns, now->own[CPU_NS]);
	p->gained_read += (int64_t)(now->own[READ_BYTES] - m->figures.own[READ_BYTES]);
	p->gained_write += (int64_t)(now->own[WRITE_BYTES] - m->figures.own[WRITE_BYTES]);
	p->has_io |= now->has_io;
}

static void add_levels(struct accounts *a, const struct member *m, const int64_t level[LEVELS], int64_t sign)
{
	for (size_t i = 0; i < LEVELS; i++)
		a->root[m->root].level[i] += sign * level[i];
}

static void take_out_levels(struct accounts *a, const struct member *m)
{
	int64_t level[LEVELS];

	figures_levels(level, a->tracked, &m->figures);
	add_levels(a, m, level, -1);
	add_to_program(program_of(a, m->branch), level, -1);
}

void accounts_set(struct accounts *a, struct member *m, const struct figures *now)
{
	int64_t level[LEVELS];

	take_out_levels(a, m);
	figures_levels(level, a->tracked, now);
	add_levels(a, m, level, 1);
	count_in_program(a, m, now, level);
	for (size_t k = 0; k < KEPT; k++)
		a->root[m->root].live[k] += now->own[k] - m->figures.own[k];
	/* Set here: a member read only after its exit is in no sample. */
	a->ever[HAS_DELAY] |= now->has_delay;
	a->ever[HAS_SWITCHES] |= now->has_switches;
	m->figures = *now;
}

int accounts_set_waited(struct accounts *a, struct member *m, const uint64_t figures[APART])
{
	uint64_t any = 0;

	for (size_t k = 0; k < APART; k++)
		any |= figures[k];
	if (!m->account.waited && any == 0)
		return 0;
	if (!members_waited(&a->tracked->members, m)) {
		notices_add(&a->tracked->notices, &a->noticed_waited, "out of memory: the use of some processes' children is counted late");
		return -ENOMEM;
	}
	for (size_t k = 0; k < APART; k++)
		a->root[m->root].live[k] += figures[k] - m->account.waited->figures[k];
	memcpy(m->account.waited->figures, figures, sizeof m->account.waited->figures);
	return 0;
}

void accounts_drop(struct accounts *a, struct member *m)
{
	struct root *root = &a->root[m->root];

	for (size_t k = 0; k < KEPT; k++)
		root->live[k] -= m->figures.own[k] + member_waited(m, k);
	root->live[CPU_NS] -= m->account.remainder_ns;
	take_out_levels(a, m);
	member_close(a->tracked, m);
}

void accounts_add(struct accounts *a, const struct member *m, enum counter k, uint64_t gain)
{
	a->root[m->root].ended[k] += gain;
}

void accounts_set_exact(struct accounts *a, struct member *m)
{
	a->root[m->root].live[CPU_NS] -= m->account.remainder_ns;
	m->account.remainder_ns = 0;
}

void accounts_hold(struct accounts *a, const struct member *m, const uint64_t waited[APART], const uint64_t own[KEPT])
{
	uint64_t *held = a->root[m->root].held;

	for (size_t k = 0; k < APART; k++)
		held[k] += (uint64_t)gained(waited[k], member_waited(m, k));
	for (size_t k = APART; k < HANDED_ON; k++)
		held[k] += (uint64_t)gained(own[k], m->figures.own[k]);
}

void accounts_release_held(struct accounts *a)
{
	for (size_t i = 0; i < a->n_roots; i++)
		memset(a->root[i].held, 0, sizeof a->root[i].held);
}
