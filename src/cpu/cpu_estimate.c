/* cpu_estimate.c - the CPU time of a tree from the best source available. */
#include "cpu_estimate.h"

/*
 * What perf misses of a task: its last steps, 45 to 90 us in all, and the release of its address space.  On Linux 6.18
 * its events end before that.  Measured for a page of 4 KiB: 0.28 us if it was faulted in, 0.64 if shared, 1.9 for a
 * fault that mapped 16 pages of a file, 0.07 for a page that fork copied.
 */
enum { MISSED_TASK_NS = 100000, MISSED_FAULT_NS = 2000, MISSED_PAGE_NS = 100, PAGE_BYTES = 4096 };
/* Huge pages: one fault maps 512 pages, and clearing them takes a hundred times as long as freeing them. */
enum { MISSED_SHARE = 100 };
/*
 * What perf counts too much.  The ledger of a preempted task stops when the other task is woken, perf's clock at the
 * switch: 4.3 to 11.8 us for a single process in a virtual machine, with soft interrupts in between.  Each preemption
 * makes two switches of the machine, there and back.  For a process that was preempted every 25 us, 16 % of perf's
 * count was too much.
 */
enum { EXCESS_SHARE = 100, SWITCH_NS = 6000, SWITCHES_SHARE = 6 };
/* The ledger and the other sources are not read at the same instant. */
enum { SLACK_SHARE = 50, SLACK_NS = 20 * 1000 * 1000 };

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }
static uint64_t most(uint64_t a, uint64_t b) { return a > b ? a : b; }
static uint64_t gain_of(uint64_t was, uint64_t now) { return now > was ? now - was : 0; }

const char *rung_name(enum cpu_rung rung)
{
	static const char *const names[RUNG_COUNT] = {
		[RUNG_CGROUP] = "cgroup", [RUNG_PERF] = "perf", [RUNG_LEDGER] = "ledger", [RUNG_VISIBLE] = "visible",
	};
	return names[rung];
}

uint64_t cpu_estimate_missed_ns(const struct cpu_reading *gain)
{
	uint64_t pages = gain->largest_bytes / PAGE_BYTES;
	uint64_t teardown = gain->faults * MISSED_FAULT_NS + gain->perf_ns / MISSED_SHARE +
			    gain->tasks * pages * MISSED_PAGE_NS;
	/* Mapping a page never takes less time than unmapping it, and both count as system time. */
	uint64_t kernel = gain->ledger_system_ns + gain_of(gain->ledger_ns, gain->perf_ns);

	return gain->tasks * MISSED_TASK_NS + least(teardown, kernel);
}

uint64_t cpu_estimate_excess_ns(const struct cpu_reading *gain)
{
	uint64_t switching = gain->perf_ns / EXCESS_SHARE + gain->switches * SWITCH_NS;

	return least(least(switching, gain->perf_ns / SWITCHES_SHARE) + gain->interrupted_ns, gain->perf_ns);
}

uint64_t cpu_estimate_likely_excess_ns(const struct cpu_reading *gain)
{
	uint64_t most_ns = least(gain->switches * SWITCH_NS + gain->interrupted_ns, cpu_estimate_excess_ns(gain));
	double share = gain->busy_ns > 0 ? (double)gain->perf_ns / (double)gain->busy_ns : 0;

	return share < 1 ? (uint64_t)((double)most_ns * share) : most_ns;
}

static struct cpu_reading gain_since(const struct cpu_reading *was, const struct cpu_reading *now)
{
	return (struct cpu_reading){
		.cgroup_ns = gain_of(was->cgroup_ns, now->cgroup_ns),
		.perf_ns = gain_of(was->perf_ns, now->perf_ns),
		.ledger_ns = gain_of(was->ledger_ns, now->ledger_ns),
		.visible_ns = gain_of(was->visible_ns, now->visible_ns),
		.by_process_ns = gain_of(was->by_process_ns, now->by_process_ns),
		.unread_ns = gain_of(was->unread_ns, now->unread_ns),
		.by_process = now->by_process,
		.ledger_system_ns = gain_of(was->ledger_system_ns, now->ledger_system_ns),
		.unsure_ns = gain_of(was->unsure_ns, now->unsure_ns),
		.faults = gain_of(was->faults, now->faults),
		.blind = now->blind,
		.tasks = gain_of(was->tasks, now->tasks),
		.largest_bytes = now->largest_bytes,
		.above_ns = was->above_ns > 0 ? gain_of(was->above_ns, now->above_ns) : 0,
		.recorder_ns = gain_of(was->recorder_ns, now->recorder_ns),
		.switches = gain_of(was->switches, now->switches),
		.interrupted_ns = gain_of(was->interrupted_ns, now->interrupted_ns),
		.busy_ns = gain_of(was->busy_ns, now->busy_ns),
		.capacity_ns = gain_of(was->capacity_ns, now->capacity_ns),
	};
}

