/* test_verify.c - the verdicts and the table of `resource-tracker verify`. */
#include "fixture.h"

#include <string.h>

#include "verify/verify.h"

static struct figure cpu(double truth, double reported)
{
	return (struct figure){ .load = "steady", .quantity = QUANTITY_CPU, .truth = truth, .whole = truth,
				.true_span = { truth, truth }, .reported = reported,
				.printed = { NONE, NONE }, .source = "ledger" };
}

static enum verdict judged(struct figure f)
{
	figure_judge(&f);
	assert_true((f.verdict == VERDICT_BROKEN) == (f.why.text[0] != '\0'));
	return f.verdict;
}

static void test_the_larger_of_a_part_and_an_amount_is_allowed(void **state)
{
	(void)state;
	assert_int_equal(judged(cpu(2, 2.039)), VERDICT_GOOD);
	assert_int_equal(judged(cpu(2, 1.961)), VERDICT_GOOD);
	assert_int_equal(judged(cpu(2, 2.041)), VERDICT_BROKEN);
	assert_int_equal(judged(cpu(2, 1.959)), VERDICT_BROKEN);
	assert_int_equal(judged(cpu(0.1, 0.119)), VERDICT_GOOD);
	assert_int_equal(judged(cpu(0.1, 0.121)), VERDICT_BROKEN);

	struct figure bytes = { .quantity = QUANTITY_PEAK, .truth = 1000, .whole = 1000, .true_span = { 1000, 1000 },
				.reported = 1010, .printed = { NONE, NONE } };

	assert_int_equal(judged(bytes), VERDICT_GOOD);
	bytes.reported = 1011;
	assert_int_equal(judged(bytes), VERDICT_BROKEN);
}

static void test_a_truth_that_is_an_interval(void **state)
{
	struct figure f = cpu(1, 1.05);

	(void)state;
	assert_int_equal(judged(f), VERDICT_BROKEN);
	f.true_span = (struct span){ 0.98, 1.04 };
	assert_int_equal(judged(f), VERDICT_GOOD);
	assert_near(figure_error(&f), 0.01);
	f.reported = 1.03;
	assert_near(figure_error(&f), 0);
	f.reported = 0.95;
	assert_near(figure_error(&f), -0.03);
	assert_int_equal(judged(f), VERDICT_BROKEN);
}

static void test_short_children_may_have_an_interval(void **state)
{
	struct figure f = cpu(1, 0.9);

	(void)state;
	strcpy(f.source, "perf");
	f.printed = (struct span){ 0.9, 1.14 };
	assert_int_equal(judged(f), VERDICT_BROKEN);    /* these children are not short */
	f.has_hidden_ends = true;
	assert_int_equal(judged(f), VERDICT_GOOD);
	f.printed.high = 1.16;                          /* more than 25 % wide */
	assert_int_equal(judged(f), VERDICT_BROKEN);
	f.printed.high = 1.14;
	strcpy(f.source, "cgroup");                     /* a source that is more exact */
	assert_int_equal(judged(f), VERDICT_BROKEN);
}

static void test_near_but_outside_of_the_bounds_is_doubtful(void **state)
{
	struct figure f = cpu(0.57, 0.575);

	(void)state;
	f.printed = (struct span){ 0.575, 0.575 };
	figure_judge(&f);
	assert_int_equal(f.verdict, VERDICT_BROKEN);
	assert_true(figure_is_doubtful(&f));
	f = cpu(0.57, 0.6);
	f.printed = (struct span){ 0.6, 0.6 };
	figure_judge(&f);
	assert_false(figure_is_doubtful(&f));
	f = cpu(0.57, 0.571);
	figure_judge(&f);
	assert_false(figure_is_doubtful(&f));
}

static void test_forks_of_other_programs_widen_an_interval(void **state)
{
	struct figure f = cpu(1, 0.9);

	(void)state;
	strcpy(f.source, "perf");
	f.has_hidden_ends = f.has_no_count = true;
	f.printed = (struct span){ 0.85, 1.4 };
	figure_judge(&f);
	assert_int_equal(f.verdict, VERDICT_NOT_MEASURED);
	assert_true(is_none(f.reported));
	assert_non_null(strstr(f.why.text, "between 0.850 and 1.400 s"));

	f = cpu(1, 0.9);
	strcpy(f.source, "perf");
	f.has_hidden_ends = f.has_no_count = true;
	f.printed = (struct span){ 0.85, 0.95 };        /* it has to contain the truth */
	assert_int_equal(judged(f), VERDICT_BROKEN);
	f.printed = (struct span){ 0.85, 1.4 };
	f.has_no_count = false;                         /* its processes are counted */
	assert_int_equal(judged(f), VERDICT_BROKEN);
	f.has_no_count = true;
	f.has_hidden_ends = false;                      /* nothing is hidden */
	assert_int_equal(judged(f), VERDICT_BROKEN);
}

