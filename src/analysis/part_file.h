/*
 * part_file.h - the temporary file beside another file, in which its next version is written: ".NAME.XXXXXX.part".
 *
 * Its writer holds a lock on it (flock(2)) while it is open.  A file without a lock belongs to a writer that was
 * killed (SIGKILL, a crash), and the next writer of NAME removes it.
 */
#ifndef RT_PART_FILE_H
#define RT_PART_FILE_H

#include "../core/base.h"

/*
 * Removes this user's files of killed writers and creates a new one, mode 0600, in the folder of `path` (a link is not
 * followed).  Returns its descriptor (close-on-exec) and its path, which the caller closes and frees after rename or unlink (without
 * the lock, another writer removes the file); or -errno.
 */
int part_file_open(const char *path, char **ret_part) must_use;

#endif
