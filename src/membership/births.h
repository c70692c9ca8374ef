/*
 * births.h - the processes of a command, living and exited, from perf's records (kernel/sideband.h).
 *
 * A birth is a process in perf's records, even if no sample ever read it.  A process that starts and exits between two
 * samples is counted here, under its name, and nowhere else.
 */
#ifndef RT_BIRTHS_H
#define RT_BIRTHS_H

#include "../kernel/sideband.h"

enum { SUSPECTS = 64, PARENTS = 256 };

struct birth {
	pid_t    pid, parent;                   /* parent: the process that forked it */
	uint32_t threads;
	uint32_t ends, cpu_times;               /* exits of its threads, and records of their CPU time */
	uint16_t program;                       /* as in struct member */
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
 * The first elements of `at` are list heads: births to be visited, and births that have exited.  Except as a head,
 * index 0 means none.
 */
enum birth_list { BIRTHS_WAITING, BIRTHS_ENDED, BIRTH_LISTS };

struct births {
	struct birth *at;
	uint32_t n, room, free;                 /* n: living births */
	uint32_t unused;                        /* entries from here on were never used: their memory is untouched */
	uint32_t *bucket, buckets;              /* a power of two */
	uint64_t started, ended, lost;          /* since the beginning */
	uint64_t scanned_ns;                    /* time of the last scan */
	uint64_t drained_ns;                    /* when records were last read */
	uint64_t tasks;                         /* processes and threads started, upper bound; UINT64_MAX: unknown */
};

/* births_table.c.  births_add returns 0 if memory is short; a new birth waits to be visited. */
uint32_t births_add(struct births *b, pid_t pid);
uint32_t births_find(const struct births *b, pid_t pid);        /* a living one; 0: none */
uint32_t births_find_ended(const struct births *b, pid_t pid);
void births_end(struct births *b, uint32_t i);                  /* moves it to the list of exited births */
void births_remove(struct births *b, uint32_t i);
void births_wait(struct births *b, uint32_t i);
void births_met(struct births *b, uint32_t i);                  /* takes it off the waiting list */
void births_release(struct births *b);

#endif
