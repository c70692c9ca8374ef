/* test_cpu.c - /proc/stat and /proc/loadavg. */
#include "fixture.h"

#include <string.h>

#include "collect/cpu.h"

static struct cpu_counters counters;            /* large */

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
	assert_int_equal(fixture_start(&f, &collector_cpu), 0);
	assert_int_equal(fixture_read(&f), 0);
	assert_none(t->cpu_utilization_cores);          /* one reading has levels only */
	assert_near(t->cpu_processes_running, 3);
	assert_near(t->cpu_load_5m, 1.25);

	fixture_turn(&f, 1, 1.5);
	assert_int_equal(fixture_read(&f), 0);
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

static void a_core_that_comes_back_starts_anew(void **state)
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(broken_text_is_refused),
		cmocka_unit_test(two_readings_give_the_difference),
		cmocka_unit_test(a_core_that_comes_back_starts_anew),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
