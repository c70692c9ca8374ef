/* test_condition.c - the expressions of --fail-on. */
#include "fixture.h"

#include <string.h>

#include "comparison/condition.h"

static struct condition of(const char *text)
{
	struct condition c;
	struct why why = { "" };

	if (condition_read(&c, text, &why) < 0)
		fail_msg("%s", why.text);
	return c;
}

static void changes_in_percent(void **state)
{
	struct condition c = of("peak_memory>+5%"), less = of("mean_cpu < -10%");

	(void)state;
	assert_int_equal(c.quantity, QUANTITY_peak_memory);
	assert_false(condition_met(&c, 100, 105));
	assert_true(condition_met(&c, 100, 105.1));
	assert_false(condition_met(&c, 100, 1));
	assert_true(condition_met(&c, 0, 1));
	assert_false(condition_met(&c, 0, 0));
	assert_int_equal(less.quantity, QUANTITY_mean_cpu);
	assert_true(condition_met(&less, 2, 1.7));
	assert_false(condition_met(&less, 2, 1.9));
}

static void changes_and_bounds_with_units(void **state)
{
	struct condition by = of("duration>+10s"), memory = of("peak_memory>+100MiB"), to = of("peak_memory>2GiB"),
			 cores = of("mean_cpu<0.5");

	(void)state;
	assert_true(condition_met(&by, 60, 70.5) && !condition_met(&by, 60, 69));
	assert_near(memory.bound, 100 * 1048576.0);
	assert_true(memory.of_change && !to.of_change);
	assert_true(condition_met(&to, 1e12, 2.2e9) && !condition_met(&to, 0, 2e9));
	assert_true(condition_met(&cores, 9, 0.4) && !condition_met(&cores, 9, 0.6));
}

static void malformed_conditions_are_refused(void **state)
{
	static const struct { const char *text, *says; } wrong[] = {
		{ "", "not a condition" }, { "peak_memory", "not a condition" }, { "peak_memory=5%", "not a condition" },
		{ "peak_memroy>+5%", "did you mean peak_memory" }, { "xyzzy>+5%", "no quantity 'xyzzy'" },
		{ "peak_memory>", "behind >" }, { "peak_memory>5%", "behind >" }, { "peak_memory>+x%", "behind >" },
		{ "peak_memory>+10s", "2GiB" }, { "duration>+10MiB", "10m" }, { "mean_cpu<1.5GiB", "behind <" },
		{ "peak_memory>+5%%", "behind >" }, { "peak_memory>+99999999999999999999999999999999999%", "behind >" },
	};

	(void)state;
	for (size_t i = 0; i < countof(wrong); i++) {
		struct condition c;
		struct why why = { "" };

		assert_int_equal(condition_read(&c, wrong[i].text, &why), -EINVAL);
		if (!strstr(why.text, wrong[i].says))
			fail_msg("%s: %s", wrong[i].text, why.text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(changes_in_percent),
		cmocka_unit_test(changes_and_bounds_with_units),
		cmocka_unit_test(malformed_conditions_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
