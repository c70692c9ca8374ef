/* metrics.c - metrics.def as data. */
#include "metrics.h"

#include <string.h>

#include "scan.h"

/* row_key() reads a row's first member. */
_Static_assert(offsetof(struct totals, key) == 0 && offsetof(struct disk_row, key) == 0, "key first");

#define ROW_METRIC(table, name, unit, kind, decimals, help) \
	{ #table, #name, UNIT_##unit, KIND_##kind, decimals, offsetof(struct table##_row, name), help },
#define ROW_LABEL(table, name, size, help) { #table, #name, offsetof(struct table##_row, name), size, help },

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
static const struct metric disk_metrics[] = {
#define DISK(...) ROW_METRIC(disk, __VA_ARGS__)
#include "metrics.def"
};
static const struct label disk_labels[] = {
#define DISK_TEXT(...) ROW_LABEL(disk, __VA_ARGS__)
#include "metrics.def"
};
static const struct metric mount_metrics[] = {
#define MOUNT(...) ROW_METRIC(mount, __VA_ARGS__)
#include "metrics.def"
};
static const struct label mount_labels[] = {
#define MOUNT_TEXT(...) ROW_LABEL(mount, __VA_ARGS__)
#include "metrics.def"
};
static const struct metric network_metrics[] = {
#define NETWORK(...) ROW_METRIC(network, __VA_ARGS__)
#include "metrics.def"
};
static const struct label network_labels[] = {
#define NETWORK_TEXT(...) ROW_LABEL(network, __VA_ARGS__)
#include "metrics.def"
};
static const struct metric gpu_metrics[] = {
#define GPU(...) ROW_METRIC(gpu, __VA_ARGS__)
#include "metrics.def"
};
static const struct label gpu_labels[] = {
#define GPU_TEXT(...) ROW_LABEL(gpu, __VA_ARGS__)
#include "metrics.def"
};
static const struct metric program_metrics[] = {
#define PROGRAM(...) ROW_METRIC(program, __VA_ARGS__)
#include "metrics.def"
};
static const struct label program_labels[] = {
#define PROGRAM_TEXT(...) ROW_LABEL(program, __VA_ARGS__)
#include "metrics.def"
};
static const struct metric root_metrics[] = {
#define ROOT(...) ROW_METRIC(root, __VA_ARGS__)
#include "metrics.def"
};
static const struct label root_labels[] = {
#define ROOT_TEXT(...) ROW_LABEL(root, __VA_ARGS__)
#include "metrics.def"
};
static const struct metric collector_metrics[] = {
#define COLLECTOR(...) ROW_METRIC(collector, __VA_ARGS__)
#include "metrics.def"
};

#define METRICS_OF(table) .metrics = table##_metrics, .n_metrics = countof(table##_metrics)
#define LABELS_OF(table)  .labels = table##_labels, .n_labels = countof(table##_labels)
#define ROWS_OF(table, most) \
	.name = #table, .stride = sizeof(struct table##_row), .max = (most), \
	.first = offsetof(struct sample, table), .count = offsetof(struct sample, n_##table)

const struct table_info tables[TABLE_COUNT] = {
	[TABLE_TOTAL] = { .name = "total", .help = "the sample", METRICS_OF(total), LABELS_OF(total),
			  .stride = sizeof(struct totals), .max = 1, .first = offsetof(struct sample, total) },
	[TABLE_CORE] = { ROWS_OF(core, CORE_MAX), METRICS_OF(core), .help = "a core of the machine" },
	[TABLE_DISK] = { ROWS_OF(disk, DISK_MAX), METRICS_OF(disk), LABELS_OF(disk),
			 .help = "a whole disk" },
	[TABLE_MOUNT] = { ROWS_OF(mount, MOUNT_MAX), METRICS_OF(mount), LABELS_OF(mount),
			  .help = "a mounted filesystem" },
	[TABLE_NETWORK] = { ROWS_OF(network, NETWORK_MAX), METRICS_OF(network), LABELS_OF(network),
			    .help = "a network interface" },
	[TABLE_GPU] = { ROWS_OF(gpu, GPU_MAX), METRICS_OF(gpu), LABELS_OF(gpu),
			.help = "a graphics processor, or a part of one (MIG)" },
	[TABLE_PROGRAM] = { ROWS_OF(program, PROGRAM_MAX), METRICS_OF(program), LABELS_OF(program),
			    .help = "a program of the tree: all its processes of one name" },
	[TABLE_ROOT] = { ROWS_OF(root, ROOT_MAX), METRICS_OF(root), LABELS_OF(root),
			 .help = "a tracked process and its descendants" },
	[TABLE_COLLECTOR] = { ROWS_OF(collector, COLLECTOR_MAX), METRICS_OF(collector),
			      .help = "a part of the tracker" },
};

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
	s->n_core = s->n_disk = s->n_mount = s->n_network = s->n_gpu = 0;
	s->n_program = s->n_root = s->n_collector = 0;
	s->cores_left_out = s->disks_left_out = s->mounts_left_out = s->networks_left_out = 0;
	s->gpus_left_out = 0;
	row_clear(TABLE_TOTAL, &s->total);
}

static void *add_row(struct sample *s, enum table t, const char *key, size_t key_size, size_t *left_out)
{
	const struct table_info *info = &tables[t];
	struct rows rows = sample_rows(s, t);

	if (rows.n >= info->max) {
		if (left_out)
			++*left_out;
		return NULL;
	}

	char *row = (char *)s + info->first + rows.n * info->stride;

	row_clear(t, row);
	(void)word_copy(word_of(key), row, key_size);
	rows.n++;
	memcpy((char *)s + info->count, &rows.n, sizeof rows.n);
	return row;
}

#define ADD_ROW(table, TABLE, left_out) \
	struct table##_row *sample_add_##table(struct sample *s, const char *key) \
	{ \
		return add_row(s, TABLE_##TABLE, key, sizeof s->table[0].key, left_out); \
	}

ADD_ROW(core, CORE, &s->cores_left_out)
ADD_ROW(disk, DISK, &s->disks_left_out)
ADD_ROW(mount, MOUNT, &s->mounts_left_out)
ADD_ROW(network, NETWORK, &s->networks_left_out)
ADD_ROW(gpu, GPU, &s->gpus_left_out)
ADD_ROW(program, PROGRAM, NULL)
ADD_ROW(root, ROOT, NULL)
ADD_ROW(collector, COLLECTOR, NULL)

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
