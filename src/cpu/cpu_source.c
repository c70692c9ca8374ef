/* cpu_source.c - chooses and reads the source of a tree's total CPU time. */
#include "cpu_source.h"

#include <string.h>
#include <time.h>

#include "../core/sample.h"
#include "../kernel/perf_clock.h"
#include "../kernel/sideband_parse.h"
#include "attached.h"
#include "cpu_estimate.h"

enum {
	FORK_NS = 20000,                        /* no CPU forks faster */
	SWITCH_NS = 1000,                       /* nor switches tasks faster */
	LARGE = 64,                             /* members, or threads with clocks */
};

/* Disturbances of the machine: fields of struct cpu_reading. */
struct disturbance { uint64_t switches, interrupted_ns, busy_ns, faults; };

struct cpu_source {
	const struct source *src;
	struct notices *notices;
	struct text *text;
	bool     ours;                          /* the command is ours */
	pid_t    root;
	enum cpu_choice choice;
	bool     wants_perf;                    /* perf was asked for, or is the best source available */
	struct cpu_estimate estimate;
	const struct own_cgroup *own_cgroup;    /* NULL: none */
	const struct sideband *events;          /* NULL: none */
	struct perf_clock perf;                 /* of a command that we started */
	struct thread_clocks threads;           /* of an attached tree (attached.h) */
	int      refused;                       /* -errno of perf; 0: not refused, or not asked for */
	int      online;                        /* descriptor of the list of CPUs; -1: not open */
	struct own_cgroup_usage own_cgroup_reported;            /* at the last reading */
	uint64_t perf_reported[PERF_COUNTS];    /* likewise */
	struct thread_clocks_time threads_reported; /* likewise */
	int64_t  begun_ns, read_ns;             /* time of the first and of the last reading; 0: none yet */
	uint64_t capacity_ns;                   /* time since then, summed over all CPUs */
	struct disturbance disturbance;         /* likewise */
	bool     blind;                         /* perf misses a process */
	bool     more_than_waited;              /* exited processes used more than waited children account for */
	bool     unwaited;                      /* that was so twice: no parent waited for some process */
	bool     noticed;                       /* a missing or lost rung was reported */
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

static void notice_refusal(struct cpu_source *c, bool asked)
{
	if (asked || (c->refused != -ENOSYS && c->refused != -ENOENT))
		notices_add(c->notices, &c->noticed, "CPU time without perf (%s): children that no parent waits for can be missing",
			    refusal(c->refused));
}

static int open_attached(struct cpu_source *c, const struct cpu_setup *setup)
{
	const struct attached what = {
		.src = setup->src, .list = setup->list, .roots = setup->roots, .n_roots = setup->n_roots,
		.self = setup->self,
	};
	bool all_found = true;
	/* perf uses our pids, as CPU clocks do. */
	int r = setup->attachable ? attached_open(&c->threads, &all_found, &what) : -ENOENT;

	c->blind = !all_found;
	return r;
}

int cpu_source_open(struct cpu_source **ret, const struct cpu_setup *setup)
{
	struct cpu_source *c = calloc(1, sizeof *c);
	bool command = setup->whole && setup->ours;

	if (!c)
		return -ENOMEM;
	*c = (struct cpu_source){
		.src = setup->src, .notices = setup->notices, .text = setup->text, .ours = setup->ours,
		.root = setup->roots[0], .choice = setup->choice,
		.perf = PERF_CLOCK_CLOSED, .online = -1,
		/* Even if the command was not started in it, it has the group above. */
		.own_cgroup = command ? setup->own_cgroup : NULL,
	};

	bool starts_in_own_cgroup = c->own_cgroup && c->own_cgroup->usage >= 0;

	c->wants_perf = setup->whole && !starts_in_own_cgroup && setup->choice != CPU_LEDGER &&
			setup->choice != CPU_VISIBLE;
	if (c->wants_perf)
		c->refused = setup->ours ? perf_clock_open(&c->perf, c->root) : open_attached(c, setup);
	if (!command && setup->choice == CPU_CGROUP)
		notices_add(c->notices, &c->noticed, "CPU time from cgroup needs a command that is started by us, with its children");
	if (!setup->whole && setup->choice == CPU_PERF)
		notices_add(c->notices, &c->noticed, "CPU time from perf needs the children of the processes as well");
	c->estimate.rung = setup->choice == CPU_VISIBLE ? RUNG_VISIBLE :
			   starts_in_own_cgroup ? RUNG_CGROUP : RUNG_LEDGER;
	*ret = c;
	return 0;
}

void cpu_source_begin(struct cpu_source *c, const struct sideband *events)
{
	c->events = events;
	if (c->wants_perf && c->ours && c->refused == 0)
		c->refused = perf_clock_begin(&c->perf, c->root, events);
	if (c->refused < 0)
		notice_refusal(c, c->choice == CPU_PERF);
	if (has_perf(c))
		c->estimate.rung = RUNG_PERF;
}

void cpu_source_close(struct cpu_source *c)
{
	if (!c)
		return;
	perf_clock_close(&c->perf);
	thread_clocks_close(&c->threads);
	close_p(&c->online);
	free(c);
}

size_t cpu_source_descriptors(const struct cpu_source *c)
{
	return c->threads.n;
}

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

/* Reads what is always known, and the input for perf's upper bound. */
static void read_common(struct cpu_source *c, const struct cpu_facts *facts, const struct tick *tick,
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

/* One reading of all sources. */
struct readings {
	struct cpu_reading cpu;
	struct own_cgroup_usage own_cgroup;
	uint64_t perf[PERF_COUNTS];
	struct thread_clocks_time threads;
};

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

/* 0, or -errno of the rung in use. */
static int read_rung(const struct cpu_source *c, const struct cpu_facts *facts, struct readings *now)
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

static void lose_rung(struct cpu_source *c, int error)
{
	notices_add(c->notices, &c->noticed, "the CPU time of the tree cannot be read from %s any more (%s): "
		  "from now on it is the sum over live processes and waited children",
		  rung_name(c->estimate.rung), strerror(-error));
	cpu_estimate_leave(&c->estimate, RUNG_LEDGER);
}

/* The ledger contains more than the rung in use can account for. */
static void doubt_rung(struct cpu_source *c, struct cpu_reading *now)
{
	if (c->estimate.rung == RUNG_PERF) {    /* it is still a lower bound */
		c->blind = now->blind = true;
		return;
	}
	notices_add(c->notices, &c->noticed, "processes of the tree were moved out of its control group: "
		  "its CPU time is the sum over live processes and waited children");
	cpu_estimate_retract(&c->estimate, RUNG_LEDGER);
}

static void keep_reported(struct cpu_source *c, const struct readings *now)
{
	c->own_cgroup_reported = now->own_cgroup;
	memcpy(c->perf_reported, now->perf, sizeof c->perf_reported);
	c->threads_reported = now->threads;
}

/* Figures that only the rung in use has. */
static void report_beside(const struct cpu_source *c, const struct readings *now, struct totals *out)
{
	if (c->estimate.rung == RUNG_CGROUP) {
		out->process_cpu_user_seconds = gained(c->own_cgroup_reported.user_ns, now->own_cgroup.user_ns) / 1e9;
		out->process_cpu_system_seconds =
			gained(c->own_cgroup_reported.system_ns, now->own_cgroup.system_ns) / 1e9;
	}
	if (c->estimate.rung == RUNG_PERF && perf_clock_has(&c->perf, PERF_MIGRATIONS))
		out->process_cpu_migrations = gained(c->perf_reported[PERF_MIGRATIONS], now->perf[PERF_MIGRATIONS]);
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
 * User and system time always add up to the total.  Time without a split is split like the rest of this interval, or of
 * the run.
 */
static void split_all(const struct cpu_source *c, const struct cpu_facts *facts, const struct readings *now,
		      struct totals *out)
{
	bool own_cgroup = c->estimate.rung == RUNG_CGROUP;
	double user = out->process_cpu_user_seconds, both = user + out->process_cpu_system_seconds;

	if (!(both > 0)) {
		user = (double)(own_cgroup ? now->own_cgroup.user_ns : facts->user_ns);
		both = user + (double)(own_cgroup ? now->own_cgroup.system_ns : facts->system_ns);
	}
	out->process_cpu_user_seconds = out->process_cpu_seconds * (both > 0 ? user / both : 1);
	out->process_cpu_system_seconds = out->process_cpu_seconds - out->process_cpu_user_seconds;
}

static const char *source_name(const struct cpu_source *c)
{
	return c->estimate.rung == RUNG_CGROUP && c->own_cgroup->is_v1 ? "cgroup1" : rung_name(c->estimate.rung);
}

/*
 * A process that exited during this reading may be on one side only.  It counts if the next reading shows it too, or if
 * no process is left that could be exiting.
 */
static void look_for_unwaited(struct cpu_source *c, const struct cpu_facts *facts, const struct cpu_reading *now)
{
	bool more = facts->counts_ends && cpu_estimate_has_unwaited(&c->estimate, now, facts->ledger_slack_ns);

	c->unwaited |= more && (c->more_than_waited || facts->over);
	c->more_than_waited = more;
}

void cpu_source_report(struct cpu_source *c, const struct cpu_facts *facts, struct tick *tick)
{
	struct readings now = { .perf = { 0 } };

	read_common(c, facts, tick, &now.cpu);

	int error = read_rung(c, facts, &now);

	if (error < 0)
		lose_rung(c, error);
	else if (!facts->baseline && cpu_estimate_is_contradicted(&c->estimate, &now.cpu))
		doubt_rung(c, &now.cpu);
	if (!facts->baseline) {
		struct cpu_time gain = cpu_estimate_step(&c->estimate, &now.cpu);

		report_time(&gain, tick->out);
		report_beside(c, &now, &tick->out->total);
		split_all(c, facts, &now, &tick->out->total);
		look_for_unwaited(c, facts, &now.cpu);
	} else {
		cpu_estimate_start(&c->estimate, c->estimate.rung, &now.cpu);
	}
	keep_reported(c, &now);
	memcpy(tick->out->total.process_cpu_source, source_name(c), strlen(source_name(c)) + 1);
}

bool cpu_source_has_unwaited(const struct cpu_source *c)
{
	return c->unwaited;
}

bool cpu_source_used(const struct cpu_source *c, uint64_t *ret_ns)
{
	struct own_cgroup_usage usage;

	if (c->estimate.rung == RUNG_PERF && !c->blind)
		return c->events && sideband_cpu_time(c->events, ret_ns) == 0;
	if (c->estimate.rung != RUNG_CGROUP || own_cgroup_read(c->own_cgroup, &usage) < 0)
		return false;
	*ret_ns = usage.total_ns;
	return true;
}
