/* chart_line.c - the lines of a run's charts. */
#include "chart_line.h"

#include <stdio.h>
#include <string.h>

static const struct metric *row_metric_at(enum table t, size_t offset)
{
	const struct metric *m = tables[t].metrics;

	while (m->offset != offset)
		m++;
	return m;
}

static bool shown(const struct report_run *r, enum series i)
{
	const struct series_info *info = &report_series[i];
	int line = r->lines[i].value;

	return line != NO_LINE && (!info->only_used || chart_series_peak(r->chart_series, line).value > 0);
}

static struct chart_line total_line(const struct report_run *r, enum series i)
{
	const struct series_info *info = &report_series[i];
	struct chart_line l = {
		.chart = info->chart, .unit = info->unit, .style = info->style, .kind = info->rate ? "rate" : "level",
		.owner = info->owner, .over_seconds = info->over_seconds, .lines = r->lines[i],
		.aside = info->owner == OWNER_MACHINE && r->digest.facts->tracked,
	};

	record_metric_name(l.key, row_metric_at(TABLE_TOTAL, info->metric));
	(void)snprintf(l.label, sizeof l.label, "%s", info->label);
	return l;
}

static struct chart_line gpu_line(const struct report_gpu *gpu, enum gpu_series i)
{
	const struct gpu_series_info *info = &report_gpu_series[i];
	struct chart_line l = {
		.chart = info->chart, .unit = info->unit, .style = "line", .kind = "level", .owner = OWNER_JOB,
		.lines = gpu->lines[i],
	};

	(void)snprintf(l.key, sizeof l.key, "gpu.%s", row_metric_at(TABLE_GPU, info->metric)->name);
	(void)snprintf(l.label, sizeof l.label, "%s %s", info->label, gpu->host_id);
	return l;
}

size_t chart_lines(struct chart_line ret[CHART_LINES], const struct report_run *r)
{
	size_t n = 0;

	for (enum series i = 0; i < SERIES_COUNT; i++)
		if (shown(r, i))
			ret[n++] = total_line(r, i);
	for (enum gpu_series i = 0; i < GPU_SERIES_COUNT; i++)
		for (size_t k = 0; k < r->n_gpus; k++)
			if (r->gpus[k].lines[i].value != NO_LINE &&
			    (!report_gpu_series[i].only_several || r->n_gpus > 1))
				ret[n++] = gpu_line(&r->gpus[k], i);
	return n;
}

struct chart_series_value chart_line_value(const struct chart_line *l, const struct chart_series *c, int line,
					   size_t point)
{
	double mean = l->over_seconds > 0 ? chart_series_mean_over(c, line, point, l->over_seconds) : NONE;

	return l->over_seconds > 0 ? (struct chart_series_value){ mean, mean, mean }
				   : chart_series_value(c, line, point);
}
