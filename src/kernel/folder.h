/*
 * folder.h - the names in a folder of /proc, without the allocation of opendir.  getdents64(2); an error, and a closed
 * fd, end it.  A name is valid until the next call.
 */
#ifndef RT_FOLDER_H
#define RT_FOLDER_H

#include <dirent.h>
#include <sys/types.h>

#include "../core/base.h"

struct folder {                                 /* { .fd = ... }: reads from the beginning */
	int    fd;                              /* belongs to the caller */
	size_t at, len;
	_Alignas(struct dirent64) char buffer[8192];
};

const char *folder_next(struct folder *f);                      /* NULL: no more */
/* Only names that are numbers; false: no more, and *ret means nothing. */
bool folder_next_number(struct folder *f, pid_t *ret);

#endif
