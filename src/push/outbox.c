/* outbox.c - batches on their way to one destination. */
#include "outbox.h"

#include <stdio.h>
#include <string.h>

#include "../core/scan.h"

enum { PUSH_MEMORY_BYTES = 4 << 20 };

/* ---- names ------------------------------------------------------------------------------------- */

struct batch_name { char text[96]; };

/* Destination, number, time of the newest points, and how many there are. */
static struct batch_name batch_name(const struct outbox *o, const struct outbox_item *i)
{
	struct batch_name name;

	(void)snprintf(name.text, sizeof name.text, "%u-%010llu-%lld-%llu", o->destination, (unsigned long long)i->number,
		       (long long)i->last_ms, (unsigned long long)i->points);
	return name;
}

static struct batch_name sent_name(const struct outbox *o)
{
	struct batch_name name;

	(void)snprintf(name.text, sizeof name.text, "%u-sent", o->destination);
	return name;
}

static bool read_batch_name(struct outbox_item *ret, unsigned destination, const char *name)
{
	struct scan s = scan_of(name, strlen(name));
	uint64_t of;

	return scan_u64(&s, &of) && of == destination && scan_literal(&s, "-") && scan_u64(&s, &ret->number) &&
	       scan_literal(&s, "-") && scan_i64(&s, &ret->last_ms) && scan_literal(&s, "-") && scan_u64(&s, &ret->points) &&
	       s.at == s.end;
}

/* ---- the queue --------------------------------------------------------------------------------- */

static bool add_item(struct outbox *o, const struct outbox_item *item)
{
	if (o->n == o->size) {
		size_t size = o->size ? 2 * o->size : 16;
		struct outbox_item *more = reallocarray(o->items, size, sizeof *more);

		if (!more)
			return false;
		o->items = more;
		o->size = size;
	}
	o->items[o->n++] = *item;
	o->bytes += item->bytes;
	return true;
}

static void forget_item(struct outbox *o, size_t i)
{
	struct outbox_item *item = &o->items[i];

	if (!item->memory.at)
		spool_delete(o->spool, batch_name(o, item).text);
	buffer_release(&item->memory);
	o->bytes -= item->bytes;
	memmove(item, item + 1, (--o->n - i) * sizeof *item);
}

/* The oldest ones go, but not the one that is on its way. */
static void make_room(struct outbox *o, size_t bytes, uint64_t most)
{
	size_t first = o->going;

	while (o->n > first && o->bytes + bytes > most) {
		o->dropped += o->items[first].points;
		forget_item(o, first);
	}
}

void outbox_put(struct outbox *o, const struct buffer *body, uint64_t points, int64_t last_ms)
{
	struct outbox_item item = { ++o->last_number, last_ms, points, body->len, { 0 } };
	int r;

	o->last_ms = last_ms;
	if (body->failed) {
		o->dropped += points;
		return;
	}
	make_room(o, body->len, o->bytes_most);
	r = o->spool ? spool_write(o->spool, batch_name(o, &item).text, body->at, body->len) : -ENOSPC;
	if (r < 0) {
		make_room(o, body->len, size_min(o->bytes_most, PUSH_MEMORY_BYTES));
		buffer_bytes(&item.memory, body->at, body->len);
	}
	if (item.memory.failed || !add_item(o, &item)) {
		buffer_release(&item.memory);
		o->dropped += points;
	}
}

/* ---- what a process before left ---------------------------------------------------------------- */

static void find_item(void *context, const char *name)
{
	struct outbox *o = context;
	struct outbox_item item = { .number = 0 };

	if (read_batch_name(&item, o->destination, name) && strcmp(batch_name(o, &item).text, name) == 0)
		(void)add_item(o, &item);
}

