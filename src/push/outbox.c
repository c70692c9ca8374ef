/* outbox.c - batches on their way to one destination. */
#include "outbox.h"

#include <math.h>
#include <string.h>

/* ALL_AFTER: failures in a row. */
enum { PUSH_MEMORY_BYTES = 4 << 20, ALL_AFTER = 3 };

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
		spool_delete(o->spool, outbox_item_name(item, o->destination).text);
	buffer_release(&item->memory);
	o->bytes -= item->bytes;
	memmove(item, item + 1, (--o->n - i) * sizeof *item);
}

/* The oldest data goes, but not that which is on its way. */
static void make_room(struct outbox *o, size_t bytes, uint64_t most)
{
	for (size_t i = o->going; i < o->n && o->bytes + bytes > most;) {
		if (outbox_item_kind(&o->items[i]) != PARCEL_DATA) {
			i++;
			continue;
		}
		o->dropped += o->items[i].points;
		forget_item(o, i);
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
	r = !o->spool ? -ENOSPC :
	    spool_write(o->spool, outbox_item_name(&item, o->destination).text, body->at, body->len);
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
	struct outbox_item item;

	if (!outbox_item_read_name(&item, o->destination, name))
		return;
	item.bytes = spool_size(o->spool, name);
	(void)add_item(o, &item);
}

static int by_number(const void *a, const void *b)
{
	const struct outbox_item *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

int outbox_open(struct outbox *ret, const struct spool *spool, unsigned destination, const char *shown,
		struct carrier *carrier, uint64_t bytes_most)
{
	uint64_t sent = 0;

	*ret = (struct outbox){ .spool = spool, .destination = destination, .shown = shown, .carrier = carrier,
				.bytes_most = bytes_most, .last_ms = INT64_MIN };
	if (!spool)
		return 0;
	if (outbox_item_read_sent(spool, destination, &sent, &ret->last_ms))
		ret->last_number = sent;
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

/* NULL: it cannot be read.  Valid until the next one. */
static const struct buffer *body_of(struct outbox *o, const struct outbox_item *item)
{
	if (item->memory.at)
		return &item->memory;
	return spool_read(o->spool, outbox_item_name(item, o->destination).text, &o->body) < 0 ? NULL : &o->body;
}

struct item_walk { struct outbox *box; size_t i; };

static bool next_parcel(void *context, struct parcel *ret)
{
	struct item_walk *w = context;
	const struct outbox_item *item = w->i < w->box->n ? &w->box->items[w->i++] : NULL;
	const struct buffer *body = item ? body_of(w->box, item) : NULL;

	if (body)
		*ret = (struct parcel){ outbox_item_kind(item), item->number, body->at, body->len };
	return body != NULL;
}

/* If that is all there will be, and the receiver of single ones fails for some time. */
static void start_all(struct outbox *o, const struct delivery *d)
{
	struct item_walk walk = { o, 0 };
	struct parcels all = { next_parcel, &walk };

	if (!d->all_at_once || !o->ending || o->last_ms != OUTBOX_END_MS || (d->answered && o->failures < ALL_AFTER))
		return;
	o->going = o->all = carrier_start_all(o->carrier, &all) == 0;
}

static void take_all(struct outbox *o)
{
	for (size_t i = 0; i < o->n; i++)
		o->sent += o->items[i].points;
	outbox_item_note_sent(o->spool, o->destination, &o->items[o->n - 1]);
	while (o->n > 0)
		forget_item(o, 0);
	o->trouble.text[0] = '\0';
}

static void wait_after(struct outbox *o, const struct delivery *d, double now)
{
	if (!o->all)                            /* else what came before is the reason */
		o->trouble = d->trouble;
	o->failures++;
	o->not_before = d->futile ? (double)INFINITY : now + http_pause_seconds(o->failures, d->asked_seconds);
}

static void take_delivery(struct outbox *o, const struct delivery *d, double now)
{
	struct outbox_item *item = &o->items[0];

	o->going = false;
	o->hopeless = o->ending && (!d->answered || d->futile || (o->all && o->hopeless));
	o->asked_to_wait = d->verdict == LATER && d->asked_seconds > 0;
	if (d->verdict == LATER || o->all) {
		if (d->verdict == ACCEPTED)
			take_all(o);
		else
			wait_after(o, d, now);
		o->all = false;
		start_all(o, d);
		return;
	}
	if (d->verdict == REFUSED) {
		o->refused += item->points;
		if (!o->refusal.text[0])
			o->refusal = d->trouble;
	} else {
		o->sent += item->points;
	}
	o->trouble.text[0] = '\0';
	o->failures = 0;
	o->not_before = 0;
	/* Before the batch itself is deleted: a crash between the two does not send it again. */
	outbox_item_note_sent(o->spool, o->destination, item);
	forget_item(o, 0);
}

/* A batch that cannot be read is lost. */
static void start(struct outbox *o, double now)
{
	struct outbox_item *item = &o->items[0];
	const struct buffer *body = body_of(o, item);

	if (!body) {
		o->dropped += item->points;
		forget_item(o, 0);
		return;
	}

	struct parcel parcel = { outbox_item_kind(item), item->number, body->at, body->len };

	o->going = carrier_start(o->carrier, &parcel) == 0;
	if (!o->going)
		o->not_before = now + http_pause_seconds(++o->failures, 0);
}

void outbox_go(struct outbox *o, double now)
{
	struct delivery delivery;

	for (;;) {
		if (o->going && !carrier_over(o->carrier, &delivery))
			return;
		if (o->going)
			take_delivery(o, &delivery, now);
		if (o->n == 0 || (!o->going && now < o->not_before))
			return;
		if (!o->going)
			start(o, now);
	}
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
