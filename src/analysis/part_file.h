/*
 * part_file.h - the file beside another in which its next version is written: ".NAME.XXXXXX.part".
 *
 * Its writer holds a lock on it (flock(2)) as long as it is open.  So one without a lock is of a writer that was killed
 * (SIGKILL, a crash), and the next writer of NAME removes it.
 */
#ifndef RT_PART_FILE_H
#define RT_PART_FILE_H

/* Removes what killed writers left and makes a new one, for us alone.  Returns its descriptor and name, or -errno. */
int part_file_open(const char *path, char **ret_part);

#endif
