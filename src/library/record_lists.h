/* record_lists.h - what a record lists beside its rows, each list a frame with columns of its own. */
#ifndef RT_RECORD_LISTS_H
#define RT_RECORD_LISTS_H

#include "record_state.h"

/* Add what was read last: -EFBIG, -ENOMEM. */
int record_add_exit(struct rt_record *record, struct rt_frame *f) must_use;
int record_add_event(struct rt_record *record, struct rt_frame *f) must_use;
/* Add all of them, when the record is over. */
int record_add_regions(struct rt_record *record, struct rt_frame *f) must_use;
int record_add_statistics(struct rt_record *record, struct rt_frame *f) must_use;

#endif
