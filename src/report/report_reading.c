/* report_reading.c - collects the data about one run for a report's page, in one pass over its recording. */
#include "report_run.h"

#include <string.h>

#include "report_rows.h"

static void watch_item(void *context, const struct recording *recording, enum record_item item)
{
	struct report_run *r = context;
	const struct sample *s = recording_sample(recording), *maxima;

	switch (item) {
	case RECORD_ROW:
		maxima = recording_maxima(recording);
		memcpy(r->membership, s->total.process_membership, sizeof r->membership);
		memcpy(r->membership_reason, s->total.process_membership_reason, sizeof r->membership_reason);
		chart_series_begin(r->chart_series, (double)s->monotonic_ns / 1e9, s->interval_seconds);
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
		r->lines[i] = (struct series_lines){ NO_LINE, NO_LINE, NO_LINE };
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

int report_run_read(struct report_run *ret, const char *path, size_t points, struct why *why)
{
	struct digest_watch watch = { watch_item, ret };
	int result;

	*ret = (struct report_run){ .chart_series = chart_series_open(points) };
	if (!ret->chart_series)
		return why_set(why, -ENOMEM, "out of memory");
	begin(ret);
	result = digest_read(&ret->digest, path, &watch, why);
	choose_program_memory(ret);
	if (result == 0 && ret->failed) {
		digest_release(&ret->digest);
		result = why_set(why, -ENOMEM, "out of memory");
	}
	if (result < 0) {
		chart_series_close(ret->chart_series);
		free(ret->regions);
		free(ret->marks);
		return result;
	}
	report_sort_regions(ret);
	return 0;
}

void report_run_release(struct report_run *r)
{
	digest_release(&r->digest);
	chart_series_close(r->chart_series);
	free(r->regions);
	free(r->marks);
}
