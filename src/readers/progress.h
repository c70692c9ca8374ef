/*
 * progress.h - how far long work is, in one line of the terminal that is taken away again at its end.
 *
 *	struct progress p = progress_start("reading", "day.jsonl");
 *
 *	while (work())
 *		if (progress_due(&p))
 *			progress_show(&p, done_bytes, all_bytes);
 *	progress_end(&p);
 *
 * Nothing is written where stderr is no terminal (or a dumb one), nor before half a second has passed.
 */
#ifndef RT_PROGRESS_H
#define RT_PROGRESS_H

#include "../core/base.h"

struct progress {
	const char *doing, *what;
	bool    terminal, shown;
	int64_t due_ns;                         /* CLOCK_MONOTONIC: when it is to be shown next */
};

/* doing: "reading"; what: the path or name of what it is done to.  Both must outlive it. */
struct progress progress_start(const char *doing, const char *what);
bool progress_due(const struct progress *p);    /* cheap enough for each row */
/* In bytes; all: 0 if that is not known. */
void progress_show(struct progress *p, uint64_t done, uint64_t all);
void progress_end(struct progress *p);          /* leaves the line empty */

#endif
