/* sheet.c - the rows of a run as CSV, until they are sent. */
#include "sheet.h"

#include <string.h>

#include "../analysis/answer.h"
#include "../core/sample_write.h"
#include "../core/scan.h"
#include "gzip.h"
#include "push_clock.h"
#include "sentinel_body.h"

enum { ROWS_MOST = 10000 };
static const int64_t MILLISECOND_NS = NS_PER_SECOND / 1000;
static const double CLOUD_SECONDS = 3, USUAL_SECONDS = 60;

double sheet_seconds(bool quiet)
{
	const char *text = getenv("TRACKER_UPLOAD_INTERVAL");
	struct scan s = scan_of(text ? text : "", text ? strlen(text) : 0);
	uint64_t seconds;

	if (!text || !*text)
		return USUAL_SECONDS;
	if (scan_u64(&s, &seconds) && s.at == s.end && seconds <= INT32_MAX)
		return (double)seconds;
	if (!quiet)
		remark("TRACKER_UPLOAD_INTERVAL is not a whole number of seconds; rows are sent every 60 s");
	return USUAL_SECONDS;
}

void sheet_open(struct sheet *s, struct outbox *box, double seconds, bool wants_cloud)
{
	*s = (struct sheet){ .box = box, .seconds = seconds, .wants_cloud = wants_cloud, .last_ms = INT64_MIN };
}

void sheet_close(struct sheet *s)
{
	buffer_release(&s->rows);
}

/* The first thing in a box. */
static bool begun(const struct sheet *s)
{
	return s->box->last_number > 0;
}

static void put_begin(struct sheet *s, const struct record_facts *facts)
{
	struct buffer body = { 0 };

	sentinel_write_begin(&body, facts, &s->devices);
	outbox_put(s->box, &body, 0, 0);
	buffer_release(&body);
}

static void put_rows(struct sheet *s)
{
	struct buffer table = { 0 }, body = { 0 };

	if (s->n == 0 || !begun(s))
		return;
	sample_write_csv_header(&table, CSV_COMBINED);
	buffer_bytes(&table, s->rows.at, s->rows.len);
	gzip_write(&body, table.at, table.len);
	body.failed = body.failed || table.failed || s->rows.failed;
	outbox_put(s->box, &body, s->n, s->last_ms);
	buffer_release(&table);
	buffer_release(&body);
	buffer_clear(&s->rows);
	s->n = 0;
}

void sheet_add(struct sheet *s, const struct record_facts *facts, const struct sample *row)
{
	int64_t ms;

	if (!s->box)
		return;
	devices_see(&s->devices, row);
	ms = (facts->run.start_wall_ns + row->monotonic_ns) / MILLISECOND_NS;
	s->last_ms = ms > s->last_ms ? ms : s->last_ms + 1;
	if (s->last_ms > s->box->last_ms) {
		if (s->n++ == 0)
			s->begun = push_now();
		sample_write_csv(&s->rows, row, &facts->run, CSV_COMBINED);
	}
	if (!begun(s) && (!s->wants_cloud || facts->cloud.asked ||
			  (double)row->monotonic_ns > CLOUD_SECONDS * (double)NS_PER_SECOND))
		put_begin(s, facts);
	if (s->n >= ROWS_MOST)
		put_rows(s);
}

double sheet_due(const struct sheet *s)
{
	return s->box && s->n > 0 && begun(s) ? s->begun + s->seconds : (double)INFINITY;
}

void sheet_go(struct sheet *s, double now)
{
	if (now >= sheet_due(s))
		put_rows(s);
}

void sheet_end(struct sheet *s, const struct record_facts *facts, bool over)
{
	struct buffer body = { 0 };

	if (!s->box)
		return;
	if (!begun(s))
		put_begin(s, facts);
	put_rows(s);
	if (!over || s->box->last_ms == OUTBOX_END_MS)
		return;
	sentinel_write_end(&body, facts);
	outbox_put(s->box, &body, 0, OUTBOX_END_MS);
	buffer_release(&body);
}
