/*
 * births.h - which processes of a command there are and were, as the kernel tells it (kernel/sideband.h).
 *
 * A birth is a process that is told to live, whether it was ever looked at or not: one that begins and ends
 * between two samples is counted here, under its name, and nowhere else.
 */
#ifndef RT_BIRTHS_H
#define RT_BIRTHS_H

#include "../kernel/sideband.h"

enum { SUSPECTS = 64, PARENTS = 256 };

struct birth {
	pid_t    pid, parent;                   /* who forked it */
	uint32_t threads;
	uint32_t ends, cpu_times;               /* of threads that ended: how many, and records of their CPU time */
	uint16_t program;                       /* as in struct member */
	bool     counted : 1;                   /* as started, under its present name */
	bool     listed : 1;                    /* stands in a list */
	bool     scanned : 1;                   /* a scan found it, before its fork was told */
	bool     seen : 1;                      /* to its end: all of its CPU time stands with its program */
	bool     ended : 1;                     /* records of its CPU time come after its end */
	bool     gone : 1;                      /* reaped: all that it told is in the rings */
	char     name[SIDEBAND_NAME_SIZE];
	uint64_t forked_ns, ended_ns;           /* CLOCK_MONOTONIC; 0: not told */
	uint64_t cpu_ns;                        /* as told at the ends of its threads */
	uint64_t counted_ns;                    /* CPU time that stands with its program */
	uint32_t chain, before, after;          /* indices: same bucket or free list; neighbours in its list */
};

/*
 * The first of `at` are the heads of lists: of those that are to be looked at, and of those that have ended.  An index
 * of 0 that is no head says nobody.
 */
enum birth_list { BIRTHS_WAITING, BIRTHS_ENDED, BIRTH_LISTS };

struct births {
	struct birth *at;
	uint32_t n, room, free;                 /* n: that live */
	uint32_t unused;                        /* entries from here on were never used: their memory is not touched */
	uint32_t *bucket, buckets;              /* a power of two */
	uint64_t started, ended, lost;          /* since the beginning */
	uint64_t scanned_ns;                    /* the last scan's time */
	uint64_t drained_ns;                    /* when records were taken last */
	uint64_t tasks;                         /* processes and threads started, at most; UINT64_MAX: unknown */
};

/* births_table.c.  add: 0 if memory is short; it joins those waiting. */
uint32_t births_add(struct births *b, pid_t pid);
uint32_t births_find(const struct births *b, pid_t pid);        /* that lives; 0: not there */
uint32_t births_find_ended(const struct births *b, pid_t pid);
void births_end(struct births *b, uint32_t i);                  /* moves it to those that have ended */
void births_remove(struct births *b, uint32_t i);
void births_wait(struct births *b, uint32_t i);
void births_met(struct births *b, uint32_t i);                  /* waits no more */
void births_release(struct births *b);

#endif
