/* compared_sides.h - both sides of a comparison: their runs, and of each what is compared. */
#ifndef RT_COMPARED_SIDES_H
#define RT_COMPARED_SIDES_H

#include "../comparison/part_comparison.h"
#include "../comparison/tree_comparison.h"

/* What is compared; BY_RUN: each run as a whole. */
enum compared_by { BY_RUN, BY_PROGRAM, BY_REGION, BY_TREE, BY_COUNT };

extern const char *const compared_by_words[BY_COUNT];           /* of --by; "" of BY_RUN */

/* Base and new.  Begins with zeros. */
struct sides { struct side side[2]; struct parts_side parts[2]; struct trees_side trees[2]; };

enum parts_of sides_parts(enum compared_by by);                 /* BY_PROGRAM or BY_REGION */

/*
 * Reads the runs that the words name behind the first: BASE NEW, or BASE... vs NEW...  directory: the folder of runs,
 * or NULL.  -errno with a sentence; the caller calls sides_release in any case.
 */
int  sides_read(struct sides *ret, int argc, char **argv, enum compared_by by, const char *directory,
		struct why *why) must_use;
void sides_release(struct sides *sides);

#endif
