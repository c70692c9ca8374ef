/* test_programs.c - the tree's CPU time, shared among its programs. */
#include "fixture.h"

#include <string.h>

#include "accounting/accounting_state.h"

#define MS INT64_C(1000000)

static struct tracked tracked;
static struct accounts *a;
static struct sample sample;
static uint16_t shell, child;

static int begin(void **state)
{
	(void)state;
	tracked = (struct tracked){ .followed = true };
	assert_int_equal(accounts_open(&a, &tracked), 0);
	shell = branch_named(a, branch_of_child(a, BRANCH_TOP), "sh");
	child = branch_named(a, branch_of_child(a, shell), "true");
	return 0;
}

static int end(void **state)
{
	(void)state;
	accounts_close(a);
	return 0;
}

static void exits(uint16_t branch, int64_t cpu_ns)
{
	uint64_t counted_ns = 0;

	branch_count_ended_cpu(a, branch, &counted_ns, (uint64_t)cpu_ns, 1);
}

static void report_between(int64_t lower_ns, int64_t tree_ns)
{
	sample_clear(&sample);
	sample.interval_seconds = 1;
	sample.total.process_cpu_lower_seconds = (double)lower_ns / 1e9;
	sample.total.process_cpu_seconds = sample.total.process_cpu_upper_seconds = (double)tree_ns / 1e9;
	accounts_report_programs(a, &sample);
	accounts_report_unaccounted(a, &sample.total);
}

static void report(int64_t tree_ns) { report_between(tree_ns / 2, tree_ns); }
static void report_exact(int64_t tree_ns) { report_between(tree_ns, tree_ns); }

static double used(const char *program)
{
	for (size_t i = 0; i < sample.n_program; i++)
		if (strcmp(sample.program[i].key, program) == 0)
			return sample.program[i].cpu_seconds;
	return 0;
}

static void what_no_record_explains_is_of_those_that_exited(void **state)
{
	(void)state;
	for (int i = 0; i < 100; i++)
		exits(child, MS);
	report(106 * MS);
	assert_near(used("true"), 0.106);
	assert_near(used("sh"), 0);
	assert_near(sample.total.process_unaccounted_cpu_seconds, 0);
}

/* Two hours without a record are not the teardown of one process. */
static void not_all_of_it(void **state)
{
	(void)state;
	exits(child, MS);
	report(7200 * 1000 * MS);
	assert_true(used("true") < 0.002);
	assert_near(used("true") + sample.total.process_unaccounted_cpu_seconds, 7200);
}

static void a_record_that_arrives_late_counts_once(void **state)
{
	double first;

	(void)state;
	for (int i = 0; i < 100; i++)
		exits(child, MS);
	report(108 * MS);                       /* of these, 4 ms are of the processes below */
	first = used("true");
	assert_near(first, 0.108);
	for (int i = 0; i < 4; i++)
		exits(child, MS);
	report(1 * MS);
	assert_near(first + used("true"), 0.109);
}

/* perf's clock runs on while a hypervisor has the CPU; without an exact total the record is the better figure. */
static void what_a_record_says_too_much_is_taken_back_by_an_exact_total(void **state)
{
	(void)state;
	exits(child, 100 * MS);
	report(90 * MS);
	assert_near(used("true"), 0.100);
	report(5 * MS);
	assert_near(used("true"), 0);

	exits(child, 105 * MS);
	exits(shell, 105 * MS);
	report_exact(205 * MS);                 /* of which 5 ms were counted before */
	assert_near(used("true"), 0.100);
	assert_near(used("sh"), 0.100);
	exits(child, 100 * MS);
	report_exact(10 * MS);                  /* at most a sixth */
	assert_true(used("true") > 0.083);
}

static void it_is_taken_back_from_all_alike(void **state)
{
	double first[2];

	(void)state;
	for (int i = 0; i < 100; i++) {
		exits(child, MS);
		exits(shell, MS);
	}
	report(216 * MS);
	first[0] = used("true");
	first[1] = used("sh");
	assert_near(first[0], first[1]);
	for (int i = 0; i < 4; i++) {
		exits(child, MS);
		exits(shell, MS);
	}
	report(2 * MS);
	assert_near(used("true"), used("sh"));
	assert_near(first[0] + first[1] + used("true") + used("sh"), 0.218);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_no_record_explains_is_of_those_that_exited),
		TEST(not_all_of_it),
		TEST(a_record_that_arrives_late_counts_once),
		TEST(what_a_record_says_too_much_is_taken_back_by_an_exact_total),
		TEST(it_is_taken_back_from_all_alike),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
