/* export_jsonl.c - JSON Lines: one object for each row, with the names of the record. */
#include "export.h"

#include <string.h>

#include "../core/json_write.h"
#include "../core/layouts.h"

static bool shown(const struct metric *m, bool maxima)
{
	return maxima ? m->kind == KIND_LEVEL : export_metric(m);
}

static void write_number(struct json *j, const struct metric *m, double value)
{
	json_number(j, value, export_decimals(m, value));
}

static void write_totals(struct json *j, const struct sample *s, bool maxima)
{
	const struct table_info *info = &tables[TABLE_TOTAL];
	struct rows rows = sample_rows(s, TABLE_TOTAL);
	struct buffer name = { 0 };

	for (size_t i = 0; i < info->n_metrics; i++) {
		const struct metric *m = &info->metrics[i];

		if (!shown(m, maxima))
			continue;
		buffer_clear(&name);
		buffer_text(&name, m->group);
		buffer_char(&name, '.');
		buffer_bytes(&name, m->name, strlen(m->name) + 1);
		json_key(j, name.failed ? "" : name.at);
		write_number(j, m, row_value(rows, 0, m));
	}
	for (size_t i = 0; i < info->n_labels && !maxima; i++) {
		const struct label *l = &info->labels[i];

		buffer_clear(&name);
		buffer_format(&name, "%s.%s", l->group, l->name);
		buffer_char(&name, '\0');
		json_member_text(j, name.failed ? "" : name.at,
				 *row_label(rows, 0, l) ? row_label(rows, 0, l) : NULL);
	}
	buffer_release(&name);
}

static void write_row(struct json *j, const struct table_info *info, struct rows rows, size_t i, bool maxima)
{
	json_open(j, '{');
	json_member_text(j, "key", row_key(rows, i));
	for (size_t k = 0; k < info->n_labels && !maxima; k++) {
		const char *text = row_label(rows, i, &info->labels[k]);

		json_member_text(j, info->labels[k].name, *text ? text : NULL);
	}
	for (size_t k = 0; k < info->n_metrics; k++)
		if (shown(&info->metrics[k], maxima)) {
			json_key(j, info->metrics[k].name);
			write_number(j, &info->metrics[k], row_value(rows, i, &info->metrics[k]));
		}
	json_close(j, '}');
}

static void write_sample(struct json *j, const struct sample *s, bool maxima)
{
	write_totals(j, s, maxima);
	for (enum table t = 0; t < TABLE_COUNT; t++) {
		struct rows rows = sample_rows(s, t);

		if (!export_table(t) || rows.n == 0)
			continue;
		json_member_open(j, tables[t].name, '[');
		for (size_t i = 0; i < rows.n; i++)
			write_row(j, &tables[t], rows, i, maxima);
		json_close(j, ']');
	}
}

static int row(struct export *e)
{
	struct json j = json_to(&e->out);

	json_open(&j, '{');
	json_member_text(&j, "run", e->name);
	json_key(&j, "timestamp");
	timestamp_write(&e->out, e->sample->wall_ns, 6);
	j.comma = true;
	json_member_number(&j, "t", (double)e->sample->monotonic_ns / 1e9, 6);
	json_member_number(&j, "seconds", e->sample->interval_seconds, 6);
	json_member_u64(&j, "samples", e->samples);
	write_sample(&j, e->sample, false);
	if (e->maxima) {
		json_member_open(&j, "maxima", '{');
		write_sample(&j, e->maxima, true);
		json_close(&j, '}');
	}
	json_close(&j, '}');
	buffer_char(&e->out, '\n');
	return 0;
}

const struct export_form export_jsonl = {
	.name = "jsonl", .help = "JSON Lines, an object for each row with all that it holds", .several = true, .row = row,
};
