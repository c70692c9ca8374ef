/* rt_record_frames.h - fills a record's frames as it is read. */
#ifndef RT_RT_RECORD_FRAMES_H
#define RT_RT_RECORD_FRAMES_H

#include "record_state.h"

/* Adds the last item read to the frames; after RECORD_OVER the lists known only at the end.  -EFBIG, -ENOMEM. */
int record_frames_add(struct rt_record *record) must_use;

#endif
