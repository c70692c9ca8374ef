/* output_file.h - a file that somebody named, opened to be written. */
#ifndef RT_OUTPUT_FILE_H
#define RT_OUTPUT_FILE_H

#include <sys/types.h>

#include "why.h"

/*
 * Opens `path` to be written from its beginning; made with `mode`, less the umask, if it is not there.  The mode of
 * what is there already stays as it is.  wait: a FIFO waits for its reader; else it is -ENXIO without one.
 *
 * In a folder in which everybody may make files (/tmp), a file, FIFO or link of another user is refused with -EACCES:
 * fs.protected_symlinks, _regular and _fifos of sysctl(8), also where the kernel has them switched off.
 * -errno with the reason alone: "Is a directory".
 */
int output_file_open(const char *path, mode_t mode, bool wait, struct why *reason) must_use;

/*
 * Others see by it that somebody still writes to the file: a lock that lasts as long as the descriptor, however its
 * process ends.  Where the filesystem has no locks it cannot be seen.
 */
void output_file_hold(int fd);
/* Whether a descriptor other than this one holds it. */
bool output_file_is_held(int fd);

/* Whether `path` is such a file, FIFO or link of another user. */
bool output_file_is_planted(const char *path);

#endif
