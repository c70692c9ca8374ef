/* record_reader_moments.c - reads the last minute of a run that failed. */
#include "record_reader_parts.h"

enum { POINTS_MAX = 10000, COLUMNS_KEPT = 32 };

static void set(struct moment *m, size_t column, double value)
{
	memcpy((char *)m + record_moment_columns[column].offset, &value, sizeof value);
}

/* For each column of the record the number of ours; countof(record_moment_columns): unknown, from a later version. */
static size_t find_columns(size_t ret[COLUMNS_KEPT], struct json_value columns)
{
	struct json_walk w = json_walk(columns);
	struct json_value name;
	size_t n = 0;

	for (; n < COLUMNS_KEPT && json_next(&w, NULL, &name); n++)
		for (ret[n] = 0; ret[n] < countof(record_moment_columns); ret[n]++)
			if (json_is(name, record_moment_columns[ret[n]].name))
				break;
	return n;
}

void record_read_last_minute(struct record_reader *r, struct json_value last_minute)
{
	size_t column[COLUMNS_KEPT], n_columns = 0;
	struct json_value columns, points, point, v;

	if (!json_find(last_minute, "columns", &columns) || !json_find(last_minute, "points", &points))
		return;
	n_columns = find_columns(column, columns);

	size_t n = size_min(json_count(points), POINTS_MAX);
	struct moment *moments = calloc(n + 1, sizeof *moments);
	struct json_walk w = json_walk(points);

	if (!moments)
		return;
	free(r->moments);
	r->moments = moments;
	r->n_moments = 0;
	while (r->n_moments < n && json_next(&w, NULL, &point)) {
		struct moment m = { NONE, NONE, NONE, NONE, NONE, NONE };
		struct json_walk values = json_walk(point);

		for (size_t i = 0; i < n_columns && json_next(&values, NULL, &v); i++)
			if (column[i] < countof(record_moment_columns))
				set(&m, column[i], json_as_number(v));
		if (is_span(m.seconds))
			r->moments[r->n_moments++] = m;
	}
}
