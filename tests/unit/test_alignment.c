/* test_alignment.c - rows of two recordings, joined by their time. */
#include "fixture.h"

#include <string.h>

#include "comparison/alignment.h"

struct made { const double *seconds; const double *cores; size_t n, next; double interval; };

/* Rows with the machine's CPU: as a level, and as twice the amount that was read in the interval. */
static bool next(void *from, struct timed_row *ret)
{
	struct made *made = from;
	static struct sample empty;
	size_t i = made->next++;

	if (i >= made->n)
		return false;
	sample_clear(&empty);
	*ret = (struct timed_row){ .wall_ns = (int64_t)llrint(made->seconds[i] * 1e9),
				   .interval_seconds = made->interval, .total = empty.total };
	ret->total.cpu_utilization_cores = made->cores[i];
	ret->total.disk_total_read_bytes = 2 * made->cores[i] * made->interval;
	return true;
}

static struct aligned figures(const struct alignment *a, const char *group, const char *name)
{
	const struct table_info *info = &tables[TABLE_TOTAL];

	for (size_t i = 0; i < info->n_metrics; i++)
		if (strcmp(info->metrics[i].group, group) == 0 && strcmp(info->metrics[i].name, name) == 0)
			return a->of[i];
	fail_msg("%s.%s is no metric", group, name);
	return a->of[0];
}

static struct alignment align(struct made a, struct made b)
{
	struct alignment ret;

	assert_int_equal(alignment_read(&ret, (struct row_source){ next, &a }, (struct row_source){ next, &b }), 0);
	return ret;
}

static void figures_of_joined_rows(void **state)
{
	static const double t[] = { 10.1, 11.1, 12.1 }, u[] = { 10.3, 11.3, 12.3 };
	static const double x[] = { 1, 2, 3 }, y[] = { 1.5, 2, 2 };
	struct alignment a = align((struct made){ t, x, 3, 0, 1 }, (struct made){ u, y, 3, 0, 1 });
	struct aligned cores = figures(&a, "cpu", "utilization_cores"), rate = figures(&a, "disk_total", "read_bytes");

	(void)state;
	assert_int_equal(a.joined, 3);
	assert_int_equal(a.alone[0] + a.alone[1], 0);
	assert_int_equal(cores.n, 3);
	assert_near(cores.mean[0], 2);
	assert_near(cores.mean[1], 5.5 / 3);
	assert_near(cores.spread[0], 1);
	assert_near(cores.least[1], 1.5);
	assert_near(cores.most[0], 3);
	assert_near(cores.difference, 0.5);
	assert_near(cores.deviation_percent, 25);
	assert_near(rate.mean[0], 4);
	assert_int_equal(figures(&a, "memory", "free_bytes").n, 0);
	alignment_release(&a);
}

static void rows_without_a_partner(void **state)
{
	static const double t[] = { 8.1, 9.1, 10.1, 13.1 }, u[] = { 10.2, 10.9, 11.2, 12.8, 20.5 };
	static const double x[] = { 8, 9, 10, 13 }, y[] = { 10, 0, 11, 13, 20 };
	struct alignment a = align((struct made){ t, x, 4, 0, 1 }, (struct made){ u, y, 5, 0, 1 });

	(void)state;
	assert_int_equal(a.joined, 2);                          /* 10.1 with 10.2, 13.1 with 12.8 */
	assert_int_equal(a.alone[0], 2);
	assert_int_equal(a.alone[1], 3);
	assert_near(figures(&a, "cpu", "utilization_cores").difference, 0);
	alignment_release(&a);
}

/* Ten samples a second against one: the nearest of the ten is taken, none of them twice; rates, not sums. */
static void rows_of_different_length(void **state)
{
	static const double t[] = { 5.51, 6.51 };
	static const double u[] = { 5.3, 5.4, 5.5, 5.6, 5.7, 6.4, 6.5, 6.6 };
	static const double x[] = { 1, 2 }, y[] = { 0, 0, 1, 0, 0, 0, 2, 0 };
	struct alignment a = align((struct made){ t, x, 2, 0, 1 }, (struct made){ u, y, 8, 0, 0.1 });

	(void)state;
	assert_int_equal(a.joined, 2);
	assert_near(figures(&a, "cpu", "utilization_cores").difference, 0);
	assert_near(figures(&a, "disk_total", "read_bytes").difference, 0);
	alignment_release(&a);
}

/* The other tracker cuts its times to whole seconds: its 10 was 10.8, and still belongs to 11, not to 10. */
static void times_cut_to_whole_seconds(void **state)
{
	static const double t[] = { 10, 11, 12 }, u[] = { 9.85, 10.85, 11.85, 12.85 };
	static const double x[] = { 10, 11, 12 }, y[] = { 9, 10, 11, 12 };
	struct alignment a = align((struct made){ t, x, 3, 0, 1 }, (struct made){ u, y, 4, 0, 1 });

	(void)state;
	assert_true(a.whole_seconds[0] && !a.whole_seconds[1]);
	assert_int_equal(a.joined, 3);
	assert_near(figures(&a, "cpu", "utilization_cores").difference, 0);
	alignment_release(&a);
}

static void nothing_to_join(void **state)
{
	static const double t[] = { 10.5 }, u[] = { 20.5 }, x[] = { 0 };
	struct alignment a = align((struct made){ t, x, 1, 0, 1 }, (struct made){ u, x, 1, 0, 1 });

	(void)state;
	assert_int_equal(a.joined, 0);
	alignment_release(&a);
	a = align((struct made){ t, x, 1, 0, 1 }, (struct made){ u, x, 0, 0, 1 });
	assert_int_equal(a.alone[0], 1);
	alignment_release(&a);
	a = align((struct made){ t, x, 1, 0, 1 }, (struct made){ t, x, 1, 0, NONE });  /* of the other's interval */
	assert_int_equal(a.joined, 1);
	assert_true(is_none(figures(&a, "cpu", "utilization_cores").deviation_percent));
	assert_true(is_none(figures(&a, "cpu", "utilization_cores").spread[0]));
	alignment_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_of_joined_rows),
		cmocka_unit_test(rows_without_a_partner),
		cmocka_unit_test(rows_of_different_length),
		cmocka_unit_test(times_cut_to_whole_seconds),
		cmocka_unit_test(nothing_to_join),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
