/*
 * fork_group_reading.c - reads fork groups as a whole or not at all: the reading of one member shows its share of the
 * common pages, and older readings of the others are from before the fork.  A fork group is read only if its bounds are
 * wide, because a fork does not change its total.
 */
#include "memory_state.h"

enum {
	MIB = 1024 * 1024,
	WIDE_DIVISOR = 20,                      /* bounds of 5 % are narrow enough */
};

bool member_is_of_many(const struct member *m)
{
	return m->memory.fork_group && m->memory.fork_group->members > 1 && !m->shares_mm && !m->memory.denied;
}

struct fork_group_survey {
	int64_t upper, rss, files, mapped;      /* files: their file pages, less those mapped since */
	int64_t expected_ns;                    /* to read all of them */
	int64_t longest_ns;                     /* the longest reading that is over its process's limit; 0: none */
	bool grows;
};

/* In one sweep: fork groups with several members are few. */
static struct fork_group_survey survey_fork_group(const struct memory *mem, const struct fork_group *f)
{
	struct tracked *t = mem->tracked;
	struct fork_group_survey survey = { 0 };

	for (size_t i = 0; i < t->members.n; i++) {
		const struct member *m = t->members.order[i];

		if (m->memory.fork_group != f || m->gone)
			continue;

		struct pss_levels p = figures_pss(t, &m->figures);
		struct pss_size size = member_pss_size(t, m);
		int64_t expected_ns = pss_expected_ns(&size);

		int64_t mapped = (int64_t)(mem->mapped - m->figures.rollup.mapped);

		survey.upper += p.small;
		survey.files += p.file;
		survey.mapped = mapped > survey.mapped ? mapped : survey.mapped;
		survey.rss += m->figures.rss;
		survey.expected_ns += expected_ns;
		int64_t most_ns = member_is_asleep(t, m) ? PSS_SLEEP_NS : PSS_READ_NS;

		if (expected_ns > most_ns && expected_ns > survey.longest_ns)
			survey.longest_ns = expected_ns;
		survey.grows |= m->memory.found_pass == t->pass;
	}
	survey.upper = survey.upper < survey.rss ? survey.upper : survey.rss;
	survey.files = survey.files > survey.mapped ? survey.files - survey.mapped : 0;
	return survey;
}

static void read_fork_group(struct memory *mem, struct fork_group *f)
{
	for (size_t i = 0; i < mem->tracked->members.n; i++) {
		struct member *m = mem->tracked->members.order[i];

		if (m->memory.fork_group == f && !m->gone && !m->shares_mm)
			member_read_rollup(mem, m);
	}
}

/* Members still fork, and the budget does not allow to read the fork group now and once more when it is complete. */
static bool is_too_early(struct memory *mem, struct fork_group *f, const struct fork_group_survey *survey)
{
	bool grew = f->grew_pass + 1 == mem->tracked->pass;

	if (!survey->grows || 2 * survey->expected_ns <= mem->budget.saved_ns)
		return false;
	f->grew_pass = mem->tracked->pass;
	return !grew;
}

static int64_t fork_group_holds(const struct fork_group *f)
{
	return f->credit > f->largest ? f->credit : f->largest;
}

static void judge_fork_group(struct memory *mem, struct member *m)
{
	struct fork_group *f = m->memory.fork_group;

	m->memory.due = false;
	if (f->judged_pass == mem->tracked->pass)
		return;
	f->judged_pass = mem->tracked->pass;

	struct fork_group_survey survey = survey_fork_group(mem, f);
	int64_t width = survey.upper - survey.files - (f->outside ? 0 : fork_group_holds(f));

	if (width < MIB || width < survey.upper / WIDE_DIVISOR)
		return;
	if (survey.longest_ns == 0 && !is_too_early(mem, f, &survey) &&
	    pss_budget_allows(&mem->budget, survey.expected_ns, true)) {
		read_fork_group(mem, f);
		return;
	}
	/* Due again: when enough is saved or a running member sleeps, even if none of them runs until then. */
	m->memory.due = survey.expected_ns <= PSS_SLEEP_NS;
	if (survey.longest_ns > 0)
		member_is_slow_to_read(mem, m, survey.longest_ns);
}

void fork_groups_read(struct memory *mem)
{
	for (size_t i = 0; i < mem->tracked->members.n_due; i++) {
		struct member *m = mem->tracked->members.due[i];

		if (m->memory.due && member_is_of_many(m) && m->figures.has_memory)
			judge_fork_group(mem, m);
	}
}
