/* test_program_tree.c - which branches of a tree of programs are shown, and that nothing is lost of the others. */
#include "fixture.h"

#include <stdio.h>
#include <string.h>

#include "core/program_tree.h"

enum { MOST = 2000 };

static struct program_branch all[MOST];
static struct program_tree tree;

static struct program_branch branch(int parent, const char *name, double processes, double cpu_seconds)
{
	struct program_branch b = {
		.parent = parent, .branches = 1, .processes = processes, .cpu_seconds = cpu_seconds,
		.largest_bytes = NONE,
	};

	(void)snprintf(b.name, sizeof b.name, "%s", name);
	return b;
}

static void choose(size_t n)
{
	assert_int_equal(program_tree_choose(&tree, all, n), 0);
	for (size_t i = 0; i < tree.n; i++) {
		assert_true(tree.at[i].parent >= PARENT_UNKNOWN && tree.at[i].parent < (int)i);
		assert_true(tree.at[i].branches > 0);
		assert_true(tree.at[i].branches == 1 || !tree.at[i].name[0]);
	}
}

static void assert_row(size_t i, int parent, const char *name, double processes, double cpu_seconds)
{
	assert_true(i < tree.n);
	assert_int_equal(tree.at[i].parent, parent);
	assert_string_equal(tree.at[i].name, name);
	assert_near(tree.at[i].processes, processes);
	assert_near(tree.at[i].cpu_seconds, cpu_seconds);
}

static void branches_without_a_use_are_left_out(void **state)
{
	(void)state;
	all[0] = branch(PARENT_NONE, "", 0, 0);
	all[1] = branch(PARENT_UNKNOWN, "", 0, 0);
	all[2] = branch(PARENT_NONE, "make", 1, 0.5);
	all[3] = branch(2, "make", 0, 0);       /* each that it forked was another program soon */
	all[4] = branch(2, "env", 0, 0);        /* likewise, but one of them forked before */
	all[5] = branch(4, "sh", 2, 0.25);
	all[6] = branch(PARENT_UNKNOWN, "lost", 1, 0);
	choose(7);
	assert_int_equal(tree.n, 4);
	assert_row(0, PARENT_NONE, "make", 1, 0.5);
	assert_row(1, 0, "env", 0, 0);
	assert_row(2, 1, "sh", 2, 0.25);
	assert_row(3, PARENT_UNKNOWN, "lost", 1, 0);
	choose(0);
	assert_int_equal(tree.n, 0);
}

/* Unknown numbers of processes stay unknown. */
static void processes_that_were_not_counted_are_not_0(void **state)
{
	(void)state;
	all[0] = branch(PARENT_NONE, "a", NONE, 1);
	choose(1);
	assert_int_equal(tree.n, 1);
	assert_true(is_none(tree.at[0].processes) && is_none(tree.at[0].largest_bytes));
}

/* A wide tree, a deep one, one of both, and one with many of an unknown parent: sums stay, the largest have names. */
static void of_many_branches_the_largest_are_shown(void **state)
{
	(void)state;
	for (int shape = 0; shape < 4; shape++) {
		double processes = 0, seconds = 0, bytes = 0;
		double sum_of_processes = 0, sum_of_seconds = 0, most_bytes = 0;
		unsigned branches = 0;
		bool heavy = false;

		for (int i = 0; i < MOST; i++) {
			int parents[] = { i > 0 ? 0 : PARENT_NONE, i - 1, i > 0 ? i / 3 : PARENT_NONE,
					  i % 2 ? PARENT_UNKNOWN : i - 2 };
			bool last = i == MOST - 1;

			all[i] = branch(parents[shape], last ? "heavy" : "light", 1, last ? 5 : 1e-6 * (i % 7));
			all[i].largest_bytes = 4096.0 * (i % 100);
			processes += 1;
			seconds += all[i].cpu_seconds;
			bytes = double_max(bytes, all[i].largest_bytes);
		}
		choose(MOST);
		assert_true(tree.n > BRANCH_MAX / 3 && tree.n <= BRANCH_MAX);
		for (size_t i = 0; i < tree.n; i++) {
			sum_of_processes += tree.at[i].processes;
			sum_of_seconds += tree.at[i].cpu_seconds;
			most_bytes = double_max(most_bytes, tree.at[i].largest_bytes);
			branches += tree.at[i].branches;
			heavy |= strcmp(tree.at[i].name, "heavy") == 0 && tree.at[i].cpu_seconds == 5;
		}
		assert_int_equal(branches, MOST);
		assert_near(sum_of_processes, processes);
		assert_near(sum_of_seconds, seconds);
		assert_near(most_bytes, bytes);
		/* Only in a chain of 2,000 no branch is larger than those above it, which take the room. */
		assert_int_equal(heavy, shape != 1);
	}
}

/* One branch more than there is room for: two are merged. */
static void at_the_limit_every_branch_is_shown(void **state)
{
	(void)state;
	all[0] = branch(PARENT_NONE, "sh", 1, 1);
	for (int i = 1; i <= BRANCH_MAX; i++)
		all[i] = branch(0, "x", 1, i);
	choose(BRANCH_MAX);
	assert_int_equal(tree.n, BRANCH_MAX);
	for (size_t i = 0; i < tree.n; i++)
		assert_int_equal(tree.at[i].branches, 1);
	choose(BRANCH_MAX + 1);
	assert_int_equal(tree.n, BRANCH_MAX);
	assert_int_equal(tree.at[1].branches, 2);
	assert_row(1, 0, "", 2, 1 + 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(branches_without_a_use_are_left_out),
		cmocka_unit_test(processes_that_were_not_counted_are_not_0),
		cmocka_unit_test(of_many_branches_the_largest_are_shown),
		cmocka_unit_test(at_the_limit_every_branch_is_shown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
