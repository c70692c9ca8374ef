/* record_reader_rows.c - reads columns, numbered rows and values of a record. */
#include "record_reader_parts.h"

#include <stdio.h>
#include <string.h>

/* NULL if this version knows the metric as another kind than the record: its values would be misread. */
static const struct metric *of_kind(const struct metric *m, bool level)
{
	return m && m->kind == (level ? KIND_LEVEL : KIND_AMOUNT) ? m : NULL;
}

static bool read_column(struct json_value column, struct json_value *name, struct json_value *unit, bool *level)
{
	struct json_walk w = json_walk(column);
	struct json_value kind;

	if (!json_next(&w, NULL, name) || !json_next(&w, NULL, unit) || !json_next(&w, NULL, &kind))
		return false;
	*level = json_is(kind, "level");
	return true;
}

int record_read_columns(struct record_reader *r, struct json_value columns)
{
	struct json_walk w = json_walk(columns);
	size_t n = json_count(columns);
	struct json_value column, name, unit;

	r->columns_known++;
	if (n > COLUMNS_MAX)
		return -E2BIG;

	struct record_column *room = realloc(r->columns, (n + 1) * sizeof *room);

	if (!room)
		return -ENOMEM;
	r->columns = room;

	double *values = realloc(r->values, (n + 1) * sizeof *values);

	if (!values)
		return -ENOMEM;
	r->values = values;
	r->n_columns = 0;
	r->held = false;
	while (json_next(&w, NULL, &column)) {
		struct record_column *c = &r->columns[r->n_columns];

		if (!read_column(column, &name, &unit, &c->level)) {
			r->n_columns = 0;
			return -EBADMSG;
		}
		(void)json_as_text(name, c->name, sizeof c->name);
		(void)json_as_text(unit, c->unit, sizeof c->unit);
		c->metric = of_kind(record_metric(name), c->level);
		r->values[r->n_columns++] = NONE;
	}
	return 0;
}

void record_read_table_columns(struct record_reader *r, struct json_value all)
{
	struct json_value columns, column, name, unit;

	for (enum table t = 0; t < TABLE_COUNT; t++) {
		struct record_table *table = &r->tables[t];

		if (!record_table(t) || !json_find(all, tables[t].name, &columns))
			continue;
		for (struct json_walk w = json_walk(columns); json_next(&w, NULL, &column);) {
			struct row_column *c = &table->columns[table->n_columns];

			if (table->n_columns == ROW_COLUMNS_MAX || !read_column(column, &name, &unit, &c->level))
				break;
			c->metric = of_kind(record_row_metric(t, name), c->level);
			table->n_columns++;
		}
	}
}

static void set(void *row, const struct metric *m, double value)
{
	memcpy((char *)row + m->offset, &value, sizeof value);
}

void record_read_fixed(struct record_reader *r, struct json_value fixed)
{
	struct json_value name, v;

	for (struct json_walk w = json_walk(fixed); w.object && json_next(&w, &name, &v);) {
		const struct metric *m = record_metric(name);

		if (m && m->kind == KIND_FIXED)
			set(&r->fixed, m, json_as_number(v));
		for (size_t i = 0; i < tables[TABLE_TOTAL].n_labels; i++) {
			const struct label *l = &tables[TABLE_TOTAL].labels[i];
			char text[RECORD_NAME_SIZE];

			(void)snprintf(text, sizeof text, "%s.%s", l->group, l->name);
			if (json_is(name, text))
				(void)json_as_text(v, (char *)&r->fixed + l->offset, l->size);
		}
	}
}

/* ---- rows of tables, by number --------------------------------------------------------- */

static char *numbered_row(struct record_reader *r, enum table t, uint64_t number)
{
	struct record_table *table = &r->tables[t];
	size_t stride = tables[t].stride;

	if (number >= record_numbers(t))
		return NULL;
	if (number >= table->n_rows) {
		char *rows = realloc(table->rows, (size_t)(number + 1) * stride);

		if (!rows)
			return NULL;
		memset(rows + table->n_rows * stride, 0, ((size_t)number + 1 - table->n_rows) * stride);
		table->rows = rows;
		table->n_rows = (size_t)number + 1;
	}
	return table->rows + number * stride;
}

static size_t key_size(const struct table_info *info)
{
	return info->n_labels > 0 ? size_min(info->labels[0].offset, info->metrics[0].offset)
				  : info->metrics[0].offset;
}

static int name_row(struct record_reader *r, enum table t, struct json_value row)
{
	const struct table_info *info = &tables[t];
	struct json_value v;
	double number = json_find(row, "index", &v) ? json_as_number(v) : NONE;
	char *to = number >= 0 && number < 1e6 ? numbered_row(r, t, (uint64_t)number) : NULL;

	if (!to || !json_find(row, "key", &v) || v.kind != JSON_STRING)
		return -EBADMSG;
	memset(to, 0, info->stride);
	(void)json_as_text(v, to, key_size(info));
	for (size_t i = 0; i < info->n_labels; i++)
		if (json_find(row, info->labels[i].name, &v))
			(void)json_as_text(v, to + info->labels[i].offset, info->labels[i].size);
	for (size_t i = 0; i < info->n_metrics; i++) {
		const struct metric *m = &info->metrics[i];

		set(to, m, m->kind == KIND_FIXED && json_find(row, m->name, &v) ? json_as_number(v) : NONE);
	}
	return 0;
}

