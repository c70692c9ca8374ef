/* cpu_source.c - which source tells the CPU time of a tree in all. */
#include "attached.h"
#include "state.h"

#include <string.h>
#include <time.h>

enum {
	FORK_NS = 20000,                        /* no CPU forks faster */
	SWITCH_NS = 1000,                       /* or switches tasks */
	LARGE = 64,                             /* members, or threads with clocks */
};

static bool has_perf(const struct cpu_source *c)
{
	return perf_clock_has(&c->perf, PERF_CLOCK_NS) || c->threads.n > 0;
}

static const char *refusal(int r)
{
	_Static_assert(THREAD_CLOCKS_MAX == 512, "as the sentence says");
	return r == -E2BIG ? "more than 512 threads" : strerror(-r);
}

static void tell_refused(struct tree *t, int r, bool asked)
{
	if (asked || (r != -ENOSYS && r != -ENOENT))
		notices_add(&t->notices, &t->cpu.told, "CPU time without perf (%s): children that nobody waits for may be missing",
			  refusal(r));
}

void cpu_source_open(struct tree *t, const struct tree_options *options)
{
	enum cpu_choice choice = options->cpu;
	bool whole = !t->no_children && t->src->live, command = whole && t->ours;
	struct cpu_source *c = &t->cpu;

	/* Even where the command was not born in it, it knows the group around. */
	c->leaf = command ? options->leaf : NULL;

	bool born_in_leaf = c->leaf && c->leaf->usage >= 0;
	bool perf = whole && !born_in_leaf && choice != CPU_LEDGER && choice != CPU_VISIBLE;
	int r = 0;

	if (perf)
		r = t->ours ? perf_clock_open(&c->perf, options->roots[0]) : attached_open(t);
	births_open(t, &t->root[0], options->signal);   /* its events come after those (sideband.h) */
	if (perf && t->ours && r == 0)
		r = perf_clock_begin(&c->perf, options->roots[0], t->events);
	if (!command && choice == CPU_CGROUP)
		notices_add(&t->notices, &c->told, "CPU time from cgroup needs a command that is started by us, with its children");
	if (!whole && choice == CPU_PERF)
		notices_add(&t->notices, &c->told, "CPU time from perf needs the children of the processes as well");
	if (r < 0)
		tell_refused(t, r, choice == CPU_PERF);
	c->ladder.rung = choice == CPU_VISIBLE ? RUNG_VISIBLE : born_in_leaf ? RUNG_CGROUP :
			 has_perf(c) ? RUNG_PERF : RUNG_LEDGER;
}

void cpu_source_close(struct cpu_source *c)
{
	perf_clock_close(&c->perf);
	thread_clocks_close(&c->threads);
	close_p(&c->online);
}

/* Where no collector counted them.  The C library would open the file at each question: 50 us with cold caches. */
static double cpus_online(struct tree *t)
{
	struct cpu_source *c = &t->cpu;

	if (c->online < 0)
		c->online = source_open_file(t->src->sys, "devices/system/cpu/online");

	ptrdiff_t n = c->online < 0 || text_read(&t->text, c->online) < 0 ? 0 :
		      sideband_parse_cpus(NULL, 0, t->text.at, t->text.len);

	return n > 0 ? (double)n : 1;
}

static uint64_t ns_between(int64_t was, int64_t now)
{
	return now > was ? (uint64_t)(now - was) : 0;
}

/* At most. */
static uint64_t tasks_started(const struct tree *t, const struct tick *tick)
{
	const struct cpu_source *c = &t->cpu;

	if (t->sideband && t->births.tasks < UINT64_MAX)
		return 1 + t->births.tasks;
	if (tick->forks_since_boot == 0 || tick->forks_at_first == 0)
		return c->capacity_ns / FORK_NS;

	/* The counter is the machine's: with others at work it is more than the tree's. */
	uint64_t before = ns_between(c->begun_ns, tick->forks_first_ns) / FORK_NS;

	return 1 + c->threads.n + before + tick->forks_since_boot - tick->forks_at_first;
}

static uint64_t ns_of(double seconds)
{
	return is_none(seconds) ? 0 : (uint64_t)(seconds * 1e9);
}

/* What befell the machine while `capacity_ns` went by: perf counts some of it as the tree's. */
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

