/* parts.h - what the parts of a run used, by the names of its quantities: its programs, or the regions of its code. */
#ifndef RT_PARTS_H
#define RT_PARTS_H

#include "../history/digest.h"

enum parts_of { PARTS_PROGRAMS, PARTS_REGIONS };

struct part {
	char  *name;
	double count;                           /* processes that took the name, entries of the region; NONE */
	struct quantity_values values;          /* NONE: not known, or nothing that such a part has */
};

struct parts { struct part *at; size_t n; };

/* -ENOMEM. */
int  parts_read(struct parts *ret, enum parts_of what, const struct digest *d) must_use;
void parts_release(struct parts *p);
const struct part *parts_find(const struct parts *p, const char *name);         /* NULL: it has none of that name */

#endif
