/*
 * run.h - a run without its samples: command, metadata, tracked processes, host.  Filled by the recorder (or from a
 * record's header), read by writers and summary.  The pointers of struct run belong to what filled it.
 */
#ifndef RT_RUN_H
#define RT_RUN_H

#include <sys/types.h>

#include "job.h"

/* The metadata that a user may give a run: TRACKER_<NAME>, --<name>, and a key of the record. */
#define RUN_METADATA(X) \
	X(job_name, "JOB_NAME") X(project_name, "PROJECT_NAME") X(stage_name, "STAGE_NAME") \
	X(task_name, "TASK_NAME") X(team, "TEAM") X(env, "ENV") X(language, "LANGUAGE") \
	X(orchestrator, "ORCHESTRATOR") X(executor, "EXECUTOR") \
	X(external_run_id, "EXTERNAL_RUN_ID") X(container_image, "CONTAINER_IMAGE")

struct run {
#define RUN_FIELD(name, variable) const char *name;     /* NULL: not given */
	RUN_METADATA(RUN_FIELD)
#undef RUN_FIELD
	const char *const *tags;                /* KEY=VALUE */
	size_t n_tags;
	const struct job *job;                  /* of a scheduler; NULL: unknown */
	char *const *command;                   /* argv of the wrapped command, NULL-terminated; NULL: none */
	const pid_t *pids;                      /* tracked; wrapped: the child */
	size_t n_pids;
	double interval_seconds;                /* as configured */
	int64_t start_wall_ns, start_monotonic_ns;      /* CLOCK_REALTIME, CLOCK_MONOTONIC */
	int64_t named_wall_ns;                  /* when it was given its id; 0: at its start */
	int64_t start_boot_ns;                  /* by CLOCK_BOOTTIME, as processes' starts are; 0: unknown */
};

/* A reading of a tracked run between its samples (recorder/last_minute.h).  NONE: unknown. */
struct moment {
	double seconds;                         /* since the start of the run */
	double cpu_seconds;                     /* of the tree so far */
	double rss_bytes, processes;
	double available_bytes;                 /* of the machine's memory */
	double memory_stall_seconds;            /* since boot: some task of the machine waited for memory */
};

/* Why a run ended, as far as is known (recorder/ending.h): words for programs, a text for the user.  "": not judged. */
struct run_reason { char cause[24], certainty[12], text[512]; };

/* How a run ended. */
enum run_end { RUN_RUNNING, RUN_EXITED, RUN_SIGNALED, RUN_ROOTS_ENDED, RUN_STOPPED };
struct run_status {
	enum run_end end;
	int  value;                             /* exit code, or the signal's number */
	bool core_dumped;
	int64_t end_wall_ns, end_monotonic_ns;
	size_t left_behind;                     /* processes of the tree alive when the recorder exited */
	uint64_t dropped_lines;
	struct run_reason reason;
};

#endif
