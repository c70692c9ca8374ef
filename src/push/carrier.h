/*
 * carrier.h - brings parcels to one destination, one after the other: each by a request, or to a service that keeps
 * runs by the requests that its protocol asks for (sentinel.h).
 */
#ifndef RT_CARRIER_H
#define RT_CARRIER_H

#include "parcel.h"

struct carrier;

/*
 * `d` and `spool` must outlive it; spool: NULL: none.  -errno with a sentence that names the file and line of a wrong
 * header; -ENOMEM.
 */
int  carrier_open(struct carrier **ret, struct http *h, const struct destination *d, const struct spool *spool,
		  struct why *why) must_use;
void carrier_close(struct carrier *c);                  /* NULL is fine */
/* The body must stay until carrier_over.  -ENOMEM. */
int  carrier_start(struct carrier *c, const struct parcel *p) must_use;
/* All parcels of a run that is over as one, after a delivery that proposes it.  -errno: they cannot be. */
int  carrier_start_all(struct carrier *c, const struct parcels *all) must_use;
/* Goes on with it, without waiting.  false: it is not over, or was not started. */
bool carrier_over(struct carrier *c, struct delivery *ret);

#endif
