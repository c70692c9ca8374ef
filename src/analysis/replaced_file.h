/*
 * replaced_file.h - writes a temporary file and renames it when it is complete: until then the existing file is
 * unchanged.
 *
 *  if (replaced_file_open(&f, path, &why) < 0) ...
 *  r = replaced_file_write(&f, bytes, n, &why);
 *  ... r < 0 ? replaced_file_abandon(&f) : replaced_file_finish(&f, &why)
 *
 * A name of a descriptor ("-", /dev/stdout, /dev/fd/N: core/output_file.h), and a file other than a regular one (a
 * terminal, /dev/null, a FIFO: open waits for its reader), are written directly; a symbolic link is followed, even if
 * its target does not exist yet.  In a sticky directory such as /tmp, another user's link, file or FIFO is refused
 * (-EACCES).  A new file has mode 0600; an existing file of the user keeps its mode.
 * One at a time: SIGINT, SIGTERM and SIGHUP remove the temporary file and end the program; an ignored signal (nohup)
 * stays ignored; after SIGKILL the next writer removes it (part_file.h).  SIGXFSZ is ignored from the first open on.
 */
#ifndef RT_REPLACED_FILE_H
#define RT_REPLACED_FILE_H

#include "../core/why.h"

struct replaced_file {
	int  fd;
	bool borrowed;                          /* one of the program's descriptors, which stays open */
	const char *name;                       /* as given, for sentences */
	char *path, *part;                      /* the temporary file is renamed to path; NULL: written directly */
};

/* Refuses, with -EINVAL and a sentence, to overwrite the input: both NULL or "-" for stdout and stdin. */
int  replaced_file_check(const char *output, const char *input, struct why *why) must_use;

/*
 * path: NULL and "-" are stdout, which stays open.  It must outlive the file.  All return -errno with a sentence; after
 * an error of replaced_file_open there is nothing to close, after one of replaced_file_write call
 * replaced_file_abandon.
 */
int  replaced_file_open(struct replaced_file *ret, const char *path, struct why *why) must_use;
int  replaced_file_write(struct replaced_file *f, const void *bytes, size_t n, struct why *why) must_use;
/*
 * Both close it.  finish syncs the file to disk and renames it; if that fails, it removes the temporary file.  abandon
 * removes it.
 */
int  replaced_file_finish(struct replaced_file *f, struct why *why) must_use;
void replaced_file_abandon(struct replaced_file *f);

#endif
