/* fleet_push.h - `fleet push`: records into a store. */
#ifndef RT_FLEET_PUSH_H
#define RT_FLEET_PUSH_H

#include "fleet_store.h"

struct fleet_push {
	const struct store_kind *kind;
	struct fleet_store *store;
	const char *address;                    /* the records' folder as others reach it; NULL: their paths here */
	bool again;                             /* runs that are there are replaced */
	size_t pushed, there, running, failed;  /* results: numbers of runs; each failed one was reported on stderr */
};

/*
 * Pushes the record, or all records (*.jsonl) below the folder.  A record that cannot be read is reported, counted, and
 * the others go on; -errno with a sentence: the store fails.
 */
int fleet_push(struct fleet_push *p, const char *path, struct why *why) must_use;

#endif
