/*
 * pss_levels.h - the PSS of a member between two readings: the carried value, and its bounds.
 *
 * Pure, except for the size of a page and the huge pages of the machine.  Bytes.
 */
#ifndef RT_PSS_LEVELS_H
#define RT_PSS_LEVELS_H

#include "tracked.h"

struct pss_levels { int64_t pss, most, moved, file, small, small_moved, faults; };      /* see struct rollup */

struct pss_levels figures_pss(const struct tracked *t, const struct figures *f);        /* pss: 0 if it is unknown */
/* By so many faults since its reading its fork group gained, or lost, so much private memory. */
int64_t figures_gained(const struct tracked *t, const struct figures *f, int64_t faults);
int64_t pss_given_away(const struct tracked *t, const struct figures *f);       /* since its reading, upper bound */
int64_t huge_most(const struct tracked *t, int64_t faults);     /* in huge pages by so many faults, upper bound */

#endif
