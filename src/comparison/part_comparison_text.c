/* part_comparison_text.c - a comparison part by part, as text and JSON. */
#include "part_comparison.h"

#include <stdio.h>
#include <string.h>

#include "../summary/summary_parts.h"
#include "../text/human.h"
#include "../text/markdown.h"

enum { CELLS = COMPARISON_CELLS + 1, ROWS_OF_PART = QUANTITY_COUNT + 1, NAME_WIDTH = 40 };

/* Quantities that are known on both sides and changed, and the main one in any case. */
static bool worth_a_row(const struct row *row, bool measure)
{
	return row->failed || (measure && (!is_none(row->base) || !is_none(row->new))) ||
	       (row->verdict != VERDICT_SAME && row->verdict != VERDICT_UNKNOWN);
}

static const char *count_word(enum parts_of what)
{
	return what == PARTS_PROGRAMS ? "started" : "entries";
}

/* The part's rows, with its name in the first.  Returns how many. */
static size_t rows_of(struct text_row rows[ROWS_OF_PART], const struct compared_part *part, enum parts_of what,
		      const char *name)
{
	const char *alone = part->base.n == 0 ? "new" : part->new.n == 0 ? "gone" : NULL;
	size_t n = 0;

	for (enum quantity q = 0; q < QUANTITY_COUNT; q++)
		if (worth_a_row(&part->c.rows[q], q == part_measure(what)))
			comparison_cells(&rows[n++], 1, quantities[q].name, quantities[q].unit, &part->c.rows[q]);
	if (worth_a_row(&part->count, n == 0))
		comparison_cells(&rows[n++], 1, count_word(what), UNIT_COUNT, &part->count);
	for (size_t i = 0; i < n; i++)
		(void)snprintf(rows[i].cell[0], sizeof rows[i].cell[0], "%s", i == 0 ? name : "");
	for (size_t i = 0; alone && i < n; i++)
		if (strcmp(rows[i].cell[CELLS - 1], "FAILED") != 0)
			(void)snprintf(rows[i].cell[CELLS - 1], sizeof rows[i].cell[0], "%s", alone);
	return n;
}

/* The result of each condition, and the parts that met it. */
static void outcome(struct buffer *out, const struct part_comparison *c, const char *before, bool markdown)
{
	for (size_t i = 0; i < c->n_conditions; i++) {
		size_t met = 0;

		buffer_format(out, markdown ? "%s`%s`: " : "%s%s: ", before, c->conditions[i].text);
		for (size_t k = 0; k < c->n; k++) {
			if (!c->parts[k]->c.met[i])
				continue;
			buffer_text(out, met++ == 0 ? "FAILED by " : ", ");
			if (markdown)
				markdown_plain(out, c->parts[k]->name);
			else
				human_word(out, c->parts[k]->name, strlen(c->parts[k]->name), true);
		}
		buffer_text(out, met > 0 ? "\n" : "ok\n");
	}
}

static struct text_row *all_rows(const struct part_comparison *c, size_t *ret)
{
	struct text_row *rows = calloc(1 + c->n * ROWS_OF_PART, sizeof *rows);
	struct buffer name = { 0 };

	*ret = 0;
	for (size_t i = 0; rows && i < c->n; i++) {
		char cell[TEXT_TABLE_CELL];

		human_word(&name, c->parts[i]->name, strlen(c->parts[i]->name), true);
		phrase_fit(&name, NAME_WIDTH, true);
		text_table_put(cell, &name);
		*ret += rows_of(rows + 1 + *ret, c->parts[i], c->what, cell);
	}
	buffer_release(&name);
	return rows;
}

void part_comparison_text(struct buffer *out, const struct part_comparison *c)
{
	static const char *const titles[CELLS] = { "", "QUANTITY", "BASE", "NEW", "CHANGE", "VERDICT" };
	size_t n;
	struct text_row *rows = all_rows(c, &n);

	if (!rows || n == 0) {
		buffer_format(out, rows ? "no %s on either side\n" : "out of memory: no %s\n", part_word(c->what, true));
		free(rows);
		return;
	}
	for (size_t k = 0; k < CELLS; k++)
		(void)snprintf(rows[0].cell[k], sizeof rows[0].cell[k], "%s",
			       k > 0 ? titles[k] : c->what == PARTS_PROGRAMS ? "PROGRAM" : "REGION");
	text_table_write(out, rows, n + 1, CELLS, 2);
	free(rows);
	outcome(out, c, "", false);
}

void part_comparison_markdown(struct buffer *out, const struct part_comparison *c)
{
	buffer_format(out, "### Compared by %s\n\n| | | base | new | change | |\n|---|---|---:|---:|---:|---|\n",
		      part_word(c->what, false));
	for (size_t i = 0; i < c->n; i++) {
		struct text_row rows[ROWS_OF_PART] = { 0 };
		size_t n = rows_of(rows, c->parts[i], c->what, "");

		for (size_t row = 0; row < n; row++) {
			buffer_text(out, "| ");
			if (row == 0)
				markdown_plain(out, c->parts[i]->name);
			for (size_t k = 1; k < CELLS; k++) {
				bool failed = k > 1 && strcmp(rows[row].cell[CELLS - 1], "FAILED") == 0;

				buffer_format(out, " | %s%s%s", failed ? "**" : "", rows[row].cell[k], failed ? "**" : "");
			}
			buffer_text(out, " |\n");
		}
	}
	buffer_char(out, '\n');
	outcome(out, c, "- ", true);
}

static void part_json(struct json *j, const struct compared_part *part, enum parts_of what)
{
	json_open(j, '{');
	json_member_text(j, "name", part->name);
	json_member_u64(j, "base_runs", part->base.n);
	json_member_u64(j, "new_runs", part->new.n);
	json_member_bool(j, "failed", part->c.failed);
	json_key(j, count_word(what));
	comparison_row_json(j, &part->count);
	json_member_open(j, "quantities", '{');
	for (enum quantity q = 0; q < QUANTITY_COUNT; q++)
		if (!is_none(part->c.rows[q].base) || !is_none(part->c.rows[q].new)) {
			json_key(j, quantities[q].name);
			comparison_row_json(j, &part->c.rows[q]);
		}
	json_close(j, '}');
	json_close(j, '}');
}

void part_comparison_json(struct buffer *out, const struct part_comparison *c)
{
	struct json j = json_to(out);

	json_open(&j, '{');
	json_member_text(&j, "by", part_word(c->what, false));
	json_member_bool(&j, "failed", c->failed);
	json_member_open(&j, "conditions", '[');
	for (size_t i = 0; i < c->n_conditions; i++) {
		bool met = false;

		for (size_t k = 0; k < c->n; k++)
			met = met || c->parts[k]->c.met[i];
		comparison_condition_json(&j, &c->conditions[i], met);
	}
	json_close(&j, ']');
	json_member_open(&j, part_word(c->what, true), '[');
	for (size_t i = 0; i < c->n; i++)
		part_json(&j, c->parts[i], c->what);
	json_close(&j, ']');
	json_close(&j, '}');
	buffer_char(out, '\n');
}
