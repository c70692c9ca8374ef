/* outbox_item.h - a batch of an outbox, its name in the spool, and the note of the last one that was sent. */
#ifndef RT_OUTBOX_ITEM_H
#define RT_OUTBOX_ITEM_H

#include "parcel.h"

struct outbox_item {
	uint64_t number;                        /* from 1 on, ascending */
	int64_t last_ms;                        /* time of its newest points */
	uint64_t points;
	size_t bytes;
	struct buffer memory;                   /* the body, if it is not on disk */
};

/* Without points it begins a run at a service, or ends it. */
#define OUTBOX_END_MS INT64_MAX
enum parcel_kind outbox_item_kind(const struct outbox_item *i);

/* destination: its number in the folder. */
struct item_name { char text[96]; };
struct item_name outbox_item_name(const struct outbox_item *i, unsigned destination);
/* false: it is none of this destination. */
bool outbox_item_read_name(struct outbox_item *ret, unsigned destination, const char *name);

/* Notes the number and time of an item that was accepted or refused; spool: NULL: none. */
void outbox_item_note_sent(const struct spool *spool, unsigned destination, const struct outbox_item *item);
/* false: none was. */
bool outbox_item_read_sent(const struct spool *spool, unsigned destination, uint64_t *ret_number, int64_t *ret_ms);

#endif
