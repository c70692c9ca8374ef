/* quantity.c - quantities.def as data, and their values for a run. */
#include "quantity.h"

#include "rss_peak.h"
#include "../text/human.h"

enum statistic_of { STATISTIC_PASSED, STATISTIC_SUM, STATISTIC_MEAN, STATISTIC_PEAK };

const struct quantity_info quantities[QUANTITY_COUNT] = {
#define QUANTITY(name, unit, statistic, tree, basis, tree_else, basis_else, machine, help) \
	{ #name, UNIT_##unit, help, BASIS_##basis, BASIS_##basis_else },
#include "../core/quantities.def"
};

static const struct { enum statistic_of statistic; size_t tree, tree_else, machine; } ways[QUANTITY_COUNT] = {
#define QUANTITY(name, unit, statistic, tree, basis, tree_else, basis_else, machine, help) { \
		STATISTIC_##statistic, offsetof(struct totals, tree), offsetof(struct totals, tree_else), \
		offsetof(struct totals, machine) },
#include "../core/quantities.def"
};

const char *const basis_names[BASIS_COUNT + 1] = {
	[BASIS_RUN] = "run", [BASIS_PSS] = "PSS", [BASIS_RSS] = "RSS", [BASIS_THREADS] = "threads", [BASIS_JOB] = "job",
	[BASIS_MACHINE] = "machine",
};

const char *basis_words(enum basis b)
{
	static const char *const words[BASIS_COUNT] = {
		[BASIS_PSS] = " (PSS)", [BASIS_RSS] = " (RSS)", [BASIS_THREADS] = " (threads)",
		[BASIS_MACHINE] = " (machine)",
	};

	return b < BASIS_COUNT && words[b] ? words[b] : "";
}

struct quantity_values quantities_unknown(void)
{
	struct quantity_values v;

	for (enum quantity q = 0; q < QUANTITY_COUNT; q++)
		for (enum basis b = 0; b < BASIS_COUNT; b++)
			v.by[q][b] = NONE;
	return v;
}

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

static void read_one(double by[BASIS_COUNT], enum quantity q, const struct aggregate *whole, bool tracked)
{
	const struct statistic tree = total_at(whole, ways[q].tree), tree_else = total_at(whole, ways[q].tree_else);
	const struct statistic machine = total_at(whole, ways[q].machine);

	if (!tracked) {
		by[BASIS_MACHINE] = value_of(&machine, ways[q].statistic);
		return;
	}
	by[quantities[q].basis_else] = value_of(&tree_else, ways[q].statistic);
	if (!is_none(tree.mean) || !is_none(tree.sum))
		by[quantities[q].basis] = value_of(&tree, ways[q].statistic);
}

/* As in the summary: peaks between samples count if they are known, except for PSS, which only samples have. */
static void read_peaks(struct quantity_values *ret, const struct aggregate *whole, const struct moment *moments,
		       size_t n_moments)
{
	double rss = rss_peak_of(whole, moments, n_moments).bytes;

	ret->by[QUANTITY_peak_rss][BASIS_JOB] = rss;
	ret->by[QUANTITY_peak_memory][BASIS_RSS] = rss;
}

void quantities_read(struct quantity_values *ret, const struct aggregate *whole, double seconds, bool tracked,
		     const struct moment *moments, size_t n_moments)
{
	struct quantity_values v = quantities_unknown();
	enum basis basis = tracked ? BASIS_JOB : BASIS_MACHINE;
	double *mean_cpu = &v.by[QUANTITY_mean_cpu][basis], *peak_cpu = &v.by[QUANTITY_peak_cpu][basis];

	for (enum quantity q = 0; q < QUANTITY_COUNT; q++)
		if (ways[q].statistic == STATISTIC_PASSED)
			v.by[q][BASIS_RUN] = seconds;
		else
			read_one(v.by[q], q, whole, tracked);
	if (tracked)
		read_peaks(&v, whole, moments, n_moments);
	/* Total CPU time over elapsed time is exact; a mean of levels is not. */
	if (tracked && !is_none(v.by[QUANTITY_cpu_time][BASIS_JOB]) && seconds > 0)
		*mean_cpu = v.by[QUANTITY_cpu_time][BASIS_JOB] / seconds;
	/* Samples that are too short are left out of the maximum; a peak is never below the mean. */
	if (*peak_cpu < *mean_cpu)
		*peak_cpu = *mean_cpu;
	/* No sample saw the job alive: the number of processes is unknown, not 0. */
	if (v.by[QUANTITY_peak_processes][BASIS_JOB] <= 0)
		v.by[QUANTITY_peak_processes][BASIS_JOB] = NONE;
	*ret = v;
}

enum basis quantity_basis(const struct quantity_values *v, enum quantity q)
{
	enum basis b = 0;

	while (b < BASIS_COUNT && is_none(v->by[q][b]))
		b++;
	return b;
}

double quantity_value(const struct quantity_values *v, enum quantity q)
{
	enum basis b = quantity_basis(v, q);

	return b < BASIS_COUNT ? v->by[q][b] : NONE;
}

void quantity_write(struct buffer *out, enum quantity q, double value, bool number)
{
	if (is_none(value))
		return;
	if (number) {
		bool whole = quantities[q].unit == UNIT_BYTES || fabs(value - (double)(int64_t)value) <= 0;

		buffer_trimmed(out, value, whole ? 0 : 6);
		return;
	}
	switch (quantities[q].unit) {
	case UNIT_BYTES:
		human_bytes(out, value);
		break;
	case UNIT_SECONDS:
		human_seconds(out, value);
		break;
	case UNIT_CORES:
		human_cores(out, value);
		buffer_text(out, " cores");
		break;
	case UNIT_COUNT:
	case UNIT_PERCENT:
	case UNIT_WATTS:
	case UNIT_JOULES:
	case UNIT_CELSIUS:
	case UNIT_HERTZ:
		human_number(out, value);
		break;
	}
}

struct basis_set basis_set_all(void)
{
	struct basis_set s = { .any = false };

	for (enum basis b = 0; b < BASIS_COUNT; b++)
		s.has[b] = true;
	return s;
}

void basis_set_narrow(struct basis_set *s, const struct quantity_values *v, enum quantity q)
{
	if (quantity_basis(v, q) == BASIS_COUNT)
		return;
	s->any = true;
	for (enum basis b = 0; b < BASIS_COUNT; b++)
		s->has[b] = s->has[b] && !is_none(v->by[q][b]);
}

enum basis basis_set_best(const struct basis_set *s)
{
	enum basis b = 0;

	while (s->any && b < BASIS_COUNT && !s->has[b])
		b++;
	return s->any ? b : BASIS_COUNT;
}
