/* object_put.h - bytes into a store as an object, by one request, or in parts if they are many. */
#ifndef RT_OBJECT_PUT_H
#define RT_OBJECT_PUT_H

#include "store_request.h"

struct object {
	const struct bucket *bucket;
	const struct credentials *keys;
	const struct destination *files;        /* has certificates alone */
	const char *name;                       /* in the bucket, behind its prefix */
	const char *body;
	size_t n, part_bytes;                   /* more bytes than these are sent in parts of so many */
};

struct attempts {
	struct http *http;
	int signals;                            /* readable: it is to end (stop_signals.h); -1: none */
	double until;                           /* as push_now: nothing is tried again later */
	double stall_seconds;                   /* an attempt ends if no byte goes on for so long */
	bool quiet;                             /* else the first trouble is printed */
	bool stopped;                           /* by a signal */
};

/*
 * Repeats what can succeed later.  0, and *ret_left: why the store did not take it, "" if it did; -errno with a
 * sentence: nothing was sent.  Parts of an object that does not become whole are deleted, if the store answers.
 */
int object_put(const struct object *o, struct attempts *a, struct why *ret_left, struct why *why) must_use;

#endif