/* Each may miss time that the other has. */
static uint64_t seen_ns(const struct cpu_reading *gain)
{
	return most(gain->perf_ns, gain->by_process_ns);
}

/* perf's total also contains the excess that a busy machine adds to living processes. */
static uint64_t likely_seen_ns(const struct cpu_reading *gain)
{
	return gain->by_process ? least(seen_ns(gain), gain->by_process_ns + gain->unread_ns) : seen_ns(gain);
}

/*
 * The upper bound of every rung.  The group around the tree contains other processes too.  If it used less than the
 * ledger, processes left it, and it is not a bound.
 */
static uint64_t at_most(const struct cpu_reading *gain)
{
	uint64_t above_ns = gain_of(gain->recorder_ns, gain->above_ns);
	bool holds = above_ns > 0 && above_ns >= gain->ledger_ns;

	return holds ? least(above_ns, gain->capacity_ns) : gain->capacity_ns;
}

static struct cpu_time time_of(enum cpu_rung rung, const struct cpu_reading *gain)
{
	uint64_t total = 0, lower = 0, upper = at_most(gain);

	switch (rung) {
	case RUNG_CGROUP:
		total = lower = upper = gain->cgroup_ns;
		break;
	case RUNG_PERF:
		total = gain->ledger_ns;
		if (likely_seen_ns(gain) > total + cpu_estimate_likely_excess_ns(gain)) /* beyond the excess */
			total = likely_seen_ns(gain);
		lower = most(most(gain_of(cpu_estimate_excess_ns(gain), seen_ns(gain)), gain->visible_ns),
			     gain->ledger_ns);
		if (!gain->blind)
			upper = least(upper, seen_ns(gain) + gain->unsure_ns + cpu_estimate_missed_ns(gain));
		break;
	case RUNG_LEDGER:
		total = lower = gain->ledger_ns;
		break;
	case RUNG_VISIBLE:
		total = lower = gain->visible_ns;
		break;
	case RUNG_COUNT:
		break;
	}
	return (struct cpu_time){ total, lower, most(total, upper) };
}

void cpu_estimate_start(struct cpu_estimate *l, enum cpu_rung rung, const struct cpu_reading *now)
{
	*l = (struct cpu_estimate){ .rung = rung, .since = *now, .last = *now };
}

void cpu_estimate_leave(struct cpu_estimate *l, enum cpu_rung lower)
{
	l->rung = lower;
	l->since = l->last;
	l->base = l->reported;
}

void cpu_estimate_retract(struct cpu_estimate *l, enum cpu_rung lower)
{
	l->rung = lower;
}

bool cpu_estimate_is_contradicted(const struct cpu_estimate *l, const struct cpu_reading *now)
{
	struct cpu_reading gain = gain_since(&l->since, now);
	uint64_t upper = l->rung == RUNG_CGROUP ? gain.cgroup_ns :
			 seen_ns(&gain) + gain.unsure_ns + cpu_estimate_missed_ns(&gain);

	return l->rung <= RUNG_PERF && !now->blind && gain.ledger_ns > upper + upper / SLACK_SHARE + SLACK_NS;
}

bool cpu_estimate_has_unwaited(const struct cpu_estimate *l, const struct cpu_reading *now, uint64_t slack_ns)
{
	struct cpu_reading gain = gain_since(&l->since, now);

	/* perf's count of exited processes may be too much on every rung; most rungs do not read it for the others. */
	gain.perf_ns = most(gain.perf_ns, gain_of(gain.visible_ns, gain.by_process_ns));
	if (gain.busy_ns == 0)
		slack_ns += cpu_estimate_excess_ns(&gain);
	return gain.by_process_ns > gain.ledger_ns + cpu_estimate_likely_excess_ns(&gain) + slack_ns + SLACK_NS;
}

/* Sources are not read at one instant, so one may seem to step back: the reported value stays. */
static uint64_t advance(uint64_t *reported, uint64_t now)
{
	uint64_t gain = gain_of(*reported, now);

	*reported += gain;
	return gain;
}

struct cpu_time cpu_estimate_step(struct cpu_estimate *l, const struct cpu_reading *now)
{
	struct cpu_reading gain = gain_since(&l->since, now);
	struct cpu_time t = time_of(l->rung, &gain);
	uint64_t total = advance(&l->reported.total_ns, l->base.total_ns + t.total_ns);
	uint64_t lower = advance(&l->reported.lower_ns, l->base.lower_ns + t.lower_ns);
	uint64_t upper = most(l->base.upper_ns + t.upper_ns, l->reported.total_ns);

	l->last = *now;
	return (struct cpu_time){ total, lower, advance(&l->reported.upper_ns, upper) };
}
