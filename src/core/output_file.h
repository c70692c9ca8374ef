/* output_file.h - opens an output file that the user named. */
#ifndef RT_OUTPUT_FILE_H
#define RT_OUTPUT_FILE_H

#include <sys/types.h>

#include "why.h"

/*
 * Opens `path` for writing and empties it.  If it does not exist, it is made with `mode`, less the umask; an existing
 * file keeps its mode.  Returns a blocking descriptor, which is closed on exec.  wait: a FIFO waits for its reader;
 * without wait, -ENXIO if it has none.
 *
 * In a sticky folder in which every user can make files (/tmp), a file, FIFO or link of a user who is neither this one
 * nor the folder's owner is refused with -EACCES, as by fs.protected_symlinks, _regular and _fifos of sysctl(8), even
 * if these are off.  -errno with the reason alone, without the path: "Is a directory".
 */
int output_file_open(const char *path, mode_t mode, bool wait, struct why *reason) must_use;

/* The same, without wait, but keeps what is in the file: all is written at its end. */
int output_file_append(const char *path, mode_t mode, struct why *reason) must_use;

/*
 * The descriptor that a name stands for: 1 for "-" and /dev/stdout, 2 for /dev/stderr, N for /dev/fd/N and
 * /proc/self/fd/N; -1 for other names.  Use it as it is: a file that is opened again would be emptied, or written from
 * offset 0.
 */
int output_file_descriptor(const char *name);

/*
 * Shows to other processes that the file is still written: a lock (F_OFD_SETLK) that lasts until the last copy of the
 * descriptor is closed, also in forked children, however they exit.  Not visible on a filesystem without locks.
 */
void output_file_hold(int fd);
/* Whether someone who opened the file apart from this descriptor, and not a copy of it, has locked it. */
bool output_file_is_held(int fd);

/*
 * What stands at `path` itself, for writers that open it in another way: *ret_type is S_IFREG, S_IFLNK etc., or 0 if
 * there is nothing: a link that stands there later was planted meanwhile, and is not to be followed.  -EACCES for what
 * output_file_open refuses, or another -errno; with the reason alone.
 */
int output_file_look(const char *path, mode_t *ret_type, struct why *reason) must_use;

#endif
