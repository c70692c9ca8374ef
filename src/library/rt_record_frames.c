/* rt_record_frames.c - the frames of a record, and their content as the record is read. */
#include "rt_record_frames.h"

#include <stdio.h>

#include "../core/record_format.h"
#include "../readers/record_source.h"
#include "record_lists.h"

enum {
	VALUES_FIRST = 64 << 10, VALUES_PER_BYTE = 32,  /* a short line can stand for a row of many columns */
	VALUES_MOST = 128 << 20                         /* 1 GiB: enough for a full record with 1,024 cores in each
							   row */
};

static const struct column_words of_every_row[] = {
	{ "timestamp_seconds", "seconds", "instant" }, { "interval_seconds", "seconds", "amount" },
	{ "samples", "count", "amount" },
};

/* ---- frames with the record's columns -------------------------------------------------------------- */

/* Maps the record's columns to those of the frames, after the record changed them. */
static int find_columns(struct rt_record *record)
{
	struct rt_frame *total = record->frames[FRAME_TOTAL], *maximum = record->frames[FRAME_MAXIMUM];
	size_t n = record_reader_columns(record->reader), levels = 1;
	ssize_t r = 0;

	if (record->columns_known == record_reader_columns_known(record->reader))
		return 0;
	for (size_t i = 0; i < countof(record->column); i++)
		record->column[i] = record->maximum[i] = -1;
	if (total)
		r = frame_name_columns(total, of_every_row, countof(of_every_row));
	if (r == 0 && maximum)
		r = frame_name_columns(maximum, of_every_row, 1);
	for (size_t i = 0; r >= 0 && i < size_min(n, countof(record->column)); i++) {
		const struct record_column *c = record_reader_column(record->reader, i);

		if (total)
			r = record->column[i] = frame_column(total, countof(of_every_row) + i, c->name, c->unit,
							     c->level ? "level" : "amount");
		if ((r >= 0 || r == -E2BIG) && maximum && c->level && c->metric)
			r = record->maximum[i] = frame_column(maximum, levels++, c->name, c->unit, "level");
		if (record->column[i] < (ssize_t)countof(of_every_row))
			record->column[i] = -1;         /* the name belongs to no metric of the record's own */
		if (record->maximum[i] < 1)
			record->maximum[i] = -1;
		if (r == -E2BIG)                /* columns beyond the frame's limit are left out */
			r = 0;
	}
	if (r < 0)
		return (int)r;
	record->columns_known = record_reader_columns_known(record->reader);
	return 0;
}

static double instant_of(const struct rt_record *record)
{
	return rt_timestamp_seconds(record->row);
}

static int add_total(struct rt_record *record, struct rt_frame *f)
{
	size_t n = size_min(record_reader_columns(record->reader), countof(record->column));
	const double *given = record_reader_values(record->reader);
	double *values = record->values;

	for (size_t i = 0; i < f->n_columns; i++)
		values[i] = NONE;
	values[0] = instant_of(record);
	values[1] = rt_interval_seconds(record->row);
	values[2] = (double)rt_record_samples(record);
	for (size_t i = 0; i < n; i++)
		if (record->column[i] >= 0)
			values[record->column[i]] = given[i];
	return frame_add(f, values, f->n_columns, NULL, 0);
}

/* A row that stands for one sample has its values as maxima. */
static int add_maximum(struct rt_record *record, struct rt_frame *f)
{
	size_t n = size_min(record_reader_columns(record->reader), countof(record->column));
	const struct sample *maxima = record_reader_maxima(record->reader);
	bool single = rt_record_samples(record) == 1;
	double *values = record->values;

	for (size_t i = 0; i < f->n_columns; i++)
		values[i] = NONE;
	values[0] = instant_of(record);
	for (size_t i = 0; i < n; i++) {
		const struct record_column *c = record_reader_column(record->reader, i);

		if (record->maximum[i] < 0)
			continue;
		if (maxima)
			values[record->maximum[i]] = row_value(sample_rows(maxima, TABLE_TOTAL), 0, c->metric);
		else if (single)
			values[record->maximum[i]] = record_reader_values(record->reader)[i];
	}
	return frame_add(f, values, f->n_columns, NULL, 0);
}

static int name_table_columns(struct rt_frame *f, enum table t)
{
	const struct table_info *info = &tables[t];
	ssize_t r = frame_name_columns(f, of_every_row, 2);

	for (size_t i = size_max(f->n_columns, 2) - 2; r >= 0 && i < info->n_metrics; i++)
		r = frame_append(f, info->metrics[i].name, unit_name(info->metrics[i].unit),
				 kind_name(info->metrics[i].kind));
	return r < 0 ? (int)r : 0;
}

static int add_table(struct rt_record *record, struct rt_frame *f, enum table t)
{
	const struct table_info *info = &tables[t];
	struct rows rows = sample_rows(record->row->sample, t);
	double *values = record->values;
	int r = name_table_columns(f, t);
	size_t n;

	values[0] = instant_of(record);
	values[1] = rt_interval_seconds(record->row);
	for (size_t row = 0; r >= 0 && row < rows.n; row++) {
		for (n = 2; n < 2 + info->n_metrics; n++)
			values[n] = row_value(rows, row, &info->metrics[n - 2]);
		r = frame_add(f, values, n, (const char *const []){ row_key(rows, row) }, row);
	}
	return r;
}

