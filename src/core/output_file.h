/* output_file.h - opens an output file that the user named. */
#ifndef RT_OUTPUT_FILE_H
#define RT_OUTPUT_FILE_H

#include <sys/types.h>

#include "why.h"

/*
 * Opens `path` for writing from its beginning.  If it does not exist, it is made with `mode`, less the umask; an
 * existing file keeps its mode.  wait: a FIFO waits for its reader; without wait, -ENXIO if it has none.
 *
 * In a folder in which every user can make files (/tmp), a file, FIFO or link of another user is refused with -EACCES,
 * as by fs.protected_symlinks, _regular and _fifos of sysctl(8), even if these are off.  -errno with the reason alone:
 * "Is a directory".
 */
int output_file_open(const char *path, mode_t mode, bool wait, struct why *reason) must_use;

/*
 * Shows to other processes that the file is still written: a lock that lasts as long as the descriptor, however its
 * process exits.  It is not visible on a filesystem without locks.
 */
void output_file_hold(int fd);
/* Whether a descriptor other than this one holds it. */
bool output_file_is_held(int fd);

/* Whether `path` is such a file, FIFO or link of another user. */
bool output_file_is_planted(const char *path);

#endif
