/*
 * sentinel.h - the service Sentinel, which keeps runs: a run is registered there, its rows are put as gzipped CSV into
 * a store with keys that the service lends, and the run is ended.  docs/reference/push.md has the requests.
 *
 * The token of the user and the keys are in memory alone.  The token goes to the service and never to the store, and no
 * redirect is followed.  Keys that end within KEYS_SPARE_SECONDS, or that the store refuses, are asked for anew.  Rows
 * of which the store never takes any are part of the end of the run, if they are at most PUSH_INLINE_BYTES.
 */
#ifndef RT_SENTINEL_H
#define RT_SENTINEL_H

#include "parcel.h"

enum { KEYS_SPARE_SECONDS = 300 };

struct sentinel;

/* As those of carrier.h.  SENTINEL_S3_URL: a store that is not AWS'. */
int  sentinel_open(struct sentinel **ret, struct http *h, const struct destination *d, const struct spool *spool,
		   struct why *why) must_use;
void sentinel_close(struct sentinel *s);
int  sentinel_start(struct sentinel *s, const struct parcel *p) must_use;
int  sentinel_start_all(struct sentinel *s, const struct parcels *all) must_use;
bool sentinel_over(struct sentinel *s, struct delivery *ret);

#endif
