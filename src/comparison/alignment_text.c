/* alignment_text.c - the differences between two trackers, as text and JSON. */
#include "alignment.h"

#include <stdio.h>
#include <string.h>

#include "../text/human.h"
#include "../text/markdown.h"
#include "../text/shown.h"
#include "../text/text_table.h"

enum { CELLS = 9, NAME_SIZE = 96 };

static const char *const titles[CELLS] = {
	"METRIC", "MEAN A", "MEAN B", "SPREAD A", "SPREAD B", "RANGE A", "RANGE B", "DIFFERENCE", "DEVIATION",
};

static void metric_name(char name[NAME_SIZE], const struct metric *m)
{
	(void)snprintf(name, NAME_SIZE, "%s.%s%s", m->group, m->name, m->kind == KIND_AMOUNT ? "/s" : "");
}

static void value(struct buffer *out, const struct metric *m, double x)
{
	if (is_none(x))
		buffer_char(out, '-');
	else if (m->unit == UNIT_BYTES)
		human_bytes(out, x);
	else
		human_cores(out, x);
}

static struct text_row row_of(const struct aligned *a, const struct metric *m)
{
	struct text_row row = { 0 };
	struct buffer text = { 0 };
	const double values[] = { a->mean[0], a->mean[1], a->spread[0], a->spread[1] };
	char name[NAME_SIZE];

	metric_name(name, m);
	buffer_text(&text, name);
	text_table_put(row.cell[0], &text);
	for (size_t i = 0; i < countof(values); i++) {
		value(&text, m, values[i]);
		text_table_put(row.cell[1 + i], &text);
	}
	for (size_t i = 0; i < 2; i++) {
		value(&text, m, a->least[i]);
		buffer_text(&text, " to ");
		value(&text, m, a->most[i]);
		text_table_put(row.cell[5 + i], &text);
	}
	value(&text, m, a->difference);
	text_table_put(row.cell[7], &text);
	if (!is_none(a->deviation_percent))
		human_percent(&text, a->deviation_percent);
	text_table_put(row.cell[8], &text);
	buffer_release(&text);
	return row;
}

static void side_words(struct buffer *out, const struct alignment *a, size_t i)
{
	buffer_text(out, ": ");
	human_count(out, (double)a->joined, "row", "rows");
	buffer_format(out, " joined, %zu alone%s", a->alone[i], a->whole_seconds[i] ? ", times cut to whole seconds" : "");
}

void alignment_text(struct buffer *out, const struct alignment *a, const char *const names[2])
{
	const struct table_info *info = &tables[TABLE_TOTAL];
	struct text_row *rows = calloc(info->n_metrics + 1, sizeof *rows);
	size_t n = 1;

	for (size_t i = 0; i < 2; i++) {
		buffer_format(out, "%c  %s", i == 0 ? 'A' : 'B', show_path(names[i]).text);
		side_words(out, a, i);
		buffer_char(out, '\n');
	}
	if (!rows)
		return;
	for (size_t k = 0; k < CELLS; k++)
		(void)snprintf(rows[0].cell[k], sizeof rows[0].cell[k], "%s", titles[k]);
	for (size_t i = 0; i < info->n_metrics; i++)
		if (a->of[i].n > 0)
			rows[n++] = row_of(&a->of[i], &info->metrics[i]);
	text_table_write(out, rows, n, CELLS, 1);
	free(rows);
}

void alignment_markdown(struct buffer *out, const struct alignment *a, const char *const names[2])
{
	const struct table_info *info = &tables[TABLE_TOTAL];

	for (size_t i = 0; i < 2; i++) {
		buffer_format(out, "- %c is ", i == 0 ? 'A' : 'B');
		markdown_code(out, names[i], strlen(names[i]));
		side_words(out, a, i);
		buffer_char(out, '\n');
	}
	buffer_text(out, "\n|");
	for (size_t k = 0; k < CELLS; k++)
		buffer_format(out, " %s |", titles[k]);
	buffer_text(out, "\n|---|");
	for (size_t k = 1; k < CELLS; k++)
		buffer_text(out, "---:|");
	buffer_char(out, '\n');
	for (size_t i = 0; i < info->n_metrics; i++) {
		if (a->of[i].n == 0)
			continue;

		struct text_row row = row_of(&a->of[i], &info->metrics[i]);

		for (size_t k = 0; k < CELLS; k++)
			buffer_format(out, "%s %s |", k == 0 ? "|" : "", row.cell[k]);
		buffer_char(out, '\n');
	}
}

static void numbers(struct json *j, const char *key, const double value[2])
{
	json_member_open(j, key, '[');
	json_number(j, value[0], 6);
	json_number(j, value[1], 6);
	json_close(j, ']');
}

static void side_json(struct json *j, const struct alignment *a, const char *name, size_t i)
{
	json_open(j, '{');
	json_member_text(j, "name", name);
	json_member_u64(j, "alone", a->alone[i]);
	json_member_bool(j, "whole_seconds", a->whole_seconds[i]);
	json_close(j, '}');
}

void alignment_json(struct buffer *out, const struct alignment *a, const char *const names[2])
{
	const struct table_info *info = &tables[TABLE_TOTAL];
	struct json j = json_to(out);
	char name[NAME_SIZE];

	json_open(&j, '{');
	json_member_u64(&j, "joined", a->joined);
	json_member_open(&j, "sides", '[');
	for (size_t i = 0; i < 2; i++)
		side_json(&j, a, names[i], i);
	json_close(&j, ']');
	json_member_open(&j, "metrics", '{');
	for (size_t i = 0; i < info->n_metrics; i++) {
		const struct aligned *of = &a->of[i];

		if (of->n == 0)
			continue;
		metric_name(name, &info->metrics[i]);
		json_member_open(&j, name, '{');
		json_member_text(&j, "unit", unit_name(info->metrics[i].unit));
		json_member_u64(&j, "rows", of->n);
		numbers(&j, "mean", of->mean);
		numbers(&j, "spread", of->spread);
		numbers(&j, "least", of->least);
		numbers(&j, "most", of->most);
		json_member_number(&j, "mean_absolute_difference", of->difference, 6);
		json_member_number(&j, "deviation_percent", of->deviation_percent, 6);
		json_close(&j, '}');
	}
	json_close(&j, '}');
	json_close(&j, '}');
	buffer_char(out, '\n');
}