/* What is always known, and what perf needs for its upper bound. */
static void read_common(struct tree *t, const struct tick *tick, struct cpu_reading *now)
{
	struct cpu_source *c = &t->cpu;
	struct timespec own;

	if (c->read_ns > 0) {
		double counted = tick->out->total.cpu_count, cpus = is_none(counted) ? cpus_online(t) : counted;
		uint64_t gone_ns = (uint64_t)((double)(t->now_ns - c->read_ns) * cpus);

		c->capacity_ns += gone_ns;
		add_disturbance(&c->disturbance, &tick->out->total, gone_ns);
	} else {
		c->begun_ns = t->now_ns;
	}
	c->read_ns = t->now_ns;
	now->capacity_ns = c->capacity_ns;
	now->switches = c->disturbance.switches;
	now->interrupted_ns = c->disturbance.interrupted_ns;
	now->busy_ns = c->disturbance.busy_ns;
	now->ledger_ns = t->told[CPU_NS];
	now->ledger_system_ns = t->told[SYSTEM_NS];
	now->largest_bytes = (uint64_t)t->peak_rss;
	now->blind = c->blind || t->unwatched;
	now->tasks = t->primed ? tasks_started(t, tick) : 0;
	if (c->leaf && c->ladder.rung != RUNG_CGROUP && clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own) == 0 &&
	    leaf_read_above(c->leaf, &now->above_ns) == 0)
		now->recorder_ns = (uint64_t)(own.tv_sec * NS_PER_SECOND + own.tv_nsec);
	now->visible_ns = t->visible_ns;
	now->by_process_ns = t->visible_ns + t->unseen_ns;
}

/* What is read at once. */
struct readings {
	struct cpu_reading cpu;
	struct leaf_usage leaf;
	uint64_t perf[PERF_COUNTS];
	struct thread_clocks_time threads;
};

/*
 * perf adds up an event for each task, 0.04 us each: of a large tree it is not asked when none was started and no
 * member ran.
 */
static bool nothing_ran(const struct tree *t, const struct cpu_reading *now)
{
	const struct cpu_reading *last = &t->cpu.ladder.last;

	return size_max(t->members.n, t->cpu.threads.n) >= LARGE && now->ledger_ns == last->ledger_ns &&
	       now->tasks == last->tasks;
}

/* Nobody counts those of a tree that was attached to: the machine's, and what members had that have ended since. */
static uint64_t faults_at_most(const struct tree *t)
{
	uint64_t machine = t->cpu.disturbance.faults;

	return machine >= FAULTS_UNKNOWN ? FAULTS_UNKNOWN : machine + t->left_bytes / (uint64_t)t->src->page_bytes;
}

static int read_perf(const struct tree *t, struct readings *now)
{
	const struct cpu_source *c = &t->cpu;

	if (nothing_ran(t, &now->cpu)) {
		memcpy(now->perf, c->perf_told, sizeof now->perf);
		now->threads = c->threads_told;
		if (t->sweep.skipped)
			now->perf[PERF_CLOCK_NS] = t->sweep.used_by_now_ns;
		return 0;
	}
	return t->ours ? perf_clock_read(&c->perf, now->perf) : thread_clocks_read(&c->threads, &now->threads);
}

/* 0, or -errno of the rung in use. */
static int read_rung(const struct tree *t, struct readings *now)
{
	const struct cpu_source *c = &t->cpu;
	int r = 0;

	if (c->ladder.rung == RUNG_CGROUP)
		r = leaf_read(c->leaf, &now->leaf);
	else if (c->ladder.rung == RUNG_PERF)
		r = read_perf(t, now);
	now->cpu.cgroup_ns = now->leaf.total_ns;
	now->cpu.perf_ns = now->perf[PERF_CLOCK_NS] + now->threads.sure_ns;
	now->cpu.unsure_ns = now->threads.unsure_ns;
	now->cpu.faults = t->ours ? now->perf[PERF_FAULTS] : faults_at_most(t);
	return r;
}

static void lose_rung(struct tree *t, int error)
{
	notices_add(&t->notices, &t->cpu.told, "the CPU time of the tree cannot be read from %s any more (%s): "
		  "from here on it is that of live processes and waited children",
		  rung_name(t->cpu.ladder.rung), strerror(-error));
	ladder_leave(&t->cpu.ladder, RUNG_LEDGER);
}

/* The ledger saw what the rung in use cannot have seen. */
static void doubt_rung(struct tree *t, struct cpu_reading *now)
{
	if (t->cpu.ladder.rung == RUNG_PERF) {          /* as a lower bound it is as good as before */
		t->cpu.blind = now->blind = true;
		return;
	}
	notices_add(&t->notices, &t->cpu.told, "processes of the tree were moved out of its control group: "
		  "its CPU time is that of live processes and waited children");
	ladder_retract(&t->cpu.ladder, RUNG_LEDGER);
}

