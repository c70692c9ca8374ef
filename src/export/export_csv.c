/* export_csv.c - a table: the layouts that the recorder writes, or every total of a row. */
#include "export.h"

#include "../core/layouts.h"

static const struct table_info *const totals = &tables[TABLE_TOTAL];

static int begin(struct export *e)
{
	if (e->layout != CSV_LAYOUTS) {
		sample_write_csv_header(&e->out, e->layout);
		return 0;
	}
	buffer_text(&e->out, "timestamp,t,seconds,samples");
	for (size_t i = 0; i < totals->n_metrics; i++)
		if (export_metric(&totals->metrics[i]))
			buffer_format(&e->out, ",%s.%s", totals->metrics[i].group, totals->metrics[i].name);
	buffer_char(&e->out, '\n');
	return 0;
}

static void write_all(struct export *e)
{
	struct rows rows = sample_rows(e->sample, TABLE_TOTAL);

	timestamp_write(&e->out, e->sample->wall_ns, 6);
	buffer_char(&e->out, ',');
	buffer_trimmed(&e->out, (double)e->sample->monotonic_ns / 1e9, 6);
	buffer_char(&e->out, ',');
	buffer_trimmed(&e->out, e->sample->interval_seconds, 6);
	buffer_char(&e->out, ',');
	buffer_u64(&e->out, e->samples);
	for (size_t i = 0; i < totals->n_metrics; i++) {
		const struct metric *m = &totals->metrics[i];
		double value = row_value(rows, 0, m);

		if (!export_metric(m))
			continue;
		buffer_char(&e->out, ',');
		buffer_trimmed(&e->out, value, export_decimals(m, value));
	}
	buffer_char(&e->out, '\n');
}

static int row(struct export *e)
{
	if (e->layout == CSV_LAYOUTS)
		write_all(e);
	else
		sample_write_csv(&e->out, e->sample, &e->facts->run, e->layout);
	return 0;
}

const struct export_form export_csv = {
	.name = "csv", .help = "a table with a line for each row", .begin = begin, .row = row,
};
