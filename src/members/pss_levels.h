/*
 * pss_levels.h - the PSS of a member between two readings: the value as it is carried, and what bounds it.
 *
 * Pure, but for the size of a page and of huge pages of the machine.  Bytes.
 */
#ifndef RT_PSS_LEVELS_H
#define RT_PSS_LEVELS_H

#include "tracked.h"

struct pss_levels { int64_t pss, most, moved, file, small, small_moved, faults; };      /* see struct rollup */

struct pss_levels figures_pss(const struct tracked *t, const struct figures *f);
int64_t figures_gained(const struct tracked *t, const struct figures *f, int64_t faults);
int64_t pss_given_away(const struct tracked *t, const struct figures *f);       /* since its reading, at most */
int64_t huge_most(const struct tracked *t, int64_t faults);

#endif