static void test_a_source_with_a_lower_bound_only(void **state)
{
	struct figure f = cpu(1, 0.2);

	(void)state;
	f.printed = (struct span){ 0.2, 3 };
	figure_judge(&f);
	assert_int_equal(f.verdict, VERDICT_NOT_MEASURED);
	assert_true(is_none(f.reported));
	assert_non_null(strstr(f.why.text, "at least 0.200 and at most 3.000 s"));
	assert_non_null(strstr(f.why.text, "no process waits for"));

	f = cpu(1, 0.2);
	f.printed = (struct span){ 0.2, 0.9 };          /* "at most" must hold as well */
	assert_int_equal(judged(f), VERDICT_BROKEN);
	f.printed.high = 3;
	f.source_is_forced = true;                      /* a chosen source is judged in full */
	assert_int_equal(judged(f), VERDICT_BROKEN);
	f.source_is_forced = false;
	strcpy(f.source, "perf");                       /* it sees them */
	assert_int_equal(judged(f), VERDICT_BROKEN);
	f = cpu(1, 1.5);                                /* too much is not "at least" */
	f.printed = (struct span){ 0.5, 3 };
	assert_int_equal(judged(f), VERDICT_BROKEN);
}

static void test_false_bounds_are_broken_even_with_a_good_value(void **state)
{
	struct figure f = cpu(1, 1);

	(void)state;
	f.printed = (struct span){ 0.9, 0.99 };
	assert_int_equal(judged(f), VERDICT_BROKEN);
	f.printed = (struct span){ 1.01, 1.02 };
	assert_int_equal(judged(f), VERDICT_BROKEN);
	f.printed = (struct span){ 1.001, 1.02 };       /* a load does not see its own exec and exit */
	assert_int_equal(judged(f), VERDICT_GOOD);
	f.printed = (struct span){ 0.999, 1.001 };
	assert_int_equal(judged(f), VERDICT_GOOD);
}

static void test_memory_between_its_bounds_and_counts_without_loss(void **state)
{
	struct figure pss = { .quantity = QUANTITY_PSS, .truth = 200, .whole = 200, .true_span = { 200, 200 },
			      .reported = 209, .printed = { 190, 250 } };
	struct figure started = { .quantity = QUANTITY_STARTED, .truth = 100, .whole = 100, .true_span = { 100, 100 },
				  .reported = 99, .printed = { 99, 99 } };

	(void)state;
	assert_int_equal(judged(pss), VERDICT_GOOD);
	pss.reported = 211;                             /* a value must be within 5 % */
	assert_int_equal(judged(pss), VERDICT_BROKEN);
	pss.reported = 209;
	pss.printed.high = 260;                         /* with bounds that wide there is no value */
	assert_int_equal(judged(pss), VERDICT_BROKEN);
	pss.reported = NONE;
	assert_int_equal(judged(pss), VERDICT_NOT_MEASURED);
	pss.printed.low = 210;                          /* without a value they must hold as well */
	assert_int_equal(judged(pss), VERDICT_BROKEN);
	assert_int_equal(judged(started), VERDICT_BROKEN);
	started.printed.high = 101;                     /* it reports up to two as lost */
	assert_int_equal(judged(started), VERDICT_GOOD);
	started.reported = 101;
	started.printed = (struct span){ 101, 101 };
	assert_int_equal(judged(started), VERDICT_BROKEN);
}

static void test_programs_are_compared_with_their_sum(void **state)
{
	struct figure f = { .load = "build", .quantity = QUANTITY_PROGRAM, .program = "linker", .truth = 0.1, .whole = 1,
			    .true_span = { 0.1, 0.1 }, .reported = 0.149, .printed = { 0.149, 0.149 }, .source = "perf" };

	(void)state;
	assert_int_equal(judged(f), VERDICT_GOOD);
	f.reported = f.printed.low = f.printed.high = 0.151;
	assert_int_equal(judged(f), VERDICT_BROKEN);
	f.reported = f.printed.low = 0.01;              /* time of no program can be this one's */
	f.printed.high = 0.9;
	figure_judge(&f);
	assert_int_equal(f.verdict, VERDICT_NOT_MEASURED);
	assert_true(is_none(f.reported));
	assert_non_null(strstr(f.why.text, "0.890 s of the job belong to no program"));
}

static void test_the_worst_of_the_samples_is_the_figure(void **state)
{
	struct figure near = cpu(1, 1.001), far = cpu(1, 0.99), wrong = cpu(1, 1.5), none = cpu(1, NONE);

	(void)state;
	figure_judge(&near);
	figure_judge(&far);
	figure_judge(&wrong);
	figure_judge(&none);
	assert_true(figure_is_worse(&far, &near));
	assert_false(figure_is_worse(&near, &far));
	assert_true(figure_is_worse(&wrong, &far));
	assert_true(figure_is_worse(&near, &none));
	assert_false(figure_is_worse(&none, &near));
}

