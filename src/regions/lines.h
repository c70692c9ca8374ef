/*
 * lines.h - regions reported as lines of text, by shells and by languages without the header.  Pure.
 *
 * docs/reference/regions.md has the protocol.
 *
 *	begin NAME | end [NAME] | mark TEXT | value NAME NUMBER | entries NAME | rss PID BYTES
 *
 * before it, in any order and each at most once: t=SECONDS of CLOCK_MONOTONIC or unix=SECONDS of the time of day,
 * tid=NUMBER (the thread in which regions nest; 0 if not given), cpu=SECONDS of the CPU clock of that thread or
 * process.  Before `entries`, the sums of entries too short to be reported one by one: count=, recursed=, wall= min=
 * max= cpu= in seconds, at=BUCKET:NUMBER,... .  Lines can hold anything; invalid lines are counted.
 */
#ifndef RT_LINES_H
#define RT_LINES_H

#include "../core/source.h"
#include "region_sums.h"
#include "region_attribution.h"
#include "memory_notes.h"

enum { LINES_THREADS = 256, LINES_DEPTH = 64, LINES_NAME = 200 };

/* An open region.  outer: if it is recursed, the depth of the region of the same name around it. */
struct lines_open { int64_t begin_ns; double cpu_seconds; uint16_t length, outer; bool recursed; };

/* The open regions of one thread.  path: their names, joined; the name of open[i] ends at its `length`. */
struct lines_thread { uint32_t tid, depth; char path[REGION_PATH_SIZE]; struct lines_open open[LINES_DEPTH]; };

struct region_lines {                           /* zeroed, apart from what the caller sets */
	struct lines_thread *threads;           /* allocated at the first line */
	size_t   n_threads;
	struct region_sums sums;                /* its ticks are ns */
	struct memory_notes *memory;            /* receives lines of `rss`; NULL: they are ignored */
	uint64_t wrong;                         /* lines that are invalid, or end a region that is not open */
	const struct source *source;            /* its clocks set now_ns and wall_ns; NULL: the caller sets them */
	int64_t  first_ns, now_ns;              /* times outside of these are invalid */
	int64_t  wall_ns;                       /* the time of day now */
	void (*report)(void *context, const struct region_event *event);
	void (*report_short)(void *context, const char *path, int64_t ns);      /* time of an `entries` line */
	void *context;
};

/* Reads the clocks.  Call it after the bytes were read and before region_line: then each line was written by now. */
void region_lines_clock(struct region_lines *l);
/* One line without its newline. */
void region_line(struct region_lines *l, const char *line, size_t n);
/* Adds the regions that are open now. */
void region_lines_share(const struct region_lines *l, struct attribution *to);
/* Lines were lost, and the ends of open regions can be among them: counts the open regions as lost, and drops them. */
void region_lines_gap(struct region_lines *l);
/* No process can write any more: ends the open regions now, as unfinished. */
void region_lines_end(struct region_lines *l);
void region_lines_release(struct region_lines *l);

#endif
