/* record_sender.c - from a record to receivers. */
#include "record_sender.h"

#include "../readers/record_reader.h"
#include "exact.h"
#include "recovery.h"

/* One batch after the other, in memory: what the receiver does not take now is not sent. */
static void send_rows(struct sender *l, struct record_reader *r, struct points *p, double seconds)
{
	struct shipment *own = &l->at[0];

	while (!l->stopped && shipment_delivered(own)) {
		enum record_item item = record_reader_next(r);

		if (item == RECORD_OVER)
			break;
		if (item != RECORD_ROW)
			continue;
		if (own->wants_points)
			points_add(p, record_reader_sample(r), record_reader_sums(r));
		sheet_add(&own->sheet, record_reader_facts(r), record_reader_sample(r));
		if (p->n < POINTS_OF_BATCH && shipment_delivered(own))
			continue;
		shipment_cut(own, p);
		sender_drain(l, seconds);
	}
	if (l->stopped || !shipment_delivered(own))
		return;
	points_add_totals(p, record_reader_totals(r), record_reader_facts(r)->status.end_monotonic_ns);
	shipment_cut(own, p);
	sheet_end(&own->sheet, record_reader_facts(r), true);
	sender_drain(l, seconds);
	own->whole = true;
}

static bool anything_refused(const struct shipment *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->boxes[i].refusal.text[0])
			return true;
	return false;
}

static bool has_service(const struct sender_options *o)
{
	for (size_t i = 0; i < o->n; i++)
		if (o->to[i].form->service)
			return true;
	return false;
}

int record_send(struct sender_options *o, const char *path, bool *ret_left, struct why *why)
{
	struct record_reader *r;
	struct points points;
	struct exact exact;
	struct sender l;
	int result = record_reader_open(&r, path, why);

	if (result < 0)
		return result;
	result = sender_open(&l, -1, why);
	if (result == 0 && has_service(o) && record_is_written(path))
		result = why_set(why, -EBUSY, "the run still goes on; sentinel is sent a run that is over, or by --push");
	if (result == 0)
		result = shipment_open(&l.at[0], l.http, -1, record_reader_facts(r)->id, o->to, o->n, &o->send, why);
	if (result == 0) {
		l.n = 1;
		exact_open(&exact, path);
		points_open(&points, record_reader_facts(r));
		points.exact = exact_totals(&exact);
		send_rows(&l, r, &points, o->drain_seconds);
		sender_report(&l, &points, false);
		*ret_left = sender_left(&l) || anything_refused(&l.at[0]);
		points_close(&points);
		exact_close(&exact);
	}
	sender_close(&l);
	record_reader_close(r);
	return result;
}
