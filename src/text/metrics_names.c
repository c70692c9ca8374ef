/* metrics_names.c - the part of the metric reference about names in JSON and CSV, from layouts.def. */
#include "metrics_names.h"

#include <string.h>

#include "../core/layouts.h"
#include "../core/metrics.h"
#include "../core/sample_write.h"

struct column {
	enum csv_layout layout;
	const char *name;
	size_t offset;                          /* in struct totals */
	enum scale scale;
	const char *other;                      /* the description, if it is not a metric */
};

#define OTHER_TIMESTAMP "seconds since 1970"
#define OTHER_PID       "the tracked process"

static const struct column columns[] = {
#define CSV(layout, column, metric, scale, decimals) \
	{ CSV_##layout, #column, offsetof(struct totals, metric), SCALE_##scale, NULL },
#define CSV_OTHER(layout, column, what) { CSV_##layout, #column, 0, SCALE_ONE, OTHER_##what },
#include "../core/layouts.def"
};

struct key { const char *object, *name; enum table table; size_t offset; enum scale scale; };

static const struct key keys[] = {
#define JSON_TOTAL(object, key, metric, scale, decimals) \
	{ #object, #key, TABLE_TOTAL, offsetof(struct totals, metric), SCALE_##scale },
#define JSON_ROW(table, key, metric, scale, decimals) \
	{ #table "[]", #key, TABLE_##table, offsetof(struct table##_row, metric), SCALE_##scale },
#include "../core/layouts.def"
};

static const char *const conversions[] = {
	[SCALE_ONE] = "", [SCALE_MIB] = "in whole MiB", [SCALE_MIB_FRACTION] = "in MiB",
	[SCALE_GB] = "in 10^9 bytes", [SCALE_MEGA] = "in millions", [SCALE_PER_SECOND] = "per second",
};

static const struct metric *metric_at(enum table t, size_t offset)
{
	for (size_t i = 0; i < tables[t].n_metrics; i++)
		if (tables[t].metrics[i].offset == offset)
			return &tables[t].metrics[i];
	return NULL;
}

static void write_metric(struct buffer *out, enum table t, size_t offset, enum scale scale)
{
	const struct metric *m = metric_at(t, offset);

	if (!m)
		return;
	buffer_format(out, "`%s%s.%s`%s%s |\n", m->group, t == TABLE_TOTAL ? "" : "[]", m->name,
		      *conversions[scale] ? ", " : "", conversions[scale]);
}

void metrics_names(struct buffer *out)
{
	static const char head[] = "\n\n| name | holds |\n|---|---|\n";

	buffer_text(out, "\n## Names in JSON\n\nSamples in JSON have some metrics under names that users of other "
		    "trackers know:");
	buffer_text(out, head);
	for (size_t i = 0; i < countof(keys); i++) {
		const struct key *k = &keys[i];
		const struct metric *m = metric_at(k->table, k->offset);

		if (m && k->scale == SCALE_ONE && strcmp(m->name, k->name) == 0 &&
		    strncmp(k->object, m->group, strlen(m->group)) == 0)
			continue;
		buffer_format(out, "| `%s.%s` | ", k->object, k->name);
		write_metric(out, k->table, k->offset, k->scale);
	}
	for (unsigned layout = 0; layout < CSV_LAYOUTS; layout++) {
		buffer_format(out, "\n## Columns of --csv %s", csv_layout_names[layout]);
		buffer_text(out, head);
		for (size_t i = 0; i < countof(columns); i++) {
			const struct column *c = &columns[i];

			if (c->layout != layout)
				continue;
			buffer_format(out, "| `%s` | ", c->name);
			if (c->other)
				buffer_format(out, "%s |\n", c->other);
			else
				write_metric(out, TABLE_TOTAL, c->offset, c->scale);
		}
	}
}
