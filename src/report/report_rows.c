/* report_rows.c - what a row adds to the lines of charts: totals, cores, GPUs. */
#include "report_rows.h"

#include <string.h>

#include "../core/scan.h"

/* rate, over_seconds */
#define KIND_OF_LEVEL   false, 0
#define KIND_OF_RATE    true, 0
#define KIND_OF_RATE_2S true, 2
#define KIND_OF_RATE_5S true, 5
enum { WHEN_ALWAYS = false, WHEN_USED = true, WHEN_SEVERAL = true };

const struct series_info report_series[SERIES_COUNT] = {
#define SERIES(chart, owner, metric, lower, upper, kind, unit, style, when, label) \
	{ #chart, unit, style, label, OWNER_##owner, KIND_OF_##kind, WHEN_##when, offsetof(struct totals, metric), \
	  offsetof(struct totals, lower), offsetof(struct totals, upper) },
#include "series.def"
};

const struct gpu_series_info report_gpu_series[GPU_SERIES_COUNT] = {
#define GPU_SERIES(chart, metric, unit, scale, when, label) \
	{ #chart, unit, label, scale, WHEN_##when, offsetof(struct gpu_row, metric) },
#include "series.def"
};

/* ---- the lines of charts ----------------------------------------------------------------------- */

static double total_at(const struct sample *s, size_t offset)
{
	double value = NONE;

	if (s && offset != offsetof(struct totals, key))
		memcpy(&value, (const char *)&s->total + offset, sizeof value);
	return value;
}

void report_add_row(struct report_run *r, const struct sample *s)
{
	chart_series_begin(r->chart_series, (double)s->monotonic_ns / 1e9, s->interval_seconds);
	chart_series_begin(r->rows, (double)s->monotonic_ns / 1e9, s->interval_seconds);
}

static void add_to(struct report_run *r, struct chart_series *c, int *line, bool rate, double value, double maximum)
{
	if (!isfinite(value))
		return;
	if (*line == NO_LINE)
		*line = chart_series_line(c, rate);
	r->failed |= *line == NO_LINE;
	chart_series_add(c, *line, value, maximum);
}

void report_line_add(struct report_run *r, int *line, bool rate, double value, double maximum)
{
	add_to(r, r->chart_series, line, rate, value, maximum);
}

/* With its rows. */
static void add_detailed(struct report_run *r, struct series_lines *lines, bool rate, double value, double maximum)
{
	add_to(r, r->chart_series, &lines->value, rate, value, maximum);
	add_to(r, r->rows, &lines->detail, rate, value, maximum);
}

void report_add_series(struct report_run *r, const struct sample *s, const struct sample *maxima)
{
	for (size_t i = 0; i < SERIES_COUNT; i++) {
		const struct series_info *info = &report_series[i];
		double value = total_at(s, info->metric);

		if (info->rate)
			value /= s->interval_seconds;
		add_detailed(r, &r->lines[i], info->rate || strcmp(info->unit, "cores") == 0, value,
			     info->rate ? NONE : total_at(maxima, info->metric));
		report_line_add(r, &r->lines[i].lower, false, total_at(s, info->lower), NONE);
		report_line_add(r, &r->lines[i].upper, false, total_at(s, info->upper), NONE);
	}
}

/* ---- cores ------------------------------------------------------------------------------------- */

void report_add_cores(struct report_run *r, const struct sample *s)
{
	double sums[REPORT_CORES] = { 0 };
	size_t known[REPORT_CORES] = { 0 };

	if (s->n_core > 0 && r->cores_in_line == 0)
		r->cores_in_line = (s->n_core + REPORT_CORES - 1) / REPORT_CORES;
	for (size_t i = 0; i < s->n_core; i++) {
		struct scan key = scan_of(s->core[i].key, strlen(s->core[i].key));
		uint64_t core;

		if (is_none(s->core[i].utilization_pct) || !scan_u64(&key, &core) ||
		    core >= REPORT_CORES * r->cores_in_line)
			continue;
		sums[core / r->cores_in_line] += s->core[i].utilization_pct / 100;
		known[core / r->cores_in_line]++;
		r->n_cores = size_max(r->n_cores, (size_t)core + 1);
	}
	for (size_t i = 0; i < REPORT_CORES; i++)
		if (known[i] > 0)
			report_line_add(r, &r->cores[i], true, sums[i] / (double)known[i], NONE);
}

/* ---- GPUs -------------------------------------------------------------------------------------- */

static struct report_gpu *gpu_named(struct report_run *r, const struct gpu_row *row)
{
	for (size_t i = 0; i < r->n_gpus; i++)
		if (strcmp(r->gpus[i].key, row->key) == 0)
			return &r->gpus[i];
	if (r->n_gpus == REPORT_GPUS)
		return NULL;

	struct report_gpu *gpu = &r->gpus[r->n_gpus++];

	memcpy(gpu->key, row->key, strnlen(row->key, sizeof gpu->key - 1));
	memcpy(gpu->host_id, row->host_id, strnlen(row->host_id, sizeof gpu->host_id - 1));
	for (size_t i = 0; i < GPU_SERIES_COUNT; i++)
		gpu->lines[i] = NO_LINES;
	return gpu;
}

static double scaled_at(const struct gpu_row *row, enum gpu_series i)
{
	double value;

	memcpy(&value, (const char *)row + report_gpu_series[i].metric, sizeof value);
	return value * report_gpu_series[i].scale;
}

/* maxima has its rows in the order of the sample's, or is NULL. */
void report_add_gpus(struct report_run *r, const struct sample *s, const struct sample *maxima)
{
	for (size_t k = 0; k < s->n_gpu; k++) {
		struct report_gpu *gpu = gpu_named(r, &s->gpu[k]);
		bool same = maxima && k < maxima->n_gpu && strcmp(maxima->gpu[k].key, s->gpu[k].key) == 0;

		for (enum gpu_series i = 0; gpu && i < GPU_SERIES_COUNT; i++)
			add_detailed(r, &gpu->lines[i], false, scaled_at(&s->gpu[k], i),
				     same ? scaled_at(&maxima->gpu[k], i) : NONE);
	}
}
