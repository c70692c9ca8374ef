/*
 * runs_directory.h - where records live when nothing else is said:
 * $XDG_STATE_HOME/resource-tracker/runs, else ~/.local/state/resource-tracker/runs.
 */
#ifndef RT_RUNS_DIRECTORY_H
#define RT_RUNS_DIRECTORY_H

#include "../core/why.h"

/* -ENOENT with a sentence if neither variable is set to an absolute path. */
int  runs_directory(char *ret, size_t size, struct why *why) must_use;

/*
 * A descriptor of the directory; make: it is made (0700) if it is not there, with those above it.  -errno with a
 * sentence: it is a link, it is another user's, or it would stand in a folder of another user (root's is fine).
 */
int  runs_directory_open(const char *path, bool make, struct why *why) must_use;

/*
 * Removes records that are older than `keep_days`, then the oldest until what is left is at most `keep_bytes`; 0 means
 * no such bound.  A record is a regular file with a name of record_name() and a record's first bytes; nothing else is
 * removed, nor is `except`.  Two pruners at once do no harm: a file that is gone already is fine.
 */
void runs_directory_prune(int directory, double keep_days, uint64_t keep_bytes, const char *except);

/*
 * Is it time to prune?  At most once an hour for all runs together, so that a thousand short jobs do not
 * each look at a thousand records; the time stands in the directory as the age of a file ".pruned".
 */
bool runs_directory_prune_due(int directory);

#endif
