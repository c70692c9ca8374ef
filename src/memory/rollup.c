/* rollup.c - the smaps_rollup of one member: the cost of a reading, its result, and the uncertainty without one. */
#include "memory_state.h"

#include <time.h>

#include "../members/member_files.h"

enum { MIB = 1024 * 1024 };

/*
 * The size of a reading: every page of files, and private pages as far as they were faulted in one by one.  VmPTE does
 * not show this: the kernel keeps a table ready under each huge page.
 */
struct pss_size member_pss_size(const struct tracked *t, const struct member *m)
{
	int64_t page = t->src->page_bytes, private = figures_private(&m->figures) / page;
	int64_t faulted = figures_faults(&m->figures) + m->figures.inherited_pages;

	return (struct pss_size){
		.pages = m->figures.shared / page + (faulted < private ? faulted : private),
		.tables = m->memory.table_pages, .factor = (double)m->figures.rollup.factor,
	};
}

/*
 * Memory of files that a process mapped or released since its visit in this pass: processes read before that had a
 * larger or a smaller share of it.
 */
static void count_drift(struct memory *mem, int64_t mapped, int64_t left)
{
	mem->drift.mapped += mapped > 0 ? (uint64_t)mapped : 0;
	mem->drift.parted += left > 0 ? (uint64_t)left : 0;
}

static void take_rollup(struct memory *mem, struct member *m, const struct proc_rollup *p, struct figures *now,
			uint64_t faults_after, int64_t took_ns)
{
	struct tracked *t = mem->tracked;
	struct pss_levels before = figures_pss(t, &m->figures);
	struct pss_size size = member_pss_size(t, m);
	int64_t file = (int64_t)p->file_pss_bytes, left = now->rss - (int64_t)p->rss_bytes;
	int64_t mapped = p->has_parts ? (int64_t)p->rss_bytes - (int64_t)p->anonymous_bytes - now->shared : 0;

	count_drift(mem, mapped, left);
	mem->parted += (uint64_t)pss_given_away(t, &m->figures);
	mem->mapped += file > before.file ? (uint64_t)(file - before.file) : 0;
	m->memory.denied = false;
	m->memory.lent = 0;                     /* its children are read as well */
	if (m->memory.fork_group) {
		m->memory.fork_group->read_pass = t->pass;
		m->memory.fork_group->read_ns = t->src->monotonic_ns(t->src->clock);
	}
	now->rollup = (struct rollup){
		.pss = (int64_t)p->pss_bytes, .rss = (int64_t)p->rss_bytes, .uss = (int64_t)p->uss_bytes,
		.shared = now->shared, .most = (int64_t)p->pss_bytes + 1024,    /* in whole KiB, rounded down */
		.vouched = (int64_t)p->anonymous_pss_bytes - (int64_t)p->anonymous_bytes,
		.file_pss = file, .faults = (uint64_t)figures_faults(now), .faults_after = faults_after,
		.epoch = p->has_parts && m->memory.fork_group ? m->memory.fork_group->epoch : 0,
		.factor = (float)pss_factor(&size, took_ns),
	};
}

/* Our own CPU time: on a busy machine most of the elapsed time belongs to others and is not in the budget. */
static int64_t used_ns(const struct tracked *t)
{
	struct timespec now;

	if (!t->src->live || clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) < 0)
		return t->src->monotonic_ns(t->src->clock);
	return now.tv_sec * NS_PER_SECOND + now.tv_nsec;
}

/*
 * A process that writes to shared pages continues while it is read.  Pages that it wrote before the end of the reading
 * are in it, and were not at the visit: to carry the value from the visit would count them twice.
 */
static uint64_t faults_now(struct tracked *t, const struct member *m)
{
	struct proc_stat stat;
	char path[PROC_PATH];

	proc_path(path, m->pid, 0, "stat");
	if (!m->figures.shares || text_read_at(&t->text, t->src->proc, path) < 0 ||
	    proc_parse_stat(&stat, t->text.at, t->text.len) < 0)
		return (uint64_t)figures_faults(&m->figures);
	return stat.minor_faults + stat.major_faults;
}

/* A descriptor of smaps_rollup refers to the memory at its opening and is useless after exec: it is not kept. */
void member_read_rollup(struct memory *mem, struct member *m)
{
	struct tracked *t = mem->tracked;
	struct figures now = m->figures;
	struct proc_rollup p;
	char path[PROC_PATH];
	int64_t began = used_ns(t);

	proc_path(path, m->pid, m->figures.speaker, "smaps_rollup");

	int r = text_read_at(&t->text, t->src->proc, path);
	int64_t took_ns = used_ns(t) - began;

	pss_budget_spend(&mem->budget, took_ns);
	if (r == -EACCES || r == -EPERM || r == -ENOENT) {
		m->memory.denied = true;
		if (r != -ENOENT && !member_is_ending(t, m))
			notices_add_denied(&t->notices, &mem->noticed.pss, "PSS", m->pid, m->comm);
	} else if (r == 0 && proc_parse_rollup(&p, t->text.at, t->text.len) == 0) {
		take_rollup(mem, m, &p, &now, faults_now(t, m), took_ns);
	}
	m->memory.due = false;
	mem->changed = true;
	m->memory.ran = false;
	now.rollup.read_ns = t->now_ns;
	memory_take(mem, m, &now);
	accounts_set(mem->accounts, m, &now);
}

/* The width of the bounds of its PSS: from the memory that is certainly its own to its upper bound. */
int64_t member_uncertain(const struct memory *mem, const struct member *m)
{
	const struct fork_group *f = m->memory.fork_group;
	int64_t lower = f && f->members == 1 && !f->outside ? figures_private(&m->figures) : m->memory.credit;

	return figures_pss(mem->tracked, &m->figures).most - lower;
}

bool member_is_asleep(const struct tracked *t, const struct member *m)
{
	return t->clocks && m->pass != t->pass;
}

void member_is_slow_to_read(struct memory *mem, const struct member *m, int64_t expected_ns)
{
	notices_add(&mem->tracked->notices, &mem->noticed.long_reading, "reading the PSS of %s (pid %d) would hold up its memory calls for %.0f ms: it is "
		  "carried, and known to within %.0f MiB", m->comm, (int)m->pid, (double)expected_ns / 1e6,
		  (double)member_uncertain(mem, m) / MIB);
}
