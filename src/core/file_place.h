/*
 * file_place.h - the file that a name refers to, so that an output does not overwrite another file that is needed.  If
 * the file does not exist, its folder and its name in that folder identify it, so compare places
 * that were taken before either file is made.  Links are followed.
 */
#ifndef RT_FILE_PLACE_H
#define RT_FILE_PLACE_H

#include <limits.h>
#include <sys/types.h>

#include "base.h"

struct file_place {
	dev_t device;
	ino_t number;                           /* of the file, or of the folder for it */
	char name[NAME_MAX + 1];                /* ""; else its name in that folder */
};

/*
 * Both are false, and ret means nothing, if it cannot be examined, and for devices that keep nothing, such as terminals
 * and /dev/null.
 */
bool file_place_of(struct file_place *ret, const char *path) must_use;
/* Regular files and block devices only: several outputs can go to one pipe. */
bool file_place_of_descriptor(struct file_place *ret, int fd) must_use;

bool file_place_same(const struct file_place *a, const struct file_place *b);

#endif
