/*
 * session.h - one recording: a sampler and all that its samples go to - the samples' output, the
 * record, the statistics, the summary.  When to sample and when to end is the loop's (recorder.c).
 */
#ifndef RT_SESSION_H
#define RT_SESSION_H

#include "../record/destinations.h"
#include "../sampler/sampler.h"
#include "child.h"
#include "ending.h"
#include "last_minute.h"

struct session;

/*
 * Opens the samples' output and, for a watch or an attachment, the sampler.  Nothing is sampled yet.
 * Fails with a sentence if the output cannot be opened.  `o` must outlive the session.
 */
int  session_open(struct session **ret, const struct options *o, struct why *why) must_use;

/* A control group of its own for the command to live in, if there is one; and whether it does. */
struct child_group session_cgroup(struct session *s);
void session_offer_regions(struct session *s);  /* before the command is forked */
/* Before that, too: settles what the record is called, and tells the command where it will be. */
void session_name_record(struct session *s);
void session_born(struct session *s, bool in_cgroup, bool alone);      /* alone: we have no other child */

/*
 * Opens the sampler and takes the baseline.  pid: the wrapped command that waits to exec; 0: none.
 * -errno with a sentence; a command can still be run then, its session just records nothing.
 */
int  session_begin(struct session *s, pid_t pid, struct why *why) must_use;

/*
 * The command, if any, was let go: opens the record, and starts the programs that read feeds with the signals that we
 * were started with, which must outlive the session.
 */
void session_open_record(struct session *s, const struct inherited_signals *signals);
/* Writes the header while there is nothing else to do. */
void session_write_now(struct session *s);

/*
 * Then: the machine's baseline.  over: the command has ended already, and nothing is told of the machine.
 */
void session_go(struct session *s, bool over);

/* The command could not be run after all: nothing will be summed up, and a record of our naming goes away. */
void session_cancel(struct session *s);

/* Takes a sample and sends it everywhere.  due_ns: when it should have been; missed: left out before it. */
void session_sample(struct session *s, int64_t due_ns, uint64_t missed);
/* There will be none for now: lines that waited for more are written. */
void session_pause(struct session *s);
/* The one at the end, at once: somebody waits for us to leave. */
void session_last_sample(struct session *s);

/*
 * Looks between samples, for the last minute of a run that fails: when the next is due (0: none before the
 * sample at sample_ns), and taking it.
 */
int64_t session_next_poll(const struct session *s, int64_t sample_ns);
void session_poll(struct session *s);

/* Descriptors to wait for (-1: none), readable when the command begins or ends a region; then what it used is read. */
void session_listen(struct session *s, int ret[2]);
void session_called(struct session *s);

/* What the loop sees of the command's end goes in here. */
struct ending_evidence *session_evidence(struct session *s);
void session_passed_on(struct session *s, const struct signalfd_siginfo *info);

struct tree *session_tree(struct session *s);   /* NULL: nothing tracked, or not sampling */
int64_t  session_now(const struct session *s);  /* the sampler's CLOCK_MONOTONIC */
bool session_has_output(const struct session *s);       /* somebody asked for samples */
uint64_t session_taken(const struct session *s);        /* samples written */
bool session_reader_gone(struct session *s);
void session_notice(struct session *s, const char *sentence);

/*
 * Footer, summary, and the outputs' last lines.  Without a command *ret_nothing gets a sentence if something was to be
 * written and not a line of it could be.
 */
void session_finish(struct session *s, struct run_status *status, struct why *ret_nothing);
void session_close(struct session *s);

#endif
