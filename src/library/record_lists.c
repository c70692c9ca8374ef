/* record_lists.c - adds exits of processes, events, regions and statistics of a record to frames. */
#include "record_lists.h"

#include <stdio.h>

static const struct column_words of_exit[] = {
	{ "pid", "", "fixed" }, { "parent", "", "fixed" }, { "start_seconds", "seconds", "instant" },
	{ "end_seconds", "seconds", "instant" }, { "cpu_seconds", "seconds", "amount" },
	{ "peak_rss_bytes", "bytes", "level" }, { "exact", "", "fixed" },
};

static const struct column_words of_event[] = {
	{ "kind", "", "fixed" }, { "timestamp_seconds", "seconds", "instant" }, { "seconds", "seconds", "amount" },
	{ "cpu_seconds", "seconds", "amount" }, { "value", "", "level" }, { "tid", "", "fixed" },
	{ "unfinished", "", "fixed" },
};

static const struct column_words of_statistic[] = {
	{ "mean", "", "level" }, { "maximum", "", "level" }, { "sum", "", "amount" },
	{ "seconds", "seconds", "amount" },
};

static const struct { const char *name, *unit; size_t offset; bool count; } of_region[] = {
#define COUNT(name) { #name, "count", offsetof(struct region_total, name), true }
#define SECONDS(name) { #name, "seconds", offsetof(struct region_total, name), false }
#define BYTES(name) { #name, "bytes", offsetof(struct region_total, name), false }
	COUNT(count), COUNT(recursed), COUNT(unfinished), SECONDS(seconds),
	{ "min_seconds", "seconds", offsetof(struct region_total, shortest_seconds), false },
	{ "max_seconds", "seconds", offsetof(struct region_total, longest_seconds), false },
	SECONDS(p50_seconds), SECONDS(p95_seconds), SECONDS(p99_seconds), SECONDS(cpu_seconds),
	SECONDS(elapsed_seconds), BYTES(peak_rss_bytes), BYTES(rss_rise_bytes),
#undef COUNT
#undef SECONDS
#undef BYTES
};

int record_name_exit(struct rt_frame *f)
{
	return frame_name_columns(f, of_exit, countof(of_exit));
}

int record_add_exit(struct rt_record *record, struct rt_frame *f)
{
	struct rt_exit e = { .size = sizeof e };
	const char *texts[] = { e.name };
	int r = record_name_exit(f);

	if (r < 0 || rt_record_exit(record, &e) < 0)
		return r;

	const double values[countof(of_exit)] = {
		(double)e.pid, (double)e.parent, e.start_seconds, e.end_seconds, e.cpu_seconds, e.peak_rss_bytes,
		(double)e.exact,
	};

	return frame_add(f, values, countof(values), texts, 0);
}

int record_name_event(struct rt_frame *f)
{
	return frame_name_columns(f, of_event, countof(of_event));
}

int record_add_event(struct rt_record *record, struct rt_frame *f)
{
	struct rt_record_region e = { .size = sizeof e };
	int r = record_name_event(f);

	if (r < 0 || rt_record_region(record, &e) < 0)
		return r;

	const double values[countof(of_event)] = {
		(double)e.kind, e.timestamp_seconds, e.seconds, e.cpu_seconds, e.value, e.tid, (double)e.unfinished,
	};

	return frame_add(f, values, countof(values), (const char *const []){ e.path, e.text }, 0);
}

static const char *const use_parts[] = { "", ".lower", ".upper" };

/* Each region's numbers, then the value and the bounds of each use. */
static int name_region(struct rt_frame *f)
{
	char name[FRAME_NAME_SIZE];
	ssize_t r = 0;

	for (size_t i = f->n_columns; r >= 0 && i < countof(of_region); i++)
		r = frame_append(f, of_region[i].name, of_region[i].unit, "amount");
	for (size_t k; r >= 0 && (k = f->n_columns - countof(of_region)) < REGION_USES * countof(use_parts);) {
		const char *use = region_use_names[k / countof(use_parts)], *unit = strrchr(use, '_');

		(void)snprintf(name, sizeof name, "%s%s", use, use_parts[k % countof(use_parts)]);
		r = frame_append(f, name, unit ? unit + 1 : "", "amount");
	}
	return r < 0 ? (int)r : 0;
}

int record_add_regions(struct rt_record *record, struct rt_frame *f)
{
	const struct region_totals *all = &record_reader_facts(record->reader)->regions;
	double values[countof(of_region) + REGION_USES * countof(use_parts)];
	int r = name_region(f);
	size_t n;

	for (size_t i = 0; r >= 0 && i < all->n; i++) {
		const struct region_total *t = &all->at[i];

		for (n = 0; n < countof(of_region); n++) {
			const char *at = (const char *)t + of_region[n].offset;
			uint64_t count;

			memcpy(&values[n], at, sizeof values[n]);
			memcpy(&count, at, sizeof count);
			if (of_region[n].count)
				values[n] = (double)count;
		}
		for (size_t k = 0; k < REGION_USES; k++) {
			values[n++] = t->use[k].value;
			values[n++] = t->use[k].lower;
			values[n++] = t->use[k].upper;
		}
		r = frame_add(f, values, n, (const char *const []){ t->path }, i);
	}
	return r;
}

static int add_statistic(struct rt_frame *f, const struct metric *m, const char *key, struct statistic s, size_t slot)
{
	const double values[countof(of_statistic)] = { s.mean, s.maximum, s.sum, s.seconds };
	char name[FRAME_NAME_SIZE];

	if (is_none(s.mean) && is_none(s.maximum) && is_none(s.sum))
		return 0;
	(void)snprintf(name, sizeof name, "%s.%s", m->group, m->name);
	return frame_add(f, values, countof(values), (const char *const []){ name, key }, slot);
}

int record_add_statistics(struct rt_record *record, struct rt_frame *f)
{
	const struct aggregate *all = record_reader_totals(record->reader);
	int r = frame_name_columns(f, of_statistic, countof(of_statistic));

	if (r < 0 || !all)
		return r;
	for (size_t i = 0; r == 0 && i < tables[TABLE_TOTAL].n_metrics; i++) {
		const struct metric *m = &tables[TABLE_TOTAL].metrics[i];

		r = add_statistic(f, m, "", aggregate_total(all, m), 0);
	}
	for (enum table t = TABLE_TOTAL + 1; t < TABLE_COUNT; t++)
		for (size_t row = 0; r == 0 && row < aggregate_rows(all, t); row++)
			for (size_t i = 0; r == 0 && i < tables[t].n_metrics; i++) {
				const struct metric *m = &tables[t].metrics[i];

				r = add_statistic(f, m, aggregate_key(all, t, row), aggregate_row(all, t, row, m), row);
			}
	return r;
}
