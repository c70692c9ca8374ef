/* test_cpu.c - /proc/stat and /proc/loadavg. */
#include "fixture.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "collect/cpu.h"

static struct cpu_counters counters;            /* static: large */

static void broken_text_is_refused(void **state)
{
	(void)state;
	assert_int_equal(cpu_parse(&counters, "", 0), -EBADMSG);
	assert_int_equal(cpu_parse(&counters, "cpu  1 2 3", 10), -EBADMSG);
	assert_int_equal(cpu_parse(&counters, "ctxt 5\n", 7), -EBADMSG);
	assert_int_equal(cpu_parse(&counters, "cpu  1 2 3 4\n", 13), 0);
	assert_int_equal(counters.all.idle, 4);
	assert_int_equal(counters.all.steal, 0);
	assert_false(counters.has_forks);
}

static void two_readings_give_the_difference(void **state)
{
	struct fixture f;
	const struct totals *t = &f.sample.total;

	(void)state;
	fixture_open(&f, "bare-metal");
	fixture_begin(&f, &collector_cpu);
	assert_none(t->cpu_utilization_cores);          /* one reading gives only levels */
	assert_near(t->cpu_processes_running, 3);
	assert_near(t->cpu_load_5m, 1.25);

	fixture_advance(&f, 1, 1.5);
	assert_near(t->cpu_count, 2);
	assert_near(t->cpu_user_seconds, 1.6);          /* 150 + 10 nice ticks */
	assert_near(t->cpu_system_seconds, 0.4);
	assert_near(t->cpu_iowait_seconds, 0);          /* it stepped back by 10 */
	assert_near(t->cpu_irq_seconds, 0.02);
	assert_near(t->cpu_softirq_seconds, 0.04);
	assert_near(t->cpu_steal_seconds, 0.04);
	assert_near(t->cpu_utilization_cores, 2 * 210.0 / 320.0);
	assert_near(t->cpu_context_switches, 3000);
	assert_near(t->cpu_interrupts, 500);
	assert_near(t->cpu_forks, 12);
	assert_int_equal(f.sample.n_core, 2);
	assert_string_equal(f.sample.core[1].key, "2"); /* core 1 is offline */
	assert_near(f.sample.core[0].utilization_pct, 100);
	assert_near(f.sample.core[1].utilization_pct, 100 * 110.0 / 220.0);
	fixture_close(&f);
}

static void a_core_back_online_starts_anew(void **state)
{
	static struct cpu_counters was, now;
	static struct sample out;
	static const char two[] = "cpu  9 0 0 9\ncpu0 4 0 0 4\ncpu2 5 0 0 5\n";
	static const char three[] = "cpu  19 0 0 9\ncpu0 14 0 0 4\ncpu1 7 0 0 7\ncpu2 5 0 0 5\n";

	(void)state;
	assert_int_equal(cpu_parse(&was, two, strlen(two)), 0);
	assert_int_equal(cpu_parse(&now, three, strlen(three)), 0);
	sample_clear(&out);
	cpu_derive(&out, &was, &now, 100);
	assert_int_equal(out.n_core, 3);
	assert_near(out.core[0].utilization_pct, 100);
	assert_none(out.core[1].utilization_pct);
	assert_near(out.core[2].utilization_pct, 0);
}

static void a_machine_without_load_average(void **state)
{
	struct fixture f;

	(void)state;
	fixture_open(&f, "bare-metal");
	fixture_write(&f, "proc/loadavg", NULL);
	fixture_begin(&f, &collector_cpu);
	assert_none(f.sample.total.cpu_load_1m);
	assert_none(f.sample.total.cpu_load_15m);
	assert_near(f.sample.total.cpu_count, 2);
	fixture_close(&f);
}

static void a_machine_without_stat(void **state)
{
	struct fixture f;

	(void)state;
	fixture_open(&f, "bare-metal");
	fixture_write(&f, "proc/stat", NULL);
	assert_int_equal(fixture_start(&f, &collector_cpu), -ENOENT);
	fixture_close(&f);
}

static void processes_of_a_captured_machine_are_counted(void **state)
{
	struct fixture f;

	(void)state;
	fixture_open(&f, "bare-metal");
	fixture_begin(&f, &collector_cpu);
	assert_near(f.sample.total.cpu_processes, 4);   /* 1, 2, 37, 4242; not bus, self, pressure */
	fixture_write(&f, "proc/4243/comm", "new\n");
	assert_int_equal(fixture_read(&f), 0);
	assert_near(f.sample.total.cpu_processes, 5);
	fixture_close(&f);
}

