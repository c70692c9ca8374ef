/* tree_comparison_text.c - a comparison by which program started which, as text, Markdown and JSON. */
#include "tree_comparison.h"

#include <stdio.h>
#include <string.h>

#include "../text/human.h"
#include "../text/markdown.h"

enum { CELLS = COMPARISON_CELLS + 1, PROCESSES_CELL = CELLS - 2, VERDICT_CELL = CELLS - 1, INDENT_MOST = 20 };

static const double LEAST_SECONDS = 0.01;       /* of CPU time in no branch: less is not worth a line */

/* "new", "gone", "unknown"; NULL: its verdict says it. */
static const char *presence(const struct compared_branch *at)
{
	const struct row *row = &at->c.rows[QUANTITY_cpu_time];

	if (row->failed || (at->seen[0] > 0 && at->seen[1] > 0))
		return NULL;
	return is_none(row->base) || is_none(row->new) ? "unknown" : at->seen[0] == 0 ? "new" : "gone";
}

static void count(struct buffer *out, double n)
{
	if (is_none(n))
		buffer_char(out, '-');
	else
		human_number(out, n);
}

/* "8", or "8 to 9"; nothing where they were counted on no side. */
static void processes_cell(char *cell, const struct row *row)
{
	struct buffer text = { 0 };

	if (!is_none(row->base) || !is_none(row->new))
		count(&text, row->base);
	if (!is_none(row->base) ? row->base != row->new : !is_none(row->new)) {
		buffer_text(&text, " to ");
		count(&text, row->new);
	}
	text_table_put(cell, &text);
	buffer_release(&text);
}

/* A row of CPU time: its name is put by the caller, and cells of the comparison make room for the processes. */
static void cpu_cells(struct text_row *ret, const struct row *row)
{
	comparison_cells(ret, 0, "", UNIT_SECONDS, row);
	memcpy(ret->cell[VERDICT_CELL], ret->cell[COMPARISON_CELLS - 1], sizeof ret->cell[0]);
	ret->cell[PROCESSES_CELL][0] = '\0';
}

static void branch_row(struct text_row *ret, const struct tree_comparison *c, size_t i)
{
	const struct common_branch *b = &c->branches.at[i];
	const char *word = presence(&c->at[i]);
	struct buffer text = { 0 };

	cpu_cells(ret, &c->at[i].c.rows[QUANTITY_cpu_time]);
	for (size_t level = 0; level < size_min(b->level, INDENT_MOST); level++)
		buffer_text(&text, "  ");
	if (b->level > INDENT_MOST)
		buffer_format(&text, "(level %zu) ", b->level + 1);
	common_branch_name(&text, b);
	text_table_put(ret->cell[0], &text);
	processes_cell(ret->cell[PROCESSES_CELL], &c->at[i].processes);
	if (word)
		(void)snprintf(ret->cell[VERDICT_CELL], sizeof ret->cell[0], "%s", word);
	buffer_release(&text);
}

static void named_row(struct text_row *ret, const char *name, const struct row *row)
{
	cpu_cells(ret, row);
	(void)snprintf(ret->cell[0], sizeof ret->cell[0], "%s", name);
}

static bool counts(double seconds)
{
	return fabs(seconds) >= LEAST_SECONDS;
}

/* Titles, a row for each branch, what no branch has, and the whole.  NULL: out of memory. */
static struct text_row *all_rows(const struct tree_comparison *c, size_t *ret_n)
{
	static const struct text_row titles = { { "PROGRAM", "BASE", "NEW", "CHANGE", "PROCESSES", "VERDICT" } };
	struct text_row *rows = calloc(c->branches.n + 3, sizeof *rows);
	size_t n = 0;

	if (!rows)
		return NULL;
	rows[n++] = titles;
	for (size_t i = 0; i < c->branches.n; i++)
		branch_row(&rows[n++], c, i);
	if (counts(c->short_lived.base) || counts(c->short_lived.new))
		named_row(&rows[n++], "(short-lived)", &c->short_lived);
	named_row(&rows[n++], "the job", &c->job);
	*ret_n = n;
	return rows;
}

static void notes(struct buffer *out, const struct tree_comparison *c, const char *before)
{
	if (c->base->n > 1 || c->new->n > 1)
		buffer_format(out, "%sMedians of several runs: a program and those that it started need not add up; means do (--json)\n", before);
	if (c->branches.folded > 0)
		buffer_format(out, "%s%zu program%s with others: a record has at most %d by themselves, and not all records have the same\n",
			      before, c->branches.folded, c->branches.folded == 1 ? " is" : "s are", BRANCH_MAX);
	if (c->uncounted > 0)
		buffer_format(out, "%s%zu of %zu runs could not count processes: one that no sample saw is in (short-lived)\n", before,
			      c->uncounted, c->branches.runs);
}

