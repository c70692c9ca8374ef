/*
 * runs_directory.h - the default folder of records: $XDG_STATE_HOME/resource-tracker/runs, else
 * ~/.local/state/resource-tracker/runs.  The thread of the record's output makes it and prunes it, the analysis
 * companion reads it.
 */
#ifndef RT_RUNS_DIRECTORY_H
#define RT_RUNS_DIRECTORY_H

#include "../core/why.h"

/* Writes its path.  -ENOENT with a sentence if neither variable is an absolute path; -ENAMETOOLONG with one, cut. */
int  runs_directory(char *ret, size_t size, struct why *why) must_use;

/*
 * Returns a descriptor of the directory, which the caller closes.  make: creates it (mode 0700) and its parents if
 * missing.  -errno with a sentence, for example if it is a symbolic link, belongs to another user, or would be created
 * in a folder of another user than root.
 */
int  runs_directory_open(const char *path, bool make, struct why *why) must_use;

/*
 * Removes records older than `keep_days`, then the oldest until the rest has at most `keep_bytes`; 0: no such limit.
 * A record is a regular file with a name of record_name() and a record's first bytes; no other file is removed, nor is
 * `except` (a name; NULL: none).  Several processes can prune at the same time.  What cannot be removed stays.
 */
void runs_directory_prune(int directory, double keep_days, uint64_t keep_bytes, const char *except);

/*
 * Whether it is time to prune: at most once an hour for all runs together, so that a thousand short jobs do not each
 * scan a thousand records.  The modification time of a file ".pruned" in the directory is the last time.
 */
bool runs_directory_prune_due(int directory);

#endif
