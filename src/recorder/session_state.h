/*
 * session_state.h - the members of a session, for the files of session.h: session_begin.c (begins), session_sampling.c
 * (samples), session_end.c (ends).
 */
#ifndef RT_SESSION_STATE_H
#define RT_SESSION_STATE_H

#include "discovery.h"
#include "session.h"
#include "session_hooks.h"
#include "session_outcome.h"
#include "session_own_cgroup.h"
#include "session_records.h"
#include "session_regions.h"
#include "session_samples.h"
#include "session_summary.h"
#include "session_upload.h"

enum {
	NOTICES_MAX = 32,
	LEAVE_SECONDS = 1,                      /* longest wait for slow outputs at the end */
};

struct session {
	const struct options *options;
	enum mode mode;
	struct run run;                         /* options->run, completed by what is known so far */
	struct job job;
	pid_t command_pid;
	bool alone;                             /* the command is our only child */

	struct source source;
	struct why no_source;                   /* why `source` is not open; "": it is */
	struct session_own_cgroup own_cgroup;
	struct session_regions regions;
	struct sampler *sampler;                /* NULL: nothing is sampled */
	bool going;                             /* session_open_record was called: the end needs a footer and summary */
	struct sample *sample;
	struct session_outcome outcome;
	uint64_t taken, dropped_before;
	bool any_written;                       /* a closed output has written lines, or had none to write */

	struct session_samples samples;
	struct session_records records;
	struct session_summary summary;
	struct session_hooks hooks;
	struct discovery discovery;
	struct session_upload *upload;          /* NULL: none */
	bool recorded;                          /* the run's own record was written */
	char host[64];                          /* the host name in the record's name; "": not chosen yet */

	struct why notices[NOTICES_MAX];
	size_t n_notices;
};

/* The run so far, for hooks. */
struct hook_facts session_facts(const struct session *s, const struct run_status *status, double seconds);

/* Writes what the cloud answered, if it has; wait: or is about to. */
void session_take_cloud(struct session *s, bool wait);

/* Passes the notices of the sampler, the tree, the records and hooks on to session_notice. */
void session_fetch_notices(struct session *s);

#endif
