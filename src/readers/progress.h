/*
 * progress.h - the progress of long work, in one line of the terminal that is erased at the end.
 *
 *	struct progress p = progress_start("reading", "day.jsonl");
 *
 *	while (work())
 *		if (progress_due(&p))
 *			progress_show(&p, done_bytes, all_bytes);
 *	progress_end(&p);
 *
 * Writes nothing if stderr is not a terminal (or a dumb one), nor in the first half second.
 */
#ifndef RT_PROGRESS_H
#define RT_PROGRESS_H

#include "../core/base.h"

struct progress {
	const char *doing, *what;
	bool    terminal, shown;
	int64_t due_ns;                         /* next time to show it, CLOCK_MONOTONIC */
};

/* doing: such as "reading"; what: the path or name of the file.  Both must outlive the result. */
struct progress progress_start(const char *doing, const char *what);
bool progress_due(const struct progress *p);    /* cheap enough for each row */
/* done, all: in bytes; all 0: unknown. */
void progress_show(struct progress *p, uint64_t done, uint64_t all);
void progress_end(struct progress *p);          /* erases the line */

#endif
