/* report_reading.c - collects the data about one run for a report's page, in one pass over its recording. */
#include "report_run.h"

#include <string.h>

#include "report_rows.h"

enum { ROWS_WITHOUT_TIERS = 8 };        /* for each point */

static void watch_item(void *context, const struct recording *recording, enum record_item item)
{
	struct report_run *r = context;
	const struct sample *s = recording_sample(recording), *maxima;

	switch (item) {
	case RECORD_ROW:
		maxima = recording_maxima(recording);
		memcpy(r->membership, s->total.process_membership, sizeof r->membership);
		memcpy(r->membership_reason, s->total.process_membership_reason, sizeof r->membership_reason);
		report_add_row(r, s);
		report_add_series(r, s, maxima);
		report_line_add(r, &r->largest_process, false, s->total.process_peak_rss_bytes,
				maxima ? maxima->total.process_peak_rss_bytes : NONE);
		report_add_cores(r, s);
		report_add_gpus(r, s, maxima);
		report_add_programs(r, s, maxima);
		break;
	case RECORD_EXIT:
		report_add_process(r, recording_exit(recording));
		break;
	case RECORD_REGION:
		report_add_region(r, recording_region(recording));
		break;
	case RECORD_OVER:
	case RECORD_LATER:
		break;
	}
}

static void choose_program_memory(struct report_run *r)
{
	r->program_memory = REPORT_RSS;
	for (size_t i = 0; i <= REPORT_PROGRAMS; i++)
		if (!is_none(r->programs[i].peak_bytes[REPORT_PSS]))
			r->program_memory = REPORT_PSS;
}

static void begin(struct report_run *r)
{
	for (size_t i = 0; i < SERIES_COUNT; i++)
		r->lines[i] = NO_LINES;
	r->largest_process = NO_LINE;
	for (size_t i = 0; i < REPORT_CORES; i++)
		r->cores[i] = NO_LINE;
	for (size_t i = 0; i <= REPORT_PROGRAMS; i++)
		r->programs[i] = (struct report_program){
			.cpu = NO_LINE, .memory = { NO_LINE, NO_LINE },
			.cpu_seconds = NONE, .peak_bytes = { NONE, NONE }, .started = NONE, .alive = NONE,
		};
	memcpy(r->programs[REPORT_PROGRAMS].name, "others", sizeof "others");
}

static void release_charts(struct report_run *r)
{
	chart_series_close(r->chart_series);
	chart_series_close(r->rows);
	free(r->regions);
	free(r->marks);
}

int report_run_read(struct report_run *ret, const char *path, size_t points, struct why *why)
{
	struct digest_watch watch = { watch_item, ret };
	int result;

	*ret = (struct report_run){ .chart_series = chart_series_open(points), .rows = chart_series_open(REPORT_ROWS) };
	if (!ret->chart_series || !ret->rows) {
		release_charts(ret);
		return why_set(why, -ENOMEM, "out of memory");
	}
	begin(ret);
	result = digest_read(&ret->digest, path, &watch, why);
	choose_program_memory(ret);
	if (result == 0 && ret->failed) {
		digest_release(&ret->digest);
		result = why_set(why, -ENOMEM, "out of memory");
	}
	if (result < 0) {
		release_charts(ret);
		return result;
	}
	/* The page sums up the rows themselves: a long run needs few points beside them. */
	if (chart_series_points(ret->rows) > ROWS_WITHOUT_TIERS * points)
		chart_series_narrow(ret->chart_series, points / 2);
	report_sort_regions(ret);
	return 0;
}

void report_run_release(struct report_run *r)
{
	digest_release(&r->digest);
	release_charts(r);
}