static void test_a_missing_value_is_not_broken(void **state)
{
	struct figure f = cpu(1, NONE);

	(void)state;
	assert_int_equal(judged(f), VERDICT_NOT_MEASURED);
	f.verdict = VERDICT_NOT_TESTED;
	assert_int_equal(judged(f), VERDICT_NOT_TESTED);
}

static const struct summary_style plain = { .columns = 80 };

static const char *table_of(struct buffer *out, const struct figure *figures, size_t n, const struct cost *cost)
{
	struct verification v = { .figures = figures, .n = n, .cost = cost, .interval_seconds = 0.1, .seconds = 20,
				  .root = true };

	buffer_clear(out);
	verify_table(out, &v, &plain);
	buffer_char(out, '\0');
	assert_false(out->failed);
	return out->at;
}

static void test_every_case_fits_the_table(void **state)
{
	struct figure figures[128];
	struct buffer out = { 0 };
	size_t n = 0;

	(void)state;
	for (size_t i = 0; i < n_test_cases; i++)
		for (enum quantity q = 0; q < QUANTITY_COUNT; q++)
			if (test_cases[i].quantities & 1u << q) {
				bool time = verify_quantities[q].unit == UNIT_SECONDS;
				double value = time ? 123.456 : 999.4 * 1024 * 1024;

				figures[n] = (struct figure){
					.load = test_cases[i].name, .quantity = q, .truth = value, .whole = value,
					.true_span = { value, value }, .reported = value * 0.1,
					.printed = { value * 0.05, value * 1.5 }, .source = "visible",
				};
				figure_judge(&figures[n++]);
			}

	struct cost cost = { .own = { 0.1, 15, 3e6, 0.001, 0.1 }, .start_seconds = 0.0015, .end_seconds = 0.0004,
			     .longest_bare_seconds = 0.0003, .longest_seconds = 0.0004, .speed = 0.998 };

	for (const char *line = table_of(&out, figures, n, &cost); *line; line = strchr(line, '\n') + 1)
		assert_in_range(strcspn(line, "\n"), 0, 80);
	for (size_t i = 0; i < n_test_cases; i++) {
		const char *row = strstr(out.at, test_cases[i].what);

		assert_non_null(row);
		assert_int_equal(row[-1], ' ');
		assert_int_equal(row[strlen(test_cases[i].what)], ' ');
	}
	buffer_release(&out);
}

static void test_a_value_that_is_an_interval_has_no_percentage(void **state)
{
	struct figure f = { .load = "short-tcp", .quantity = QUANTITY_SENT, .truth = 1000, .whole = 1000, .true_span = { 1000, 1000 },
			    .reported = 0, .printed = { 0, 2000 }, .source = "sockets" };
	struct buffer out = { 0 };

	(void)state;
	figure_judge(&f);
	assert_int_equal(f.verdict, VERDICT_GOOD);

	const char *text = table_of(&out, &f, 1, NULL);

	assert_true(figure_is_interval(&f));
	assert_non_null(strstr(text, "     0 B to 1.95 KiB  sockets  ok\n      they ended before a sample saw them:"));
	assert_null(strstr(text, "100.00"));
	assert_null(strstr(text, "reported as between"));

	/* Near the truth the value is the answer, with its bounds below. */
	f.verdict = VERDICT_GOOD;
	f.reported = 1000;
	f.printed.low = 1000;
	figure_judge(&f);
	assert_false(figure_is_interval(&f));
	text = table_of(&out, &f, 1, NULL);
	assert_non_null(strstr(text, "0.00 %  sockets  ok\n      reported as between 0.977 KiB and 1.95 KiB\n"));
	assert_null(strstr(text, "they ended"));

	/* Bounds that do not hold are not an answer. */
	f.reported = 0;
	f.printed = (struct span){ 0, 900 };
	figure_judge(&f);
	assert_int_equal(f.verdict, VERDICT_BROKEN);
	assert_false(figure_is_interval(&f));
	text = table_of(&out, &f, 1, NULL);
	assert_non_null(strstr(text, "-100.00 %  sockets  BAD\n      reported as between 0 B and 900 B\n"));
	buffer_release(&out);
}

