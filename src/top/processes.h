/*
 * processes.h - the processes of a run that goes on here, read from /proc by the view itself: the record has programs,
 * not processes, and the recorder does nothing more for a view.
 *
 * A reading opens every process of the machine once, and those of the job twice.  It is repeated only as often as it
 * costs READING_SHARE of a CPU: each second for some hundred processes, every ten seconds for ten thousand.
 */
#ifndef RT_PROCESSES_H
#define RT_PROCESSES_H

#include "../core/source.h"
#include "../core/sample.h"
#include "entries.h"

/* Which processes belong to the run: descendants of its roots, and those that the recorder adopted. */
struct kin {
	const pid_t *root;
	size_t n_roots;
	pid_t  recorder;                        /* 0: it adopts none */
};

struct process_seen;                            /* of the last reading */

struct processes {
	struct source machine;
	struct text text;
	struct kin kin;
	uint64_t root_start;                    /* of the first root, in ticks since boot; 0: not seen */
	struct process_seen *seen;              /* by pid */
	size_t n_seen, room_seen;
	struct entry *entry;                    /* of the run; its caller may sort them */
	size_t n, room;
	int64_t read_ns;                        /* CLOCK_MONOTONIC of the last reading; 0: none */
	int64_t every_ns;                       /* until the next one */
};

/* 1/200 of a CPU. */
enum { READING_SHARE = 200 };

/* The machine below `root` ("/"); kin's pids must outlive p.  -errno with a sentence; p can be closed then, too. */
int  processes_open(struct processes *p, const char *root, const struct kin *kin, struct why *why) must_use;
void processes_close(struct processes *p);      /* also of a zeroed one */
bool processes_due(const struct processes *p);
/* Reads them.  CPU and disk are NONE for a process that was not there before.  0, or -ENOMEM and nothing changed. */
int  processes_read(struct processes *p) must_use;

#endif
