/* record_writer.c - the run record: decides which line is due when. */
#include "record_writer.h"

#include <string.h>

#include "record_lines.h"

enum {
	BLOCK_ROWS = 4096,                      /* rows of one resolution ... */
	BLOCKS = 6,                             /* after so many blocks, the number of rows matters no more */
	PARTS = 64,                             /* parts of the size; in its second half rows double with each */
	PARTS_FOR_END = 128,                    /* 1/128 of the size is reserved for the last lines */
};

static const double PARTIAL_SECONDS = 60;

struct record_writer {
	struct run run;
	struct host host;
	struct record_options options;

	struct buffer line, early;              /* early: notices from before the header */
	struct aggregate *row;                  /* the current row */
	struct identity identities[TABLE_COUNT];
	struct totals fixed;                    /* FIXED metrics and texts as last written */
	double row_end_seconds, reported_seconds;       /* since the start: last sample; last row or partial row */
	bool header_written, columns_due, full;
	struct record_exits exits;              /* in the current row */
	struct record_counts counts;
	const struct region_totals *regions;    /* NULL: none */
	const struct program_tree *programs;    /* NULL: none */
	uint64_t bytes, bytes_max;
	bool known[];                           /* by metric of the totals: whether it has a column */
};

int record_open(struct record_writer **ret, const struct run *run, const struct source *src,
		const struct record_options *options)
{
	struct record_writer *w = calloc(1, sizeof *w + tables[TABLE_TOTAL].n_metrics * sizeof w->known[0]);

	if (!w)
		return -ENOMEM;
	w->row = aggregate_open();
	if (!w->row) {
		free(w);
		return -ENOMEM;
	}
	w->bytes_max = RECORD_BYTES_MAX - RECORD_BYTES_MAX / PARTS_FOR_END;
	w->run = *run;
	host_read(&w->host, src);
	w->options = *options;
	for (enum table t = 0; t < TABLE_COUNT; t++)
		identity_open(&w->identities[t], t);
	*ret = w;
	return 0;
}

void record_limit(struct record_writer *w, uint64_t bytes)
{
	w->bytes_max = bytes - bytes / PARTS_FOR_END;
}

void record_close(struct record_writer *w)
{
	if (!w)
		return;
	for (enum table t = 0; t < TABLE_COUNT; t++)
		identity_release(&w->identities[t]);
	aggregate_close(w->row);
	buffer_release(&w->line);
	buffer_release(&w->early);
	free(w);
}

/* Passes the line on; drops it if memory was short while it was made.  false: it is needed and was not taken. */
static bool put(struct record_writer *w, bool needed)
{
	bool taken = !needed || !w->line.failed;

	if (w->line.len > 0 && !w->line.failed) {
		taken = w->options.put(w->options.context, w->line.at, w->line.len, needed);
		w->bytes += taken ? w->line.len : 0;
	}
	buffer_clear(&w->line);
	return taken;
}

static void put_line(struct record_writer *w)
{
	(void)put(w, false);
}

static bool is_bounded(const struct record_writer *w)
{
	return w->options.detail == RECORD_BOUNDED;
}

/* The same for all lines except the last ones, within the record's size limit. */
static bool put_bounded(struct record_writer *w, bool needed)
{
	if (is_bounded(w) && !w->full && w->bytes + w->line.len > w->bytes_max) {
		w->full = true;
		buffer_clear(&w->line);
		record_limit_line(&w->line, w->row_end_seconds, w->bytes);
		put_line(w);
	}
	if (w->full)
		buffer_clear(&w->line);
	return put(w, needed);
}

/* Writes the header, unless it is written.  false: it was not taken; no other line can be written before it. */
static bool header_once(struct record_writer *w, const struct sample *baseline)
{
	if (w->header_written)
		return true;
	if (baseline) {
		if (!is_none(baseline->total.cpu_count))
			w->host.cpus = baseline->total.cpu_count;
		w->host.memory_bytes = baseline->total.memory_total_bytes;
	}
	record_header_line(&w->line, &w->run, &w->host, w->options.command, is_bounded(w) ? NULL : "all",
			   baseline ? &baseline->total : NULL);
	w->header_written = put(w, true);
	if (!w->header_written)
		return false;
	buffer_bytes(&w->line, w->early.at ? w->early.at : "", w->early.len);
	put_line(w);
	buffer_release(&w->early);
	if (baseline)
		w->fixed = baseline->total;
	else
		for (size_t i = 0; i < tables[TABLE_TOTAL].n_metrics; i++)
			memcpy((char *)&w->fixed + tables[TABLE_TOTAL].metrics[i].offset, &(double){ NONE },
			       sizeof(double));
	return true;
}

/* A metric with a value for the first time gets a column. */
static void note_known(struct record_writer *w, const struct sample *s)
{
	const struct table_info *info = &tables[TABLE_TOTAL];
	struct rows rows = sample_rows(s, TABLE_TOTAL);

	for (size_t i = 0; i < info->n_metrics; i++)
		if (!w->known[i] && record_column(&info->metrics[i]) &&
		    !is_none(row_value(rows, 0, &info->metrics[i])))
			w->known[i] = w->columns_due = true;
}

static void see_identities(struct record_writer *w, const struct sample *s)
{
	for (enum table t = 0; t < TABLE_COUNT; t++)
		if (record_table(t))
			identity_see(&w->identities[t], s, w->counts.rows + 1);
}

