/* record_state.h - what struct rt_record holds, for the library's own files. */
#ifndef RT_RECORD_STATE_H
#define RT_RECORD_STATE_H

#include "../../include/resource_tracker_records.h"
#include "../readers/record_reader.h"
#include "frame.h"
#include "rt_tracker.h"

/* Those of tables follow, by their numbers. */
enum record_frame { FRAME_TOTAL, FRAME_MAXIMUM, FRAME_EXIT, FRAME_EVENT, FRAME_REGION, FRAME_STATISTIC, FRAME_TABLES };

struct rt_record {
	struct record_reader *reader;
	struct rt_tracker *row;                 /* its sample is the row */
	enum record_item item;                  /* read last */
	bool   has_row;
	char   job_numbers[JOB_KEYS][U64_TEXT]; /* as texts */
	int    failed;                          /* a frame could not hold more: -errno */
	struct rt_frame *frames[FRAME_TABLES + TABLE_COUNT];    /* NULL: not kept */
	size_t columns_known;                    /* what the numbers below are of; 0: of nothing yet */
	ssize_t column[FRAME_COLUMNS_MAX];      /* of the record's column i, that in the frame of totals; < 0: none */
	ssize_t maximum[FRAME_COLUMNS_MAX];     /* the same in the frame of maxima */
	double values[FRAME_COLUMNS_MAX];
};

#endif
