/* shipment.c - a run on its way. */
#include "shipment.h"

#include <stdio.h>
#include <string.h>

#include "../analysis/answer.h"
#include "batch.h"
#include "recovery.h"

/* Files of the folder beside the batches. */
static const char ABOUT[] = "about.json", WHOLE[] = "whole";

static const struct spool *spool_of(const struct shipment *s)
{
	return s->spool.folder >= 0 ? &s->spool : NULL;
}

/* ---- opening ----------------------------------------------------------------------------------- */

static int open_boxes(struct shipment *s, struct http *h, const struct send_options *o, struct why *why)
{
	for (size_t i = 0; i < s->n; i++) {
		int r = carrier_open(&s->carriers[i], h, &s->to[i], spool_of(s), why);

		if (r == 0)
			r = outbox_open(&s->boxes[i], spool_of(s), (unsigned)i, s->to[i].shown, s->carriers[i],
					o->spool_bytes);
		if (r < 0)
			return r;
		s->wants_points = s->wants_points || s->to[i].form->encode;
		if (s->to[i].form->service)
			sheet_open(&s->sheet, &s->boxes[i], o->sheet_seconds, o->wants_cloud);
	}
	return 0;
}

/* What another process needs to go on. */
static int write_about(const struct shipment *s)
{
	struct buffer text = { 0 };
	struct json j = json_to(&text);
	int r;

	json_open(&j, '{');
	json_member_text(&j, "record", s->record);
	json_member_open(&j, "destinations", '[');
	for (size_t i = 0; i < s->n; i++)
		destination_write(&j, &s->to[i]);
	json_close(&j, ']');
	json_close(&j, '}');
	r = text.failed ? -ENOMEM : spool_write(&s->spool, ABOUT, text.at, text.len);
	buffer_release(&text);
	return r;
}

int shipment_open(struct shipment *ret, struct http *h, int root, const char *run, const struct destination *to,
		  size_t n, const struct send_options *o, struct why *why)
{
	struct shipment *s = ret;
	int r = 0;

	*s = (struct shipment){ .spool = { .folder = -1 }, .n = n };
	memcpy(s->to, to, n * sizeof *to);
	if (o->record && !realpath(o->record, s->record))
		s->record[0] = '\0';
	if (root >= 0)
		r = spool_open(&s->spool, root, run, true);
	if (r == -EBUSY)
		r = why_set(why, r, "another process sends the run %s", run);
	else if (r < 0)
		r = 0;                          /* a full disk: in memory, then */
	if (r == 0 && s->spool.folder >= 0 && write_about(s) < 0)
		spool_remove(&s->spool);
	if (r == 0)
		r = open_boxes(s, h, o, why);
	if (r < 0)
		shipment_close(s);
	return r;
}

/* ---- what another process left ----------------------------------------------------------------- */

static int read_about(struct shipment *s, struct why *why)
{
	struct buffer text = { 0 };
	struct json_value about, list, one;
	int r = spool_read(&s->spool, ABOUT, &text);

	if (r == 0)
		r = json_parse(&about, text.at, text.len);
	if (r < 0) {
		buffer_release(&text);
		return why_set(why, r, "what is spooled of the run %s cannot be read: %s", s->spool.name, strerror(-r));
	}
	if (json_find(about, "record", &one))
		(void)json_as_text(one, s->record, sizeof s->record);
	if (!json_find(about, "destinations", &list))
		list = (struct json_value){ .kind = JSON_NULL };
	for (struct json_walk w = json_walk(list); r == 0 && s->n < DESTINATIONS_MAX && json_next(&w, NULL, &one);) {
		r = destination_read(&s->to[s->n], one, why);
		s->n += r == 0;
	}
	buffer_release(&text);
	return r;
}

int shipment_adopt(struct shipment *ret, struct http *h, int root, const char *name, const struct send_options *o,
		   struct why *why)
{
	struct shipment *s = ret;
	struct buffer whole = { 0 };
	int r;

