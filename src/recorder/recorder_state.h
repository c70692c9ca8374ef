/*
 * recorder_state.h - the members of the recorder, for the files of recorder.h: recorder.c (sets up, and watches
 * processes that run already), recorder_command.c (runs a command), recorder_loop.c (events until the end).
 */
#ifndef RT_RECORDER_STATE_H
#define RT_RECORDER_STATE_H

#include "roots.h"
#include "schedule.h"
#include "session.h"
#include "signals.h"

enum { RECORDER_FAILED = 125 };                 /* exit status of a failure that is the recorder's own */

/* The source of an event; root i of an attachment is FROM_ROOT + i. */
enum { FROM_TIMER, FROM_SIGNALS, FROM_READER, FROM_REGIONS, FROM_ROOT };

struct recorder {
	const struct options *options;
	enum mode mode;
	struct session *session;
	struct inherited_signals inherited;
	int epoll, signals;
	struct roots roots;
	struct schedule schedule;
	int64_t poll_due_ns;                    /* next poll between samples; 0: none before the next sample */

	pid_t command;                          /* 0: none */
	bool terminal_interrupt;                /* the terminal sent ^C or ^\ */
	bool moment;                            /* the command ended before a thread was started */
	struct run_status status;               /* end != RUN_RUNNING: the command or the watch is over */
	bool asked;                             /* a signal ended an attachment, between two samples */
	bool leave;                             /* ends the loop */
	int detached;                           /* for detach_ready; -1: nothing waits for it */
};

/* ---- recorder_loop.c: one thread, one epoll ---- */

/* Adds a descriptor with its source of events (FROM_*).  false, with errno, if the kernel refuses it. */
bool recorder_listen_to(struct recorder *r, int fd, uint64_t from, uint32_t events);
/* Adds the descriptors of regions, if the session has any. */
void recorder_listen_to_regions(struct recorder *r);
/* The first sample is due an interval after now. */
void recorder_start_timer(struct recorder *r);
/* Asks the session when the next poll between samples is due. */
void recorder_plan_poll(struct recorder *r);
/* Handles the events of at most timeout_ms (-1: until there is one). */
void recorder_wait_for_events(struct recorder *r, int timeout_ms);
/* Ends the watch if each process that it was attached to has ended. */
void recorder_end_without_roots(struct recorder *r);
/* Samples and follows until r->leave. */
void recorder_loop(struct recorder *r);
/*
 * After a command that a signal ended: the same signal to the recorder shows its sender.  Slurm and systemd signal the
 * processes of a job one after another: the command can end before the recorder has its own signal.
 */
void recorder_read_late_signals(struct recorder *r);

/* ---- recorder_command.c ---- */

/* Runs the command to its end.  Returns the exit status of the recorder; a sentence in `why` is an error to print. */
int  recorder_run_command(struct recorder *r, struct why *why);
/* Replaces the recorder by the command.  Returns, with a sentence, only if it cannot be executed. */
int  recorder_run_unrecorded(struct recorder *r, struct why *why);
/* Opens the record; what keeps it from opening becomes a notice, and the run goes on. */
void recorder_open_record(struct recorder *r);

#endif
