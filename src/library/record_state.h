/* record_state.h - the members of struct rt_record, for the library's own files. */
#ifndef RT_RECORD_STATE_H
#define RT_RECORD_STATE_H

#include "../../include/resource_tracker_records.h"
#include "../readers/record_reader.h"
#include "frame.h"
#include "rt_tracker.h"

/* Frames of tables follow, by table number. */
enum record_frame { FRAME_TOTAL, FRAME_MAXIMUM, FRAME_EXIT, FRAME_EVENT, FRAME_REGION, FRAME_STATISTIC, FRAME_TABLES };

struct rt_record {
	struct record_reader *reader;
	struct rt_tracker *row;                 /* its sample is the row */
	enum record_item item;                  /* the last one read */
	bool   has_row;
	char   job_numbers[JOB_KEYS][U64_TEXT]; /* as texts */
	int    failed;                          /* a frame reached its limit: -errno */
	struct rt_frame *frames[FRAME_TABLES + TABLE_COUNT];    /* NULL: not kept */
	size_t columns_known;                    /* to which the numbers below belong; 0: none yet */
	ssize_t column[FRAME_COLUMNS_MAX];      /* by column of the record: its column in the frame of totals; < 0:
						   none */
	ssize_t maximum[FRAME_COLUMNS_MAX];     /* the same in the frame of maxima */
	double values[FRAME_COLUMNS_MAX];
};

#endif
