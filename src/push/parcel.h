/* parcel.h - what is brought to a destination at once, and how that went. */
#ifndef RT_PARCEL_H
#define RT_PARCEL_H

#include "destination.h"
#include "spool.h"

/* A service is asked to begin a run and to end it; all else is data. */
enum parcel_kind { PARCEL_DATA, PARCEL_BEGIN, PARCEL_END };

/* number: from 1 on, ascending; a parcel that is sent again has the same. */
struct parcel { enum parcel_kind kind; uint64_t number; const char *body; size_t n; };

/* All parcels that wait, in their order.  false: no more, or one cannot be read.  A body stays until the next call. */
struct parcels { bool (*next)(void *context, struct parcel *ret); void *context; };

struct delivery {
	enum verdict verdict;
	bool answered;                          /* by the receiver, if only to refuse it */
	bool futile;                            /* LATER, but this process need not try again: a key is missing */
	bool all_at_once;                       /* LATER, but if the run is over, all that waits can be sent as one */
	double asked_seconds;                   /* Retry-After; 0: not */
	struct why trouble;                     /* unless ACCEPTED */
};

#endif
