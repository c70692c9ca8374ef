/* record_upload.h - puts the record of a run that is over into a store, gzipped, as an object. */
#ifndef RT_RECORD_UPLOAD_H
#define RT_RECORD_UPLOAD_H

#include "../store/bucket.h"
#include "../store/credentials.h"
#include "shipment.h"

struct upload_options {
	struct bucket to[DESTINATIONS_MAX];
	size_t n;
	struct credentials keys;                /* of all */
	struct destination files;               /* has certificates alone */
	double drain_seconds;                   /* no new attempt begins later */
	bool quiet;
};

/*
 * The object is PREFIX/NAME.gz with the name of the file, and is the same each time.  0; -errno with a sentence: there
 * is no such record, or the run still goes on.  *ret_left becomes true if a store did not take it, which is reported.
 */
int record_upload(const struct upload_options *o, const char *path, bool *ret_left, struct why *why) must_use;

#endif
