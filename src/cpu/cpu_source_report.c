/* cpu_source_report.c - what a sample gets of the source of a tree's CPU time. */
#include "cpu_source_state.h"

#include <string.h>

#include "../core/sample.h"

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

	cpu_source_read_common(c, facts, tick, &now.cpu);

	int error = cpu_source_read_rung(c, facts, &now);

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