static int count_names(void)
{
	DIR *directory = opendir("/proc");
	int n = 0;

	assert_non_null(directory);
	for (struct dirent *e; (e = readdir(directory)) != NULL;)
		n += e->d_name[0] >= '1' && e->d_name[0] <= '9';
	(void)closedir(directory);
	return n;
}

/* The link count of /proc against its names; other programs come and go, so try for a quiet moment. */
static void processes_of_this_machine(void **state)
{
	struct fixture f;
	int before = 0, after = 1;

	(void)state;
	fixture_open(&f, "bare-metal");
	source_close(&f.source);
	assert_int_equal(source_open(&f.source, "/", NULL), 0);
	assert_int_equal(fixture_start(&f, &collector_cpu), 0);
	for (int i = 0; i < 200; i++) {
		before = count_names();
		assert_int_equal(fixture_read(&f), 0);
		after = count_names();
		if (before == after && f.sample.total.cpu_processes == after)
			break;
	}
	if (before == after)                            /* unless the machine is never quiet */
		assert_near(f.sample.total.cpu_processes, after);
	fixture_close(&f);
}

static void more_cores_than_room(void **state)
{
	static char text[CORE_MAX * 48];
	static struct cpu_counters was;
	static struct sample out;
	size_t n = 0, cores = CORE_MAX + 100;

	(void)state;
	for (int turn = 0; turn < 2; turn++) {
		n = (size_t)snprintf(text, sizeof text, "cpu  %d 0 0 5000\n", 1000 + turn * 1124);
		for (size_t i = 0; i < cores; i++)
			n += (size_t)snprintf(text + n, sizeof text - n, "cpu%zu %d 0 0 9\n", i, 3 + turn);
		assert_int_equal(cpu_parse(turn ? &counters : &was, text, n), 0);
	}
	assert_int_equal(counters.n_cores, cores);
	sample_clear(&out);
	cpu_derive(&out, &was, &counters, 100);
	assert_int_equal(out.n_core, CORE_MAX);
	assert_int_equal(out.cores_left_out, 100);
	assert_near(out.core[CORE_MAX - 1].utilization_pct, 100);
	assert_near(out.total.cpu_utilization_cores, (double)cores);
}

static void a_broken_core_is_left_out(void **state)
{
	static const char text[] = "cpu  9 0 0 9\ncpu0 4 0 0\ncpu70000 1 2 3 4\ncpufreq 1\ncpu3 5 0 0 5\n";

	(void)state;
	assert_int_equal(cpu_parse(&counters, text, strlen(text)), 0);
	assert_int_equal(counters.n_cores, 1);
	assert_int_equal(counters.number[0], 3);
}

static void time_stolen_is_busy_time(void **state)
{
	struct fixture f;

	(void)state;
	fixture_open(&f, "vm");
	fixture_begin(&f, &collector_cpu);
	fixture_advance(&f, 1, 1);
	assert_near(f.sample.total.cpu_steal_seconds, 0.8);
	assert_near(f.sample.total.cpu_utilization_cores, 4 * 90.0 / 100.0);
	fixture_close(&f);
}

static void old_kernels_have_fewer_columns(void **state)
{
	struct fixture f;
	const struct totals *t = &f.sample.total;

	(void)state;
	fixture_open(&f, "no-pressure");
	fixture_begin(&f, &collector_cpu);
	fixture_advance(&f, 1, 1);
	assert_near(t->cpu_utilization_cores, 2 * 120.0 / 200.0);
	assert_near(t->cpu_forks, 8);
	assert_none(t->cpu_interrupts);
	assert_none(t->cpu_processes_running);
	assert_none(t->cpu_load_1m);
	fixture_close(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(broken_text_is_refused),
		cmocka_unit_test(two_readings_give_the_difference),
		cmocka_unit_test(a_core_back_online_starts_anew),
		cmocka_unit_test(a_machine_without_load_average),
		cmocka_unit_test(a_machine_without_stat),
		cmocka_unit_test(processes_of_a_captured_machine_are_counted),
		cmocka_unit_test(processes_of_this_machine),
		cmocka_unit_test(more_cores_than_room),
		cmocka_unit_test(a_broken_core_is_left_out),
		cmocka_unit_test(time_stolen_is_busy_time),
		cmocka_unit_test(old_kernels_have_fewer_columns),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
