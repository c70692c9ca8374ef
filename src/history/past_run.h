/*
 * past_run.h - one run of the history, from the first and last lines of its record.
 */
#ifndef RT_PAST_RUN_H
#define RT_PAST_RUN_H

#include "../core/arena.h"
#include "../core/buffer.h"
#include "../core/run.h"
#include "../core/why.h"
#include "../readers/recording_facts.h"
#include "../summary/quantity.h"

enum run_state {
	STATE_OK, STATE_FAILED, STATE_KILLED,   /* of a command: exit 0, another code, a signal */
	STATE_ENDED, STATE_STOPPED,             /* of processes that we did not start; the tracker was asked to stop */
	STATE_RUNNING,
	STATE_TRUNCATED,                        /* the tracker was killed, or the disk was full */
	STATE_UNREADABLE,                       /* not a record, or one of a newer version: `problem` */
	STATE_COUNT
};

extern const char *const run_states[STATE_COUNT];       /* "ok", "failed" ... */

/* The state without checking whether the run is still going on: STATE_TRUNCATED if the end is unknown. */
enum run_state state_of_status(const struct run_status *status);
/* The state of a recording in this file ("-": stdin); STATE_COUNT: its format has no end. */
enum run_state state_of_recording(const struct recording_facts *f, const char *path);

struct past_run {                               /* unknown texts are "", numbers NONE, counts 0 */
	const char *path, *id;                  /* id of an unreadable file: its name */
	size_t short_id;                        /* the length of the unique prefix of id; set by history.c */
	enum run_state state;
	const char *problem;                    /* NULL: none */
	const char *host, *kernel, *cpu_model, *tracker_version;
	double cpus, memory_bytes, interval_seconds;
	struct run run;                         /* metadata, tags, command: texts are in the arena */
	struct run_status status;
	uint64_t samples;
	struct quantity_values values;
	uint64_t bytes;                         /* size of the record */
	const char *const *notices;
	size_t n_notices;
};

/*
 * Reads one run; a record without its last line is read to the end.  All of *ret is in the arena, which the caller
 * releases, after an error too.  The only error is -ENOMEM, and *ret means nothing: an unreadable file is a run, too,
 * in STATE_UNREADABLE.
 */
int past_run_read(struct past_run *ret, struct arena *arena, const char *path) must_use;

/* Receives the statistics of a run, and what its record says beside them; both are valid during the call. */
typedef void past_run_whole(void *context, const struct past_run *run, const struct aggregate *whole,
			    const struct record_facts *facts);
/* The same; a run that can be read is given to `receive` as well. */
int past_run_read_whole(struct past_run *ret, struct arena *arena, const char *path, past_run_whole *receive,
			void *context) must_use;

/* Appends the command quoted for a shell, else what was tracked; the problem of an unreadable run. */
void past_run_command(struct buffer *out, const struct past_run *run, bool utf8);
/* The state in words, cut to fit: "exit 3", "SIGKILL", "running". */
void past_run_status(char *ret, size_t size, const struct past_run *run);

#endif
