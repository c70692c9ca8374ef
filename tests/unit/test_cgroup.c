/* test_cgroup.c - use and limits of a control group, read from captured machines. */
#include "fixture.h"

#include <sched.h>
#include <string.h>

#include "kernel/cgroup_parse.h"

static void limits_as_texts(void **state)
{
	(void)state;
	assert_near(cgroup_parse_cpu_max("150000 100000\n", 14), 1.5);
	assert_none(cgroup_parse_cpu_max("max 100000\n", 11));
	assert_none(cgroup_parse_cpu_max("150000\n", 7));
	assert_none(cgroup_parse_cpu_max("5 0\n", 4));
	assert_near(cgroup_quota_cores("50000\n", 6, "100000\n", 7), 0.5);
	assert_none(cgroup_quota_cores("-1\n", 3, "100000\n", 7));
	assert_near(cgroup_parse_limit("1073741824\n", 11), 1073741824);
	assert_near(cgroup_parse_limit("0\n", 2), 0);
	assert_none(cgroup_parse_limit("max\n", 4));
	assert_none(cgroup_parse_limit("9223372036854771712\n", 20));   /* 4 KiB pages */
	assert_none(cgroup_parse_limit("9223372036854710272\n", 20));   /* 64 KiB pages */
	assert_none(cgroup_parse_limit("18446744073709551615\n", 21));
}

static void open_and_read_twice(struct fixture *f, const char *machine, pid_t pid, double seconds)
{
	fixture_open(f, machine);
	f->setup.pid = pid;
	fixture_begin(f, &collector_cgroup);
	assert_none(f->sample.total.cgroup_cpu_usage_seconds);
	assert_none(f->sample.total.cgroup_oom_kills);
	fixture_advance(f, 1, seconds);
}

static void a_login_session_without_limits(void **state)
{
	struct fixture f;
	const struct totals *t = &f.sample.total;

	(void)state;
	open_and_read_twice(&f, "bare-metal", 0, 2);
	assert_near(t->cgroup_cpu_usage_seconds, 1.8);
	assert_near(t->cgroup_cpu_user_seconds, 1.5);
	assert_near(t->cgroup_cpu_system_seconds, 0.3);
	assert_near(t->cgroup_cpu_usage_cores, 0.9);
	assert_near(t->cgroup_cpu_periods, 0);
	assert_none(t->cgroup_cpu_quota_cores);
	assert_none(t->cgroup_cpu_available_cores);     /* the affinity of a captured process is unknown */
	assert_near(t->cgroup_memory_current_bytes, 912003328);
	assert_near(t->cgroup_memory_peak_bytes, 922003328);
	assert_none(t->cgroup_memory_limit_bytes);
	assert_near(t->cgroup_memory_available_bytes, 16301000 * 1024.0);
	assert_near(t->cgroup_pids_current, 115);
	assert_near(t->cgroup_pids_limit, 40113);       /* of the slice above */
	fixture_close(&f);
}

static void limits_of_groups_above_count(void **state)
{
	struct fixture f;
	const struct totals *t = &f.sample.total;

	(void)state;
	open_and_read_twice(&f, "vm", 4711, 1);
	assert_near(t->cgroup_cpu_usage_seconds, 0.9);
	assert_near(t->cgroup_cpu_quota_cores, 2.5);
	assert_near(t->cgroup_cpu_available_cores, 2.5);
	assert_near(t->cgroup_cpu_periods, 10);         /* of the slice, which has the lowest quota */
	assert_near(t->cgroup_cpu_throttled_periods, 8);
	assert_near(t->cgroup_cpu_throttled_seconds, 0.6);
	assert_near(t->cgroup_memory_limit_bytes, 4294967296);
	assert_near(t->cgroup_memory_available_bytes, 4294967296);
	assert_none(t->cgroup_memory_peak_bytes);       /* before Linux 5.19 */
	assert_near(t->cgroup_memory_high_events, 0);   /* memory.events: no .local before Linux 5.2 */
	assert_near(t->cgroup_memory_max_events, 4);
	assert_near(t->cgroup_oom_kills, 1);
	assert_near(t->cgroup_pids_limit, 512);
	assert_near(t->cgroup_pids_refused, 7);
	fixture_close(&f);
}

