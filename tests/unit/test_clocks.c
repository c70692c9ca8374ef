/* test_clocks.c - the nodes of a job on one axis of time, by made clocks. */
#include "fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ranks/clocks.h"

enum { NODES = 40, RANKS = 16, JOBS = 4000 };

static struct node_use node[NODES];
static double ahead[NODES];                     /* of the clocks that were made */

static double between(double low, double high)
{
	return low + (high - low) * (double)random() / (double)RAND_MAX;
}

static int ascending(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* ends: of ranks, since the job began. */
static void make_node(size_t k, double start, double *ends, size_t ranks)
{
	const double begin = 1.7e9 + ahead[k];

	qsort(ends, ranks, sizeof *ends, ascending);
	node[k] = (struct node_use){
		.first_start = begin + start, .first_end = begin + ends[0], .median_end = begin + ends[(ranks - 1) / 2],
		.last_end = begin + ends[ranks - 1],
	};
}

static void make_simple(size_t k, double start, double end)
{
	make_node(k, start, (double[]){ end }, 1);
}

/* The error of a clock that is ahead of the median node's by so much; NONE: it was not found. */
static double error_of(size_t k)
{
	return fabs(node[k].ahead_seconds - ahead[k]);
}

static void a_straggler_does_not_hide_a_clock(void **state)
{
	(void)state;
	memset(ahead, 0, sizeof ahead);
	ahead[1] = 30;
	make_simple(0, 0, 600);
	make_simple(1, 0.1, 600.2);
	make_simple(2, 0, 700);                         /* the median of the ends is that of no node but 1 */
	assert_int_equal(clocks_align(node, 3, true), 0);
	assert_none(node[0].ahead_seconds);
	assert_true(error_of(1) < 1);
	assert_none(node[2].ahead_seconds);
	for (size_t k = 0; k < 3; k++)                  /* all began together */
		assert_true(fabs(node[k].first_start - node[k].job_began) < 0.5);
}

/* Its other ranks end with those of the others. */
static void a_straggler_on_the_node_with_another_clock(void **state)
{
	(void)state;
	memset(ahead, 0, sizeof ahead);
	ahead[2] = -45;
	make_node(0, 0, (double[]){ 600, 600.1, 600.2 }, 3);
	make_node(1, 0, (double[]){ 600, 600.1, 600.1 }, 3);
	make_node(2, 0.2, (double[]){ 600.1, 600.3, 650 }, 3);
	assert_int_equal(clocks_align(node, 3, true), 0);
	assert_true(error_of(2) < 1);
	assert_none(node[0].ahead_seconds);
	assert_none(node[1].ahead_seconds);
}

/* Ends that have nothing in common say nothing, and neither do two nodes of which one took longer. */
static void nothing_is_guessed(void **state)
{
	(void)state;
	memset(ahead, 0, sizeof ahead);
	for (size_t k = 0; k < 9; k++)
		make_simple(k, k == 4 ? 20 : 0, 600 + 10.0 * (double)k);
	assert_int_equal(clocks_align(node, 9, true), 0);
	for (size_t k = 0; k < 9; k++)
		assert_none(node[k].ahead_seconds);
	make_simple(0, 0, 600);
	make_simple(1, 20, 700);
	assert_int_equal(clocks_align(node, 2, true), 0);
	assert_none(node[1].ahead_seconds);
	make_simple(0, 0, 600);
	assert_int_equal(clocks_align(node, 1, true), 0);
	assert_none(node[0].ahead_seconds);
	node[0] = (struct node_use){ .first_start = 5, .first_end = NONE, .median_end = NONE, .last_end = NONE };
	node[1] = node[0];
	assert_int_equal(clocks_align(node, 2, true), 0);       /* no end is known */
	assert_none(node[1].ahead_seconds);
}

/*
 * Jobs that end at a barrier: up to a fifth of the ranks is late, a third of the nodes can have another clock.  Returns
 * how many nodes were made, and counts clocks that were found, missed, or found where there was none.
 */
struct tally { size_t clocks, found, missed, invented; double worst; };

static void make_job(struct tally *t, size_t nodes, size_t ranks, double late)
{
	double length = between(20, 5000), ends[RANKS];

	memset(ahead, 0, sizeof ahead);
	for (size_t k = 0; k < nodes; k++) {
		if (k % 3 == 2 && between(0, 1) < 0.5)
			ahead[k] = between(2.5, 3600) * (between(0, 1) < 0.5 ? -1 : 1);
		for (size_t i = 0; i < ranks; i++)
			ends[i] = length + between(0, 0.3) + (between(0, 1) < late ? between(2, length) : 0);
		make_node(k, between(0, 0.3), ends, ranks);
	}
	assert_int_equal(clocks_align(node, nodes, true), 0);
	for (size_t k = 0; k < nodes; k++) {
		bool differs = fabs(ahead[k]) > 0, known = !is_none(node[k].ahead_seconds);

		t->clocks += differs;
		t->found += differs && known;
		t->missed += differs && !known;
		t->invented += !differs && known;
		if (differs && known)
			t->worst = double_max(t->worst, error_of(k));
	}
}

static void measured_with_made_clocks(void **state)
{
	(void)state;
	srandom(1);
	for (int late = 0; late <= 2; late++) {
		struct tally t = { 0 };

		for (int i = 0; i < JOBS; i++)
			make_job(&t, (size_t)between(6, NODES), (size_t)between(1, RANKS + 0.99), late / 10.0);
		print_message("%d %% of the ranks late: %zu clocks, %zu found, %zu missed, %zu invented, wrong by at most %.2f s\n",
			      10 * late, t.clocks, t.found, t.missed, t.invented, t.worst);
		assert_true(t.clocks > 10000);
		assert_int_equal(t.invented, 0);
		assert_true(t.worst < 1);
		/* Missed are those of nodes on which all ranks, or the three that count, are late. */
		assert_true((double)t.missed <= (late == 0 ? 0 : 0.06) * (double)t.clocks);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_straggler_does_not_hide_a_clock),
		cmocka_unit_test(a_straggler_on_the_node_with_another_clock),
		cmocka_unit_test(nothing_is_guessed),
		cmocka_unit_test(measured_with_made_clocks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
