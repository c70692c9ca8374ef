/* test_cpu_estimate.c - the choice among sources of CPU time, and the bounds of the result. */
#include "fixture.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "cpu/cpu_estimate.h"
#include "cpu/own_cgroup.h"
#include "cpu/own_cgroup_place.h"

enum { MS = 1000 * 1000 };
static const uint64_t S = 1000 * UINT64_C(1000000);

static void assert_time(struct cpu_time t, uint64_t total, uint64_t lower, uint64_t upper)
{
	assert_int_equal(t.total_ns, total);
	assert_int_equal(t.lower_ns, lower);
	assert_int_equal(t.upper_ns, upper);
}

static void a_control_group_is_exact(void **state)
{
	const struct cpu_reading start = { .cgroup_ns = 3 * MS }, one = { .cgroup_ns = S, .ledger_ns = 1 };
	struct cpu_estimate l;

	(void)state;
	cpu_estimate_start(&l, RUNG_CGROUP, &start);
	assert_time(cpu_estimate_step(&l, &one), S - 3 * MS, S - 3 * MS, S - 3 * MS);
	assert_time(cpu_estimate_step(&l, &one), 0, 0, 0);
	assert_false(cpu_estimate_is_contradicted(&l, &one));
}

static void perf_and_ledger_make_one_total(void **state)
{
	const struct cpu_reading start = { .capacity_ns = 0 };
	/* perf alone saw 2 s of children that were not waited for; up to 1 % of it can be counted too much. */
	const struct cpu_reading unwaited = { .perf_ns = 3 * S, .ledger_ns = S, .tasks = 10, .capacity_ns = 100 * S };
	/* Then children that used 3 s, of which perf lost half, were waited for. */
	const struct cpu_reading waited = { .perf_ns = 5 * S, .ledger_ns = 6 * S, .tasks = 10, .capacity_ns = 100 * S };
	struct cpu_estimate l;

	(void)state;
	cpu_estimate_start(&l, RUNG_PERF, &start);
	/* 10 x 0.1 ms, and the teardown of address spaces: 1 % of the 3 s. */
	assert_time(cpu_estimate_step(&l, &unwaited), 3 * S, 3 * S - 30 * MS, 3 * S + 1 * MS + 30 * MS);
	assert_time(cpu_estimate_step(&l, &waited), 3 * S, 3 * S + 30 * MS, 6 * S - (3 * S + 31 * MS));
	assert_int_equal(l.reported.total_ns, 6 * S);
	assert_int_equal(l.reported.lower_ns, 6 * S);
	assert_int_equal(l.reported.upper_ns, 6 * S);
}

/* Measured beside 16 busy processes: perf counted 1.040 s for a process that used 1.001 s, and nothing else ran. */
static void perf_overcount_on_a_busy_machine_is_not_added(void **state)
{
	const struct cpu_reading start = { .capacity_ns = 0 };
	struct cpu_reading now = {
		.perf_ns = 1040 * MS, .ledger_ns = 1001 * MS, .visible_ns = 1001 * MS, .by_process_ns = 1001 * MS,
		.by_process = true, .tasks = 1, .capacity_ns = 100 * S, .busy_ns = 20 * S, .switches = 5000,
	};
	struct cpu_estimate l;

	(void)state;
	cpu_estimate_start(&l, RUNG_PERF, &start);
	assert_int_equal(cpu_estimate_step(&l, &now).total_ns, 1001 * MS);
	assert_true(l.reported.upper_ns >= 1040 * MS);
	/* A process ended, was not waited for, and its count is missing: perf's total includes it. */
	now.perf_ns = 1440 * MS;
	now.unread_ns = 500 * MS;
	(void)cpu_estimate_step(&l, &now);
	assert_int_equal(l.reported.total_ns, 1440 * MS);
	/* If single processes are not known, there is only perf's total. */
	now.by_process = false;
	cpu_estimate_start(&l, RUNG_PERF, &start);
	assert_int_equal(cpu_estimate_step(&l, &now).total_ns, 1440 * MS);
}

