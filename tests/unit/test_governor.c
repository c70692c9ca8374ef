/* test_governor.c - the recorder's own cost within its budget. */
#include "fixture.h"

#include "sampler/governor.h"

/* Runs for that time at this interval; each sample costs `basic`, and when the costly part is due, `due` as well. */
static double run_for(struct governor *g, double seconds, double interval, double basic, double due)
{
	static unsigned long sample;
	double used = 0;

	for (double at = 0; at < seconds; at += interval) {
		double cpu = basic + (sample++ % g->slowdown == 0 ? due : 0);

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

static void past_the_budget_the_costly_part_gives_way(void **state)
{
	const double intervals[] = { 0.05, 1, 10 };

	(void)state;
	for (size_t i = 0; i < countof(intervals); i++) {
		double one = intervals[i] / 100;        /* 1 % */
		struct governor g;

		governor_init(&g, 0.01);
		(void)run_for(&g, 200, intervals[i], 0.2 * one, 5 * one);
		assert_true(g.slowdown >= 4 && g.slowdown <= 16);
		/* It settles: from then on the cost is within the budget, except for the coarse steps. */
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

static void a_basic_part_too_costly_by_itself_ends_at_the_slowest(void **state)
{
	struct governor g;

	(void)state;
	governor_init(&g, 0.01);
	(void)run_for(&g, 1000, 1, 0.03, 0.001);
	assert_int_equal(g.slowdown, GOVERNOR_SLOWEST);
}

static void one_costly_sample_is_not_a_reason(void **state)
{
	struct governor g;

	(void)state;
	governor_init(&g, 0.01);
	(void)run_for(&g, 20, 1, 0.001, 0);
	governor_step(&g, 0.030, 1);            /* 3 % of one second */
	assert_int_equal(g.slowdown, 1);
	(void)run_for(&g, 20, 1, 0.001, 0);
	assert_int_equal(g.slowdown, 1);
	governor_step(&g, 1, 0);                /* no elapsed time gives no cost */
	assert_int_equal(g.slowdown, 1);
}

static int64_t clock_by_hand(void *clock)
{
	return *(int64_t *)clock;
}

/* How often costly readings are skipped after 10 s in which this process used 40 ms for other work. */
static unsigned slowdown_beside_other_work(bool shared_process)
{
	int64_t now_ns = NS_PER_SECOND;
	struct sampler_options options = {
		.only = "memory", .max_overhead = 0.002, .shared_process = shared_process,
		.monotonic_ns = clock_by_hand, .wall_ns = clock_by_hand, .clock = &now_ns,
	};
	struct sampler *s;
	struct sample *sample = malloc(sizeof *sample);
	struct timespec used;
	unsigned slowdown;

	assert_non_null(sample);
	assert_int_equal(sampler_open(&s, &options, NULL), 0);
	for (int i = 0; i < 2; i++, now_ns += NS_PER_SECOND)
		assert_int_equal(sampler_read(s, sample), 0);
	assert_int_equal(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used), 0);

	int64_t until_ns = used.tv_sec * NS_PER_SECOND + used.tv_nsec + 40000000;

	while (used.tv_sec * NS_PER_SECOND + used.tv_nsec < until_ns)
		(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	now_ns += 10 * NS_PER_SECOND;
	assert_int_equal(sampler_read(s, sample), 0);
	slowdown = (unsigned)sample->total.tracker_slowdown;
	sampler_close(s);
	free(sample);
	return slowdown;
}

static void work_of_the_linking_program_does_not_count(void **state)
{
	(void)state;
	assert_int_equal(slowdown_beside_other_work(false), 2);
	assert_int_equal(slowdown_beside_other_work(true), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(within_the_budget_nothing_is_slowed),
		cmocka_unit_test(past_the_budget_the_costly_part_gives_way),
		cmocka_unit_test(it_comes_back_when_there_is_room),
		cmocka_unit_test(a_basic_part_too_costly_by_itself_ends_at_the_slowest),
		cmocka_unit_test(one_costly_sample_is_not_a_reason),
		cmocka_unit_test(work_of_the_linking_program_does_not_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
