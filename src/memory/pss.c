/* pss.c - PSS, read within its budget: fork groups first, then new members, then those that changed most. */
#include "memory_state.h"

#include "../members/member_files.h"

enum {
	PICKS = 8,                              /* readings of known members in one pass */
	MIB = 1024 * 1024,
	WIDE_DIVISOR = 20,                      /* bounds of 5 % are narrow enough */
};

/* The value of a new reading: the possible error of the carried value, in bytes; 0: none. */
static int64_t worth(const struct memory *mem, const struct member *m)
{
	enum { STALE_SECONDS = 30, OLD_SECONDS = 300 };
	const struct rollup *r = &m->figures.rollup;
	int64_t rss = m->figures.rss, change = rss - r->rss, most = member_uncertain(mem, m);
	int64_t age = (mem->tracked->now_ns - r->read_ns) / NS_PER_SECOND;

	change = change < 0 ? -change : change;
	change = change < most ? change : most;
	if (change > MIB && change > rss / 100)
		return change + 1;
	if (change > rss / 20 || (age >= STALE_SECONDS && m->memory.ran) || age >= OLD_SECONDS)
		return rss / 100 + 1;
	return 0;
}

static void read_if_allowed(struct memory *mem, struct member *m)
{
	struct pss_size size = member_pss_size(mem->tracked, m);
	int64_t expected_ns = pss_expected_ns(&size);
	bool sleeps = member_is_asleep(mem->tracked, m);

	/* A long reading must narrow wide bounds. */
	if (expected_ns > PSS_READ_NS && member_uncertain(mem, m) <= m->figures.rss / WIDE_DIVISOR)
		return;
	if (pss_budget_allows(&mem->budget, expected_ns, sleeps))
		member_read_rollup(mem, m);
	else if (expected_ns > (sleeps ? PSS_SLEEP_NS : PSS_READ_NS))
		member_is_slow_to_read(mem, m, expected_ns);
}

static void read_most_changed(struct memory *mem)
{
	struct { struct member *member; int64_t worth; } pick[PICKS + 1];
	size_t n = 0;

	for (size_t i = 0; i < mem->tracked->members.n_due; i++) {
		struct member *m = mem->tracked->members.due[i];
		int64_t value = m->memory.due && !member_is_of_many(m) ? worth(mem, m) : 0;
		size_t at = n;

		if (value == 0 || (n == PICKS && value <= pick[n - 1].worth))
			continue;
		for (; at > 0 && pick[at - 1].worth < value; at--)
			pick[at] = pick[at - 1];
		pick[at].member = m;
		pick[at].worth = value;
		n = size_min(n + 1, PICKS);
	}
	for (size_t i = 0; i < n; i++)
		read_if_allowed(mem, pick[i].member);
}

/* Reads members that ran and were never read, within the budget.  Denied ones are tried again at intervals. */
static void read_new(struct memory *mem)
{
	for (size_t i = 0; i < mem->tracked->members.n_due; i++) {
		struct member *m = mem->tracked->members.due[i];

		if (!m->figures.has_memory || (m->memory.denied && m->reads % 64 != 0))
			m->memory.due = false;
		else if (m->memory.due && !member_is_of_many(m) &&
			 (!rollup_taken(&m->figures.rollup) || m->memory.denied))
			read_if_allowed(mem, m);
	}
}

/*
 * Readings of one pass are of one moment, unless a process that was read has exited meanwhile: later readings already
 * had its share.
 */
static void look_for_ended(struct memory *mem)
{
	struct tracked *t = mem->tracked;
	struct proc_statm statm;

	for (size_t i = 0; i < t->members.n; i++) {
		struct member *m = t->members.order[i];

		const struct rollup *r = &m->figures.rollup;

		if (r->read_ns != t->now_ns || !rollup_taken(r) || !m->memory.fork_group ||
		    m->memory.fork_group->members == 1)
			continue;
		if (member_text(t, m, FILE_STATM) == 0 && proc_parse_statm(&statm, t->text.at, t->text.len) == 0 &&
		    statm.resident > 0)
			continue;
		fork_group_void_credit(mem, m->memory.fork_group);
		mem->mapped += (uint64_t)figures_pss(t, &m->figures).file;
	}
}

static void find_oldest(struct memory *mem)
{
	struct tracked *t = mem->tracked;
	mem->parted += mem->drift.parted;
	mem->mapped += mem->drift.mapped;
	mem->oldest_ns = t->now_ns;
	mem->oldest_parted = mem->parted;
	mem->oldest_mapped = mem->mapped;
	for (size_t i = 0; i < t->members.n; i++) {
		struct member *m = t->members.order[i];
		struct rollup *r = &m->figures.rollup;

		if (r->read_ns == t->now_ns) {          /* one pass is one moment, except for the drift */
			r->parted = mem->parted - mem->drift.parted;
			r->mapped = mem->mapped - mem->drift.mapped;
		}
		if (m->figures.has_pss && r->read_ns < mem->oldest_ns)
			mem->oldest_ns = r->read_ns;
		if (r->parted < mem->oldest_parted)
			mem->oldest_parted = r->parted;
		if (r->mapped < mem->oldest_mapped)
			mem->oldest_mapped = r->mapped;
	}
	mem->changed = false;
}

void memory_read(struct memory *mem, unsigned slowdown)
{
	struct tracked *t = mem->tracked;
	if (mem->policy == PSS_NEVER)
		return;
	mem->drift.mapped = mem->drift.parted = 0;
	pss_budget_fill(&mem->budget, t->now_ns, slowdown);
	if (mem->policy == PSS_ALWAYS) {
		for (size_t i = 0; i < t->members.n; i++)
			if (t->members.order[i]->figures.has_memory)
				member_read_rollup(mem, t->members.order[i]);
	} else {
		fork_groups_read(mem);
		read_new(mem);
		read_most_changed(mem);
	}
	if (mem->changed) {
		find_oldest(mem);
		look_for_ended(mem);
	}
}

int memory_open(struct memory **ret, struct tracked *t, struct accounts *a, enum pss_policy policy)
{
	struct memory *mem = calloc(1, sizeof *mem);

	if (!mem)
		return -ENOMEM;
	mem->tracked = t;
	mem->accounts = a;
	mem->policy = policy;
	mem->budget = pss_budget_open(t->now_ns);
	mem->fork_groups.fork_group.size = sizeof(struct fork_group);
	t->wants_pss = policy != PSS_NEVER;
	*ret = mem;
	return 0;
}

void memory_close(struct memory *mem)
{
	if (!mem)
		return;
	fork_groups_release(mem);
	free(mem);
}

bool memory_reads_always(const struct memory *mem)
{
	return mem->policy == PSS_ALWAYS;
}

void memory_changed(struct memory *mem)
{
	mem->changed = true;
}
