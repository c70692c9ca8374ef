/* record_lists.h - the lists of a record beside its rows, each as a frame with columns of its own. */
#ifndef RT_RECORD_LISTS_H
#define RT_RECORD_LISTS_H

#include "record_state.h"

/* Errors of all: as frame_column and frame_add; what was added before stays. */

/* Set the columns, which the first item does otherwise. */
int record_name_exit(struct rt_frame *f) must_use;
int record_name_event(struct rt_frame *f) must_use;
/* Add the last item read. */
int record_add_exit(struct rt_record *record, struct rt_frame *f) must_use;
int record_add_event(struct rt_record *record, struct rt_frame *f) must_use;
/* Add all items, at the end of the record. */
int record_add_regions(struct rt_record *record, struct rt_frame *f) must_use;
int record_add_statistics(struct rt_record *record, struct rt_frame *f) must_use;

#endif
