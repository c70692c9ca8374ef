/* record_upload.h - puts the record of a run that is over into stores, gzipped, as an object. */
#ifndef RT_RECORD_UPLOAD_H
#define RT_RECORD_UPLOAD_H

#include "object_put.h"

enum { UPLOAD_PART_BYTES = 64 << 20 };

struct upload_options {
	struct bucket to[PUSH_MAX];
	size_t n;
	struct credentials keys;                /* of all */
	struct destination files;               /* has certificates alone */
	double drain_seconds;                   /* no new attempt begins later */
	size_t part_bytes;                      /* UPLOAD_PART_BYTES, less in tests */
	uint64_t spool_bytes;                   /* of all records that wait for a store (waiting_upload.h) */
	bool quiet;
};

/* The attempts that the options ask for, from now on. */
struct attempts upload_attempts(const struct upload_options *o, struct http *h);

/*
 * The object is PREFIX/NAME.gz with the name of the file, and is the same each time.  0; -errno with a sentence: there
 * is no such record, or the run still goes on.  *ret_left becomes true if a store did not take it, which is reported.
 */
int record_upload(const struct upload_options *o, const char *path, bool *ret_left, struct why *why) must_use;

/* Appends the terminated name of the object. */
void upload_name(struct buffer *out, const char *path);

#endif