static void version_1_in_a_container(void **state)
{
	struct fixture f;
	const struct totals *t = &f.sample.total;

	(void)state;
	open_and_read_twice(&f, "container-v1", 0, 1);
	assert_near(t->cgroup_cpu_usage_seconds, 1.5);
	assert_near(t->cgroup_cpu_user_seconds, 1.2);
	assert_near(t->cgroup_cpu_system_seconds, 0.3);
	assert_near(t->cgroup_cpu_quota_cores, 1.5);
	assert_near(t->cgroup_cpu_periods, 10);
	assert_near(t->cgroup_cpu_throttled_periods, 9);
	assert_near(t->cgroup_cpu_throttled_seconds, 0.75);
	assert_near(t->cgroup_memory_current_bytes, 2147479552);
	assert_near(t->cgroup_memory_peak_bytes, 2147483648);
	assert_near(t->cgroup_memory_limit_bytes, 2147483648);
	assert_near(t->cgroup_memory_max_events, 3000);
	assert_near(t->cgroup_oom_kills, 1);
	assert_none(t->cgroup_memory_high_events);      /* not in version 1 */
	assert_near(t->cgroup_pids_current, 12);
	assert_none(t->cgroup_pids_limit);
	assert_near(t->cgroup_pids_refused, 3);
	fixture_close(&f);
}

static void version_2_in_a_container(void **state)
{
	struct fixture f;
	const struct totals *t = &f.sample.total;

	(void)state;
	open_and_read_twice(&f, "container-v2", 0, 1);
	assert_near(t->cgroup_cpu_usage_seconds, 2.5);  /* of the job's own group */
	assert_near(t->cgroup_cpu_quota_cores, 2);      /* of the container's */
	assert_near(t->cgroup_cpu_throttled_seconds, 1.5);
	assert_near(t->cgroup_memory_current_bytes, 650000000);         /* of the nearest that counts memory */
	assert_near(t->cgroup_memory_limit_bytes, 1073741824);
	assert_near(t->cgroup_memory_high_events, 2);
	assert_near(t->cgroup_memory_max_events, 4);
	assert_near(t->cgroup_oom_kills, 2);            /* .local: not the 9 of groups below */
	assert_near(t->cgroup_pids_limit, 1000);
	fixture_close(&f);
}

/* A process of another container, as a sidecar sees it: what it can have is not what the machine has. */
static void a_group_that_is_not_seen_has_unknown_limits(void **state)
{
	struct fixture f;
	const struct totals *t = &f.sample.total;

	(void)state;
	open_and_read_twice(&f, "container-v1", 99, 1);
	assert_none(t->cgroup_memory_limit_bytes);
	assert_none(t->cgroup_memory_available_bytes);
	assert_none(t->cgroup_cpu_quota_cores);
	assert_none(t->cgroup_cpu_available_cores);
	assert_near(t->cgroup_pids_current, 12);        /* of a hierarchy whose group is seen */
	fixture_close(&f);
	open_and_read_twice(&f, "container-v1", 0, 1);
	assert_near(t->cgroup_memory_available_bytes, 2147483648);
	fixture_close(&f);
}

static void the_root_has_no_limits(void **state)
{
	struct fixture f;
	const struct totals *t = &f.sample.total;

	(void)state;
	open_and_read_twice(&f, "no-pressure", 0, 2);
	assert_near(t->cgroup_cpu_usage_cores, 0.5);
	assert_none(t->cgroup_cpu_quota_cores);
	assert_none(t->cgroup_memory_limit_bytes);
	assert_near(t->cgroup_memory_available_bytes, 4047000 * 1024.0);
	assert_none(t->cgroup_oom_kills);               /* this kernel does not report it */
	assert_none(t->cgroup_pids_current);
	fixture_close(&f);

	/* The root of version 2 has only cpu.stat. */
	fixture_open(&f, "bare-metal");
	fixture_write(&f, "proc/self/cgroup", "0::/\n");
	fixture_begin(&f, &collector_cgroup);
	assert_int_equal(fixture_read(&f), 0);
	assert_near(t->cgroup_cpu_usage_seconds, 0);
	assert_none(t->cgroup_cpu_periods);
	assert_none(t->cgroup_memory_current_bytes);
	fixture_close(&f);
}

