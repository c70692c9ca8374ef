/*
 * session.h - one recording: a sampler, and where its samples go: the samples' output, the record and feeds, the
 * statistics, the summary.  The loop (recorder.c) decides when to sample and when to end.
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
 * Checks the options and opens the samples' output and the feeds to files; takes no sample yet.  -errno with a
 * sentence, for example if the output cannot be opened; nothing has to be closed then.  `o` must outlive the session.
 */
int  session_open(struct session **ret, const struct options *o, struct why *why) must_use;

/*
 * Around a command, before it is forked: creates a control group for it (both -1: none; the session keeps the
 * descriptors); makes the channels of regions; chooses the name of the record, and puts its path into the command's
 * environment.
 */
struct child_group session_cgroup(struct session *s);   /* a refusal is a notice */
void session_offer_regions(struct session *s);
void session_name_record(struct session *s);
/* The fork is done.  in_cgroup: the command is in that group; alone: the recorder has no other child. */
void session_forked(struct session *s, bool in_cgroup, bool alone);

/*
 * Opens the sampler and takes the baseline.  pid: the wrapped command, which waits to exec; 0: none.
 * -errno with a sentence; a command can still be run then, but nothing of it is recorded.
 */
int  session_begin(struct session *s, pid_t pid, struct why *why) must_use;

/*
 * Opens the record, and starts the programs that read feeds, with `signals` as their signal dispositions; `signals`
 * must outlive the session.  -errno with a sentence if there is no place for the record; the run goes on without it, or
 * is given up by session_cancel.
 */
int  session_open_record(struct session *s, const struct inherited_signals *signals, struct why *why) must_use;
/* Writes the record's header, in the calling thread; for an idle moment. */
void session_write_now(struct session *s);

/* Then: the machine's baseline.  over: the command has ended already, so the machine is not measured. */
void session_go(struct session *s, bool over);

/*
 * After session_go: waits until the record's header is written, for some seconds at most.  -EIO with a sentence if it
 * cannot be.
 */
int  session_record_begun(struct session *s, struct why *why) must_use;

/* The command could not be executed: no summary, and a record with a generated name is removed. */
void session_cancel(struct session *s);

/* Takes a sample and writes it to all outputs.  due_ns: its deadline; missed: deadlines skipped before it. */
void session_sample(struct session *s, int64_t due_ns, uint64_t missed);
/* No more samples are due for now: writes the lines that were gathered. */
void session_pause(struct session *s);
/* Takes the last sample, at once. */
void session_last_sample(struct session *s);

/*
 * Polls between samples, for the last minute of a run that fails: when the next is due (0: none before the sample at
 * sample_ns), and taking it.
 */
int64_t session_next_poll(const struct session *s, int64_t sample_ns);
void session_poll(struct session *s);

/*
 * Descriptors to poll (-1: none; owned by the session), readable when the command begins or ends a region.  Then call
 * session_called, which reads the tree's use.
 */
void session_listen(struct session *s, int ret[2]);
void session_called(struct session *s);

/* The recorder is about to stop with the command, as on ^Z, and goes on: leaves the terminal, and comes back. */
void session_stops(struct session *s);
void session_continues(struct session *s);

/* The loop adds evidence of the command's end here. */
struct ending_evidence *session_evidence(struct session *s);    /* belongs to the session */
/*
 * Notes a signal that a process sent to the recorder.  false: not to be passed on, because the command got it as well:
 * slurmstepd sends a signal to every process of a step.
 */
bool session_signalled(struct session *s, const struct signalfd_siginfo *info);

struct tree *session_tree(struct session *s);   /* NULL: nothing is tracked, or nothing is sampled */
int64_t  session_now(const struct session *s);  /* the sampler's CLOCK_MONOTONIC */
bool session_has_output(const struct session *s);       /* samples are written to an output */
uint64_t session_taken(const struct session *s);        /* number of samples after the baseline */
bool session_reader_gone(struct session *s);            /* the reader of the samples' output stopped reading */
/* Adds a notice to the record and summary; without a command also prints it now.  The sentence is copied. */
void session_notice(struct session *s, const char *sentence);

/*
 * Writes the footers, the summary, and the outputs' last lines, for at most a second each.  Without a command
 * *ret_nothing gets a sentence if there were lines to write and none could be written.
 */
void session_finish(struct session *s, struct run_status *status, struct why *ret_nothing);
void session_close(struct session *s);          /* after session_finish, or when it never began; s is not NULL */

#endif
