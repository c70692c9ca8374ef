/* comparison_text.c - a comparison as people and programs read it. */
#include "comparison.h"

#include <string.h>

#include "../core/json_write.h"
#include "../record/human.h"

enum { COLUMNS = 5, CELL_SIZE = 48 };

struct cells { char text[COLUMNS][CELL_SIZE]; };

static void put(char cell[CELL_SIZE], struct buffer *text)
{
	size_t n = text->failed ? 0 : size_min(text->len, CELL_SIZE - 1);

	if (n > 0)
		memcpy(cell, text->at, n);
	cell[n] = '\0';
	buffer_clear(text);
}

static void value(struct buffer *out, enum unit unit, double x)
{
	if (is_none(x))
		buffer_text(out, "-");
	else if (unit == UNIT_BYTES)
		human_bytes(out, x);
	else if (unit == UNIT_SECONDS)
		human_seconds(out, x);
	else
		human_cores(out, x);
}

/* The median, and for several runs how far they are apart. */
static void side(struct buffer *out, enum unit unit, double median, double spread)
{
	value(out, unit, median);
	if (is_none(spread))
		return;
	buffer_text(out, " (spread ");
	value(out, unit, spread);
	buffer_char(out, ')');
}

static struct cells cells_of(const struct row *row, enum quantity q)
{
	struct cells c = { { "" } };
	struct buffer text = { 0 };

	buffer_text(&text, quantities[q].name);
	put(c.text[0], &text);
	side(&text, quantities[q].unit, row->base, row->base_spread);
	put(c.text[1], &text);
	side(&text, quantities[q].unit, row->new, row->new_spread);
	put(c.text[2], &text);
	if (!is_none(row->change_percent)) {
		buffer_text(&text, row->change_percent < 0 ? "-" : "+");
		buffer_fixed(&text, fabs(row->change_percent), 1);
		buffer_text(&text, " %");
	}
	put(c.text[3], &text);
	buffer_text(&text, row->failed ? "FAILED" : verdicts[row->verdict]);
	put(c.text[4], &text);
	buffer_release(&text);
	return c;
}

static bool known(const struct row *row)
{
	return !is_none(row->base) || !is_none(row->new);
}

static void outcome(struct buffer *out, const struct comparison *c, const char *before, const char *after)
{
	const struct { const char *name; const struct side *side; } sides[] = { { "base", c->base }, { "new", c->new } };

	for (size_t i = 0; i < countof(sides); i++)
		if (sides[i].side->failed > 0)
			buffer_format(out, "%s%zu of %zu %s run%s did not succeed%s\n", before, sides[i].side->failed,
				      sides[i].side->n, sides[i].name, sides[i].side->n == 1 ? "" : "s", after);
	for (size_t i = 0; i < c->n_conditions; i++)
		buffer_format(out, "%s%s: %s%s\n", before, c->conditions[i].text, c->met[i] ? "FAILED" : "ok", after);
}

void comparison_text(struct buffer *out, const struct comparison *c)
{
	struct cells rows[QUANTITY_COUNT + 1] = { { { "QUANTITY", "BASE", "NEW", "CHANGE", "VERDICT" } } };
	size_t widths[COLUMNS] = { 0 }, n = 1;

	for (enum quantity q = 0; q < QUANTITY_COUNT; q++)
		if (known(&c->rows[q]))
			rows[n++] = cells_of(&c->rows[q], q);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < COLUMNS; k++)
			widths[k] = size_max(widths[k], strlen(rows[i].text[k]));
	for (size_t i = 0; i < n; i++) {
		buffer_format(out, "%-*s", (int)widths[0], rows[i].text[0]);
		for (size_t k = 1; k + 1 < COLUMNS; k++)
			buffer_format(out, "  %*s", (int)widths[k], rows[i].text[k]);
		buffer_format(out, "  %s\n", rows[i].text[COLUMNS - 1]);
	}
	outcome(out, c, "", "");
}

void comparison_markdown(struct buffer *out, const struct comparison *c)
{
	buffer_format(out, "### Compared: %zu run%s before, %zu after\n\n", c->base->n, c->base->n == 1 ? "" : "s", c->new->n);
	buffer_text(out, "| | base | new | change | |\n|---|---:|---:|---:|---|\n");
	for (enum quantity q = 0; q < QUANTITY_COUNT; q++) {
		struct cells cells = cells_of(&c->rows[q], q);

		if (!known(&c->rows[q]))
			continue;
		for (size_t k = 0; k < COLUMNS; k++)
			buffer_format(out, "| %s%s%s ", c->rows[q].failed && k > 0 ? "**" : "", cells.text[k],
				      c->rows[q].failed && k > 0 ? "**" : "");
		buffer_text(out, "|\n");
	}
	buffer_char(out, '\n');
	outcome(out, c, "- `", "`");
}

static void member(struct json *j, const char *key, double x)
{
	json_key(j, key);
	json_number(j, x, 6);
}

static void row_json(struct json *j, const struct row *row)
{
	json_open(j, '{');
	member(j, "base", row->base);
	member(j, "new", row->new);
	member(j, "base_spread", row->base_spread);
	member(j, "new_spread", row->new_spread);
	member(j, "change_percent", row->change_percent);
	json_key(j, "verdict");
	json_text(j, verdicts[row->verdict]);
	json_key(j, "failed");
	json_bool(j, row->failed);
	json_close(j, '}');
}

void comparison_json(struct buffer *out, const struct comparison *c)
{
	struct json j = json_to(out);

	json_open(&j, '{');
	json_key(&j, "base_runs");
	json_u64(&j, c->base->n);
	json_key(&j, "new_runs");
	json_u64(&j, c->new->n);
	json_key(&j, "base_not_succeeded");
	json_u64(&j, c->base->failed);
	json_key(&j, "new_not_succeeded");
	json_u64(&j, c->new->failed);
	json_key(&j, "failed");
	json_bool(&j, c->failed);
	json_key(&j, "conditions");
	json_open(&j, '[');
	for (size_t i = 0; i < c->n_conditions; i++) {
		json_open(&j, '{');
		json_key(&j, "condition");
		json_text(&j, c->conditions[i].text);
		json_key(&j, "failed");
		json_bool(&j, c->met[i]);
		json_close(&j, '}');
	}
	json_close(&j, ']');
	json_key(&j, "quantities");
	json_open(&j, '{');
	for (enum quantity q = 0; q < QUANTITY_COUNT; q++) {
		json_key(&j, quantities[q].name);
		row_json(&j, &c->rows[q]);
	}
	json_close(&j, '}');
	json_close(&j, '}');
	buffer_char(out, '\n');
}