/* For processes that end between samples, the ledger has the time of those waited for, less what ticks miss. */
static void children_not_waited_for_are_counted(void **state)
{
	const struct cpu_reading start = { .capacity_ns = 0 };
	/* As in a control group of the tree's own: perf is read only for processes that have ended. */
	struct cpu_reading now = { .by_process_ns = 100 * MS, .ledger_ns = 100 * MS, .busy_ns = 100 * S };
	struct cpu_estimate l;

	(void)state;
	cpu_estimate_start(&l, RUNG_CGROUP, &start);
	assert_false(cpu_estimate_has_unwaited(&l, &now, 0));
	now.by_process_ns = 150 * MS;
	assert_true(cpu_estimate_has_unwaited(&l, &now, 0));
	assert_true(cpu_estimate_has_unwaited(&l, &now, 20 * MS));
	assert_false(cpu_estimate_has_unwaited(&l, &now, 40 * MS));
	/* All of it can be the tree's share of the time of interrupts. */
	now.interrupted_ns = 50 * MS;
	assert_true(cpu_estimate_has_unwaited(&l, &now, 0));
	now.busy_ns = 150 * MS;
	assert_false(cpu_estimate_has_unwaited(&l, &now, 0));
	now.busy_ns = 0;                                /* not known */
	assert_false(cpu_estimate_has_unwaited(&l, &now, 0));
	cpu_estimate_start(&l, RUNG_PERF, &start);
	now.perf_ns = 150 * MS;
	assert_false(cpu_estimate_has_unwaited(&l, &now, 0));
	now.interrupted_ns = 0;
	assert_true(cpu_estimate_has_unwaited(&l, &now, 0));
}

/* Time that can be counted twice is in the upper bound only; without fault counts, so is the time in the kernel. */
static void an_attached_tree_has_wider_bounds(void **state)
{
	const struct cpu_reading start = { .capacity_ns = 0 };
	const struct cpu_reading now = {
		.perf_ns = 3 * S, .unsure_ns = S, .ledger_ns = 3 * S, .tasks = 10, .capacity_ns = 100 * S,
		.faults = FAULTS_UNKNOWN, .ledger_system_ns = 50 * MS,
	};
	struct cpu_estimate l;

	(void)state;
	cpu_estimate_start(&l, RUNG_PERF, &start);
	assert_false(cpu_estimate_is_contradicted(&l, &now));
	assert_time(cpu_estimate_step(&l, &now), 3 * S, 3 * S, 4 * S + 1 * MS + 50 * MS);
}

/* Living processes count by their own clocks: perf misses a part of each of their context switches. */
static void the_total_includes_every_reading(void **state)
{
	const struct cpu_reading start = { .capacity_ns = 0 };
	const struct cpu_reading now = {
		.perf_ns = 3 * S, .visible_ns = 2 * S, .by_process_ns = 3 * S + 50 * MS, .ledger_ns = S, .tasks = 10,
		.capacity_ns = 100 * S,
	};
	struct cpu_estimate l;

	(void)state;
	cpu_estimate_start(&l, RUNG_PERF, &start);
	assert_time(cpu_estimate_step(&l, &now), 3 * S + 50 * MS, 3 * S + 20 * MS, 3 * S + 81 * MS);
}

