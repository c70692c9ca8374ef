/*
 * export_openmetrics.c - OpenMetrics text with the times of the rows, as `promtool tsdb create-blocks-from
 * openmetrics` takes it.  https://github.com/OpenObservability/OpenMetrics/blob/main/specification/OpenMetrics.md
 *
 * Levels are gauges; amounts are counters that begin with the run.  The format groups samples by family, a record by
 * row: a store in between transposes them.
 *
 * Each value is a line with all its labels, so these are only the run and the row's key; an info family has the rest.
 */
#include "export.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../core/json_write.h"
#include "../core/layouts.h"
#include "openmetrics_name.h"
#include "series_store.h"

enum { LABEL_LONGEST = 200 };                   /* bytes of a value that is not the key of a row */
static const int64_t MILLISECOND_NS = NS_PER_SECOND / 1000;

/* The metrics of one row of a table: series `first` on. */
struct keyed { char *key; size_t first; };

struct metrics {
	struct series_store *store;
	struct keyed *rows[TABLE_COUNT];
	size_t n_rows[TABLE_COUNT], n_series;
	bool left_out;
	int64_t last_ns, reported_ms;               /* of the previous row, and its time in the text */
	struct buffer labels;                   /* of every series: run="..." */
};

static int cannot(struct export *e, int error)
{
	return why_set(e->why, error, "cannot keep the series of %s in a temporary file: %s", e->name, strerror(-error));
}

/* ---- text ------------------------------------------------------------------------------------ */

/* The value of a label: UTF-8 on one line. */
static void label_value(struct buffer *out, const char *text)
{
	struct buffer clean = { 0 };

	utf8_write(&clean, text, strlen(text));
	buffer_char(out, '"');
	for (size_t i = 0; i < clean.len; i++) {
		char c = clean.at[i];

		if (c == '\\' || c == '"')
			buffer_char(out, '\\');
		buffer_char(out, (unsigned char)c < ' ' || c == 127 ? '?' : c);
	}
	buffer_char(out, '"');
	buffer_release(&clean);
}

static void label(struct buffer *out, const char *name, const char *value)
{
	buffer_format(out, "%s%s=", out->len > 0 ? "," : "", name);
	label_value(out, value);
}

static void short_label(struct buffer *out, const char *name, const char *value)
{
	char text[LABEL_LONGEST + 1];

	(void)snprintf(text, sizeof text, "%s", value);
	label(out, name, text);
}

/* ---- the series of a row --------------------------------------------------------------------- */

/* The first series of a row; NULL: out of memory, or too many rows. */
static const struct keyed *series_of(struct metrics *all, enum table t, const char *key, size_t hint)
{
	struct keyed *rows = all->rows[t];

	if (hint < all->n_rows[t] && strcmp(rows[hint].key, key) == 0)
		return &rows[hint];
	for (size_t i = 0; i < all->n_rows[t]; i++)
		if (strcmp(rows[i].key, key) == 0)
			return &rows[i];
	if (all->n_rows[t] == size_max(tables[t].max, AGGREGATE_ROWS_MAX)) {
		all->left_out = true;
		return NULL;
	}

	struct keyed *more = reallocarray(rows, all->n_rows[t] + 1, sizeof *more);

	if (!more)
		return NULL;
	all->rows[t] = more;
	more += all->n_rows[t];
	*more = (struct keyed){ strdup(key), all->n_series };
	if (!more->key)
		return NULL;
	all->n_rows[t]++;
	all->n_series += tables[t].n_metrics;
	return more;
}

static int row(struct export *e)
{
	struct metrics *all = e->state;
	const struct sample *s = e->sample;
	int r = 0;

	/* Times of a series must increase strictly. */
	if (s->wall_ns <= all->last_ns) {
		e->notice = "rows that are not later than the row before are left out";
		return 0;
	}
	all->last_ns = s->wall_ns;
	/* The text has milliseconds: a second row within a millisecond gets the next one. */
	all->reported_ms++;
	if (s->wall_ns / MILLISECOND_NS > all->reported_ms)
		all->reported_ms = s->wall_ns / MILLISECOND_NS;
	r = series_store_moment(all->store);
	if (r == 0)
		r = series_store_set(all->store, 0, (double)all->reported_ms);
	for (enum table t = 0; t < TABLE_COUNT; t++) {
		struct rows rows = sample_rows(s, t);

		for (size_t i = 0; (t == TABLE_TOTAL || export_table(t)) && i < rows.n; i++) {
			const struct keyed *keyed = series_of(all, t, row_key(rows, i), i);

			for (size_t k = 0; r == 0 && keyed && k < tables[t].n_metrics; k++) {
				const struct metric *m = &tables[t].metrics[k];
				double value = row_value(rows, i, m);

				/* An amount cannot be negative, even if a file contains one. */
				if (export_metric(m) && isfinite(value) && !(m->kind == KIND_AMOUNT && value < 0))
					r = series_store_set(all->store, keyed->first + k, value);
			}
		}
	}
	return r < 0 ? cannot(e, r) : 0;
}

static void line_end(struct export *e, double ms)
{
	buffer_char(&e->out, ' ');
	timestamp_write(&e->out, (int64_t)ms * MILLISECOND_NS, 3);
	buffer_char(&e->out, '\n');
}

