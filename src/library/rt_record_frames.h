/* rt_record_frames.h - a record's frames, as it is read. */
#ifndef RT_RT_RECORD_FRAMES_H
#define RT_RT_RECORD_FRAMES_H

#include "record_state.h"

/* Adds to the frames what was read last; after RECORD_OVER what is known at the end.  -EFBIG, -ENOMEM. */
int record_frames_add(struct rt_record *record) must_use;

#endif
