/* test_pressure.c - pressure stall information of the machine and of the control group. */
#include "fixture.h"

#include <string.h>

#include "collect/pressure.h"
#include "kernel/cgroup_path.h"

static void broken_text_is_refused(void **state)
{
	struct pressure_times t;
	static const char some[] = "some avg10=0.00 avg60=0.00 avg300=0.00 total=17\n";

	(void)state;
	assert_int_equal(pressure_parse(&t, "", 0), -EBADMSG);
	assert_int_equal(pressure_parse(&t, "some avg10=0.00 total=\n", 23), -EBADMSG);
	assert_int_equal(pressure_parse(&t, "somewhat total=5\n", 17), -EBADMSG);
	assert_int_equal(pressure_parse(&t, some, strlen(some)), 0);
	assert_int_equal(t.some, 17);
	assert_false(t.has_full);
}

static void totals_are_microseconds(void **state)
{
	struct fixture f;
	const struct totals *t = &f.sample.total;

	(void)state;
	fixture_open(&f, "bare-metal");
	fixture_begin(&f, &collector_pressure);
	assert_none(t->pressure_cpu_some_seconds);
	fixture_advance(&f, 1, 1);
	assert_near(t->pressure_cpu_some_seconds, 0.25);
	assert_near(t->pressure_memory_some_seconds, 0.075);
	assert_near(t->pressure_memory_full_seconds, 0.06);
	assert_near(t->pressure_io_some_seconds, 0.9);
	assert_near(t->pressure_io_full_seconds, 0.8);
	assert_near(t->pressure_cgroup_cpu_some_seconds, 0.2);
	assert_near(t->pressure_cgroup_memory_some_seconds, 0.0005);
	assert_near(t->pressure_cgroup_memory_full_seconds, 0.0002);
	assert_near(t->pressure_cgroup_io_some_seconds, 0.002);
	assert_near(t->pressure_cgroup_io_full_seconds, 0.001);
	fixture_close(&f);
}

static void kernels_without_it(void **state)
{
	struct fixture f;

	(void)state;
	fixture_open(&f, "no-pressure");
	assert_int_equal(fixture_start(&f, &collector_pressure), -ENODATA);
	fixture_close(&f);
}

static void kernels_without_full_of_the_cpu(void **state)
{
	struct fixture f;

	(void)state;
	fixture_open(&f, "aarch64");
	fixture_begin(&f, &collector_pressure);
	fixture_advance(&f, 1, 1);
	assert_near(f.sample.total.pressure_cpu_some_seconds, 1);
	assert_near(f.sample.total.pressure_memory_full_seconds, 0);
	assert_none(f.sample.total.pressure_cgroup_cpu_some_seconds);   /* the group has no such file */
	fixture_close(&f);
}

/* The process moves to another group: values of the two groups must not be mixed. */
static void the_group_can_change(void **state)
{
	struct fixture f;
	const struct totals *t = &f.sample.total;

	(void)state;
	fixture_open(&f, "container-v2");
	fixture_write(&f, "sys/fs/cgroup/other/cpu.pressure", "some avg10=0.00 total=9000000\n");
	fixture_begin(&f, &collector_pressure);
	fixture_advance(&f, 1, 1);
	assert_near(t->pressure_cgroup_cpu_some_seconds, 1.5);
	assert_none(t->pressure_cgroup_io_some_seconds);

	fixture_write(&f, "proc/self/cgroup", "0::/other\n");
	fixture_advance(&f, 1, 10);
	assert_none(t->pressure_cgroup_cpu_some_seconds);
	fixture_write(&f, "sys/fs/cgroup/other/cpu.pressure", "some avg10=0.00 total=9500000\n");
	assert_int_equal(fixture_read(&f), 0);
	assert_near(t->pressure_cgroup_cpu_some_seconds, 0.5);
	fixture_close(&f);
}

/* A collector that has read the membership passes it to those after it, so that it is read once. */
static void the_cgroup_collector_passes_a_new_group_on(void **state)
{
	struct fixture f;
	const struct totals *t = &f.sample.total;

	(void)state;
	fixture_open(&f, "container-v2");
	fixture_write(&f, "sys/fs/cgroup/other/cpu.pressure", "some avg10=0.00 total=9000000\n");
	fixture_begin(&f, &collector_pressure);
	fixture_write(&f, "proc/self/cgroup", "0::/other\n");
	assert_int_equal(fixture_read(&f), 0);
	assert_near(t->pressure_cgroup_cpu_some_seconds, 0);
	f.group = 1;                            /* an unknown fingerprint */
	assert_int_equal(fixture_read(&f), 0);
	assert_none(t->pressure_cgroup_cpu_some_seconds);
	fixture_write(&f, "sys/fs/cgroup/other/cpu.pressure", "some avg10=0.00 total=9500000\n");
	assert_int_equal(fixture_read(&f), 0);
	assert_near(t->pressure_cgroup_cpu_some_seconds, 0.5);
	fixture_close(&f);
}

/* On a machine with the process in the root of version 2. */
static void the_root_has_the_pressure_of_the_machine(void **state)
{
	struct fixture f;
	const struct totals *t = &f.sample.total;
	struct cgroup_finder finder = { 0 };

	(void)state;
	fixture_open(&f, "bare-metal");
	source_close(&f.source);
	assert_int_equal(source_open(&f.source, "/", NULL), 0);
	finder.src = &f.source;
	if (cgroup_find(&finder, &f.text) <= 0 || !cgroup_is_machine(&finder) ||
	    fixture_start(&f, &collector_pressure) < 0) {
		fixture_close(&f);
		skip();
	}
	assert_int_equal(fixture_read(&f), 0);
	assert_int_equal(fixture_read(&f), 0);
	assert_true(t->pressure_cpu_some_seconds >= 0);
	assert_near(t->pressure_cgroup_cpu_some_seconds, t->pressure_cpu_some_seconds);
	assert_near(t->pressure_cgroup_memory_some_seconds, t->pressure_memory_some_seconds);
	assert_near(t->pressure_cgroup_memory_full_seconds, t->pressure_memory_full_seconds);
	assert_near(t->pressure_cgroup_io_some_seconds, t->pressure_io_some_seconds);
	assert_near(t->pressure_cgroup_io_full_seconds, t->pressure_io_full_seconds);
	fixture_close(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(broken_text_is_refused),
		cmocka_unit_test(totals_are_microseconds),
		cmocka_unit_test(kernels_without_it),
		cmocka_unit_test(kernels_without_full_of_the_cpu),
		cmocka_unit_test(the_group_can_change),
		cmocka_unit_test(the_cgroup_collector_passes_a_new_group_on),
		cmocka_unit_test(the_root_has_the_pressure_of_the_machine),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
