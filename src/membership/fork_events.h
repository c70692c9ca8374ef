/*
 * fork_events.h - the processes of a command, living and exited, from perf's records (kernel/sideband.h).
 *
 * A fork event is a process in perf's records, even if no sample ever read it.  A process that starts and exits between
 * two samples is counted only here, under its name.
 *
 * An entry is named by its index, which stays the same until fork_events_remove.  A pointer into `at` is valid until
 * the next fork_events_add.  A table is zeroed at first.  records.c fills it, meet.c visits those that wait.
 */
#ifndef RT_FORK_EVENTS_H
#define RT_FORK_EVENTS_H

#include "../kernel/sideband.h"

enum { SUSPECTS = 64, PARENTS = 256 };          /* lists of struct following (membership_state.h) */

struct fork_event {
	pid_t    pid, parent;                   /* parent: the process that forked it */
	uint32_t threads;
	uint32_t ends, cpu_times;               /* exits of its threads, and records of their CPU time */
	uint16_t branch;                        /* as in struct member */
	bool     counted : 1;                   /* as started, under its present name */
	bool     listed : 1;                    /* it is in a list */
	bool     scanned : 1;                   /* a scan found it before its fork record was read */
	bool     seen : 1;                      /* read to its end: its program has all of its CPU time */
	bool     ended : 1;                     /* it exited; records of its CPU time follow */
	bool     gone : 1;                      /* reaped: all of its records are in the rings */
	char     name[SIDEBAND_NAME_SIZE];
	uint64_t forked_ns, ended_ns;           /* CLOCK_MONOTONIC; 0: unknown */
	uint64_t cpu_ns;                        /* from the records at the exits of its threads */
	uint64_t counted_ns;                    /* CPU time already counted for its program */
	uint32_t chain, before, after;          /* indices: same bucket or free list; neighbours in its list */
};

/*
 * The first elements of `at` are the heads of two lists: processes to be visited, and processes that have exited.
 * Except as a head, index 0 means none.
 */
enum fork_event_list { FORK_EVENTS_WAITING, FORK_EVENTS_ENDED, FORK_EVENT_LISTS };

struct fork_events {
	struct fork_event *at;
	uint32_t n, room, free;                 /* n: number of living processes */
	uint32_t unused;                        /* entries from here on were never used: their memory is untouched */
	uint32_t *bucket, buckets;              /* a power of two */
	uint64_t started, ended, lost;          /* since the beginning */
	uint64_t scanned_ns;                    /* time of the last scan */
	uint64_t drained_ns;                    /* when records were last read */
	uint64_t tasks;                         /* processes and threads started, upper bound; UINT64_MAX: unknown */
};

/* fork_events_table.c.  fork_events_add returns 0 if memory is short; a new process waits to be visited. */
uint32_t fork_events_add(struct fork_events *b, pid_t pid);
uint32_t fork_events_find(const struct fork_events *b, pid_t pid);      /* a living process; 0: none */
uint32_t fork_events_find_ended(const struct fork_events *b, pid_t pid);        /* one that exited; 0: none */
void fork_events_end(struct fork_events *b, uint32_t i);                /* moves it to the list of exited processes */
void fork_events_remove(struct fork_events *b, uint32_t i);             /* living or exited: frees the entry */
void fork_events_wait(struct fork_events *b, uint32_t i);               /* adds it to the waiting list */
void fork_events_met(struct fork_events *b, uint32_t i);                /* removes it from the waiting list */
void fork_events_release(struct fork_events *b);                        /* b is zeroed */

#endif
