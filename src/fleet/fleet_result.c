/* fleet_result.c - the answer of a store. */
#include "fleet_result.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "../core/sample.h"
#include "../text/human.h"
#include "../text/text_table.h"

union value *fleet_result_row(struct fleet_result *r)
{
	if (r->n_rows == r->room) {
		size_t room = r->room ? 2 * r->room : 64;
		union value *values = reallocarray(r->values, room * size_max(r->columns.n, 1), sizeof *values);

		if (!values)
			return NULL;
		r->values = values;
		r->room = room;
	}
	return r->values + r->n_rows++ * r->columns.n;
}

union value fleet_result_at(const struct fleet_result *r, size_t row, size_t column)
{
	return r->values[row * r->columns.n + column];
}

void fleet_result_release(struct fleet_result *r)
{
	free(r->values);
	arena_release(&r->arena);
	*r = (struct fleet_result){ .n_rows = 0 };
}

/* ---- for people -------------------------------------------------------------------------------- */

static void plain(struct buffer *out, double value)
{
	if (is_none(value))
		buffer_text(out, "unknown");
	else if (double_floor(value) >= value && value < 1e15)
		buffer_trimmed(out, value, 0);
	else
		buffer_fixed(out, value, 2);
}

static void share(struct buffer *out, double value)
{
	human_percent(out, value * 100);
}

/* 202611 */
static void month(struct buffer *out, double value)
{
	int number = value >= 0 && value < 1000000 ? (int)value : 0;

	buffer_format(out, "%04d-%02d", number / 100, number % 100);
}

static const struct unit_word { const char *end; void (*write)(struct buffer *out, double value); } units[] = {
	{ "_bytes", human_bytes }, { "_seconds", human_seconds }, { "_cores", human_cores }, { "_share", share },
};

static const struct unit_word *unit_of(const char *name)
{
	static const struct unit_word of_month = { "", month };
	size_t n = strlen(name);

	if (strcmp(name, "month") == 0)
		return &of_month;
	for (size_t i = 0; i < countof(units); i++) {
		size_t end = strlen(units[i].end);

		if (n > end && strcmp(name + n - end, units[i].end) == 0)
			return &units[i];
	}
	return NULL;
}

void fleet_result_title(struct buffer *out, const char *name)
{
	const struct unit_word *unit = unit_of(name);
	size_t n = strlen(name) - (unit ? strlen(unit->end) : 0);

	for (size_t i = 0; i < n; i++)
		buffer_char(out, name[i] == '_' ? ' ' : (char)toupper((unsigned char)name[i]));
}

void fleet_result_cell(struct buffer *out, const struct fleet_column *column, union value value)
{
	const struct unit_word *unit = unit_of(column->name);

	if (column->type == VALUE_TEXT)
		buffer_text(out, value.text);
	else
		(unit ? unit->write : plain)(out, value.number);
}

void fleet_result_text(struct buffer *out, const struct fleet_result *r)
{
	size_t n = size_min(r->columns.n, TEXT_TABLE_COLUMNS), words = 0;
	struct text_row *rows = calloc(r->n_rows + 1, sizeof *rows);
	struct buffer text = { 0 };

	if (!rows) {
		out->failed = true;
		return;
	}
	while (words < n && r->columns.at[words].type == VALUE_TEXT)
		words++;
	for (size_t k = 0; k < n; k++) {
		fleet_result_title(&text, r->columns.at[k].name);
		text_table_put(rows[0].cell[k], &text);
	}
	for (size_t i = 0; i < r->n_rows; i++)
		for (size_t k = 0; k < n; k++) {
			fleet_result_cell(&text, &r->columns.at[k], fleet_result_at(r, i, k));
			text_table_put(rows[i + 1].cell[k], &text);
		}
	text_table_write(out, rows, r->n_rows + 1, n, words);
	buffer_release(&text);
	free(rows);
}

/* ---- for programs ------------------------------------------------------------------------------ */

static void row_json(struct json *j, const struct fleet_result *r, size_t row)
{
	json_open(j, '{');
	for (size_t k = 0; k < r->columns.n; k++) {
		union value value = fleet_result_at(r, row, k);

		json_key(j, r->columns.at[k].name);
		if (r->columns.at[k].type == VALUE_TEXT)
			json_text(j, value.text);
		else if (double_floor(value.number) >= value.number && fabs(value.number) < 1e15)
			json_number(j, value.number, 0);
		else
			json_number(j, value.number, 6);
	}
	json_close(j, '}');
}

void fleet_result_rows(struct json *j, const struct fleet_result *r)
{
	json_open(j, '[');
	for (size_t i = 0; i < r->n_rows; i++)
		row_json(j, r, i);
	json_close(j, ']');
}

void fleet_result_json(struct buffer *out, const struct fleet_result *r)
{
	buffer_char(out, '[');
	for (size_t i = 0; i < r->n_rows; i++) {
		struct json j = json_to(out);

		buffer_text(out, i > 0 ? ",\n" : "\n");
		row_json(&j, r, i);
	}
	buffer_text(out, "\n]\n");
}
