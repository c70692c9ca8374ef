/* outbox_item.c - a batch of an outbox in the spool. */
#include "outbox_item.h"

#include <stdio.h>
#include <string.h>

#include "../core/scan.h"

enum parcel_kind outbox_item_kind(const struct outbox_item *i)
{
	return i->points > 0 ? PARCEL_DATA : i->last_ms == OUTBOX_END_MS ? PARCEL_END : PARCEL_BEGIN;
}

/* Destination, number, time of the newest points, and how many there are. */
struct item_name outbox_item_name(const struct outbox_item *i, unsigned destination)
{
	struct item_name name;

	(void)snprintf(name.text, sizeof name.text, "%u-%010llu-%lld-%llu", destination, (unsigned long long)i->number,
		       (long long)i->last_ms, (unsigned long long)i->points);
	return name;
}

bool outbox_item_read_name(struct outbox_item *ret, unsigned destination, const char *name)
{
	struct scan s = scan_of(name, strlen(name));
	struct outbox_item item = { .number = 0 };
	uint64_t of;

	if (!scan_u64(&s, &of) || of != destination || !scan_literal(&s, "-") || !scan_u64(&s, &item.number) ||
	    !scan_literal(&s, "-") || !scan_i64(&s, &item.last_ms) || !scan_literal(&s, "-") ||
	    !scan_u64(&s, &item.points) || strcmp(outbox_item_name(&item, destination).text, name) != 0)
		return false;
	*ret = item;
	return true;
}

static struct item_name sent_name(unsigned destination)
{
	struct item_name name;

	(void)snprintf(name.text, sizeof name.text, "%u-sent", destination);
	return name;
}

void outbox_item_note_sent(const struct spool *spool, unsigned destination, const struct outbox_item *item)
{
	char text[48];
	int n = snprintf(text, sizeof text, "%llu %lld\n", (unsigned long long)item->number, (long long)item->last_ms);

	if (spool)
		(void)!spool_write(spool, sent_name(destination).text, text, (size_t)n);
}

bool outbox_item_read_sent(const struct spool *spool, unsigned destination, uint64_t *ret_number, int64_t *ret_ms)
{
	struct buffer text = { 0 };
	struct scan s;
	uint64_t number;
	int64_t ms;
	bool found = false;

	if (spool_read(spool, sent_name(destination).text, &text) == 0) {
		s = scan_of(text.at, text.len);
		found = scan_u64(&s, &number) && scan_i64(&s, &ms);
	}
	buffer_release(&text);
	if (found) {
		*ret_number = number;
		*ret_ms = ms;
	}
	return found;
}
