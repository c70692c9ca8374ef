/* sums.c - a member's figures in the sums of its root and of its program. */
#include "state.h"

#include <string.h>

static void count_in_program(struct tree *t, struct member *m, const struct figures *now)
{
	struct program *was = &t->programs[m->program];

	was->processes -= m->figures.level[ALIVE];
	was->rss -= m->figures.level[RSS];
	was->pss -= m->figures.level[PSS];
	was->has_pss -= m->figures.level[HAS_PSS];
	if (strcmp(was->comm, m->comm) != 0 || m->program == 0)
		m->program = program_of(t, m);

	struct program *p = &t->programs[m->program];

	p->processes += now->level[ALIVE];
	p->rss += now->level[RSS];
	p->pss += now->level[PSS];
	p->has_pss += now->level[HAS_PSS];
	if (p->rss > p->peak_rss)
		p->peak_rss = p->rss;
	if (m->peak_rss > p->largest)
		p->largest = m->peak_rss;
	if (!t->primed)
		return;

	int64_t cpu = (int64_t)(now->own[CPU_NS] - m->figures.own[CPU_NS]);

	p->gained_cpu_ns += cpu;
	p->cpu_ns += cpu > 0 ? (uint64_t)cpu : 0;
	p->gained_read += (int64_t)(now->own[READ_BYTES] - m->figures.own[READ_BYTES]);
	p->gained_write += (int64_t)(now->own[WRITE_BYTES] - m->figures.own[WRITE_BYTES]);
	p->has_io |= now->level[HAS_IO] > 0;
}

void member_set(struct tree *t, struct member *m, const struct figures *now)
{
	struct root *root = &t->root[m->root];

	for (size_t k = 0; k < COUNTERS; k++)
		root->live[k] += figures_total(now, k) - figures_total(&m->figures, k);
	for (size_t i = 0; i < LEVELS; i++)
		root->level[i] += now->level[i] - m->figures.level[i];
	count_in_program(t, m, now);
	m->figures = *now;
}

/* Takes a member out of the sums.  What it used is settled elsewhere; its program keeps its gains. */
void member_drop(struct tree *t, struct member *m)
{
	struct root *root = &t->root[m->root];
	struct program *p = &t->programs[m->program];

	member_drop_pss(t, m);
	for (size_t k = 0; k < COUNTERS; k++)
		root->live[k] -= figures_total(&m->figures, k);
	root->live[CPU_NS] -= m->remainder_ns;
	for (size_t i = 0; i < LEVELS; i++)
		root->level[i] -= m->figures.level[i];
	p->processes -= m->figures.level[ALIVE];
	p->rss -= m->figures.level[RSS];
	p->pss -= m->figures.level[PSS];
	p->has_pss -= m->figures.level[HAS_PSS];
	member_close(t, m);
}
