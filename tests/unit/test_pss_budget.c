/* test_pss_budget.c - the expected time of a reading, and when it is allowed. */
#include "fixture.h"

#include "memory/pss_budget.h"

static const int64_t MS = 1000000;

static void a_reading_costs_as_much_as_its_small_pages(void **state)
{
	const struct pss_size small = { .pages = 1 << 18 }, huge = { .pages = 512 }, sparse = { .tables = 4096 };

	(void)state;
	/* 1 GiB: measured 8.6 ms in 4 KiB pages, 66 us in huge ones; empty tables of 8 GiB 1.6 ms. */
	assert_true(pss_expected_ns(&small) > 5 * MS && pss_expected_ns(&small) < 15 * MS);
	assert_true(pss_expected_ns(&huge) < MS / 10);
	assert_true(pss_expected_ns(&sparse) > MS && pss_expected_ns(&sparse) < 3 * MS);
}

static void past_readings_correct_it(void **state)
{
	struct pss_size s = { .pages = 1 << 18 };
	int64_t first = pss_expected_ns(&s);

	(void)state;
	s.factor = pss_factor(&s, 2 * first);
	assert_near((double)pss_expected_ns(&s), 2 * (double)first);
	s.pages *= 2;                           /* twice the size, twice the time */
	assert_true(pss_expected_ns(&s) > 3 * first);
	s.pages /= 2;
	s.factor = pss_factor(&s, first);       /* a faster reading counts at once, */
	assert_near(s.factor, 1);
	s.factor = pss_factor(&s, 3 * first);   /* a slower one by half: it possibly waited for a CPU */
	assert_near(s.factor, 2);
	s.factor = pss_factor(&s, 1000 * first);
	assert_near(s.factor, 4);
	assert_near(pss_factor(&s, 0), 0.25);
}

/* Readings of this kind in `seconds` with a pass every 100 ms; their total time is *ret_ns. */
static int readings(struct pss_budget *b, double seconds, int64_t expected_ns, bool asleep, unsigned slowdown,
		    int64_t *ret_ns)
{
	int64_t now = b->filled_ns;
	int n = 0;

	*ret_ns = 0;
	for (int pass = 0; pass < (int)(seconds * 10); pass++) {
		pss_budget_fill(b, now += 100 * MS, slowdown);
		while (pss_budget_allows(b, expected_ns, asleep)) {
			pss_budget_spend(b, expected_ns);
			*ret_ns += expected_ns;
			n++;
		}
	}
	return n;
}

static void readings_take_a_hundredth_of_the_time(void **state)
{
	struct pss_budget b = pss_budget_open(1000 * MS);
	int64_t took;

	(void)state;
	assert_true(readings(&b, 100, MS, false, 1, &took) >= 1000);
	assert_true(took <= 1000 * MS + 10 * MS);       /* and the credit of the start */
	b = pss_budget_open(1000 * MS);
	assert_true(readings(&b, 100, 4 * MS, false, 4, &took) >= 60);
	assert_true(took <= 250 * MS + 10 * MS);
}

static void no_long_reading_of_a_running_process(void **state)
{
	struct pss_budget b = pss_budget_open(1000 * MS);
	int64_t took;

	(void)state;
	assert_int_equal(readings(&b, 1000, 6 * MS, false, 1, &took), 0);
	b = pss_budget_open(1000 * MS);
	/* 73 ms for a process that sleeps: as often as credit allows, every 7.3 s. */
	int n = readings(&b, 1000, 73 * MS, true, 1, &took);
	assert_true(n >= 130 && n <= 137);
	b = pss_budget_open(1000 * MS);
	assert_int_equal(readings(&b, 1000, 101 * MS, true, 1, &took), 0);
}

static void many_short_readings_make_no_long_pause(void **state)
{
	struct pss_budget b = pss_budget_open(1000 * MS);
	int64_t took;

	(void)state;
	(void)readings(&b, 1000, 200 * MS, false, 1, &took);    /* saves all the credit that is allowed */
	pss_budget_fill(&b, b.filled_ns + 100 * MS, 1);
	for (took = 0; pss_budget_allows(&b, MS, false); took += MS)
		pss_budget_spend(&b, MS);
	assert_int_equal(took, 10 * MS);
	/* A reading that took longer than expected is paid back first. */
	pss_budget_fill(&b, b.filled_ns + 100 * MS, 1);
	pss_budget_spend(&b, 1000 * MS);
	assert_int_equal(readings(&b, 79, MS, false, 1, &took), 0);
	assert_true(readings(&b, 10, MS, false, 1, &took) > 0);
}

/* Otherwise the first sample of a long interval would have as little credit as that of a short one. */
static void the_time_before_the_first_pass_counts(void **state)
{
	struct pss_budget b = pss_budget_open(1000 * MS);

	(void)state;
	assert_false(pss_budget_allows(&b, 12 * MS, true));
	pss_budget_fill(&b, 3500 * MS, 1);
	assert_true(pss_budget_allows(&b, 35 * MS, true));
	assert_false(pss_budget_allows(&b, 36 * MS, true));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_reading_costs_as_much_as_its_small_pages),
		cmocka_unit_test(past_readings_correct_it),
		cmocka_unit_test(readings_take_a_hundredth_of_the_time),
		cmocka_unit_test(no_long_reading_of_a_running_process),
		cmocka_unit_test(the_time_before_the_first_pass_counts),
		cmocka_unit_test(many_short_readings_make_no_long_pause),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
