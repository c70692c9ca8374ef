/* record_row.c - a row of a run record as text. */
#include "record_lines.h"

#include <stdio.h>

/* The parts of a row: means of levels and sums of amounts; maxima of levels; amounts since the start. */
enum part { VALUES, MAXIMA, SINCE_START };

static double shown(const struct metric *m, struct statistic s, enum part part)
{
	if (part == MAXIMA)
		return s.maximum;
	if (m->kind == KIND_AMOUNT)
		return is_none(s.last) ? NONE : s.sum;
	return s.mean;
}

/* A mean of several counts gets two more decimals; for bytes they do not matter. */
static int decimals(const struct metric *m, bool merged, enum part part)
{
	return merged && part == VALUES && m->kind == KIND_LEVEL && m->unit == UNIT_COUNT ? m->decimals + 2
											  : m->decimals;
}

static bool is_column(const struct metric *m, enum part part)
{
	return part == MAXIMA	   ? m->kind == KIND_LEVEL :
	       part == SINCE_START ? m->kind == KIND_AMOUNT : record_column(m);
}

static bool has_column(enum table t, enum part part)
{
	for (size_t i = 0; i < tables[t].n_metrics; i++)
		if (is_column(&tables[t].metrics[i], part))
			return true;
	return false;
}

/* Whether every value would be written as 0. */
static bool all_zero(const struct aggregate *a, enum table t, size_t row, enum part part)
{
	for (size_t i = 0; i < tables[t].n_metrics; i++) {
		const struct metric *m = &tables[t].metrics[i];

		if (is_column(m, part) && !(fabs(shown(m, aggregate_row(a, t, row, m), part)) <= 0))
			return false;
	}
	return true;
}

static void table_row(struct json *j, const struct aggregate *a, enum table t, size_t row, bool merged, enum part part)
{
	if (all_zero(a, t, row, part)) {
		json_i64(j, 0);
		return;
	}
	json_open(j, '[');
	for (size_t i = 0; i < tables[t].n_metrics; i++) {
		const struct metric *m = &tables[t].metrics[i];

		if (is_column(m, part))
			json_number(j, shown(m, aggregate_row(a, t, row, m), part), decimals(m, merged, part));
	}
	json_close(j, ']');
}

/* An array if the rows have the numbers 0, 1, 2 ... without gaps, else an object by number. */
static void one_table(struct json *j, const struct record_row *r, enum table t, enum part part)
{
	const struct aggregate *a = r->values, *from = part == SINCE_START ? r->sums->whole : a;
	const struct identity *identity = &r->identities[t];
	size_t n = aggregate_rows(a, t);
	bool merged = aggregate_samples(a) > 1, dense = true;

	for (size_t i = 0; i < n; i++)
		dense = dense && identity_number(identity, aggregate_key(a, t, i), i) == (ptrdiff_t)i;
	json_member_open(j, tables[t].name, dense ? '[' : '{');
	for (size_t i = 0; i < n; i++) {
		ptrdiff_t number = identity_number(identity, aggregate_key(a, t, i), i);

		if (number < 0)                         /* all numbers were in use */
			continue;
		if (!dense) {
			char key[24];

			(void)snprintf(key, sizeof key, "%td", number);
			json_key(j, key);
		}
		if (from == a)
			table_row(j, a, t, i, merged, part);
		else
			table_row(j, from, t, aggregate_find(from, t, aggregate_key(a, t, i), i), merged, part);
	}
	json_close(j, dense ? ']' : '}');
}

static void all_tables(struct json *j, const struct record_row *r, enum part part)
{
	json_open(j, '{');
	for (enum table t = 0; t < TABLE_COUNT; t++)
		if (record_table(t) && aggregate_rows(r->values, t) > 0 && (part != SINCE_START || has_column(t, part)))
			one_table(j, r, t, part);
	json_close(j, '}');
}

static void totals(struct json *j, const struct record_row *r, enum part part)
{
	const struct table_info *info = &tables[TABLE_TOTAL];
	const struct aggregate *from = part == SINCE_START ? r->sums->whole : r->values;
	const struct record_exits *exits = part == SINCE_START ? &r->sums->exits : &r->exits;
	bool merged = aggregate_samples(r->values) > 1;

	json_open(j, '[');
	for (size_t i = 0; i < info->n_metrics; i++) {
		const struct metric *m = &info->metrics[i];

		if (r->known[i] && is_column(m, part))
			json_number(j, shown(m, aggregate_total(from, m), part), decimals(m, merged, part));
	}
	if (r->exit_columns && part != MAXIMA) {
		json_u64(j, exits->n);
		json_number(j, exits->cpu_seconds, RECORD_SECONDS_DECIMALS);
	}
	json_close(j, ']');
}

void record_row_line(struct buffer *out, const struct record_row *row)
{
	struct json j = json_to(out);
	bool merged = aggregate_samples(row->values) > 1;

	json_open(&j, '[');
	json_text(&j, row->partial ? "p" : "r");
	json_number(&j, row->end_seconds, 4);
	json_number(&j, aggregate_seconds(row->values), RECORD_SECONDS_DECIMALS);
	json_u64(&j, aggregate_samples(row->values));
	totals(&j, row, VALUES);
	if (merged)
		totals(&j, row, MAXIMA);
	else
		json_null(&j);
	all_tables(&j, row, VALUES);
	if (merged) {
		all_tables(&j, row, MAXIMA);
	} else if (row->sums) {                         /* keeps the places of the next members */
		json_open(&j, '{');
		json_close(&j, '}');
	}
	if (row->sums) {
		totals(&j, row, SINCE_START);
		all_tables(&j, row, SINCE_START);
	}
	json_close(&j, ']');
	buffer_char(out, '\n');
}
