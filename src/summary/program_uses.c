/* program_uses.c - the programs of a run that matter, and the rest together. */
#include "program_uses.h"

#include <string.h>

#include "summary_parts.h"

/* A program matters if it is one of the first, or has such a share of the CPU time or of the largest one's memory. */
enum { NAMED_LEAST = 3 };
static const double CPU_SHARE = 0.01, MEMORY_SHARE = 0.1;
static const double SHORT_LIVED_SECONDS = 0.01, SHORT_LIVED_SHARE = 0.005;

static struct statistic value_of(const struct aggregate *whole, size_t row, const char *name)
{
	const struct table_info *info = &tables[TABLE_PROGRAM];

	for (size_t i = 0; i < info->n_metrics; i++)
		if (strcmp(info->metrics[i].name, name) == 0)
			return aggregate_row(whole, TABLE_PROGRAM, row, &info->metrics[i]);
	return (struct statistic){ NONE, NONE, NONE, NONE, NONE, 0 };
}

static struct program_use use_of(const struct aggregate *whole, size_t row)
{
	static const struct { const char *metric, *peak_of; } memory[] = {
		{ "pss_bytes", "PSS peak" }, { "rss_bytes", "RSS peak" }, { "peak_rss_bytes", "largest process" },
	};
	struct program_use u = {
		.name = aggregate_key(whole, TABLE_PROGRAM, row), .peak_bytes = NONE,
		.cpu_seconds = value_of(whole, row, "cpu_seconds").sum, .started = value_of(whole, row, "started").sum,
	};

	for (size_t i = 0; is_none(u.peak_bytes) && i < countof(memory); i++) {
		u.peak_bytes = bytes_seen(value_of(whole, row, memory[i].metric).maximum);
		u.peak_of = memory[i].peak_of;
	}
	return u;
}

/* The rest that a sample sums up. */
static bool is_rest(const struct aggregate *whole, size_t row)
{
	return strcmp(aggregate_key(whole, TABLE_PROGRAM, row), "others") == 0;
}

static int heaviest_first(const void *a, const void *b)
{
	const struct program_use *x = a, *y = b;
	double cpu = add_known(y->cpu_seconds, 0) - add_known(x->cpu_seconds, 0);
	double started = add_known(y->started, 0) - add_known(x->started, 0);

	return cpu > 0 ? 1 : cpu < 0 ? -1 : started > 0 ? 1 : started < 0 ? -1 : strcmp(x->name, y->name);
}

static void add_to_others(struct program_uses *to, const struct program_use *u)
{
	to->others.cpu_seconds = add_known(to->others.cpu_seconds, u->cpu_seconds);
	to->others.started = add_known(to->others.started, u->started);
}

/* How many of them, from the heaviest on, are named; those between that matter less are named with them. */
static size_t named(const struct program_use *all, size_t n)
{
	size_t result = size_min(n, NAMED_LEAST);
	double cpu = 0, memory = 0;

	for (size_t i = 0; i < n; i++) {
		cpu += add_known(all[i].cpu_seconds, 0);
		memory = double_max(memory, add_known(all[i].peak_bytes, 0));
	}
	for (size_t i = result; i < size_min(n, PROGRAMS_MOST); i++)
		if (all[i].cpu_seconds >= CPU_SHARE * cpu || all[i].peak_bytes >= MEMORY_SHARE * memory)
			result = i + 1;
	return result + 1 == n && n <= PROGRAMS_MOST ? n : result;      /* a single one is no longer than "others" */
}

double program_uses_unaccounted(const struct aggregate *whole)
{
	double unaccounted = summary_total(whole, METRIC_process_unaccounted_cpu_seconds).sum;
	double rest = summary_total(whole, METRIC_process_cpu_seconds).sum;

	if (is_none(unaccounted) || is_none(rest))
		return unaccounted;
	for (size_t row = 0; row < aggregate_rows(whole, TABLE_PROGRAM); row++)
		rest -= add_known(value_of(whole, row, "cpu_seconds").sum, 0);
	return double_max(0, double_min(unaccounted, rest));
}

void program_uses_read(struct program_uses *ret, const struct aggregate *whole)
{
	size_t rows = aggregate_rows(whole, TABLE_PROGRAM), n = 0;
	struct program_use *all = calloc(rows + 1, sizeof *all);
	double unseen = program_uses_unaccounted(whole);
	double job = summary_total(whole, METRIC_process_cpu_seconds).sum;

	*ret = (struct program_uses){
		.others = { .name = "others", .cpu_seconds = NONE, .started = NONE, .peak_bytes = NONE },
		.short_lived_seconds = unseen > SHORT_LIVED_SECONDS && unseen > SHORT_LIVED_SHARE * job ? unseen : NONE,
	};
	for (size_t row = 0; all && row < rows; row++) {
		struct program_use u = use_of(whole, row);

		if (!is_rest(whole, row)) {
			all[n++] = u;
		} else if (add_known(u.cpu_seconds, 0) > 0 || add_known(u.started, 0) > 0) {
			add_to_others(ret, &u);
			ret->others_more = true;
		}
	}
	if (n > 1)
		qsort(all, n, sizeof *all, heaviest_first);
	ret->n = all ? named(all, n) : 0;
	ret->others_named = n - ret->n;
	for (size_t i = 0; i < n; i++)
		if (i < ret->n)
			ret->at[i] = all[i];
		else
			add_to_others(ret, &all[i]);
	free(all);
}
