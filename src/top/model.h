/*
 * model.h - what the view knows of a run: its last samples, the rows of its tables, what is open, and how it ended.
 * Plain data: a copy of it is what a paused view shows.
 */
#ifndef RT_MODEL_H
#define RT_MODEL_H

#include "../readers/record_facts.h"
#include "../regions/open_regions.h"
#include "entries.h"

enum { POINTS_MAX = 2048, PROGRAMS_KEPT = 128, GPUS_SHOWN = 16, REGIONS_SHOWN = 16 };

/* The courses that are drawn.  AMOUNTs are per second. */
enum course { COURSE_CPU, COURSE_MEMORY, COURSE_DISK, COURSE_NETWORK, COURSE_GPU, COURSE_COUNT };

/* slowed: its clock is reduced, by power, heat or another reason. */
struct gpu_now { char name[48]; double utilization_pct, temperature, power_watts; bool slowed; };

struct model {
	/* The run. */
	char   title[256], id[160], host[72];
	bool   tracked;                         /* processes, not only the machine */
	bool   ours;                            /* the run ends when the view is left */
	bool   is_job;                          /* the sum of its ranks, for which no highest value is known */
	int64_t start_wall_ns;
	double interval_seconds;

	/* Its samples: value[i % POINTS_MAX] of a course; n were ever added. */
	size_t n;
	double value[COURSE_COUNT][POINTS_MAX], end_seconds[POINTS_MAX];
	double highest_memory;                  /* of the whole run; NONE: never known */
	struct totals total;                    /* of the last row; amounts are of row_seconds */
	double row_seconds, seconds;            /* time that it covers; its end since the start of the run */
	double cpu_seconds, cpu_lower_seconds, cpu_upper_seconds;       /* since the start; NONE: unknown */
	struct entry program[PROGRAM_MAX];
	size_t n_programs;
	struct spent { char name[KEY_SIZE]; double seconds; } spent[PROGRAMS_KEPT];     /* CPU time by program so far */
	size_t n_spent;
	struct gpu_now gpu[GPUS_SHOWN];
	size_t n_gpus;

	/* Its parts. */
	struct open_region region[REGIONS_SHOWN];       /* open now, the outer before the inner */
	size_t n_regions, more_regions;
	bool   regions_known;                   /* false: open regions cannot be read here */
	char   last_region[96], last_mark[96], last_value[96];  /* "" if there is none */

	/* How it ended; "" while it goes on. */
	char   ended[200];
	uint64_t lost_lines;                    /* of a feed that was read too slowly */
};

/* All is copied, cut to fit, and can be shown. */
void model_begin(struct model *m, const struct record_facts *facts);
/* sums: since the start of the run, NULL if the record has none. */
void model_row(struct model *m, const struct sample *row, const struct sample *sums);
void model_region(struct model *m, const struct region_event *event);
/* The record is over; facts are complete. */
void model_end(struct model *m, const struct record_facts *facts);

/*
 * The memory of the job (PSS, RSS where PSS has neither a value nor bounds), else of the machine, and what it may have
 * at most; NONE: unknown.
 */
double model_memory(const struct totals *t, bool tracked);
double model_memory_limit(const struct totals *t, bool *ret_limited);   /* limited: by a control group */
double model_cores(const struct totals *t);     /* CPUs that the job can use */

#endif