/* Regression: beside a neighbour's connections such an interval was BAD, as an error of more than 2 %. */
static void test_an_interval_of_foreign_connections_is_not_a_value(void **state)
{
	const double mib = 1024 * 1024;
	struct figure f = { .load = "short-tcp", .quantity = QUANTITY_SENT, .truth = 2 * mib, .whole = 2 * mib,
			    .true_span = { 2 * mib, 2 * mib }, .reported = 0, .printed = { 0, 20 * mib } };
	struct figure exact = f, lie = f, memory = f;

	(void)state;
	figure_judge(&f);
	assert_int_equal(f.verdict, VERDICT_NOT_MEASURED);
	assert_true(is_none(f.reported));
	assert_non_null(strstr(f.why.text, "other programs"));
	assert_non_null(strstr(f.why.text, "from 0.00 to 20.00 MiB"));

	exact.reported = exact.printed.low = 2 * mib;   /* the exact part is known */
	assert_int_equal(judged(exact), VERDICT_GOOD);
	lie.printed = (struct span){ 3 * mib, 20 * mib };
	assert_int_equal(judged(lie), VERDICT_BROKEN);
	memory.quantity = QUANTITY_PSS;                 /* no other process is in it */
	memory.printed.high = 30 * mib;
	assert_int_equal(judged(memory), VERDICT_BROKEN);
}

static void test_every_possible_interval_gives_its_reason(void **state)
{
	(void)state;
	for (const struct quantity_info *q = verify_quantities; q < verify_quantities + QUANTITY_COUNT; q++)
		assert_int_equal(q->doubt != NULL, q->upper || q->missed);
}

static void test_loads_seen_by_samples_last_longer_than_an_interval(void **state)
{
	static const double intervals[] = { 0.001, 0.1, 1, 2, 10, 60, 86400 };
	const double short_ones = 20 * 0.060;           /* the gaps between the connections of short-tcp */

	(void)state;
	for (size_t i = 0; i < n_test_cases; i++) {
		const struct test_case *c = &test_cases[i];
		unsigned seen_alive = 1u << QUANTITY_PSS | 1u << QUANTITY_SENT | 1u << QUANTITY_RECEIVED;
		double lives = strcmp(c->name, "short-tcp") == 0 ? short_ones : 0;

		for (size_t k = 0; k < countof(intervals); k++)
			if (c->quantities & seen_alive || c->trait == ATTACHES)
				assert_true(lives + case_hold(c, intervals[k]) >= intervals[k] + 0.499);
			else
				assert_near(case_hold(c, intervals[k]), 0);
		/* A usual run does not wait for long intervals. */
		assert_near(case_hold(c, 0.1), case_hold(c, 1));
		assert_true(case_hold(c, 1) <= 1.5);
	}
}

static void test_the_table_names_the_error(void **state)
{
	struct figure figures[] = { cpu(1, 1.5), cpu(1, 1.001), cpu(NONE, NONE) };
	struct buffer out = { 0 };

	(void)state;
	for (size_t i = 0; i < 2; i++)
		figure_judge(&figures[i]);
	figures[2].verdict = VERDICT_NOT_TESTED;
	(void)why_set(&figures[2].why, 0, "no room");

	const char *text = table_of(&out, figures, 3, NULL);

	assert_null(strstr(text, "could not measure"));

	assert_non_null(strstr(text, "+50.00 %  ledger   BAD\n      the error is more than 2 % or 20 ms; "
					   "this source does not see children\n"));
	assert_non_null(strstr(text, "+0.10 %  ledger   ok\n"));
	assert_non_null(strstr(text, "not tested\n      no room\n"));
	assert_non_null(strstr(text, "      ledger: the CPU time of live processes"));
	assert_null(strstr(text, "perf: "));
	assert_non_null(strstr(text, "1 of 2 figures are within their bounds, 1 not tested; it took 20.0s"));
	assert_non_null(strstr(text, "0.1 s: are its reports true?"));
	buffer_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_larger_of_a_part_and_an_amount_is_allowed),
		cmocka_unit_test(test_a_truth_that_is_an_interval),
		cmocka_unit_test(test_short_children_may_have_an_interval),
		cmocka_unit_test(test_near_but_outside_of_the_bounds_is_doubtful),
		cmocka_unit_test(test_forks_of_other_programs_widen_an_interval),
		cmocka_unit_test(test_a_source_with_a_lower_bound_only),
		cmocka_unit_test(test_false_bounds_are_broken_even_with_a_good_value),
		cmocka_unit_test(test_memory_between_its_bounds_and_counts_without_loss),
		cmocka_unit_test(test_programs_are_compared_with_their_sum),
		cmocka_unit_test(test_the_worst_of_the_samples_is_the_figure),
		cmocka_unit_test(test_a_missing_value_is_not_broken),
		cmocka_unit_test(test_every_case_fits_the_table),
		cmocka_unit_test(test_a_value_that_is_an_interval_has_no_percentage),
		cmocka_unit_test(test_an_interval_of_foreign_connections_is_not_a_value),
		cmocka_unit_test(test_every_possible_interval_gives_its_reason),
		cmocka_unit_test(test_loads_seen_by_samples_last_longer_than_an_interval),
		cmocka_unit_test(test_the_table_names_the_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