/* ---- columns of a frame without rows ----------------------------------------------------------------- */

/* The metrics that a record of this version can have. */
static int name_metrics(struct rt_frame *f, size_t n_first, bool levels_alone)
{
	const struct table_info *info = &tables[TABLE_TOTAL];
	ssize_t r = frame_name_columns(f, of_every_row, n_first);
	char name[FRAME_NAME_SIZE];

	for (size_t i = 0; r >= 0 && i < info->n_metrics; i++) {
		const struct metric *m = &info->metrics[i];

		if (m->kind != KIND_LEVEL && (levels_alone || m->kind != KIND_AMOUNT))
			continue;
		(void)snprintf(name, sizeof name, "%s.%s", m->group, m->name);
		r = frame_append(f, name, unit_name(m->unit), kind_name(m->kind));
	}
	return r < 0 ? (int)r : 0;
}

static int name_total(struct rt_frame *f)
{
	return name_metrics(f, countof(of_every_row), false);
}

static int name_maximum(struct rt_frame *f)
{
	return name_metrics(f, 1, true);
}

/* ---- all of them ------------------------------------------------------------------------------------- */

static const struct {
	const char *name, *texts[FRAME_TEXTS_MAX + 1];
	enum record_item when;                  /* at which it is filled */
	int (*add)(struct rt_record *record, struct rt_frame *f);
	int (*name_columns)(struct rt_frame *f);        /* where no row did; NULL: add() does without rows, too */
} frames[FRAME_TABLES] = {
	[FRAME_TOTAL] = { "total", { NULL }, RECORD_ROW, add_total, name_total },
	[FRAME_MAXIMUM] = { "maximum", { NULL }, RECORD_ROW, add_maximum, name_maximum },
	[FRAME_EXIT] = { "exit", { "name" }, RECORD_EXIT, record_add_exit, record_name_exit },
	[FRAME_EVENT] = { "event", { "path", "text" }, RECORD_REGION, record_add_event, record_name_event },
	[FRAME_REGION] = { "region", { "path" }, RECORD_OVER, record_add_regions, NULL },
	[FRAME_STATISTIC] = { "statistic", { "metric", "key" }, RECORD_OVER, record_add_statistics, NULL },
};

/* The frame's number; countof(record->frames): no frame of this name. */
static size_t number_of(struct word name)
{
	for (size_t i = 0; i < FRAME_TABLES; i++)
		if (word_is(name, frames[i].name))
			return i;
	for (enum table t = 0; t < TABLE_COUNT; t++)
		if (record_table(t) && word_is(name, tables[t].name))
			return FRAME_TABLES + (size_t)t;
	return FRAME_TABLES + TABLE_COUNT;
}

int rt_record_keep(struct rt_record *record, const char *names)
{
	static const char *const key[] = { "key", NULL };
	const char *list = names;
	struct word name;

	while (list_next(&list, &name))
		if (number_of(name) == countof(record->frames))
			return -EINVAL;
	for (list = names; list_next(&list, &name);) {
		size_t i = number_of(name);

		if (!record->frames[i])
			record->frames[i] = frame_open(i < FRAME_TABLES ? frames[i].texts : key);
		if (!record->frames[i])
			return -ENOMEM;
		record->columns_known = 0;
	}
	return 0;
}

const struct rt_frame *rt_record_frame(const struct rt_record *record, const char *name)
{
	size_t i = number_of((struct word){ name, strlen(name) });

	return i < countof(record->frames) ? record->frames[i] : NULL;
}

/* Lists known only at the end are added once. */
static bool is_due(const struct rt_record *record, size_t i)
{
	if (i >= FRAME_TABLES)
		return record->item == RECORD_ROW;
	return record->item == frames[i].when && (record->item != RECORD_OVER || record->frames[i]->n_rows == 0);
}

static int name_columns(struct rt_frame *f, size_t i)
{
	if (i >= FRAME_TABLES)
		return name_table_columns(f, (enum table)(i - FRAME_TABLES));
	return frames[i].name_columns ? frames[i].name_columns(f) : 0;
}

/* If the rest of the file is as dense as what was read; it is no matter if not. */
static size_t expected_rows(size_t rows, uint64_t bytes, uint64_t all)
{
	return bytes > 0 && all > bytes ? (size_t)((double)rows * (double)all / (double)bytes) + 1 : 0;
}

int record_frames_add(struct rt_record *record)
{
	const struct record_source *source = record_reader_source(record->reader);
	uint64_t most = VALUES_FIRST + VALUES_PER_BYTE * (source->bytes + source->next);
	int r = record->item == RECORD_ROW ? find_columns(record) : 0;

	for (size_t i = 0; r == 0 && i < countof(record->frames); i++) {
		struct rt_frame *f = record->frames[i];

		if (f && f->n_columns == 0 && record->item == RECORD_OVER)
			r = name_columns(f, i);
		if (r < 0 || !f || !is_due(record, i))
			continue;
		f->most = most < VALUES_MOST ? (size_t)most : VALUES_MOST;
		f->expected = expected_rows(f->n_rows, source->bytes + source->next, source->file_bytes);
		r = i < FRAME_TABLES ? frames[i].add(record, f) : add_table(record, f, (enum table)(i - FRAME_TABLES));
	}
	return r;
}