static void overcounts_of_perf_are_bounded(void **state)
{
	const struct cpu_reading start = { .perf_ns = 0 };
	/* One process, preempted 2,600 times: 10 us too much each time, and two switches of the machine. */
	const struct cpu_reading alone = {
		.perf_ns = S + 26 * MS, .ledger_ns = S, .tasks = 1, .capacity_ns = 4 * S,
		.switches = 5200, .busy_ns = S + 26 * MS,
	};
	/* Children that are not waited for, beside neighbours that use nine times as much. */
	const struct cpu_reading unwaited = {
		.perf_ns = S, .ledger_ns = 100 * MS, .tasks = 1, .capacity_ns = 40 * S,
		.switches = 20000, .busy_ns = 10 * S,
	};
	struct cpu_reading interrupted = unwaited;
	struct cpu_estimate l;

	(void)state;
	assert_int_equal(cpu_estimate_excess_ns(&alone), 10260000 + 52 * MS * 6 / 10);
	assert_int_equal(cpu_estimate_likely_excess_ns(&alone), 52 * MS * 6 / 10);
	cpu_estimate_start(&l, RUNG_PERF, &start);
	(void)cpu_estimate_step(&l, &alone);
	assert_int_equal(l.reported.total_ns, S);                   /* the ledger explains it */
	assert_int_equal(l.reported.lower_ns, S);
	assert_true(l.reported.upper_ns >= S + 26 * MS);

	assert_int_equal(cpu_estimate_excess_ns(&unwaited), 130 * MS);
	assert_int_equal(cpu_estimate_likely_excess_ns(&unwaited), 12 * MS);
	cpu_estimate_start(&l, RUNG_PERF, &start);
	(void)cpu_estimate_step(&l, &unwaited);
	assert_int_equal(l.reported.total_ns, S);
	assert_int_equal(l.reported.lower_ns, 870 * MS);

	interrupted.switches = UINT32_MAX;                      /* at most a sixth is of switches ... */
	assert_int_equal(cpu_estimate_excess_ns(&interrupted), S / 6);
	interrupted.interrupted_ns = 300 * MS;                  /* ... but interrupts can be any part of it ... */
	assert_int_equal(cpu_estimate_excess_ns(&interrupted), S / 6 + 300 * MS);
	interrupted.interrupted_ns = 9 * S;                     /* ... up to all of it */
	assert_int_equal(cpu_estimate_excess_ns(&interrupted), S);
	interrupted.busy_ns = 0;                                /* machine unknown: perf's count stands */
	assert_int_equal(cpu_estimate_likely_excess_ns(&interrupted), 0);
}

static void time_missed_by_perf_is_bounded(void **state)
{
	(void)state;
	/* 1,000 children of 5 ms with 60 page faults each. */
	assert_int_equal(cpu_estimate_missed_ns(&(struct cpu_reading){
		.perf_ns = 5 * S, .tasks = 1000, .faults = 60000, .largest_bytes = 100 * 4096 }),
		100 * MS + 120 * MS + 50 * MS + 10 * MS);
	/* Address spaces are freed in kernel mode, in less time than it took to fill them. */
	assert_int_equal(cpu_estimate_missed_ns(&(struct cpu_reading){
		.perf_ns = S, .ledger_ns = S, .ledger_system_ns = 40 * MS, .tasks = 10, .faults = 1000000 }),
		1 * MS + 40 * MS);
}

static void only_time_bounds_the_ledger_from_above(void **state)
{
	const struct cpu_reading start = { .ledger_ns = S }, one = { .ledger_ns = 2 * S, .capacity_ns = 4 * S };
	struct cpu_estimate l;

	(void)state;
	cpu_estimate_start(&l, RUNG_LEDGER, &start);
	assert_time(cpu_estimate_step(&l, &one), S, S, 4 * S);
	cpu_estimate_start(&l, RUNG_VISIBLE, &start);
	assert_time(cpu_estimate_step(&l, &one), 0, 0, 4 * S);
}

static void the_enclosing_group_bounds_unseen_time(void **state)
{
	const struct cpu_reading start = { .above_ns = 7 * S, .recorder_ns = 8 * S };   /* joined late */
	const struct cpu_reading one = {
		.above_ns = 10 * S, .recorder_ns = 9 * S, .ledger_ns = S, .capacity_ns = 4 * S,
	};
	struct cpu_reading fled = one;
	struct cpu_estimate l;

	(void)state;
	cpu_estimate_start(&l, RUNG_LEDGER, &start);
	assert_time(cpu_estimate_step(&l, &one), S, S, 2 * S);
	fled.ledger_ns = 3 * S;                         /* more than in the group: processes left it */
	cpu_estimate_start(&l, RUNG_LEDGER, &start);
	assert_time(cpu_estimate_step(&l, &fled), 3 * S, 3 * S, 4 * S);
}

