/* metrics.c - metrics.def as data. */
#include "metrics.h"

#include <string.h>

#include "scan.h"

/* row_key() reads a row's first member. */
_Static_assert(offsetof(struct totals, key) == 0 && offsetof(struct disk_row, key) == 0, "key first");

#define ROW_METRIC(table, name, unit, kind, decimals, help) \
	{ #table, #name, UNIT_##unit, KIND_##kind, decimals, offsetof(struct table##_row, name), help },
#define ROW_LABEL(table, name, size, help) { #table, #name, offsetof(struct table##_row, name), size, help },
#define NO_MORE_LABELS { NULL, NULL, 0, 0, NULL },      /* a table without texts has an array, too */

static const struct metric total_metrics[] = {
#define TOTAL(group, name, unit, kind, decimals, help) \
	{ #group, #name, UNIT_##unit, KIND_##kind, decimals, offsetof(struct totals, group##_##name), help },
#include "metrics.def"
};
static const struct label total_labels[] = {
#define TOTAL_TEXT(group, name, size, help) { #group, #name, offsetof(struct totals, group##_##name), size, help },
#include "metrics.def"
};
static const struct metric core_metrics[] = {
#define CORE(...) ROW_METRIC(core, __VA_ARGS__)
#include "metrics.def"
};
static const struct label core_labels[] = {
	NO_MORE_LABELS
};
static const struct metric disk_metrics[] = {
#define DISK(...) ROW_METRIC(disk, __VA_ARGS__)
#include "metrics.def"
};
static const struct label disk_labels[] = {
#define DISK_TEXT(...) ROW_LABEL(disk, __VA_ARGS__)
#include "metrics.def"
	NO_MORE_LABELS
};
static const struct metric mount_metrics[] = {
#define MOUNT(...) ROW_METRIC(mount, __VA_ARGS__)
#include "metrics.def"
};
static const struct label mount_labels[] = {
#define MOUNT_TEXT(...) ROW_LABEL(mount, __VA_ARGS__)
#include "metrics.def"
	NO_MORE_LABELS
};
static const struct metric network_metrics[] = {
#define NETWORK(...) ROW_METRIC(network, __VA_ARGS__)
#include "metrics.def"
};
static const struct label network_labels[] = {
#define NETWORK_TEXT(...) ROW_LABEL(network, __VA_ARGS__)
#include "metrics.def"
	NO_MORE_LABELS
};
static const struct metric gpu_metrics[] = {
#define GPU(...) ROW_METRIC(gpu, __VA_ARGS__)
#include "metrics.def"
};
static const struct label gpu_labels[] = {
#define GPU_TEXT(...) ROW_LABEL(gpu, __VA_ARGS__)
#include "metrics.def"
	NO_MORE_LABELS
};
static const struct metric program_metrics[] = {
#define PROGRAM(...) ROW_METRIC(program, __VA_ARGS__)
#include "metrics.def"
};
static const struct label program_labels[] = {
#define PROGRAM_TEXT(...) ROW_LABEL(program, __VA_ARGS__)
#include "metrics.def"
	NO_MORE_LABELS
};
static const struct metric root_metrics[] = {
#define ROOT(...) ROW_METRIC(root, __VA_ARGS__)
#include "metrics.def"
};
static const struct label root_labels[] = {
#define ROOT_TEXT(...) ROW_LABEL(root, __VA_ARGS__)
#include "metrics.def"
	NO_MORE_LABELS
};
static const struct metric collector_metrics[] = {
#define COLLECTOR(...) ROW_METRIC(collector, __VA_ARGS__)
#include "metrics.def"
};
static const struct label collector_labels[] = {
	NO_MORE_LABELS
};

#define METRICS_OF(table) \
	.metrics = table##_metrics, .n_metrics = countof(table##_metrics), .labels = table##_labels
#define ROW_OF(type) .stride = sizeof(type), .key_size = sizeof ((type *)0)->key

const struct table_info tables[TABLE_COUNT] = {
	[TABLE_TOTAL] = {
		METRICS_OF(total), ROW_OF(struct totals), .n_labels = countof(total_labels),
		.name = "total", .json = "", .help = "the sample", .max = 1, .first = offsetof(struct sample, total),
	},
#define TABLE(table, NAME, json_key, what) \
	[TABLE_##NAME] = { \
		METRICS_OF(table), ROW_OF(struct table##_row), .n_labels = countof(table##_labels) - 1, \
		.name = #table, .json = (json_key), .help = (what), .max = NAME##_MAX, \
		.first = offsetof(struct sample, table), .count = offsetof(struct sample, n_##table), \
		.left_out = offsetof(struct sample, table##s_left_out), \
	},
#include "tables.def"
};

size_t metric_groups(const char *ret[METRIC_GROUPS_MAX])
{
	size_t n = 0;

	/* Metrics of a group are adjacent in metrics.def. */
	for (size_t i = 0; i < countof(total_metrics) && n < METRIC_GROUPS_MAX; i++)
		if (n == 0 || strcmp(ret[n - 1], total_metrics[i].group) != 0)
			ret[n++] = total_metrics[i].group;
	return n;
}

struct rows sample_rows(const struct sample *s, enum table t)
{
	const struct table_info *info = &tables[t];
	const char *base = (const char *)s;
	size_t n = 1;

	if (info->count)
		memcpy(&n, base + info->count, sizeof n);
	return (struct rows){ base + info->first, n, info->stride };
}

const char *row_key(struct rows rows, size_t i)
{
	return rows.first + i * rows.stride;
}

double row_value(struct rows rows, size_t i, const struct metric *m)
{
	double value;

	memcpy(&value, rows.first + i * rows.stride + m->offset, sizeof value);
	return value;
}

const char *row_label(struct rows rows, size_t i, const struct label *l)
{
	return rows.first + i * rows.stride + l->offset;
}

ptrdiff_t row_find(struct rows rows, const char *key, size_t hint)
{
	for (size_t step = 0; step < rows.n; step++) {
		size_t i = (hint + step) % rows.n;

		if (strcmp(row_key(rows, i), key) == 0)
			return (ptrdiff_t)i;
	}
	return -1;
}

void row_clear(enum table t, void *row)
{
	const struct table_info *info = &tables[t];
	char *first = row;
	double *metrics = (double *)(void *)(first + info->stride) - info->n_metrics;

	*first = '\0';
	for (size_t i = 0; i < info->n_labels; i++)
		first[info->labels[i].offset] = '\0';
	for (size_t i = 0; i < info->n_metrics; i++)
		metrics[i] = NONE;
}

void sample_clear(struct sample *s)
{
	s->seq = 0;
	s->wall_ns = s->monotonic_ns = 0;
	s->interval_seconds = NONE;
#define TABLE(name, NAME, json, help) s->n_##name = s->name##s_left_out = 0;
#include "tables.def"
	row_clear(TABLE_TOTAL, &s->total);
}

void *sample_add_row(struct sample *s, enum table t, const char *key)
{
	const struct table_info *info = &tables[t];
	struct rows rows = sample_rows(s, t);
	bool fits = rows.n < info->max;
	size_t *count = (size_t *)(void *)((char *)s + (fits ? info->count : info->left_out));

	++*count;
	if (!fits)
		return NULL;

	char *row = (char *)s + info->first + rows.n * info->stride;

	row_clear(t, row);
	(void)word_copy(word_of(key), row, info->key_size);
	return row;
}

#define TABLE(name, NAME, json, help) \
	struct name##_row *sample_add_##name(struct sample *s, const char *key) \
	{ \
		return sample_add_row(s, TABLE_##NAME, key); \
	}
#include "tables.def"

const char *unit_name(enum unit u)
{
	static const char *const names[] = {
		[UNIT_BYTES] = "bytes", [UNIT_SECONDS] = "seconds", [UNIT_CORES] = "cores",
		[UNIT_COUNT] = "count", [UNIT_PERCENT] = "percent",
		[UNIT_WATTS] = "watts", [UNIT_JOULES] = "joules", [UNIT_CELSIUS] = "celsius",
		[UNIT_HERTZ] = "hertz",
	};
	return names[u];
}

const char *kind_name(enum kind k)
{
	static const char *const names[] = {
		[KIND_LEVEL] = "level", [KIND_AMOUNT] = "amount",
		[KIND_COUNTER] = "counter", [KIND_FIXED] = "fixed",
	};
	return names[k];
}
