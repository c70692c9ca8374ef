/*
 * sample_plan.h - the JSON line as data: the keys of every object, in the order of writing, with the source of each
 * value.  Made once from metrics.def and layouts.def, when a writer is opened (sample_write.h); sample_json.c walks it.
 */
#ifndef RT_SAMPLE_PLAN_H
#define RT_SAMPLE_PLAN_H

#include "layouts.h"
#include "metrics.h"

enum special {                                  /* values that are not metrics */
	SPECIAL_GROUP,                          /* an object of totals; member.index is its plan */
	SPECIAL_PROCESS,                        /* the same, null while nothing is tracked */
	SPECIAL_ROWS,                           /* all of a table; member.index is the table */
	SPECIAL_DISKS, SPECIAL_MOUNTS, SPECIAL_GPU_DETAIL, SPECIAL_CORES, SPECIAL_COLLECTORS,
	SPECIAL_TIMESTAMP, SPECIAL_WHOLE_TIMESTAMP, SPECIAL_JOB_NAME, SPECIAL_VERSION,
	SPECIAL_PID, SPECIAL_PIDS,
	/* From here on the key is left out if there is no value. */
	SPECIAL_INTERVAL,
	SPECIAL_LEFT_OUT,                       /* rows of the table member.index */
};

enum member_source { MEMBER_NUMBER, MEMBER_TEXT, MEMBER_KEY_NUMBER, MEMBER_SPECIAL };

/* Small, because a line has hundreds of them, all cold at one sample a second. */
struct member {
	uint16_t offset;                        /* in struct totals or the row */
	uint8_t key_length;
	int8_t decimals;
	enum member_source source : 8;
	enum special special : 8;
	enum scale scale : 8;
	unsigned index : 8;
};

struct plan {
	const struct member *members;
	const char *keys;                       /* of all members, `,"name":`, one after the other */
	size_t n;
};

enum { KEY_CHUNK = 32 };                         /* bytes that can be read beyond the keys */

struct sample_writer {
	struct plan line;
	struct plan row[TABLE_COUNT];
	struct plan group[METRIC_GROUPS_MAX];
	struct member *members;                 /* of all plans, followed by all keys */
};

#endif