static void time_out_of_reach_of_perf_has_no_bound(void **state)
{
	const struct cpu_reading start = { .capacity_ns = 0 };
	const struct cpu_reading one = { .perf_ns = S, .tasks = 2, .blind = true, .capacity_ns = 4 * S };
	struct cpu_estimate l;

	(void)state;
	cpu_estimate_start(&l, RUNG_PERF, &start);
	assert_time(cpu_estimate_step(&l, &one), S, S - 10 * MS, 4 * S);
}

static void totals_never_decrease(void **state)
{
	const struct cpu_reading start = { .perf_ns = 0 };
	const struct cpu_reading more = { .ledger_ns = 2 * S, .capacity_ns = 10 * S };
	const struct cpu_reading less = { .ledger_ns = S, .capacity_ns = 10 * S };
	struct cpu_estimate l;

	(void)state;
	cpu_estimate_start(&l, RUNG_LEDGER, &start);
	(void)cpu_estimate_step(&l, &more);
	assert_time(cpu_estimate_step(&l, &less), 0, 0, 0);
	assert_time(cpu_estimate_step(&l, &more), 0, 0, 0);
}

static void a_lost_source_leaves_its_total(void **state)
{
	const struct cpu_reading start = { .cgroup_ns = 0 };
	const struct cpu_reading one = { .cgroup_ns = 5 * S, .ledger_ns = 2 * S, .capacity_ns = 10 * S };
	const struct cpu_reading two = { .ledger_ns = 3 * S, .capacity_ns = 20 * S };
	struct cpu_estimate l;

	(void)state;
	cpu_estimate_start(&l, RUNG_CGROUP, &start);
	(void)cpu_estimate_step(&l, &one);
	cpu_estimate_leave(&l, RUNG_LEDGER);
	/* The ledger adds its gain since the last good reading. */
	assert_time(cpu_estimate_step(&l, &two), S, S, 10 * S);
	assert_int_equal(l.reported.total_ns, 6 * S);
}

static void a_contradicted_source_is_dropped(void **state)
{
	const struct cpu_reading start = { .cgroup_ns = 0 };
	const struct cpu_reading one = { .cgroup_ns = S, .ledger_ns = S + 15 * MS, .capacity_ns = 10 * S };
	const struct cpu_reading two = { .cgroup_ns = S, .ledger_ns = 3 * S, .capacity_ns = 20 * S };
	struct cpu_estimate l;

	(void)state;
	cpu_estimate_start(&l, RUNG_CGROUP, &start);
	assert_false(cpu_estimate_is_contradicted(&l, &one));         /* not read at the same instant */
	(void)cpu_estimate_step(&l, &one);
	assert_true(cpu_estimate_is_contradicted(&l, &two));
	cpu_estimate_retract(&l, RUNG_LEDGER);
	assert_false(cpu_estimate_is_contradicted(&l, &two));
	(void)cpu_estimate_step(&l, &two);
	assert_int_equal(l.reported.total_ns, 3 * S);
	assert_int_equal(l.reported.lower_ns, 3 * S);
	assert_int_equal(l.reported.upper_ns, 20 * S);
}

static void perf_cannot_see_a_set_user_id_program(void **state)
{
	const struct cpu_reading start = { .perf_ns = 0 };
	struct cpu_reading sudo = { .perf_ns = 2 * MS, .ledger_ns = S, .ledger_system_ns = 10 * MS, .tasks = 3,
					  .faults = 500 };
	struct cpu_estimate l;

	(void)state;
	cpu_estimate_start(&l, RUNG_PERF, &start);
	assert_true(cpu_estimate_is_contradicted(&l, &sudo));
	sudo.blind = true;                              /* once that is known */
	sudo.capacity_ns = 3 * S;
	assert_false(cpu_estimate_is_contradicted(&l, &sudo));
	assert_time(cpu_estimate_step(&l, &sudo), S, S, 3 * S);
}

static void units_of_systemd(void **state)
{
	static const char *const units[] = { "ssh.service", "session-3.scope", "user-1000.slice", "a.b.socket" };
	static const char *const others[] = { "", "kubepods", "service", ".service", "ssh.service.d", "job_17" };

	(void)state;
	for (size_t i = 0; i < countof(units); i++)
		assert_true(own_cgroup_is_unit(units[i], strlen(units[i])));
	for (size_t i = 0; i < countof(others); i++)
		assert_false(own_cgroup_is_unit(others[i], strlen(others[i])));
}