static int by_number(const void *a, const void *b)
{
	const struct outbox_item *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

/* The number and time of the last batch that was accepted or refused. */
static void read_sent(struct outbox *o, uint64_t *ret)
{
	struct buffer text = { 0 };
	struct scan s;
	uint64_t number;
	int64_t ms;

	if (spool_read(o->spool, sent_name(o).text, &text) == 0) {
		s = scan_of(text.at, text.len);
		if (scan_u64(&s, &number) && scan_i64(&s, &ms)) {
			*ret = number;
			o->last_number = number;
			o->last_ms = ms;
		}
	}
	buffer_release(&text);
}

int outbox_open(struct outbox *ret, const struct spool *spool, unsigned destination, const char *shown,
		struct http_request *request, uint64_t bytes_most)
{
	uint64_t sent = 0;

	*ret = (struct outbox){ .spool = spool, .destination = destination, .shown = shown, .request = request,
				.bytes_most = bytes_most, .last_ms = INT64_MIN };
	if (!spool)
		return 0;
	read_sent(ret, &sent);
	spool_walk(spool->folder, find_item, ret);
	if (ret->n > 0)
		qsort(ret->items, ret->n, sizeof *ret->items, by_number);
	while (ret->n > 0 && ret->items[0].number <= sent)
		forget_item(ret, 0);
	if (ret->n > 0) {
		ret->last_number = ret->items[ret->n - 1].number;
		ret->last_ms = ret->items[ret->n - 1].last_ms;
	}
	return 0;
}

void outbox_close(struct outbox *o)
{
	for (size_t i = 0; i < o->n; i++)
		buffer_release(&o->items[i].memory);
	free(o->items);
	buffer_release(&o->body);
}

/* ---- sending ----------------------------------------------------------------------------------- */

/* Before the batch itself is deleted: a crash between the two does not send it again. */
static void note_sent(struct outbox *o, const struct outbox_item *item)
{
	char text[48];
	int n = snprintf(text, sizeof text, "%llu %lld\n", (unsigned long long)item->number, (long long)item->last_ms);

	if (o->spool)
		(void)!spool_write(o->spool, sent_name(o).text, text, (size_t)n);
}

static void describe(struct why *ret, const struct outbox *o, const struct http_answer *a)
{
	if (a->web_page)
		(void)why_set(ret, 0, "%s: a web page (status %ld) answers, not a receiver", o->shown, a->status);
	else if (a->status >= 300 && a->status < 400)
		(void)why_set(ret, 0, "%s: status %ld, a redirect, which is not followed", o->shown, a->status);
	else if (a->status)
		(void)why_set(ret, 0, "%s: status %ld%s%s", o->shown, a->status, a->text[0] ? ": " : "", a->text);
	else
		(void)why_set(ret, 0, "%s: %s", o->shown, a->text);
}

static void take_answer(struct outbox *o, const struct http_answer *a, double now)
{
	enum verdict verdict = http_verdict(a);
	struct outbox_item *item = &o->items[0];

	o->going = false;
	o->hopeless = o->ending && a->status == 0;
	o->asked_to_wait = verdict == LATER && a->retry_after_seconds > 0;
	if (verdict == LATER) {
		describe(&o->trouble, o, a);
		o->failures++;
		o->not_before = now + http_pause_seconds(o->failures, a->retry_after_seconds);
		return;
	}
	if (verdict == REFUSED) {
		o->refused += item->points;
		if (!o->refusal.text[0])
			describe(&o->refusal, o, a);
	} else {
		o->sent += item->points;
	}
	o->trouble.text[0] = '\0';
	o->failures = 0;
	o->not_before = 0;
	note_sent(o, item);
	forget_item(o, 0);
}

/* A batch that cannot be read is lost. */
static void start(struct outbox *o, double now)
{
	struct outbox_item *item = &o->items[0];
	const struct buffer *body = item->memory.at ? &item->memory : &o->body;

	if (!item->memory.at && spool_read(o->spool, batch_name(o, item).text, &o->body) < 0) {
		o->dropped += item->points;
		forget_item(o, 0);
		return;
	}
	o->going = http_request_start(o->request, body->at, body->len) == 0;
	if (!o->going)
		o->not_before = now + http_pause_seconds(++o->failures, 0);
}

void outbox_go(struct outbox *o, double now)
{
	struct http_answer answer;

	if (o->going && http_request_over(o->request, &answer))
		take_answer(o, &answer, now);
	while (!o->going && o->n > 0 && now >= o->not_before)
		start(o, now);
}

void outbox_hurry(struct outbox *o, double now)
{
	o->ending = true;
	if (!o->asked_to_wait)
		o->not_before = double_min(o->not_before, now);
}

double outbox_due(const struct outbox *o)
{
	return o->going || o->n == 0 ? (double)INFINITY : o->not_before;
}
