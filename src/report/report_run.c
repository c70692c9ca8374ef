/* report_run.c - collects the data about one run for a report's page, in one pass over its recording. */
#include "report_run.h"

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

/* A quantity that is never known has no line. */
static void add(struct report_run *r, int *line, bool rate, double value, double maximum)
{
	if (!isfinite(value))
		return;
	if (*line == NO_LINE)
		*line = chart_series_line(r->chart_series, rate);
	r->failed |= *line == NO_LINE;
	chart_series_add(r->chart_series, *line, value, maximum);
}

static void add_series(struct report_run *r, const struct sample *s, const struct sample *maxima)
{
	for (size_t i = 0; i < SERIES_COUNT; i++) {
		const struct series_info *info = &report_series[i];
		double value = total_at(s, info->metric);

		if (info->rate)
			value /= s->interval_seconds;
		add(r, &r->lines[i].value, info->rate || strcmp(info->unit, "cores") == 0, value,
		    info->rate ? NONE : total_at(maxima, info->metric));
		add(r, &r->lines[i].lower, false, total_at(s, info->lower), NONE);
		add(r, &r->lines[i].upper, false, total_at(s, info->upper), NONE);
	}
}

/* ---- cores ------------------------------------------------------------------------------------- */

static void add_cores(struct report_run *r, const struct sample *s)
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
			add(r, &r->cores[i], true, sums[i] / (double)known[i], NONE);
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
		gpu->lines[i] = NO_LINE;
	return gpu;
}

static double scaled_at(const struct gpu_row *row, enum gpu_series i)
{
	double value;

	memcpy(&value, (const char *)row + report_gpu_series[i].metric, sizeof value);
	return value * report_gpu_series[i].scale;
}

/* maxima has its rows in the order of the sample's, or is NULL. */
static void add_gpus(struct report_run *r, const struct sample *s, const struct sample *maxima)
{
	for (size_t k = 0; k < s->n_gpu; k++) {
		struct report_gpu *gpu = gpu_named(r, &s->gpu[k]);
		bool same = maxima && k < maxima->n_gpu && strcmp(maxima->gpu[k].key, s->gpu[k].key) == 0;

		for (enum gpu_series i = 0; gpu && i < GPU_SERIES_COUNT; i++)
			add(r, &gpu->lines[i], false, scaled_at(&s->gpu[k], i),
			    same ? scaled_at(&maxima->gpu[k], i) : NONE);
	}
}

/* ---- programs ---------------------------------------------------------------------------------- */

/* The last entry takes programs without room of their own, and those that the recorder already summed up. */
static struct report_program *program_named(struct report_run *r, const char *name)
{
	struct report_program *others = &r->programs[REPORT_PROGRAMS];

	if (strcmp(name, "others") == 0)
		return others;
	for (size_t i = 0; i < r->n_programs; i++)
		if (strcmp(r->programs[i].name, name) == 0)
			return &r->programs[i];
	if (r->n_programs == REPORT_PROGRAMS)
		return others;

	struct report_program *p = &r->programs[r->n_programs++];

	memcpy(p->name, name, strnlen(name, sizeof p->name - 1));
	return p;
}

static double larger(double a, double b)
{
	return is_none(a) || b > a ? b : a;
}

static double memory_of(const struct program_row *row, enum report_basis basis)
{
	return basis == REPORT_PSS ? row->pss_bytes : row->rss_bytes;
}

static void add_programs(struct report_run *r, const struct sample *s, const struct sample *maxima)
{
	struct { double cores, bytes[REPORT_BASES]; } now[REPORT_PROGRAMS + 1];

	for (size_t i = 0; i <= REPORT_PROGRAMS; i++)
		now[i].cores = now[i].bytes[REPORT_PSS] = now[i].bytes[REPORT_RSS] = NONE;
	for (size_t i = 0; i < s->n_program; i++) {
		const struct program_row *row = &s->program[i];
		struct report_program *p = program_named(r, row->key);
		size_t k = (size_t)(p - r->programs);
		double cores = row->cpu_seconds / s->interval_seconds;

		now[k].cores = add_known(now[k].cores, is_none(cores) ? row->cpu_cores : cores);
		for (enum report_basis b = 0; b < REPORT_BASES; b++) {
			now[k].bytes[b] = add_known(now[k].bytes[b], memory_of(row, b));
			p->peak_bytes[b] = larger(p->peak_bytes[b], memory_of(row, b));
		}
		p->cpu_seconds = add_known(p->cpu_seconds, row->cpu_seconds);
		p->started = add_known(p->started, row->started);
		p->alive = larger(p->alive, row->processes);
		p->present = true;
	}
	for (size_t i = 0; maxima && i < maxima->n_program; i++) {
		struct report_program *p = program_named(r, maxima->program[i].key);

		p->alive = larger(p->alive, maxima->program[i].processes);
		for (enum report_basis b = 0; b < REPORT_BASES; b++)
			p->peak_bytes[b] = larger(p->peak_bytes[b], memory_of(&maxima->program[i], b));
	}
	/* A program that is not in this row has ended, or is among the others. */
	for (size_t i = 0; s->n_program > 0 && i <= REPORT_PROGRAMS; i++) {
		struct report_program *p = &r->programs[i];

		if (!p->present)
			continue;
		add(r, &p->cpu, true, is_none(now[i].cores) && p->cpu != NO_LINE ? 0 : now[i].cores, NONE);
		for (enum report_basis b = 0; b < REPORT_BASES; b++)
			add(r, &p->memory[b], false,
			    is_none(now[i].bytes[b]) && p->memory[b] != NO_LINE ? 0 : now[i].bytes[b], NONE);
	}
}

