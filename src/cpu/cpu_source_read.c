/* cpu_source_read.c - reads the numbers of all sources of a tree's CPU time. */
#include "cpu_source_state.h"

#include <string.h>
#include <time.h>

#include "../core/sample.h"
#include "../kernel/sideband_parse.h"

enum {
	FORK_NS = 20000,                        /* no CPU forks faster */
	SWITCH_NS = 1000,                       /* nor switches tasks faster */
	LARGE = 64,                             /* members, or threads with clocks */
};

/* If no collector counted them.  The C library would open the file at each call: 50 us with cold caches. */
static double cpus_online(struct cpu_source *c)
{
	if (c->online < 0)
		c->online = source_open_file(c->src->sys, "devices/system/cpu/online");

	ptrdiff_t n = c->online < 0 || text_read(c->text, c->online) < 0 ? 0 :
		      sideband_parse_cpus(NULL, 0, c->text->at, c->text->len);

	return n > 0 ? (double)n : 1;
}

static uint64_t ns_between(int64_t was, int64_t now)
{
	return now > was ? (uint64_t)(now - was) : 0;
}

/* Upper bound. */
static uint64_t tasks_started(const struct cpu_source *c, const struct cpu_facts *facts, const struct tick *tick)
{
	if (facts->tasks < UINT64_MAX)
		return 1 + facts->tasks;
	if (tick->forks_since_boot == 0 || tick->forks_at_first == 0)
		return c->capacity_ns / FORK_NS;

	/* The counter is that of the machine: an upper bound for the tree. */
	uint64_t before = ns_between(c->begun_ns, tick->forks_first_ns) / FORK_NS;

	return 1 + c->threads.n + before + tick->forks_since_boot - tick->forks_at_first;
}

static uint64_t ns_of(double seconds)
{
	return is_none(seconds) ? 0 : (uint64_t)(seconds * 1e9);
}

/* Adds the machine's disturbances during `capacity_ns`: perf counts some of them for the tree. */
static void add_disturbance(struct disturbance *d, const struct totals *m, uint64_t capacity_ns)
{
	uint64_t interrupted_ns = ns_of(m->cpu_irq_seconds) + ns_of(m->cpu_softirq_seconds) +
				  ns_of(m->cpu_steal_seconds);

	d->faults = is_none(m->memory_minor_faults) || is_none(m->memory_major_faults) ? FAULTS_UNKNOWN :
		    d->faults + (uint64_t)(m->memory_minor_faults + m->memory_major_faults);
	d->switches += is_none(m->cpu_context_switches) ? capacity_ns / SWITCH_NS : (uint64_t)m->cpu_context_switches;
	d->interrupted_ns += interrupted_ns;
	d->busy_ns += ns_of(m->cpu_user_seconds) + ns_of(m->cpu_system_seconds) + interrupted_ns;
}

void cpu_source_read_common(struct cpu_source *c, const struct cpu_facts *facts, const struct tick *tick,
			    struct cpu_reading *now)
{
	struct timespec own;

	if (c->read_ns > 0) {
		double counted = tick->out->total.cpu_count, cpus = is_none(counted) ? cpus_online(c) : counted;
		uint64_t gone_ns = (uint64_t)((double)(facts->now_ns - c->read_ns) * cpus);

		c->capacity_ns += gone_ns;
		add_disturbance(&c->disturbance, &tick->out->total, gone_ns);
	} else {
		c->begun_ns = facts->now_ns;
	}
	c->read_ns = facts->now_ns;
	now->capacity_ns = c->capacity_ns;
	now->switches = c->disturbance.switches;
	now->interrupted_ns = c->disturbance.interrupted_ns;
	now->busy_ns = c->disturbance.busy_ns;
	now->ledger_ns = facts->ledger_ns;
	now->ledger_system_ns = facts->system_ns;
	now->largest_bytes = facts->largest_bytes;
	now->blind = c->blind || facts->unwatched;
	now->tasks = facts->baseline ? 0 : tasks_started(c, facts, tick);
	if (c->own_cgroup && c->estimate.rung != RUNG_CGROUP && clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own) == 0 &&
	    own_cgroup_read_above(c->own_cgroup, &now->above_ns) == 0)
		now->recorder_ns = (uint64_t)(own.tv_sec * NS_PER_SECOND + own.tv_nsec);
	now->visible_ns = facts->visible_ns;
	now->by_process_ns = facts->visible_ns + facts->unseen_ns;
	now->unread_ns = facts->unread_ns;
	now->by_process = facts->counts_ends && !now->blind;
}

/*
 * perf adds up an event for each task, 0.04 us each.  For a large tree it is not read if no task was started and no
 * member ran.
 */
static bool nothing_ran(const struct cpu_source *c, const struct cpu_facts *facts, const struct cpu_reading *now)
{
	const struct cpu_reading *last = &c->estimate.last;

	return size_max(facts->members, c->threads.n) >= LARGE && now->ledger_ns == last->ledger_ns &&
	       now->tasks == last->tasks;
}

/* An attached tree has no count of them.  Upper bound: those of the machine, and the memory of members that exited. */
static uint64_t faults_at_most(const struct cpu_source *c, const struct cpu_facts *facts)
{
	uint64_t machine = c->disturbance.faults;

	return machine >= FAULTS_UNKNOWN ? FAULTS_UNKNOWN : machine + facts->left_bytes / (uint64_t)c->src->page_bytes;
}

static int read_perf(const struct cpu_source *c, const struct cpu_facts *facts, struct readings *now)
{
	if (nothing_ran(c, facts, &now->cpu)) {
		memcpy(now->perf, c->perf_reported, sizeof now->perf);
		now->threads = c->threads_reported;
		if (facts->at_rest)
			now->perf[PERF_CLOCK_NS] = facts->used_ns;
		return 0;
	}
	return c->ours ? perf_clock_read(&c->perf, now->perf) : thread_clocks_read(&c->threads, &now->threads);
}

int cpu_source_read_rung(const struct cpu_source *c, const struct cpu_facts *facts, struct readings *now)
{
	int r = 0;

	if (c->estimate.rung == RUNG_CGROUP)
		r = own_cgroup_read(c->own_cgroup, &now->own_cgroup);
	else if (c->estimate.rung == RUNG_PERF)
		r = read_perf(c, facts, now);
	now->cpu.cgroup_ns = now->own_cgroup.total_ns;
	now->cpu.perf_ns = now->perf[PERF_CLOCK_NS] + now->threads.sure_ns;
	now->cpu.unsure_ns = now->threads.unsure_ns;
	now->cpu.faults = c->ours ? now->perf[PERF_FAULTS] : faults_at_most(c, facts);
	return r;
}
