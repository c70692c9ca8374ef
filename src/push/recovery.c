/* recovery.c - rows from the record of a run. */
#include "recovery.h"

#include <fcntl.h>

#include "../core/output_file.h"
#include "../core/source.h"
#include "../readers/record_reader.h"
#include "batch.h"
#include "counters.h"
#include "exact.h"

static const char COUNTERS[] = "counters";

static void put(struct outbox *box, const struct destination *to, struct points *p)
{
	batch_put(box, to, p);
	points_clear(p);
}

void recovery_note(const struct spool *spool, const struct points *p)
{
	struct buffer counters = { 0 };

	counters_save(&counters, p);
	if (!counters.failed)
		(void)!spool_write(spool, COUNTERS, counters.at, counters.len);
	buffer_release(&counters);
}

static void load_counters(const struct spool *spool, struct points *p)
{
	struct buffer counters = { 0 };

	if (spool_read(spool, COUNTERS, &counters) == 0)
		counters_load(p, counters.at, counters.len);
	buffer_release(&counters);
}

bool record_is_written(const char *path)
{
	auto_close int fd = source_open_file(AT_FDCWD, path);

	return fd >= 0 && output_file_is_held(fd);
}

/* The rows of the record that are newer than what this box ever had. */
static void recover_box(struct outbox *box, const struct destination *to, const struct spool *spool, const char *record,
			bool goes_on)
{
	struct record_reader *r;
	struct points points;
	struct exact exact;
	int64_t known_ms = box->last_ms;

	if (record_reader_open(&r, record, NULL) < 0)
		return;
	exact_open(&exact, record);
	points_open(&points, record_reader_facts(r));
	points.exact = exact_totals(&exact);
	load_counters(spool, &points);
	for (enum record_item item; (item = record_reader_next(r)) != RECORD_OVER;) {
		if (item != RECORD_ROW || (goes_on && record_reader_partial(r)))
			continue;
		points_add(&points, record_reader_sample(r), NULL);
		if (points.last_ms <= known_ms)
			points_clear(&points);
		else if (points.n >= POINTS_OF_BATCH)
			put(box, to, &points);
	}
	if (points.last_ms > known_ms)
		points_add_totals(&points, record_reader_totals(r), record_reader_facts(r)->status.end_monotonic_ns);
	put(box, to, &points);
	points_close(&points);
	exact_close(&exact);
	record_reader_close(r);
}

/* The same for a service, and the end of the run. */
static void recover_sheet(struct sheet *sheet, const char *record, bool goes_on)
{
	struct record_reader *r;

	if (!sheet->box || record_reader_open(&r, record, NULL) < 0)
		return;
	for (enum record_item item; (item = record_reader_next(r)) != RECORD_OVER;)
		if (item == RECORD_ROW && !(goes_on && record_reader_partial(r)))
			sheet_add(sheet, record_reader_facts(r), record_reader_sample(r));
	sheet_end(sheet, record_reader_facts(r), !goes_on);
	record_reader_close(r);
}

bool recover_rows(const struct spool *spool, const char *record, struct outbox *boxes, const struct destination *to,
		  size_t n, struct sheet *sheet)
{
	bool goes_on = record[0] && record_is_written(record);

	for (size_t i = 0; record[0] && i < n; i++)
		if (to[i].form->encode)
			recover_box(&boxes[i], &to[i], spool, record, goes_on);
	if (record[0])
		recover_sheet(sheet, record, goes_on);
	return !goes_on;
}