/* ---- processes and regions that used most ------------------------------------------------------ */

static bool used_more(const struct tree_exit *a, const struct tree_exit *b)
{
	double x = add_known(a->cpu_seconds, 0), y = add_known(b->cpu_seconds, 0);

	return x > y || (x >= y && add_known(a->peak_rss_bytes, 0) > add_known(b->peak_rss_bytes, 0));
}

static void add_process(struct report_run *r, const struct tree_exit *e)
{
	size_t at = r->n_processes;

	r->processes_seen++;
	while (at > 0 && used_more(e, &r->processes[at - 1]))
		at--;
	if (at == REPORT_PROCESSES)
		return;
	r->n_processes = size_min(r->n_processes + 1, REPORT_PROCESSES);
	memmove(r->processes + at + 1, r->processes + at, (r->n_processes - at - 1) * sizeof *e);
	r->processes[at] = *e;
}

/* A heap with the shortest at its root, which is replaced next. */
static void sink(struct region_event *heap, size_t n, size_t at)
{
	for (;;) {
		size_t least = at;

		for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < n; child++)
			if (heap[child].seconds < heap[least].seconds)
				least = child;
		if (least == at)
			return;

		struct region_event moved = heap[at];

		heap[at] = heap[least];
		heap[least] = moved;
		at = least;
	}
}

static void add_mark(struct report_run *r, const struct region_event *e)
{
	r->marks_seen++;
	if (!r->marks)
		r->marks = calloc(REPORT_MARKS, sizeof *r->marks);
	if (!r->marks)
		r->failed = true;
	else if (r->n_marks < REPORT_MARKS)
		r->marks[r->n_marks++] = *e;
}

static void add_region(struct report_run *r, const struct region_event *e)
{
	if (e->kind != REGION_ENTRY || !(e->seconds >= 0))
		return;
	r->regions_seen++;
	if (!r->regions)
		r->regions = calloc(REPORT_REGIONS, sizeof *r->regions);
	if (!r->regions) {
		r->failed = true;
		return;
	}
	if (r->n_regions < REPORT_REGIONS) {
		r->regions[r->n_regions++] = *e;
		for (size_t i = r->n_regions / 2; r->n_regions == REPORT_REGIONS && i-- > 0;)
			sink(r->regions, r->n_regions, i);
	} else if (e->seconds > r->regions[0].seconds) {
		r->regions[0] = *e;
		sink(r->regions, r->n_regions, 0);
	}
}

/* A region that begins together with its outer region comes after it. */
static int by_begin(const void *a, const void *b)
{
	const struct region_event *x = a, *y = b;
	int order = (x->monotonic_ns > y->monotonic_ns) - (x->monotonic_ns < y->monotonic_ns);

	return order != 0 ? order : (x->seconds < y->seconds) - (x->seconds > y->seconds);
}

/* ---- reading ----------------------------------------------------------------------------------- */

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
		add_series(r, s, maxima);
		add(r, &r->largest_process, false, s->total.process_peak_rss_bytes,
		    maxima ? maxima->total.process_peak_rss_bytes : NONE);
		add_cores(r, s);
		add_gpus(r, s, maxima);
		add_programs(r, s, maxima);
		break;
	case RECORD_EXIT:
		add_process(r, recording_exit(recording));
		break;
	case RECORD_REGION:
		if (recording_region(recording)->kind == REGION_MARK)
			add_mark(r, recording_region(recording));
		else
			add_region(r, recording_region(recording));
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
	if (ret->n_regions > 0)
		qsort(ret->regions, ret->n_regions, sizeof *ret->regions, by_begin);
	return 0;
}

void report_run_release(struct report_run *r)
{
	digest_release(&r->digest);
	chart_series_close(r->chart_series);
	free(r->regions);
	free(r->marks);
}
