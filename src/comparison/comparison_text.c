/* comparison_text.c - a comparison as text and JSON. */
#include "comparison.h"

#include "../text/human.h"

static void value(struct buffer *out, enum unit unit, double x)
{
	if (is_none(x)) {
		buffer_text(out, "-");
		return;
	}
	if (x < 0)
		buffer_char(out, '-');
	x = fabs(x);
	if (unit == UNIT_BYTES)
		human_bytes(out, x);
	else if (unit == UNIT_SECONDS)
		human_seconds(out, x);
	else if (unit == UNIT_COUNT)
		human_number(out, x);
	else
		human_cores(out, x);
}

/* The median, and the spread if there are several runs. */
static void side(struct buffer *out, enum unit unit, double median, double spread)
{
	value(out, unit, median);
	if (is_none(spread))
		return;
	buffer_text(out, " (spread ");
	value(out, unit, spread);
	buffer_char(out, ')');
}

void comparison_cells(struct text_row *ret, size_t first, const char *name, enum unit unit, const struct row *row)
{
	struct buffer text = { 0 };

	buffer_format(&text, "%s%s", name, basis_words(row->basis));
	text_table_put(ret->cell[first], &text);
	side(&text, unit, row->base, row->base_spread);
	text_table_put(ret->cell[first + 1], &text);
	side(&text, unit, row->new, row->new_spread);
	text_table_put(ret->cell[first + 2], &text);
	if (!is_none(row->change_percent)) {
		buffer_text(&text, row->change_percent < 0 ? "-" : "+");
		buffer_fixed(&text, fabs(row->change_percent), 1);
		buffer_text(&text, " %");
	}
	text_table_put(ret->cell[first + 3], &text);
	buffer_text(&text, row->failed ? "FAILED" : verdicts[row->verdict]);
	text_table_put(ret->cell[first + 4], &text);
	buffer_release(&text);
}

static bool known(const struct row *row)
{
	return !is_none(row->base) || !is_none(row->new);
}

static void mixed(struct buffer *out, const struct row rows[QUANTITY_COUNT], const char *before, const char *after)
{
	size_t n = 0;

	for (enum quantity q = 0; q < QUANTITY_COUNT; q++)
		if (rows[q].mixed)
			buffer_format(out, "%s%s", n++ > 0 ? ", " : before, quantities[q].name);
	if (n > 0)
		buffer_format(out, ": not compared, " COMPARISON_MIXED "%s\n", after);
}

static void outcome(struct buffer *out, const struct comparison *c, const char *before, const char *after)
{
	const struct { const char *name; const struct side *side; } sides[] = { { "base", c->base }, { "new", c->new } };

	for (size_t i = 0; i < countof(sides); i++)
		if (sides[i].side->failed > 0)
			buffer_format(out, "%s%zu of %zu %s run%s did not succeed%s\n", before, sides[i].side->failed,
				      sides[i].side->n, sides[i].name, sides[i].side->n == 1 ? "" : "s", after);
	mixed(out, c->rows, before, after);
	for (size_t i = 0; i < c->n_conditions; i++)
		buffer_format(out, "%s%s: %s%s\n", before, c->conditions[i].text, c->met[i] ? "FAILED" : "ok", after);
}

void comparison_text(struct buffer *out, const struct comparison *c)
{
	struct text_row rows[QUANTITY_COUNT + 1] = { { { "QUANTITY", "BASE", "NEW", "CHANGE", "VERDICT" } } };
	size_t n = 1;

	for (enum quantity q = 0; q < QUANTITY_COUNT; q++)
		if (known(&c->rows[q]))
			comparison_cells(&rows[n++], 0, quantities[q].name, quantities[q].unit, &c->rows[q]);
	text_table_write(out, rows, n, COMPARISON_CELLS, 1);
	outcome(out, c, "", "");
}

void comparison_markdown(struct buffer *out, const struct comparison *c)
{
	buffer_format(out, "### Compared: %zu run%s before, %zu after\n\n", c->base->n, c->base->n == 1 ? "" : "s", c->new->n);
	buffer_text(out, "| | base | new | change | |\n|---|---:|---:|---:|---|\n");
	for (enum quantity q = 0; q < QUANTITY_COUNT; q++) {
		struct text_row row = { 0 };

		if (!known(&c->rows[q]))
			continue;
		comparison_cells(&row, 0, quantities[q].name, quantities[q].unit, &c->rows[q]);
		for (size_t k = 0; k < COMPARISON_CELLS; k++)
			buffer_format(out, "| %s%s%s ", c->rows[q].failed && k > 0 ? "**" : "", row.cell[k],
				      c->rows[q].failed && k > 0 ? "**" : "");
		buffer_text(out, "|\n");
	}
	buffer_char(out, '\n');
	outcome(out, c, "- `", "`");
}

static void member(struct json *j, const char *key, double x)
{
	json_member_number(j, key, x, 6);
}

void comparison_row_json(struct json *j, const struct row *row)
{
	json_open(j, '{');
	member(j, "base", row->base);
	member(j, "new", row->new);
	member(j, "base_spread", row->base_spread);
	member(j, "new_spread", row->new_spread);
	member(j, "change_percent", row->change_percent);
	json_member_text(j, "basis", basis_names[row->basis]);
	json_member_text(j, "verdict", verdicts[row->verdict]);
	json_member_bool(j, "failed", row->failed);
	json_close(j, '}');
}

void comparison_condition_json(struct json *j, const struct condition *condition, bool met)
{
	json_open(j, '{');
	json_member_text(j, "condition", condition->text);
	json_member_bool(j, "failed", met);
	json_close(j, '}');
}

void comparison_json(struct buffer *out, const struct comparison *c)
{
	struct json j = json_to(out);

	json_open(&j, '{');
	json_member_u64(&j, "base_runs", c->base->n);
	json_member_u64(&j, "new_runs", c->new->n);
	json_member_u64(&j, "base_not_succeeded", c->base->failed);
	json_member_u64(&j, "new_not_succeeded", c->new->failed);
	json_member_bool(&j, "failed", c->failed);
	json_member_open(&j, "conditions", '[');
	for (size_t i = 0; i < c->n_conditions; i++)
		comparison_condition_json(&j, &c->conditions[i], c->met[i]);
	json_close(&j, ']');
	json_member_open(&j, "quantities", '{');
	for (enum quantity q = 0; q < QUANTITY_COUNT; q++) {
		json_key(&j, quantities[q].name);
		comparison_row_json(&j, &c->rows[q]);
	}
	json_close(&j, '}');
	json_close(&j, '}');
	buffer_char(out, '\n');
}
