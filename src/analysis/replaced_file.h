/*
 * replaced_file.h - a file that is written aside and takes its name when it is whole: whatever happens before leaves
 * the file that was there as it was.
 *
 *	if (replaced_file_open(&f, path, &why) < 0) ...
 *	r = replaced_file_write(&f, bytes, n, &why);
 *	... r < 0 ? replaced_file_abandon(&f) : replaced_file_finish(&f, &why)
 *
 * What is no regular file (a terminal, a pipe, /dev/null) is written to as it is; a symbolic link is followed, but for
 * one of another user in /tmp and its like.  Only the user may read a new file; one of ours keeps its mode.
 * One at a time: SIGINT, SIGTERM and SIGHUP take the part away and end the program; what SIGKILL leaves, the next one
 * takes away (part_file.h).
 */
#ifndef RT_REPLACED_FILE_H
#define RT_REPLACED_FILE_H

#include "../core/why.h"

struct replaced_file {
	int  fd;
	const char *name;                       /* as given, for sentences */
	char *path, *part;                      /* what part is to become; NULL: written to as it is */
};

/* Refuses, with -EINVAL and a sentence, to write over what is read: both NULL or "-" for stdout and stdin. */
int  replaced_file_check(const char *output, const char *input, struct why *why) must_use;

/* path: NULL and "-" are stdout.  It must outlive the file.  All return -errno with a sentence. */
int  replaced_file_open(struct replaced_file *ret, const char *path, struct why *why) must_use;
int  replaced_file_write(struct replaced_file *f, const void *bytes, size_t n, struct why *why) must_use;
/* Both close it. */
int  replaced_file_finish(struct replaced_file *f, struct why *why) must_use;
void replaced_file_abandon(struct replaced_file *f);

#endif
