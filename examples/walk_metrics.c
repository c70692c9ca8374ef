/* walk_metrics.c - every metric that the tracker has, over half a second: names, values, units. */
#include <math.h>
#include <stdio.h>
#include <time.h>

#include <resource_tracker.h>

static void print_row(const struct rt_tracker *tracker, size_t table, size_t row)
{
	for (size_t i = 0; i < rt_label_count(table); i++)
		printf("%s %s %s: %s\n", rt_table_name(table), rt_row_key(tracker, table, row),
		       rt_label_name(table, i), rt_label(tracker, table, row, i));
	for (size_t i = 0; i < rt_metric_count(table); i++) {
		struct rt_metric_info metric = { .size = sizeof metric };
		double value = rt_value(tracker, table, row, i);

		if (rt_metric_info(table, i, &metric) < 0)
			continue;
		printf("%s %s.%s: ", rt_row_key(tracker, table, row), metric.group, metric.name);
		if (isnan(value))
			printf("unknown\n");
		else
			printf("%.*f %s (%s)\n", metric.decimals, value, metric.unit, metric.kind);
	}
}

int main(void)
{
	const struct timespec half_a_second = { .tv_nsec = 500000000 };
	struct rt_tracker *tracker;
	char reason[256];

	if (rt_open(&tracker, NULL, reason, sizeof reason) < 0) {
		fprintf(stderr, "walk_metrics: %s\n", reason);
		return 1;
	}
	rt_sample(tracker);                             /* the baseline */
	nanosleep(&half_a_second, NULL);
	rt_sample(tracker);
	for (size_t table = 0; table < rt_table_count(); table++)
		for (size_t row = 0; row < rt_row_count(tracker, table); row++)
			print_row(tracker, table, row);
	for (const char *notice; (notice = rt_notice(tracker)) != NULL;)
		fprintf(stderr, "walk_metrics: %s\n", notice);
	printf("%.3f s, %.2f cores busy\n", rt_interval_seconds(tracker), rt_get(tracker, "cpu.utilization_cores"));
	rt_close(tracker);
	return 0;
}
