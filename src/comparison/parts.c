/* parts.c - the use of each part of a run, by the names of quantities. */
#include "parts.h"

#include <string.h>

static struct part *add(struct parts *p, const char *name)
{
	struct part *at = reallocarray(p->at, p->n + 1, sizeof *at);

	if (!at)
		return NULL;
	p->at = at;
	at += p->n;
	at->name = strdup(name);
	if (!at->name)
		return NULL;
	p->n++;
	at->count = NONE;
	at->values = quantities_unknown();
	return at;
}

/* ---- programs ------------------------------------------------------------------------------ */

static const struct metric *metric_at(size_t offset)
{
	const struct table_info *info = &tables[TABLE_PROGRAM];
	const struct metric *m = info->metrics;

	while (m->offset != offset)
		m++;
	return m;
}

#define OF_PROGRAM(row, metric) \
	aggregate_row(d->whole, TABLE_PROGRAM, row, metric_at(offsetof(struct program_row, metric)))

static int add_program(struct parts *p, const struct digest *d, size_t row)
{
	struct part *part = add(p, aggregate_key(d->whole, TABLE_PROGRAM, row));

	if (!part)
		return -ENOMEM;

	double (*v)[BASIS_COUNT] = part->values.by;
	struct statistic pss = OF_PROGRAM(row, pss_bytes), rss = OF_PROGRAM(row, rss_bytes);
	double cpu_seconds = OF_PROGRAM(row, cpu_seconds).sum;

	part->count = OF_PROGRAM(row, started).sum;
	v[QUANTITY_cpu_time][BASIS_JOB] = cpu_seconds;
	v[QUANTITY_mean_cpu][BASIS_JOB] = d->seconds > 0 ? cpu_seconds / d->seconds : NONE;
	v[QUANTITY_peak_cpu][BASIS_JOB] = OF_PROGRAM(row, cpu_cores).maximum;
	v[QUANTITY_mean_memory][BASIS_PSS] = bytes_seen(pss.mean);
	v[QUANTITY_mean_memory][BASIS_RSS] = bytes_seen(rss.mean);
	v[QUANTITY_peak_memory][BASIS_PSS] = bytes_seen(pss.maximum);
	v[QUANTITY_peak_memory][BASIS_RSS] = bytes_seen(rss.maximum);
	v[QUANTITY_peak_rss][BASIS_JOB] = bytes_seen(rss.maximum);
	v[QUANTITY_largest_process][BASIS_JOB] = OF_PROGRAM(row, peak_rss_bytes).maximum;
	v[QUANTITY_peak_processes][BASIS_JOB] = OF_PROGRAM(row, processes).maximum;
	v[QUANTITY_disk_read][BASIS_JOB] = OF_PROGRAM(row, disk_read_bytes).sum;
	v[QUANTITY_disk_written][BASIS_JOB] = OF_PROGRAM(row, disk_write_bytes).sum;
	return 0;
}

/* ---- regions ------------------------------------------------------------------------------- */

static struct part *add_region(struct parts *p, const char *name, uint64_t count, double seconds)
{
	struct part *part = add(p, name);

	if (!part)
		return NULL;
	part->count = (double)count;
	part->values.by[QUANTITY_duration][BASIS_RUN] = count > 0 ? seconds : NONE;
	return part;
}

/* CPU of the threads that entered the region; disk and memory of the whole tree meanwhile. */
static int add_recorded(struct parts *p, const struct region_total *t)
{
	struct part *part = add_region(p, t->path, t->count, t->seconds);

	if (!part)
		return -ENOMEM;

	double (*v)[BASIS_COUNT] = part->values.by;
	const double cpu_seconds[] = { t->cpu_seconds, t->use[REGION_TREE_CPU].value };
	static const enum basis bases[] = { BASIS_THREADS, BASIS_JOB };

	for (size_t i = 0; i < countof(bases); i++) {
		v[QUANTITY_cpu_time][bases[i]] = cpu_seconds[i];
		v[QUANTITY_mean_cpu][bases[i]] = t->seconds > 0 ? cpu_seconds[i] / t->seconds : NONE;
	}
	v[QUANTITY_peak_memory][BASIS_RSS] = t->peak_rss_bytes;
	v[QUANTITY_disk_read][BASIS_JOB] = t->use[REGION_DISK_READ].value;
	v[QUANTITY_disk_written][BASIS_JOB] = t->use[REGION_DISK_WRITE].value;
	return 0;
}

int parts_read(struct parts *ret, enum parts_of what, const struct digest *d)
{
	const struct recording_facts *f = d->facts;
	const struct region_totals *t = &f->region_totals;
	struct parts p = { .n = 0 };
	int r = 0;

	/* The sum of the others is left out: they are not the same programs in two runs. */
	for (size_t i = 0; what == PARTS_PROGRAMS && r == 0 && i < aggregate_rows(d->whole, TABLE_PROGRAM); i++)
		if (strcmp(aggregate_key(d->whole, TABLE_PROGRAM, i), "others") != 0)
			r = add_program(&p, d, i);
	for (size_t i = 0; what == PARTS_REGIONS && r == 0 && i < t->n; i++)
		r = add_recorded(&p, &t->at[i]);
	for (size_t i = 0; what == PARTS_REGIONS && r == 0 && i < f->n_regions; i++)
		r = add_region(&p, f->regions[i].name, f->regions[i].count, f->regions[i].seconds) ? 0 : -ENOMEM;
	if (r < 0) {
		parts_release(&p);
		return r;
	}
	*ret = p;
	return 0;
}

void parts_release(struct parts *p)
{
	for (size_t i = 0; i < p->n; i++)
		free(p->at[i].name);
	free(p->at);
	*p = (struct parts){ .n = 0 };
}

const struct part *parts_find(const struct parts *p, const char *name)
{
	for (size_t i = 0; i < p->n; i++)
		if (strcmp(p->at[i].name, name) == 0)
			return &p->at[i];
	return NULL;
}