static void keep_told(struct cpu_source *c, const struct readings *now)
{
	c->leaf_told = now->leaf;
	memcpy(c->perf_told, now->perf, sizeof c->perf_told);
	c->threads_told = now->threads;
}

/* What only the rung in use knows. */
static void report_beside(const struct cpu_source *c, const struct readings *now, struct totals *out)
{
	if (c->ladder.rung == RUNG_CGROUP) {
		out->process_cpu_user_seconds = gained(c->leaf_told.user_ns, now->leaf.user_ns) / 1e9;
		out->process_cpu_system_seconds = gained(c->leaf_told.system_ns, now->leaf.system_ns) / 1e9;
	}
	if (c->ladder.rung == RUNG_PERF && perf_clock_has(&c->perf, PERF_MIGRATIONS))
		out->process_cpu_migrations = gained(c->perf_told[PERF_MIGRATIONS], now->perf[PERF_MIGRATIONS]);
}

static void report_time(const struct cpu_time *gain, struct sample *out)
{
	out->total.process_cpu_seconds = (double)gain->total_ns / 1e9;
	out->total.process_cpu_lower_seconds = (double)gain->lower_ns / 1e9;
	out->total.process_cpu_upper_seconds = (double)gain->upper_ns / 1e9;
	if (out->interval_seconds > 0)
		out->total.process_cpu_cores = out->total.process_cpu_seconds / out->interval_seconds;
}

/*
 * User and system time add up to the total, always: what nobody split is split as the rest of this interval, or of the
 * run, was.
 */
static void split_all(const struct tree *t, const struct readings *now, struct totals *out)
{
	bool leaf = t->cpu.ladder.rung == RUNG_CGROUP;
	double user = out->process_cpu_user_seconds, both = user + out->process_cpu_system_seconds;

	if (!(both > 0)) {
		user = (double)(leaf ? now->leaf.user_ns : t->told[USER_NS]);
		both = user + (double)(leaf ? now->leaf.system_ns : t->told[SYSTEM_NS]);
	}
	out->process_cpu_user_seconds = out->process_cpu_seconds * (both > 0 ? user / both : 1);
	out->process_cpu_system_seconds = out->process_cpu_seconds - out->process_cpu_user_seconds;
}

/*
 * What the ledger may lack of waited children's CPU time: cutime and cstime are in ticks, and what may stand there twice
 * is held back.
 */
static uint64_t ledger_slack_ns(const struct tree *t)
{
	uint64_t slack_ns = 0;

	for (size_t i = 0; i < t->members.n; i++)
		slack_ns += t->members.order[i]->waited ? 2 * t->ns_per_tick : 0;
	for (size_t i = 0; i < t->n_roots; i++)
		slack_ns += t->root[i].held[CPU_NS];
	return slack_ns;
}

/* What a process had at most is lost with it if nobody waited for it. */
static void look_for_unwaited(struct tree *t, const struct cpu_reading *now)
{
	const struct ladder *l = &t->cpu.ladder;

	if (t->sideband && !t->peaks_missed && ladder_has_unwaited(l, now, 0))
		t->peaks_missed = ladder_has_unwaited(l, now, ledger_slack_ns(t));
}

static const char *source_name(const struct cpu_source *c)
{
	return c->ladder.rung == RUNG_CGROUP && c->leaf->is_v1 ? "cgroup1" : rung_name(c->ladder.rung);
}

void cpu_source_report(struct tree *t, struct tick *tick)
{
	struct cpu_source *c = &t->cpu;
	struct readings now = { .perf = { 0 } };

	read_common(t, tick, &now.cpu);

	int error = read_rung(t, &now);

	if (error < 0)
		lose_rung(t, error);
	else if (t->primed && ladder_is_contradicted(&c->ladder, &now.cpu))
		doubt_rung(t, &now.cpu);
	if (t->primed) {
		struct cpu_time gain = ladder_step(&c->ladder, &now.cpu);

		report_time(&gain, tick->out);
		report_beside(c, &now, &tick->out->total);
		split_all(t, &now, &tick->out->total);
		look_for_unwaited(t, &now.cpu);
	} else {
		ladder_start(&c->ladder, c->ladder.rung, &now.cpu);
	}
	keep_told(c, &now);
	memcpy(tick->out->total.process_cpu_source, source_name(c), strlen(source_name(c)) + 1);
}
