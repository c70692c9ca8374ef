/* quantity.c - quantities.def as data, and their values in a run. */
#include "quantity.h"

#include "../summary/rss_peak.h"

enum statistic_of { STATISTIC_PASSED, STATISTIC_SUM, STATISTIC_MEAN, STATISTIC_PEAK };

const struct quantity_info quantities[QUANTITY_COUNT] = {
#define QUANTITY(name, unit, statistic, tree, tree_else, machine, help) { #name, UNIT_##unit, help },
#include "quantities.def"
};

static const struct { enum statistic_of statistic; size_t tree, tree_else, machine; } ways[QUANTITY_COUNT] = {
#define QUANTITY(name, unit, statistic, tree, tree_else, machine, help) { \
		STATISTIC_##statistic, offsetof(struct totals, tree), offsetof(struct totals, tree_else), \
		offsetof(struct totals, machine) },
#include "quantities.def"
};

static struct statistic total_at(const struct aggregate *whole, size_t offset)
{
	const struct table_info *info = &tables[TABLE_TOTAL];

	for (size_t i = 0; i < info->n_metrics; i++)
		if (info->metrics[i].offset == offset)
			return aggregate_total(whole, &info->metrics[i]);
	return (struct statistic){ NONE, NONE, NONE, NONE, NONE, 0 };
}

static double value_of(const struct statistic *s, enum statistic_of statistic)
{
	return statistic == STATISTIC_SUM ? s->sum : statistic == STATISTIC_MEAN ? s->mean : s->maximum;
}

/* The summary's peaks: what no sample met counts where it is known, but for PSS, which only samples know. */
static void read_peaks(struct quantity_values *ret, const struct aggregate *whole, const struct moment *moments,
		       size_t n_moments)
{
	ret->of[QUANTITY_peak_rss] = rss_peak_of(whole, moments, n_moments).bytes;
	if (is_none(total_at(whole, offsetof(struct totals, process_pss_bytes)).mean))
		ret->of[QUANTITY_peak_memory] = ret->of[QUANTITY_peak_rss];
}

void quantities_read(struct quantity_values *ret, const struct aggregate *whole, double seconds, bool tracked,
		     const struct moment *moments, size_t n_moments)
{
	for (enum quantity q = 0; q < QUANTITY_COUNT; q++) {
		if (ways[q].statistic == STATISTIC_PASSED) {
			ret->of[q] = seconds;
			continue;
		}

		struct statistic s = total_at(whole, tracked ? ways[q].tree : ways[q].machine);

		if (tracked && is_none(s.mean) && is_none(s.sum))
			s = total_at(whole, ways[q].tree_else);
		ret->of[q] = value_of(&s, ways[q].statistic);
	}
	if (tracked)
		read_peaks(ret, whole, moments, n_moments);
	/* All that was used over all the time is exact where a mean of levels is not. */
	if (tracked && !is_none(ret->of[QUANTITY_cpu_time]) && seconds > 0)
		ret->of[QUANTITY_mean_cpu] = ret->of[QUANTITY_cpu_time] / seconds;
	/* Samples too short to tell a peak are left out of the maximum; no peak is below the mean. */
	if (ret->of[QUANTITY_peak_cpu] < ret->of[QUANTITY_mean_cpu])
		ret->of[QUANTITY_peak_cpu] = ret->of[QUANTITY_mean_cpu];
	/* No sample saw it alive: how many processes there were is not known, and it was not none. */
	if (tracked && ret->of[QUANTITY_peak_processes] <= 0)
		ret->of[QUANTITY_peak_processes] = NONE;
}
