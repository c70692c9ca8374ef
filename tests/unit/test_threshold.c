/* test_threshold.c - the limits of --on-limit: what is read, and when one is reported. */
#include "fixture.h"

#include <string.h>

#include "options/threshold.h"

static struct threshold reads(const char *text)
{
	struct threshold t;
	struct why why = { "" };

	assert_int_equal(threshold_read(&t, text, "--on-limit", &why), 0);
	return t;
}

static void assert_wrong(const char *text, const char *sentence)
{
	struct threshold t;
	struct why why = { "" };

	assert_int_equal(threshold_read(&t, text, "--on-limit", &why), -EINVAL);
	if (!strstr(why.text, sentence))
		fail_msg("'%s' is not in '%s'", sentence, why.text);
}

static void reads_shares_amounts_and_events(void **state)
{
	struct threshold t = reads("memory>90% notify.sh --fast");

	(void)state;
	assert_true(t.share);
	assert_float_equal(t.most, 0.9, 1e-12);
	assert_string_equal(t.program, "notify.sh --fast");
	t = reads("  memory>8GiB\tnotify");
	assert_false(t.share);
	assert_float_equal(t.most, 8.0 * (1 << 30), 0);
	assert_string_equal(t.program, "notify");
	assert_float_equal(reads("cpu>2.5 x").most, 2.5, 0);
	assert_float_equal(reads("oom-kill x").most, 0, 0);
}

static void wrong_ones_are_named(void **state)
{
	(void)state;
	assert_wrong("memroy>90% x", "did you mean memory?");
	assert_wrong("zzzzzz x", "memory, cpu, swap");
	assert_wrong("memory x", "memory needs a limit, as memory>90%");
	assert_wrong("memory>90 x", "memory needs a limit, as memory>90%");
	assert_wrong("memory>x% x", "memory needs a limit, as memory>90%");
	assert_wrong("cpu> x", "cpu needs a limit, as cpu>90% or cpu>4");
	assert_wrong("oom-kill>3 x", "happens or does not");
	assert_wrong("memory>90%", "needs a program");
	assert_wrong("", "is not a limit");
}

static void values_are_shares_of_the_limit_else_of_the_machine(void **state)
{
	struct threshold t = reads("memory>90% x");
	struct totals now;

	(void)state;
	row_clear(TABLE_TOTAL, &now);
	assert_true(is_none(threshold_value(&t, &now, true)));
	now.memory_total_bytes = 100;
	now.process_pss_upper_bytes = 60;
	assert_float_equal(threshold_value(&t, &now, true), 0.6, 1e-12);
	now.process_pss_bytes = 40;
	now.cgroup_memory_limit_bytes = 50;
	assert_float_equal(threshold_value(&t, &now, true), 0.8, 1e-12);
	now.memory_used_bytes = 25;
	assert_float_equal(threshold_value(&t, &now, false), 0.5, 1e-12);
}

static void each_crossing_is_reported_once(void **state)
{
	struct threshold t = reads("cpu>2 x");
	struct crossing c = { 0 };

	(void)state;
	assert_false(crossing_step(&c, &t, 2));
	assert_true(crossing_step(&c, &t, 2.1));
	assert_false(crossing_step(&c, &t, 2.2));
	for (int i = 0; i < 5; i++) {                   /* it hovers about the limit */
		assert_false(crossing_step(&c, &t, 1.9));
		assert_false(crossing_step(&c, &t, 2.1));
	}
	for (int i = 1; i < REST_SAMPLES; i++) {
		assert_false(crossing_step(&c, &t, 1));
		assert_false(crossing_step(&c, &t, NONE));
	}
	assert_false(crossing_step(&c, &t, 1));
	assert_true(crossing_step(&c, &t, 3));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_shares_amounts_and_events),
		cmocka_unit_test(wrong_ones_are_named),
		cmocka_unit_test(values_are_shares_of_the_limit_else_of_the_machine),
		cmocka_unit_test(each_crossing_is_reported_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
