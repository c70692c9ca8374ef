/* record_body.h - the record of a run that is over, gzipped as it is uploaded. */
#ifndef RT_RECORD_BODY_H
#define RT_RECORD_BODY_H

#include "../core/buffer.h"
#include "../core/why.h"

/* Appends it, the same each time.  -EBUSY: the run still goes on; -errno; both with a sentence. */
int record_body_read(struct buffer *out, const char *path, struct why *why) must_use;

#endif