/* The properties of the run, to be joined by its label. */
static int write_info(struct export *e)
{
	struct metrics *all = e->state;
	const struct run *run = &e->facts->run;
	struct buffer labels = { 0 };
	double times[SERIES_BLOCK];
	int r = 0;

	buffer_bytes(&labels, all->labels.at, all->labels.len);
	short_label(&labels, "host", e->facts->host.name);
#define METADATA_LABEL(name, variable) \
	if (run->name) \
		short_label(&labels, #name, run->name);
	RUN_METADATA(METADATA_LABEL)
#undef METADATA_LABEL
	buffer_text(&e->out, "# TYPE resource_tracker_run info\n# HELP resource_tracker_run What is known of the run\n");
	for (size_t block = 0; r == 0 && block < series_store_blocks(all->store); block++) {
		size_t n = 0;

		r = series_store_block(all->store, block, 0, times, &n);
		for (size_t i = 0; r == 0 && i < n; i++) {
			buffer_text(&e->out, "resource_tracker_run_info{");
			buffer_bytes(&e->out, labels.at, labels.len);
			buffer_text(&e->out, "} 1");
			line_end(e, times[i]);
		}
		if (r == 0)
			r = export_flush(e);
	}
	if (r == 0 && labels.failed)
		r = -ENOMEM;
	buffer_release(&labels);
	return r;
}

static int write_series(struct export *e, const struct metric *m, enum table t, const struct keyed *keyed,
			size_t series, bool *head)
{
	struct metrics *all = e->state;
	double times[SERIES_BLOCK], values[SERIES_BLOCK], sum = 0;
	bool summed = m->kind == KIND_AMOUNT;
	struct buffer labels = { 0 }, begin = { 0 };    /* begin: the start of each line */
	int r = 0;

	buffer_bytes(&labels, all->labels.at, all->labels.len);
	if (t != TABLE_TOTAL)
		label(&labels, tables[t].name, keyed->key);
	openmetrics_name(&begin, m);
	buffer_char(&begin, '{');
	buffer_bytes(&begin, labels.at, labels.len);
	buffer_text(&begin, "} ");
	for (size_t block = 0; r == 0 && block < series_store_blocks(all->store); block++) {
		size_t n;

		r = series_store_block(all->store, block, 0, times, &n);
		if (r == 0)
			r = series_store_block(all->store, block, series, values, &n);
		for (size_t i = 0; r == 0 && i < n; i++) {
			/* In a foreign record a sum can have no end, which readers would take for a value. */
			if (is_none(values[i]) || (summed && !isfinite(sum + values[i])))
				continue;
			if (*head)
				openmetrics_head(&e->out, m);
			*head = false;
			if (summed)
				values[i] = sum += values[i];
			buffer_bytes(&e->out, begin.at, begin.len);
			buffer_trimmed(&e->out, values[i], export_decimals(m, values[i]));
			line_end(e, times[i]);
		}
		if (r == 0)
			r = export_flush(e);
	}
	if (r == 0 && (labels.failed || begin.failed))
		r = -ENOMEM;
	buffer_release(&labels);
	buffer_release(&begin);
	return r;
}

static int end(struct export *e)
{
	struct metrics *all = e->state;
	int r = series_store_flush(all->store);

	if (r == 0)
		r = write_info(e);
	if (r < 0)
		return e->why->text[0] ? r : cannot(e, r);
	for (enum table t = 0; t < TABLE_COUNT; t++)
		for (size_t k = 0; k < tables[t].n_metrics; k++) {
			const struct metric *m = &tables[t].metrics[k];
			bool head = true;

			for (size_t i = 0; export_metric(m) && i < all->n_rows[t]; i++) {
				r = write_series(e, m, t, &all->rows[t][i], all->rows[t][i].first + k, &head);
				if (r < 0)
					return e->why->text[0] ? r : cannot(e, r);
			}
		}
	buffer_text(&e->out, "# EOF\n");
	if (all->left_out)
		e->notice = "the names of a table's rows are too many: those that came last have no series";
	return 0;
}

static int begin_metrics(struct export *e)
{
	struct metrics *all = e->state = calloc(1, sizeof *all);
	int r;

	if (!all)
		return export_no_memory(e);
	all->n_series = 1;                      /* series 0 has the times */
	all->last_ns = all->reported_ms = INT64_MIN / 2;
	short_label(&all->labels, "run", e->name);
	r = series_store_open(&all->store);
	return r < 0 ? cannot(e, r) : 0;
}

static void release(struct export *e)
{
	struct metrics *all = e->state;

	for (enum table t = 0; all && t < TABLE_COUNT; t++) {
		for (size_t i = 0; i < all->n_rows[t]; i++)
			free(all->rows[t][i].key);
		free(all->rows[t]);
	}
	if (all) {
		series_store_close(all->store);
		buffer_release(&all->labels);
	}
	free(all);
}

const struct export_form export_openmetrics = {
	.name = "openmetrics", .help = "OpenMetrics text with the rows' times, for Prometheus",
	.begin = begin_metrics, .row = row, .end = end, .release = release,
};
