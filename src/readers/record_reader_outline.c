/* record_reader_outline.c - reads the outline of a run: a few points in the end line of its record. */
#include "record_reader_parts.h"

enum { COLUMNS_KEPT = 64 };

/* For each column the number of our quantity; OUTLINE_QUANTITIES: unknown. */
static size_t find_columns(size_t ret[COLUMNS_KEPT], struct json_value columns)
{
	struct json_walk w = json_walk(columns);
	struct json_value name;
	size_t n = 0;

	for (; n < COLUMNS_KEPT && json_next(&w, NULL, &name); n++) {
		const struct metric *m = record_metric(name);

		for (ret[n] = 0; ret[n] < OUTLINE_QUANTITIES; ret[n]++)
			if (m == outline_metric(ret[n]))
				break;
	}
	return n;
}

static struct outline_point read_point(struct json_value values, const size_t *column, size_t n_columns, double begin)
{
	struct json_walk w = json_walk(values);
	struct json_value v;
	struct outline_point p = { .end_seconds = json_next(&w, NULL, &v) ? json_as_number(v) : NONE };

	for (size_t i = 0; i < OUTLINE_QUANTITIES; i++)
		p.value[i] = NONE;
	for (size_t i = 1; i < n_columns && json_next(&w, NULL, &v); i++)
		if (column[i] < OUTLINE_QUANTITIES) {
			p.value[column[i]] = json_as_number(v);
			p.known_seconds[column[i]] = is_none(json_as_number(v)) ? 0 : p.end_seconds - begin;
		}
	return p;
}

void record_read_outline(struct record_reader *r, struct json_value end)
{
	struct json_value all, columns, points, point;
	size_t column[COLUMNS_KEPT], n_columns;
	struct outline o = { .n = 0 };

	if (!json_find(end, "outline", &all) || !json_find(all, "columns", &columns) || !json_find(all, "points", &points))
		return;
	n_columns = find_columns(column, columns);
	if (n_columns == 0)
		return;
	for (struct json_walk w = json_walk(points); o.n < OUTLINE_POINTS && json_next(&w, NULL, &point);) {
		double begin = o.n > 0 ? o.at[o.n - 1].end_seconds : 0;
		struct outline_point p = read_point(point, column, n_columns, begin);

		if (is_span(p.end_seconds) && p.end_seconds > begin)
			o.at[o.n++] = p;
	}
	if (o.n > 0)
		r->outline = o;
}
