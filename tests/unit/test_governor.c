/* test_governor.c - our own cost within its budget. */
#include "fixture.h"

#include "sampler/governor.h"

/* So long at this interval; in each sample the basic part costs `basic`, and the dear part `dear` when it is due. */
static double run_for(struct governor *g, double seconds, double interval, double basic, double dear)
{
	static unsigned long sample;
	double used = 0;

	for (double at = 0; at < seconds; at += interval) {
		double cpu = basic + (sample++ % g->slowdown == 0 ? dear : 0);

		used += cpu;
		governor_step(g, cpu, interval);
	}
	return used / seconds;
}

static void within_the_budget_nothing_is_slowed(void **state)
{
	struct governor g;

	(void)state;
	governor_init(&g, 0.01);
	(void)run_for(&g, 100, 0.1, 0.0003, 0.0005);
	assert_int_equal(g.slowdown, 1);
	governor_init(&g, 0);                   /* no limit */
	(void)run_for(&g, 100, 0.1, 0.05, 0.05);
	assert_int_equal(g.slowdown, 1);
}

static void past_the_budget_the_dear_part_gives_way(void **state)
{
	const double intervals[] = { 0.05, 1, 10 };

	(void)state;
	for (size_t i = 0; i < countof(intervals); i++) {
		double one = intervals[i] / 100;        /* 1 % */
		struct governor g;

		governor_init(&g, 0.01);
		(void)run_for(&g, 200, intervals[i], 0.2 * one, 5 * one);
		assert_true(g.slowdown >= 4 && g.slowdown <= 16);
		/* It settles: from then on it is within the budget, give or take what the steps are coarse. */
		assert_true(run_for(&g, 1000, intervals[i], 0.2 * one, 5 * one) < 0.0115);
	}
}

static void it_comes_back_when_there_is_room(void **state)
{
	struct governor g;

	(void)state;
	governor_init(&g, 0.01);
	(void)run_for(&g, 100, 1, 0.001, 0.2);
	assert_true(g.slowdown >= 16);
	(void)run_for(&g, 400, 1, 0.001, 0.001);
	assert_int_equal(g.slowdown, 1);
}

static void a_basic_part_too_dear_by_itself_ends_at_the_slowest(void **state)
{
	struct governor g;

	(void)state;
	governor_init(&g, 0.01);
	(void)run_for(&g, 1000, 1, 0.03, 0.001);
	assert_int_equal(g.slowdown, GOVERNOR_SLOWEST);
}

static void one_dear_sample_is_no_reason(void **state)
{
	struct governor g;

	(void)state;
	governor_init(&g, 0.01);
	(void)run_for(&g, 20, 1, 0.001, 0);
	governor_step(&g, 0.030, 1);            /* 3 % of one second */
	assert_int_equal(g.slowdown, 1);
	(void)run_for(&g, 20, 1, 0.001, 0);
	assert_int_equal(g.slowdown, 1);
	governor_step(&g, 1, 0);                /* no time at all tells nothing */
	assert_int_equal(g.slowdown, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(within_the_budget_nothing_is_slowed),
		cmocka_unit_test(past_the_budget_the_dear_part_gives_way),
		cmocka_unit_test(it_comes_back_when_there_is_room),
		cmocka_unit_test(a_basic_part_too_dear_by_itself_ends_at_the_slowest),
		cmocka_unit_test(one_dear_sample_is_no_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
