/* rt_values.c - access to tables[] for callers: any metric of the last sample by number or name. */
#include <string.h>

#include "rt_tracker.h"

size_t rt_table_count(void)
{
	return TABLE_COUNT;
}

const char *rt_table_name(size_t table)
{
	return table < TABLE_COUNT ? tables[table].name : NULL;
}

size_t rt_metric_count(size_t table)
{
	return table < TABLE_COUNT ? tables[table].n_metrics : 0;
}

int rt_metric_info(size_t table, size_t metric, struct rt_metric_info *ret)
{
	size_t size = ret->size;

	if (metric >= rt_metric_count(table) || size < sizeof size)
		return -EINVAL;

	const struct metric *m = &tables[table].metrics[metric];
	struct rt_metric_info info = {
		.size = size, .group = m->group, .name = m->name, .unit = unit_name(m->unit),
		.kind = kind_name(m->kind), .help = m->help, .decimals = m->decimals,
	};

	return result_give(ret, size, &info, sizeof info);
}

size_t rt_label_count(size_t table)
{
	return table < TABLE_COUNT ? tables[table].n_labels : 0;
}

const char *rt_label_name(size_t table, size_t label)
{
	return label < rt_label_count(table) ? tables[table].labels[label].name : NULL;
}

int rt_find(const char *name, size_t *ret_table, size_t *ret_metric)
{
	const char *dot = strchr(name, '.');
	size_t group = dot ? (size_t)(dot - name) : 0;

	for (size_t t = 0; dot && t < TABLE_COUNT; t++)
		for (size_t i = 0; i < tables[t].n_metrics; i++) {
			const struct metric *m = &tables[t].metrics[i];

			if (strlen(m->group) == group && memcmp(m->group, name, group) == 0 &&
			    strcmp(m->name, dot + 1) == 0) {
				*ret_table = t;
				*ret_metric = i;
				return 0;
			}
		}
	return -ENOENT;
}

/* The rows of a table; empty for a table that does not exist. */
static struct rows rows_of(const struct rt_tracker *tracker, size_t table)
{
	return table < TABLE_COUNT ? sample_rows(tracker->sample, (enum table)table) : (struct rows){ 0 };
}

size_t rt_row_count(const struct rt_tracker *tracker, size_t table)
{
	return rows_of(tracker, table).n;
}

const char *rt_row_key(const struct rt_tracker *tracker, size_t table, size_t row)
{
	struct rows rows = rows_of(tracker, table);

	return row < rows.n ? row_key(rows, row) : NULL;
}

const char *rt_label(const struct rt_tracker *tracker, size_t table, size_t row, size_t label)
{
	struct rows rows = rows_of(tracker, table);

	return row < rows.n && label < tables[table].n_labels
		? row_label(rows, row, &tables[table].labels[label]) : "";
}

double rt_value(const struct rt_tracker *tracker, size_t table, size_t row, size_t metric)
{
	struct rows rows = rows_of(tracker, table);

	return row < rows.n && metric < tables[table].n_metrics
		? row_value(rows, row, &tables[table].metrics[metric]) : NONE;
}

double rt_get(const struct rt_tracker *tracker, const char *name)
{
	size_t table, metric;

	return rt_find(name, &table, &metric) == 0 && table == TABLE_TOTAL
		? rt_value(tracker, table, 0, metric) : NONE;
}

ssize_t rt_row_values(const struct rt_tracker *tracker, size_t table, size_t row, double *ret, size_t room)
{
	struct rows rows = rows_of(tracker, table);

	if (row >= rows.n)
		return -EINVAL;

	const struct table_info *info = &tables[table];

	for (size_t i = 0; i < size_min(info->n_metrics, room); i++)
		ret[i] = row_value(rows, row, &info->metrics[i]);
	return (ssize_t)info->n_metrics;
}

ssize_t rt_column_values(const struct rt_tracker *tracker, size_t table, size_t metric, double *ret, size_t room)
{
	struct rows rows = rows_of(tracker, table);

	if (metric >= rt_metric_count(table))
		return -EINVAL;
	for (size_t i = 0; i < size_min(rows.n, room); i++)
		ret[i] = row_value(rows, i, &tables[table].metrics[metric]);
	return (ssize_t)rows.n;
}
