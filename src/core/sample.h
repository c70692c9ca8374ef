/*
 * sample.h - the result of one tick.  Plain data without pointers.
 *
 * Every metric is a double.  NONE means "not available here, now": JSON null, an empty CSV cell.  Nothing else has that
 * meaning: no -1, no 0, no valid bit.  The fields are generated from metrics.def.  A row's first member is its key,
 * followed by its texts and by its metrics in one block: a row is cleared without the table of metrics.
 */
#ifndef RT_SAMPLE_H
#define RT_SAMPLE_H

#include <math.h>

#include "base.h"
#include "limits.h"

#define NONE ((double)NAN)

static inline bool is_none(double value) { return isnan(value); }

enum { KEY_SIZE = 64, MOUNT_KEY_SIZE = 256 };

struct totals {
	char key[8];                            /* always "" */
#define TOTAL_TEXT(group, name, size, help) char group##_##name[size];
#include "metrics.def"
#define TOTAL(group, name, unit, kind, decimals, help) double group##_##name;
#include "metrics.def"
};

struct core_row {
	char key[8];                            /* number of the core, "0" */
#define CORE(name, unit, kind, decimals, help) double name;
#include "metrics.def"
};

struct disk_row {
	char key[KEY_SIZE];                     /* "vda", "zfs:tank" */
#define DISK_TEXT(name, size, help) char name[size];
#define DISK(name, unit, kind, decimals, help) double name;
#include "metrics.def"
};

struct mount_row {
	char key[MOUNT_KEY_SIZE];               /* mount point, decoded */
#define MOUNT_TEXT(name, size, help) char name[size];
#define MOUNT(name, unit, kind, decimals, help) double name;
#include "metrics.def"
};

struct network_row {
	char key[KEY_SIZE];                     /* name of the interface */
#define NETWORK_TEXT(name, size, help) char name[size];
#define NETWORK(name, unit, kind, decimals, help) double name;
#include "metrics.def"
};

struct gpu_row {
	char key[KEY_SIZE];                     /* uuid; without one, its place: "0000:03:00.0" */
#define GPU_TEXT(name, size, help) char name[size];
#define GPU(name, unit, kind, decimals, help) double name;
#include "metrics.def"
};

struct program_row {
	char key[KEY_SIZE];                     /* name of the program; "others": all the rest */
#define PROGRAM_TEXT(name, size, help) char name[size];
#define PROGRAM(name, unit, kind, decimals, help) double name;
#include "metrics.def"
};

struct root_row {
	char key[KEY_SIZE];                     /* pid */
#define ROOT_TEXT(name, size, help) char name[size];
#define ROOT(name, unit, kind, decimals, help) double name;
#include "metrics.def"
};

struct collector_row {
	char key[KEY_SIZE];                     /* name of the collector */
#define COLLECTOR(name, unit, kind, decimals, help) double name;
#include "metrics.def"
};

enum { COLLECTOR_MAX = 16 };

struct sample {
	/* Rows beyond n_x are stale.  Rows that did not fit are counted, never dropped in silence. */
#define TABLE(name, NAME, json, help) struct name##_row name[NAME##_MAX];
#include "tables.def"
#define TABLE(name, NAME, json, help) size_t n_##name, name##s_left_out;
#include "tables.def"
	struct totals total;

	uint64_t seq;                           /* 0: the baseline */
	int64_t  wall_ns;                       /* CLOCK_REALTIME at the beginning of the sample */
	int64_t  monotonic_ns;                  /* CLOCK_MONOTONIC at the same instant */
	double   interval_seconds;              /* since the sample before; NONE for the baseline */
};

void sample_clear(struct sample *s);            /* every total NONE, every table empty */

/*
 * The next free row of a table, cleared (metrics NONE, texts ""), with its key cut to fit;
 * NULL if the table is full, which is counted in the table's x_left_out.
 */
#define TABLE(name, NAME, json, help) struct name##_row *sample_add_##name(struct sample *s, const char *key);
#include "tables.def"

/* The gain of a counter, both readings known; 0 if it fell (hot-unplug, wrap, kernel rounding), never negative. */
static inline double gained(uint64_t was, uint64_t now)
{
	return now > was ? (double)(now - was) : 0.0;
}

/* a + b, without a missing part; NONE only if both are missing. */
static inline double add_known(double a, double b)
{
	return is_none(a) ? b : is_none(b) ? a : a + b;
}

/* The smaller one; a missing one is ignored.  NONE only if both are missing. */
static inline double least_known(double a, double b)
{
	return is_none(a) || b < a ? b : a;
}

#endif