/* How many times rows have doubled their length as the record filled up; so there is always room for the newest. */
static unsigned doublings(const struct record_writer *w)
{
	uint64_t part = w->bytes * PARTS / w->bytes_max;

	return part > PARTS / 2 ? (unsigned)part - PARTS / 2 : 0;
}

/* The number of samples in a row.  Each block has half the resolution of the one before. */
static uint64_t samples_due(const struct record_writer *w)
{
	uint64_t block = w->counts.rows / BLOCK_ROWS;

	if (!is_bounded(w))
		return 1;
	return UINT64_C(1) << (block < BLOCKS ? block : BLOCKS) << doublings(w);
}

/* Writes the lines that a row refers to.  false: they were not taken, so the row must wait. */
static bool put_definitions(struct record_writer *w, bool exit_columns)
{
	if (w->columns_due) {
		record_columns_line(&w->line, w->known, exit_columns);
		w->columns_due = !put_bounded(w, true);
	}
	if (w->columns_due)
		return false;
	record_rows_line(&w->line, w->identities);

	bool reported = put_bounded(w, true);

	for (enum table t = 0; !reported && t < TABLE_COUNT; t++)
		identity_forget_written(&w->identities[t]);
	return reported;
}

static void put_row(struct record_writer *w, bool partial)
{
	struct record_row row = {
		.partial = partial, .end_seconds = w->row_end_seconds, .values = w->row,
		.identities = w->identities, .known = w->known, .exits = w->exits,
		.exit_columns = w->counts.exits > 0, .sums = is_bounded(w) ? NULL : w->options.sums,
	};

	if (!put_definitions(w, row.exit_columns))
		return;                         /* its samples become part of the next row */
	record_row_line(&w->line, &row);
	(void)put_bounded(w, false);
	w->reported_seconds = w->row_end_seconds;
	if (partial)
		return;
	w->counts.rows++;
	w->exits = (struct record_exits){ 0 };
	aggregate_clear(w->row);
}

void record_sample(struct record_writer *w, const struct sample *s)
{
	double seconds = (double)(s->monotonic_ns - w->run.start_monotonic_ns) / 1e9;

	if (!header_once(w, s) || w->full)
		return;
	note_known(w, s);
	see_identities(w, s);
	record_fixed_line(&w->line, &w->fixed, &s->total);
	if (w->line.len > 0 && put_bounded(w, true))
		w->fixed = s->total;
	if (is_none(s->interval_seconds))       /* the baseline has no interval, so it is not in a row */
		return;
	aggregate_add(w->row, s);
	w->row_end_seconds = seconds;
	if (aggregate_samples(w->row) >= samples_due(w))
		put_row(w, false);
	else if (seconds - w->reported_seconds >= PARTIAL_SECONDS * (double)(UINT64_C(1) << doublings(w)))
		put_row(w, true);
}

void record_exit(struct record_writer *w, const struct tree_exit *e)
{
	bool header = header_once(w, NULL);

	if (w->counts.exits++ == 0)
		w->columns_due = true;
	w->exits.n++;
	w->exits.cpu_seconds = add_known(w->exits.cpu_seconds, e->cpu_seconds);
	if (!header || w->full || (is_bounded(w) && w->counts.exits_written >= RECORD_EXITS_MAX))
		return;
	w->counts.exits_written++;
	record_exit_line(&w->line, &w->run, e);
	(void)put_bounded(w, false);
}

void record_region(struct record_writer *w, const struct region_event *e)
{
	if (!header_once(w, NULL) || w->full || (is_bounded(w) && w->counts.regions_written >= RECORD_REGIONS_MAX)) {
		w->counts.regions_unreported++;
		return;
	}
	w->counts.regions_written++;
	record_region_line(&w->line, &w->run, e);
	(void)put_bounded(w, false);
}

void record_regions(struct record_writer *w, const struct region_totals *totals)
{
	w->regions = totals;
}

void record_programs(struct record_writer *w, const struct program_tree *tree)
{
	w->programs = tree;
}

void record_notice(struct record_writer *w, const char *text)
{
	record_notice_line(w->header_written ? &w->line : &w->early, w->row_end_seconds, text);
	(void)put_bounded(w, false);
}

void record_cloud(struct record_writer *w, const struct cloud *cloud)
{
	if (!header_once(w, NULL))
		return;
	record_cloud_line(&w->line, w->row_end_seconds, cloud);
	(void)put_bounded(w, false);
}

void record_last_minute(struct record_writer *w, const struct moment *moments, size_t n)
{
	if (n == 0)
		return;
	if (!header_once(w, NULL))
		return;
	record_last_minute_line(&w->line, moments, n);
	put_line(w);
}

void record_finish(struct record_writer *w, const struct run_status *status, const struct aggregate *whole)
{
	if (!header_once(w, NULL))
		return;
	if (!w->full && aggregate_samples(w->row) > 0)
		put_row(w, false);
	struct region_totals regions = w->regions ? *w->regions : (struct region_totals){ 0 };

	regions.unreported += w->counts.regions_unreported;

	const struct record_end end = {
		.counts = &w->counts, .regions = w->regions ? &regions : NULL, .programs = w->programs,
		.outline = w->options.sums ? &w->options.sums->outline : NULL,
	};

	record_end_line(&w->line, &w->run, status, whole, &end);
	put_line(w);
}