static void limits_that_a_new_group_would_hide(void **state)
{
	static struct fixture f;                 /* static: large */

	(void)state;
	fixture_open(&f, "vm");
	fixture_write(&f, "proc/group/memory.max", "max\n");
	fixture_write(&f, "proc/group/cpu.max", "max 100000\n");

	int group = openat(f.source.proc, "group", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	assert_true(group >= 0);
	assert_false(own_cgroup_hides_limits(group));
	fixture_write(&f, "proc/group/cpu.max", "150000 100000\n");
	assert_true(own_cgroup_hides_limits(group));
	fixture_write(&f, "proc/group/cpu.max", "max 100000\n");
	fixture_write(&f, "proc/group/memory.max", "1073741824\n");
	assert_true(own_cgroup_hides_limits(group));
	close_p(&group);
	fixture_close(&f);
}

static void controllers_that_a_group_of_version_1_shares(void **state)
{
	static const char *const others[] = { "cpu.shares", "cpuset.cpus", "memory.limit_in_bytes", "pids.max" };
	static struct fixture f;                 /* static: large */

	(void)state;
	fixture_open(&f, "vm");
	fixture_write(&f, "proc/alone/cpuacct.usage", "17\n");

	int group = openat(f.source.proc, "alone", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	assert_true(group >= 0);
	assert_false(own_cgroup_has_other_controllers(group));
	close_p(&group);
	for (size_t i = 0; i < countof(others); i++) {
		char file[64];

		(void)snprintf(file, sizeof file, "proc/%s/%s", others[i], others[i]);
		fixture_write(&f, file, "1\n");
		(void)snprintf(file, sizeof file, "%s", others[i]);
		group = openat(f.source.proc, file, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		assert_true(own_cgroup_has_other_controllers(group));
		close_p(&group);
	}
	fixture_close(&f);
}

static void owner_of_the_own_cgroup(void **state)
{
	static const char *const foreign[] = {
		"resource-tracker", "resource-tracker-", "resource-tracker-7-12", "resource-tracker-7-12-",
		"resource-tracker-7-0-99", "resource-tracker-7-12-99x", "resource-tracker-8-12-99",
		"xresource-tracker-7-12-99", "resource-tracker-7-4294967296-99",
	};
	uint64_t start = 0;
	pid_t pid = 0;

	(void)state;
	assert_true(own_cgroup_owner("resource-tracker-7-12-99", 7, &pid, &start));
	assert_int_equal(pid, 12);
	assert_int_equal(start, 99);
	for (size_t i = 0; i < countof(foreign); i++)
		assert_false(own_cgroup_owner(foreign[i], 7, &pid, &start));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_control_group_is_exact),
		cmocka_unit_test(perf_and_ledger_make_one_total),
		cmocka_unit_test(perf_overcount_on_a_busy_machine_is_not_added),
		cmocka_unit_test(children_not_waited_for_are_counted),
		cmocka_unit_test(an_attached_tree_has_wider_bounds),
		cmocka_unit_test(the_total_includes_every_reading),
		cmocka_unit_test(overcounts_of_perf_are_bounded),
		cmocka_unit_test(time_missed_by_perf_is_bounded),
		cmocka_unit_test(only_time_bounds_the_ledger_from_above),
		cmocka_unit_test(the_enclosing_group_bounds_unseen_time),
		cmocka_unit_test(time_out_of_reach_of_perf_has_no_bound),
		cmocka_unit_test(totals_never_decrease),
		cmocka_unit_test(a_lost_source_leaves_its_total),
		cmocka_unit_test(a_contradicted_source_is_dropped),
		cmocka_unit_test(perf_cannot_see_a_set_user_id_program),
		cmocka_unit_test(units_of_systemd),
		cmocka_unit_test(limits_that_a_new_group_would_hide),
		cmocka_unit_test(controllers_that_a_group_of_version_1_shares),
		cmocka_unit_test(owner_of_the_own_cgroup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
