/* sentinel_inline.h - a whole run as one request to the service Sentinel, if its store takes nothing of it. */
#ifndef RT_SENTINEL_INLINE_H
#define RT_SENTINEL_INLINE_H

#include "parcel.h"

/*
 * Appends the end of the run with the rows of all parcels before it inline.  -ENODATA: they have no end; -EFBIG: more
 * than `most` bytes of rows; -errno of a parcel that cannot be unpacked.
 */
int sentinel_write_all(struct buffer *out, const struct parcels *all, size_t most) must_use;

#endif