int record_read_rows(struct record_reader *r, struct json_value rows)
{
	struct json_value list, row;
	int result = 0;

	for (enum table t = 0; t < TABLE_COUNT; t++) {
		if (!record_table(t) || !json_find(rows, tables[t].name, &list))
			continue;
		for (struct json_walk w = json_walk(list); json_next(&w, NULL, &row);)
			if (name_row(r, t, row) < 0)
				result = -EBADMSG;
	}
	return result;
}

/* The columns that an array has values for. */
enum part { ALL, LEVELS, AMOUNTS };

static bool is_part(bool level, enum part part)
{
	return part == ALL || level == (part == LEVELS);
}

/* Reads the values of one row: an array by column, or 0 if all are 0. */
static void read_row_of_table(struct record_reader *r, enum table t, uint64_t number, struct json_value v,
			      struct sample *to, enum part part)
{
	const struct record_table *table = &r->tables[t];

	if (number >= table->n_rows || (v.kind != JSON_ARRAY && v.kind != JSON_NUMBER))
		return;

	const char *identity = table->rows + number * tables[t].stride;

	if (!*identity)                         /* not named so far */
		return;

	void *row = sample_add_row(to, t, identity);
	struct json_walk w = json_walk(v);

	if (!row)                               /* more rows than a sample holds */
		return;
	memcpy(row, identity, tables[t].stride);
	for (size_t i = 0; i < table->n_columns; i++) {
		double value = 0;

		if (!is_part(table->columns[i].level, part))
			continue;
		if (v.kind == JSON_ARRAY && !json_next_number(&w, &value))
			value = NONE;
		if (table->columns[i].metric)
			set(row, table->columns[i].metric, value);
	}
}

static void read_tables(struct record_reader *r, struct json_value all, struct sample *to, enum part part)
{
	struct json_value rows, key, v;

	for (enum table t = 0; t < TABLE_COUNT; t++) {
		if (!record_table(t) || !json_find(all, tables[t].name, &rows))
			continue;

		uint64_t number = 0;

		for (struct json_walk w = json_walk(rows); json_next(&w, &key, &v); number++) {
			if (w.object) {
				char text[24];
				struct scan s;

				(void)json_as_text(key, text, sizeof text);
				s = scan_of(text, strlen(text));
				if (!scan_u64(&s, &number))
					continue;
			}
			read_row_of_table(r, t, number, v, to, part);
		}
	}
}

/* Allocates or clears a sample.  It has 140 KiB, but only the parts with rows are ever written. */
static bool make_room(struct sample **s)
{
	if (!*s)
		*s = malloc(sizeof **s);
	if (*s)
		sample_clear(*s);
	return *s != NULL;
}

/* Reads the maxima of levels, or the sums of amounts, after a row's values; false: the row has none. */
static bool read_part(struct record_reader *r, struct sample **to, struct json_value totals,
		      struct json_value tables_too, enum part part)
{
	struct json_walk w = json_walk(totals);
	double value;

	if (totals.kind != JSON_ARRAY || !make_room(to))
		return false;
	for (size_t i = 0; i < r->n_columns; i++) {
		if (!is_part(r->columns[i].level, part))
			continue;
		if (!json_next_number(&w, &value))
			break;
		if (r->columns[i].metric)
			set(&(*to)->total, r->columns[i].metric, value);
	}
	read_tables(r, tables_too, *to, part);
	return true;
}

/*
 * ["r", t, seconds, samples, [values], [maxima] or null, {tables}, {maxima of tables},
 *  [amounts since the start], {amounts of tables since the start}]
 */
int record_read_row(struct record_reader *r, struct json_value row)
{
	struct json_walk w = json_walk(row);
	struct json_value part[10] = { 0 };
	size_t n = r->totals_alone ? (size_t)ROW_TOTALS : countof(part);
	double t, seconds;

	for (size_t i = 0; i < n && json_next(&w, NULL, &part[i]); i++)
		;
	t = json_as_number(part[1]);
	seconds = json_as_number(part[2]);
	if (!is_span(t) || !is_interval(seconds) || part[4].kind != JSON_ARRAY)
		return -EBADMSG;
	if (!make_room(&r->sample))
		return -ENOMEM;

	struct sample *s = r->sample;

	s->seq = r->facts.rows + 1;
	s->monotonic_ns = span_ns(t);
	s->wall_ns = r->facts.run.start_wall_ns + s->monotonic_ns;
	s->interval_seconds = seconds;
	s->total = r->fixed;
	w = json_walk(part[4]);
	for (size_t i = 0; i < r->n_columns; i++) {
		if (!json_next_number(&w, &r->values[i]))
			r->values[i] = NONE;
		if (r->columns[i].metric)
			set(&s->total, r->columns[i].metric, r->values[i]);
	}
	read_tables(r, part[6], s, ALL);
	r->samples = (size_t)record_count(json_as_number(part[3]));
	r->has_maxima = read_part(r, &r->maxima, part[5], part[7], LEVELS);
	r->has_sums = read_part(r, &r->sums, part[8], part[9], AMOUNTS);
	return 0;
}
