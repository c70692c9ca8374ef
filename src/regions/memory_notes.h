/*
 * memory_notes.h - what memory programs had as they began or ended a region, told by themselves.  Pure.
 *
 * It is the tree's at that moment, to which what other processes had is to be added: who tells had no child.
 */
#ifndef RT_MEMORY_NOTES_H
#define RT_MEMORY_NOTES_H

#include <sys/types.h>

#include "../core/base.h"

enum { MEMORY_NOTES_MAX = 32 };

/* Resident some time from from_ns to until_ns. */
struct memory_note { pid_t pid; int64_t from_ns, until_ns; double rss_bytes; };

/* In the order of their times; of too many the oldest are forgotten.  All zero: none. */
struct memory_notes { struct memory_note at[MEMORY_NOTES_MAX]; size_t n; };

/* One that is over before it begins is none. */
void memory_notes_add(struct memory_notes *m, const struct memory_note *reported);
/* Takes out the first that was over by then; false: there is none. */
bool memory_notes_next(struct memory_notes *m, int64_t by_ns, struct memory_note *ret);

#endif
