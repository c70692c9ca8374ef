/*
 * memory_notes.h - memory of programs at the beginning or end of a region, as reported by themselves.  Pure.
 *
 * A program writes a note only while it has no child.  The tree's memory at that moment is the note plus the memory of
 * the other processes.
 */
#ifndef RT_MEMORY_NOTES_H
#define RT_MEMORY_NOTES_H

#include <sys/types.h>

#include "../core/base.h"

enum { MEMORY_NOTES_MAX = 32 };

/* rss_bytes were resident at some moment from from_ns to until_ns. */
struct memory_note { pid_t pid; int64_t from_ns, until_ns; double rss_bytes; };

/* In the order of until_ns; when full, the oldest is dropped.  All zero: empty. */
struct memory_notes { struct memory_note at[MEMORY_NOTES_MAX]; size_t n; };

/* Ignores a note with until_ns before from_ns. */
void memory_notes_add(struct memory_notes *m, const struct memory_note *reported);
/* Removes the first note, if its until_ns is not after by_ns; false: no such note. */
bool memory_notes_next(struct memory_notes *m, int64_t by_ns, struct memory_note *ret);

#endif
