/*
 * parts.h - the parts of a run, its programs or the regions of its code, and for each the values of the quantities
 * (quantity.h).
 */
#ifndef RT_PARTS_H
#define RT_PARTS_H

#include "../history/digest.h"

enum parts_of { PARTS_PROGRAMS, PARTS_REGIONS };

struct part {
	char  *name;                            /* of a program, or the path of a region */
	double count;                           /* processes that took the program's name, entries of the region with a
						   known time; NONE: unknown */
	struct quantity_values values;          /* in base units: of a program over the whole run; of a region over all
						   its entries together, its disk and memory being those of the whole
						   tree meanwhile; NONE: unknown, or not measured for it */
};

struct parts { struct part *at; size_t n; };

/*
 * Copies the parts of a run from d, which can be released then.  A run without such parts has n 0.  The sum of programs
 * that the samples call "others" is not a part: it differs from run to run.  -ENOMEM.
 */
int  parts_read(struct parts *ret, enum parts_of what, const struct digest *d) must_use;
void parts_release(struct parts *p);
const struct part *parts_find(const struct parts *p, const char *name);         /* NULL: no part of that name */

#endif
