/* summary_record.c - the end summary of a run that is over, from its record. */
#include "summary.h"

#include <string.h>

#include "../core/record_reader.h"

enum { POINTS_MAX = 64 };                       /* samples in the coarsest row */

/* A row that stands for several samples has their width in the graph, too. */
static void add_points(struct summary *s, const struct record_reader *r, bool tracked)
{
	const struct totals *t = &record_reader_sample(r)->total;
	double memory = is_none(t->process_pss_bytes) ? t->process_rss_bytes : t->process_pss_bytes;
	size_t n = size_min(size_max(record_reader_samples(r), 1), POINTS_MAX);

	memcpy(s->cpu_source, t->process_cpu_source, sizeof s->cpu_source);

	for (size_t i = 0; i < n; i++) {
		spark_add(&s->cpu, tracked ? t->process_cpu_cores : t->cpu_utilization_cores);
		spark_add(&s->memory, tracked ? memory : t->memory_used_bytes);
	}
}

/* What could not be measured, then what could not be read. */
static const char **all_notes(const struct record_facts *f, size_t *n)
{
	const char **all = calloc(f->n_notices + f->n_problems + 2, sizeof *all);

	*n = 0;
	for (size_t i = 0; all && i < f->n_notices; i++)
		all[(*n)++] = f->notices[i];
	if (all && f->limit_reached)
		all[(*n)++] = "the record came to its largest size: its last rows are missing";
	for (size_t i = 0; all && i < f->n_problems; i++)
		all[(*n)++] = f->problems[i];
	return all;
}

static void write_it(struct buffer *out, struct summary *s, struct record_reader *r,
		     const struct summary_style *style)
{
	const struct record_facts *f = record_reader_facts(r);
	const char **notes = all_notes(f, &s->n_notices);

	s->run = f->run;
	s->status = f->status;
	s->notices = notes;
	s->moments = f->moments;
	s->n_moments = f->n_moments;
	summary_write(out, s, style);
	free(notes);
}

int summary_from_record(struct buffer *out, const char *path, const struct summary_style *style,
			struct why *why)
{
	struct summary s = { .record_path = strcmp(path, "-") == 0 ? NULL : path };
	struct aggregate *replayed = aggregate_open();
	struct record_reader *r;
	int result;

	if (!replayed)
		return why_set(why, -ENOMEM, "out of memory");
	result = record_reader_open(&r, path, why);
	if (result == 0) {
		const struct run *run = &record_reader_facts(r)->run;
		bool tracked = run->command || run->n_pids > 0;

		for (enum record_item item; (item = record_reader_next(r)) != RECORD_OVER;)
			if (item == RECORD_ROW) {
				record_reader_replay(r, replayed);
				add_points(&s, r, tracked);
			}
		s.whole = record_reader_totals(r) ? record_reader_totals(r) : replayed;
		write_it(out, &s, r, style);
		record_reader_close(r);
	}
	aggregate_close(replayed);
	return result;
}