static void limits_can_change_during_the_run(void **state)
{
	struct fixture f;
	const struct totals *t = &f.sample.total;

	(void)state;
	open_and_read_twice(&f, "container-v2", 0, 1);
	fixture_write(&f, "sys/fs/cgroup/cpu.max", "300000 100000\n");
	fixture_write(&f, "sys/fs/cgroup/memory.max", "max\n");
	assert_int_equal(fixture_read(&f), 0);
	assert_near(t->cgroup_cpu_quota_cores, 2);      /* read every ten seconds */
	f.now_ns += 10 * NS_PER_SECOND;
	assert_int_equal(fixture_read(&f), 0);
	assert_near(t->cgroup_cpu_quota_cores, 3);
	assert_near(t->cgroup_memory_limit_bytes, 2147483648);
	assert_near(t->cgroup_cpu_usage_seconds, 0);

	/* A quota of its own, tighter than the one above: from now on its throttling counts. */
	fixture_write(&f, "sys/fs/cgroup/app/cpu.max", "50000 100000\n");
	f.now_ns += 10 * NS_PER_SECOND;
	assert_int_equal(fixture_read(&f), 0);
	assert_near(t->cgroup_cpu_quota_cores, 0.5);
	assert_none(t->cgroup_cpu_throttled_periods);
	assert_int_equal(fixture_read(&f), 0);
	assert_near(t->cgroup_cpu_throttled_periods, 0);
	fixture_close(&f);
}

static void the_process_can_move_and_end(void **state)
{
	struct fixture f;
	const struct totals *t = &f.sample.total;

	(void)state;
	fixture_open(&f, "vm");
	fixture_write(&f, "sys/fs/cgroup/other/cpu.stat", "usage_usec 99000000\n");
	f.setup.pid = 4711;
	fixture_begin(&f, &collector_cgroup);
	fixture_write(&f, "proc/4711/cgroup", "0::/other\n");
	f.now_ns += 10 * NS_PER_SECOND;
	assert_int_equal(fixture_read(&f), 0);
	assert_none(t->cgroup_cpu_usage_seconds);       /* never the difference of two groups */
	assert_none(t->cgroup_cpu_quota_cores);
	fixture_write(&f, "sys/fs/cgroup/other/cpu.stat", "usage_usec 99500000\n");
	assert_int_equal(fixture_read(&f), 0);
	assert_near(t->cgroup_cpu_usage_seconds, 0.5);

	fixture_write(&f, "proc/4711/cgroup", NULL);    /* the process ends; its group goes on */
	f.now_ns += 10 * NS_PER_SECOND;
	fixture_write(&f, "sys/fs/cgroup/other/cpu.stat", "usage_usec 99700000\n");
	assert_int_equal(fixture_read(&f), 0);
	assert_near(t->cgroup_cpu_usage_seconds, 0.2);
	fixture_close(&f);
}

static void machines_without_groups(void **state)
{
	struct fixture f;

	(void)state;
	fixture_open(&f, "bare-metal");
	fixture_write(&f, "proc/self/cgroup", NULL);
	assert_int_equal(fixture_start(&f, &collector_cgroup), -ENODATA);
	fixture_close(&f);

	fixture_open(&f, "bare-metal");
	fixture_write(&f, "proc/self/mountinfo", "22 1 253:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw\n");
	assert_int_equal(fixture_start(&f, &collector_cgroup), -ENODATA);
	fixture_close(&f);
}

static void the_affinity_of_this_process(void **state)
{
	struct fixture f;
	cpu_set_t before, one;
	size_t first = 0;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
	while (!CPU_ISSET(first, &before))
		first++;
	CPU_ZERO(&one);
	CPU_SET(first, &one);
	assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);

	fixture_open(&f, "bare-metal");
	source_close(&f.source);
	assert_int_equal(source_open(&f.source, "/", NULL), 0);
	if (fixture_start(&f, &collector_cgroup) == 0) {        /* some machines have no groups */
		assert_int_equal(fixture_read(&f), 0);
		assert_true(f.sample.total.cgroup_cpu_available_cores <= 1);
	}
	fixture_close(&f);
	assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(limits_as_texts),
		cmocka_unit_test(a_login_session_without_limits),
		cmocka_unit_test(limits_of_groups_above_count),
		cmocka_unit_test(version_1_in_a_container),
		cmocka_unit_test(version_2_in_a_container),
		cmocka_unit_test(a_group_that_is_not_seen_has_unknown_limits),
		cmocka_unit_test(a_group_that_is_not_seen_has_unknown_limits),
		cmocka_unit_test(the_root_has_no_limits),
		cmocka_unit_test(limits_can_change_during_the_run),
		cmocka_unit_test(the_process_can_move_and_end),
		cmocka_unit_test(machines_without_groups),
		cmocka_unit_test(the_affinity_of_this_process),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
