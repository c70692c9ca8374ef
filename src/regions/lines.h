/*
 * lines.h - regions told in lines of text, by shells and by languages without the header.  Pure;
 * docs/reference/regions.md has the protocol.
 *
 *	begin NAME | end [NAME] | mark TEXT | value NAME NUMBER | entries NAME | rss PID BYTES
 *
 * before it, in any order and each at most once: t=SECONDS of CLOCK_MONOTONIC or unix=SECONDS of the time of day,
 * tid=NUMBER (whose nesting this is; 0 if not given), cpu=SECONDS of that thread's or process's clock.  Before
 * `entries`, what so many of them came to, which were too short to be told one by one: count=, recursed=, wall= min=
 * max= cpu= in seconds, at=BUCKET:NUMBER,... .  Lines may hold anything: what is none is counted.
 */
#ifndef RT_LINES_H
#define RT_LINES_H

#include "../core/source.h"
#include "region_sums.h"
#include "region_attribution.h"
#include "memory_notes.h"

enum { LINES_THREADS = 256, LINES_DEPTH = 64, LINES_NAME = 200 };

/* outer: of one recursed, where the one of its name is. */
struct lines_open { int64_t begin_ns; double cpu_seconds; uint16_t length, outer; bool recursed; };

/* What one thread has open; path is its names, `length` of each where it ends there. */
struct lines_thread { uint32_t tid, depth; char path[REGION_PATH_SIZE]; struct lines_open open[LINES_DEPTH]; };

struct region_lines {
	struct lines_thread *threads;           /* allocated at the first line */
	size_t   n_threads;
	struct region_sums sums;                       /* its ticks are ns */
	struct memory_notes *memory;             /* where lines of `rss` go; NULL: nobody wants them */
	uint64_t wrong;                         /* lines that say nothing, or end what is not open */
	const struct source *source;            /* whose clocks tell the next two; NULL: they are set by hand */
	int64_t  first_ns, now_ns;              /* no time outside can be */
	int64_t  wall_ns;                       /* the time of day now */
	void (*tell)(void *context, const struct region_event *event);
	void (*tell_short)(void *context, const char *path, int64_t ns);        /* time in entries told together */
	void *context;
};

/* To be called when lines have been read, before they are taken: each was written by now. */
void region_lines_clock(struct region_lines *l);
/* One line without its newline. */
void region_line(struct region_lines *l, const char *line, size_t n);
/* The regions that are open now. */
void region_lines_share(const struct region_lines *l, struct attribution *to);
/* Lines are lost: what is open may have ended in them, and is lost, too. */
void region_lines_gap(struct region_lines *l);
/* Nobody is left: what is open ends now, unfinished. */
void region_lines_end(struct region_lines *l);
void region_lines_release(struct region_lines *l);

#endif