	*s = (struct shipment){ .spool = { .folder = -1 } };
	r = spool_open(&s->spool, root, name, false);
	if (r < 0)
		return why_set(why, r, "%s: %s", name, r == -EBUSY ? "another process sends it" : strerror(-r));
	r = read_about(s, why);
	if (r == 0)
		r = open_boxes(s, h, o, why);
	if (r < 0) {
		shipment_close(s);
		return r;
	}
	s->whole = spool_read(&s->spool, WHOLE, &whole) == 0;
	buffer_release(&whole);
	if (!s->whole)
		s->whole = recover_rows(&s->spool, s->record, s->boxes, s->to, s->n, &s->sheet);
	return 0;
}

void shipment_close(struct shipment *s)
{
	bool delivered = s->n > 0 && s->whole && shipment_delivered(s);

	if (s->spool.folder >= 0 && delivered)
		spool_remove(&s->spool);
	else if (s->spool.folder >= 0 && s->whole)
		(void)!spool_write(&s->spool, WHOLE, "", 0);
	for (size_t i = 0; i < s->n; i++) {
		carrier_close(s->carriers[i]);
		outbox_close(&s->boxes[i]);
		destination_close(&s->to[i]);
	}
	sheet_close(&s->sheet);
	spool_close(&s->spool);
}

/* ---- sending ----------------------------------------------------------------------------------- */

void shipment_cut(struct shipment *s, struct points *p)
{
	if (p->n_moments == 0)
		return;
	if (s->spool.folder >= 0)
		recovery_note(&s->spool, p);
	for (size_t i = 0; i < s->n; i++)
		if (s->to[i].form->encode)
			batch_put(&s->boxes[i], &s->to[i], p);
	points_clear(p);
}

void shipment_go(struct shipment *s, double now)
{
	sheet_go(&s->sheet, now);
	for (size_t i = 0; i < s->n; i++)
		outbox_go(&s->boxes[i], now);
}

double shipment_due(const struct shipment *s)
{
	double due = sheet_due(&s->sheet);

	for (size_t i = 0; i < s->n; i++)
		due = double_min(due, outbox_due(&s->boxes[i]));
	return due;
}

bool shipment_delivered(const struct shipment *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (!outbox_empty(&s->boxes[i]))
			return false;
	return true;
}

void shipment_hurry(struct shipment *s, double now)
{
	for (size_t i = 0; i < s->n; i++)
		outbox_hurry(&s->boxes[i], now);
}

bool shipment_hopeful(const struct shipment *s, double until)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct outbox *box = &s->boxes[i];

		if (!outbox_empty(box) && (box->all || (!box->hopeless && (box->going || box->not_before < until))))
			return true;
	}
	return false;
}

static uint64_t points_left(const struct outbox *box)
{
	uint64_t points = 0;

	for (size_t i = 0; i < box->n; i++)
		points += box->items[i].points;
	return points;
}

/* "12 rows"; what begins or ends a run has none. */
static const char *amount(char ret[40], uint64_t points, bool rows)
{
	if (rows && points == 0)
		return "the run";
	(void)snprintf(ret, 40, "%llu %s", (unsigned long long)points, rows ? "rows" : "values");
	return ret;
}

static void report_box(const struct outbox *box, bool left_in_spool, bool rows)
{
	bool run = rows && points_left(box) == 0;
	struct why why;
	char text[40];

	if (box->refusal.text[0])
		remark((why_set(&why, 0, "%s %s refused: %s", amount(text, box->refused, rows),
				rows && box->refused == 0 ? "was" : "were", box->refusal.text), why.text));
	if (box->dropped > 0)
		remark((why_set(&why, 0, "%s: %s were dropped, because they could not be kept any longer", box->shown,
				amount(text, box->dropped, rows)), why.text));
	if (!outbox_empty(box))
		remark((why_set(&why, 0, "%s %s not delivered%s%s%s", amount(text, points_left(box), rows), run ? "is" : "are",
				!left_in_spool ? "" : run ? " yet; resource-tracker push --spooled sends it" :
				" yet; the next --push sends them, or: resource-tracker push --spooled",
				box->trouble.text[0] ? "; " : "", box->trouble.text), why.text));
}

void shipment_report(const struct shipment *s, bool left_in_spool)
{
	for (size_t i = 0; i < s->n; i++)
		report_box(&s->boxes[i], left_in_spool && s->spool.folder >= 0, s->to[i].form->service);
}
