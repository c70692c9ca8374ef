/*
 * rss_peak.c - the peak of a tree's resident memory: from its samples, its processes' own peaks and the polls
 * between.
 */
#include "rss_peak.h"

#include <stddef.h>

/* A peak less than this above a sample counts as that sample. */
static const double ABOVE = 0.01;

static const struct metric *metric_at(enum table t, size_t offset)
{
	const struct metric *m = tables[t].metrics;

	while (m->offset != offset)
		m++;
	return m;
}

static double highest(const struct moment *moments, size_t n)
{
	double bytes = NONE;

	for (size_t i = 0; i < n; i++)
		if (is_none(bytes) || moments[i].rss_bytes > bytes)
			bytes = moments[i].rss_bytes;
	return bytes;
}

static const char *program_with(const struct aggregate *whole, double bytes)
{
	const struct metric *m = metric_at(TABLE_PROGRAM, offsetof(struct program_row, peak_rss_bytes));
	const char *program = "";

	for (size_t row = 0; row < aggregate_rows(whole, TABLE_PROGRAM); row++)
		if (aggregate_row(whole, TABLE_PROGRAM, row, m).maximum >= bytes)
			program = aggregate_key(whole, TABLE_PROGRAM, row);
	return program;
}

static double maximum(const struct aggregate *whole, size_t offset)
{
	return aggregate_total(whole, metric_at(TABLE_TOTAL, offset)).maximum;
}

struct rss_peak rss_peak_of(const struct aggregate *whole, const struct moment *moments, size_t n_moments)
{
	double sampled = maximum(whole, offsetof(struct totals, process_rss_bytes));
	double largest = maximum(whole, offsetof(struct totals, process_peak_rss_bytes));
	double moment = highest(moments, n_moments);
	struct rss_peak peak = { .bytes = sampled, .largest_bytes = largest, .program = program_with(whole, largest) };

	peak.incomplete = maximum(whole, offsetof(struct totals, process_peak_rss_incomplete)) > 0;
	peak.moment = moment > 0 && !(moment <= (1 + ABOVE) * sampled) && !(moment <= largest);
	if (peak.moment)
		largest = moment;
	peak.between = largest > 0 && !(largest <= (1 + ABOVE) * sampled);
	if (peak.between)
		peak.bytes = largest;
	return peak;
}
