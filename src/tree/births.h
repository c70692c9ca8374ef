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
	uint16_t program;                       /* as in struct member */
	bool     counted : 1;                   /* as started, under its present name */
	bool     waiting : 1;                   /* to be looked at: stands in the list of those */
	bool     scanned : 1;                   /* a scan found it, before its fork was told */
	bool     heard : 1;                     /* what it had at its end (deaths.c) */
	char     name[SIDEBAND_NAME_SIZE];
	uint64_t forked_ns;                     /* CLOCK_MONOTONIC; 0: not told */
	uint32_t chain, before, after;          /* indices: same bucket or free list; list of those waiting */
};

/* Index 0 of `at` is nobody: the end of all lists, and the head of those waiting. */
struct births {
	struct birth *at;
	uint32_t n, room, free;
	uint32_t unused;                        /* entries from here on were never used: their memory is not touched */
	uint32_t *bucket, buckets;              /* a power of two */
	uint64_t started, ended, lost;          /* since the beginning */
	uint64_t heard;                         /* of those that ended */
	uint64_t scanned_ns;                    /* the last scan's time */
	bool     wide;                          /* all of the machine is told: the tree's are those of known parents */
	uint64_t tasks;                         /* processes and threads started, at most; UINT64_MAX: unknown */
};

/* births_table.c.  add: 0 if memory is short; it joins those waiting. */
uint32_t births_add(struct births *b, pid_t pid);
uint32_t births_find(const struct births *b, pid_t pid);        /* 0: not there */
void births_remove(struct births *b, uint32_t i);
void births_wait(struct births *b, uint32_t i);
void births_met(struct births *b, uint32_t i);                  /* waits no more */
void births_release(struct births *b);

#endif
