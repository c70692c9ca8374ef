/*
 * sideband_parse.h - the kernel's records in a perf ring of forks, names, exits and CPU times, as bytes.
 *
 * Records are those of perf_event_open(2), each with the time of its writing at its end (sample_id_all with
 * PERF_SAMPLE_TIME).  Pure functions.
 */
#ifndef RT_SIDEBAND_PARSE_H
#define RT_SIDEBAND_PARSE_H

#include <sys/types.h>

#include "../core/base.h"

enum { SIDEBAND_NAME_SIZE = 16, SIDEBAND_RECORD_MAX = 64 };    /* TASK_COMM_LEN; bytes that are read */

enum sideband_kind { SIDEBAND_FORK, SIDEBAND_EXIT, SIDEBAND_NAME, SIDEBAND_CPU_TIME, SIDEBAND_LOST };

struct sideband_record {
	enum sideband_kind kind;
	pid_t    pid, thread;                   /* -1: gone from the reader's PID namespace */
	pid_t    parent;                        /* FORK: the parent; for a new thread the process itself */
	bool     exec;                          /* NAME: by exec; the process has one thread now */
	uint64_t time_ns;                       /* CLOCK_MONOTONIC */
	uint64_t lost;                          /* LOST: records that found no room; 0: number unknown */
	uint64_t cpu_ns;                        /* CPU_TIME: the exited thread's, on one CPU */
	char     name[SIDEBAND_NAME_SIZE];      /* NAME: 0-terminated */
};

/* Bytes [tail, head) of a stream in a ring. */
struct sideband_ring {
	const unsigned char *at;
	uint64_t size;                          /* a power of two, at least SIDEBAND_RECORD_MAX */
	uint64_t tail, head;
};

/*
 * Takes the next record of interest and moves ring->tail behind it.  1: *ret was written; 0: there is none; -EBADMSG:
 * the kernel writes no such record; tail is at head, all between is lost, and *ret means nothing.
 */
int sideband_parse(struct sideband_record *ret, struct sideband_ring *ring);

/*
 * Numbers of CPUs from a list such as "0-3,6".  Returns their count, of which at most `room` are written; -EBADMSG if
 * it is not such a list, and ret means nothing.
 */
ptrdiff_t sideband_parse_cpus(int *ret, size_t room, const char *text, size_t n);

#endif
