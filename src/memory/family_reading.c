/*
 * family_reading.c - reads families as a whole or not at all: the reading of one member shows its share of the common
 * pages, and older readings of the others are from before the fork.  A family is read only if its bounds are wide,
 * because a fork does not change its total.
 */
#include "memory_state.h"

enum {
	MIB = 1024 * 1024,
	WIDE_DIVISOR = 20,                      /* bounds of 5 % are narrow enough */
};

bool member_is_of_many(const struct member *m)
{
	return m->memory.family && m->memory.family->members > 1 && !m->borrows && !m->memory.denied;
}

struct family_look {
	int64_t upper, rss, files, mapped;      /* files: their file pages, less those mapped since */
	int64_t expected_ns;                    /* to read all of them */
	int64_t dearest_ns;                     /* the longest reading that is over its process's limit; 0: none */
	bool grows;
};

/* In one sweep: families with several members are few. */
static struct family_look look_at_family(const struct memory *mem, const struct family *f)
{
	struct tracked *t = mem->tracked;
	struct family_look look = { 0 };

	for (size_t i = 0; i < t->members.n; i++) {
		const struct member *m = t->members.order[i];

		if (m->memory.family != f || m->gone)
			continue;

		struct pss_levels p = figures_pss(t, &m->figures);
		struct pss_size size = member_pss_size(t, m);
		int64_t expected_ns = pss_expected_ns(&size);

		int64_t mapped = (int64_t)(mem->mapped - m->figures.rollup.mapped);

		look.upper += p.small;
		look.files += p.file;
		look.mapped = mapped > look.mapped ? mapped : look.mapped;
		look.rss += m->figures.rss;
		look.expected_ns += expected_ns;
		int64_t most_ns = member_is_asleep(t, m) ? PSS_SLEEP_NS : PSS_READ_NS;

		if (expected_ns > most_ns && expected_ns > look.dearest_ns)
			look.dearest_ns = expected_ns;
		look.grows |= m->memory.found_pass == t->pass;
	}
	look.upper = look.upper < look.rss ? look.upper : look.rss;
	look.files = look.files > look.mapped ? look.files - look.mapped : 0;
	return look;
}

static void read_family(struct memory *mem, struct family *f)
{
	for (size_t i = 0; i < mem->tracked->members.n; i++) {
		struct member *m = mem->tracked->members.order[i];

		if (m->memory.family == f && !m->gone && !m->borrows)
			member_read_rollup(mem, m);
	}
}

/* Members still fork, and the budget does not allow to read the family now and once more when it is complete. */
static bool is_too_early(struct memory *mem, struct family *f, const struct family_look *look)
{
	bool grew = f->grew_pass + 1 == mem->tracked->pass;

	if (!look->grows || 2 * look->expected_ns <= mem->budget.saved_ns)
		return false;
	f->grew_pass = mem->tracked->pass;
	return !grew;
}

static int64_t family_holds(const struct family *f)
{
	return f->credit > f->largest ? f->credit : f->largest;
}

static void judge_family(struct memory *mem, struct member *m)
{
	struct family *f = m->memory.family;

	m->memory.due = false;
	if (f->judged_pass == mem->tracked->pass)
		return;
	f->judged_pass = mem->tracked->pass;

	struct family_look look = look_at_family(mem, f);
	int64_t width = look.upper - look.files - (f->outside ? 0 : family_holds(f));

	if (width < MIB || width < look.upper / WIDE_DIVISOR)
		return;
	if (look.dearest_ns == 0 && !is_too_early(mem, f, &look) &&
	    pss_budget_allows(&mem->budget, look.expected_ns, true)) {
		read_family(mem, f);
		return;
	}
	/* Due again: when enough is saved or a running member sleeps, even if none of them runs until then. */
	m->memory.due = look.expected_ns <= PSS_SLEEP_NS;
	if (look.dearest_ns > 0)
		member_is_slow_to_read(mem, m, look.dearest_ns);
}

void families_read(struct memory *mem)
{
	for (size_t i = 0; i < mem->tracked->members.n_dear; i++) {
		struct member *m = mem->tracked->members.dear[i];

		if (m->memory.due && member_is_of_many(m) && m->figures.has_memory)
			judge_family(mem, m);
	}
}
