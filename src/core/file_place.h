/*
 * file_place.h - which file a name stands for, so that one that is written is not another that is needed.  The file
 * need not be there yet: then its folder and its name in it say where it would be.  Links are followed.
 */
#ifndef RT_FILE_PLACE_H
#define RT_FILE_PLACE_H

#include <limits.h>
#include <sys/types.h>

#include "base.h"

struct file_place {
	dev_t device;
	ino_t number;                           /* of the file, or of the folder that it would be in */
	char name[NAME_MAX + 1];                /* ""; else the name that it would have there */
};

/* Both are false for what cannot be looked at, and for devices such as terminals and /dev/null: they keep nothing. */
bool file_place_of(struct file_place *ret, const char *path) must_use;
/* Regular files and drives only: a pipe takes what several write. */
bool file_place_of_descriptor(struct file_place *ret, int fd) must_use;

bool file_place_same(const struct file_place *a, const struct file_place *b);

#endif