/* The result of each condition, and the branches that met it. */
static void outcome(struct buffer *out, const struct tree_comparison *c, bool markdown)
{
	struct buffer path = { 0 };

	for (size_t i = 0; i < c->n_conditions; i++) {
		size_t met = 0;

		buffer_format(out, markdown ? "- `%s`: " : "%s: ", c->conditions[i].text);
		for (size_t k = 0; k < c->branches.n; k++) {
			if (!c->at[k].c.met[i])
				continue;
			buffer_text(out, met++ == 0 ? "FAILED by " : ", ");
			buffer_clear(&path);
			common_branch_path(&path, &c->branches, k);
			buffer_char(&path, '\0');
			if (markdown && !path.failed)
				markdown_plain(out, path.at);
			else if (!path.failed)
				buffer_text(out, path.at);
		}
		buffer_text(out, met > 0 ? "\n" : "ok\n");
	}
	buffer_release(&path);
}

void tree_comparison_text(struct buffer *out, const struct tree_comparison *c)
{
	size_t n;
	struct text_row *rows = all_rows(c, &n);

	if (!rows) {
		buffer_text(out, "out of memory\n");
		return;
	}
	buffer_text(out, "CPU time of each program with all that it started:\n");
	text_table_write(out, rows, n, CELLS, 1);
	free(rows);
	notes(out, c, "");
	outcome(out, c, false);
}

/* Spaces at the beginning of a cell are lost in Markdown. */
static void markdown_name(struct buffer *out, const struct tree_comparison *c, size_t i, const char *name)
{
	for (size_t level = 0; i < c->branches.n && level < size_min(c->branches.at[i].level, INDENT_MOST); level++)
		buffer_text(out, "&emsp;");
	markdown_plain(out, name + strspn(name, " "));
}

void tree_comparison_markdown(struct buffer *out, const struct tree_comparison *c)
{
	size_t n;
	struct text_row *rows = all_rows(c, &n);

	if (!rows) {
		buffer_text(out, "out of memory\n");
		return;
	}
	buffer_text(out, "### CPU time of each program with all that it started\n\n"
			 "| | base | new | change | processes | |\n|---|---:|---:|---:|---:|---|\n");
	for (size_t row = 1; row < n; row++) {
		bool failed = strcmp(rows[row].cell[VERDICT_CELL], "FAILED") == 0;

		buffer_text(out, "| ");
		markdown_name(out, c, row - 1, rows[row].cell[0]);
		for (size_t k = 1; k < CELLS; k++)
			buffer_format(out, " | %s%s%s", failed ? "**" : "", rows[row].cell[k], failed ? "**" : "");
		buffer_text(out, " |\n");
	}
	free(rows);
	buffer_char(out, '\n');
	notes(out, c, "- ");
	outcome(out, c, true);
}

static void row_json(struct json *j, const char *key, const struct row *row)
{
	json_key(j, key);
	comparison_row_json(j, row);
}

static void means_json(struct json *j, const char *key, const double mean[2])
{
	json_member_open(j, key, '[');
	for (size_t which = 0; which < 2; which++)
		json_number(j, mean[which], 6);
	json_close(j, ']');
}

static void branch_json(struct json *j, const struct common_branch *b, const struct compared_branch *at)
{
	static const char *const kinds[KIND_COUNT] = {
		[KIND_PROGRAM] = "program", [KIND_OTHERS] = "others", [KIND_NO_PARENT] = "parent_unknown",
	};

	json_open(j, '{');
	json_member_i64(j, "parent", b->parent);
	json_member_text(j, "program", b->name[0] ? b->name : NULL);
	json_member_word(j, "kind", kinds[b->kind]);
	json_member_u64(j, "base_runs", at->seen[0]);
	json_member_u64(j, "new_runs", at->seen[1]);
	json_member_bool(j, "failed", at->c.failed);
	row_json(j, "cpu_time", &at->c.rows[QUANTITY_cpu_time]);
	row_json(j, "own_cpu_time", &at->own_cpu_time);
	row_json(j, "processes", &at->processes);
	row_json(j, "largest_process", &at->c.rows[QUANTITY_largest_process]);
	means_json(j, "mean_cpu_time", at->mean);
	means_json(j, "mean_own_cpu_time", at->own_mean);
	json_close(j, '}');
}

void tree_comparison_json(struct buffer *out, const struct tree_comparison *c)
{
	struct json j = json_to(out);

	json_open(&j, '{');
	json_member_text(&j, "by", "tree");
	json_member_u64(&j, "base_runs", c->base->n);
	json_member_u64(&j, "new_runs", c->new->n);
	json_member_u64(&j, "uncounted_runs", c->uncounted);
	json_member_bool(&j, "failed", c->failed);
	json_member_open(&j, "conditions", '[');
	for (size_t i = 0; i < c->n_conditions; i++) {
		bool met = false;

		for (size_t k = 0; k < c->branches.n; k++)
			met = met || c->at[k].c.met[i];
		comparison_condition_json(&j, &c->conditions[i], met);
	}
	json_close(&j, ']');
	row_json(&j, "cpu_time", &c->job);
	row_json(&j, "short_lived_cpu_time", &c->short_lived);
	means_json(&j, "mean_cpu_time", c->job_mean);
	means_json(&j, "mean_short_lived_cpu_time", c->short_lived_mean);
	json_member_open(&j, "branches", '[');
	for (size_t i = 0; i < c->branches.n; i++)
		branch_json(&j, &c->branches.at[i], &c->at[i]);
	json_close(&j, ']');
	json_close(&j, '}');
	buffer_char(out, '\n');
}
