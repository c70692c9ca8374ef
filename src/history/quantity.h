/* quantity.h - quantities.def as data, and their values in a run. */
#ifndef RT_QUANTITY_H
#define RT_QUANTITY_H

#include "../core/aggregate.h"
#include "../core/run.h"

enum quantity {
#define QUANTITY(name, unit, statistic, tree, tree_else, machine, help) QUANTITY_##name,
#include "quantities.def"
	QUANTITY_COUNT
};

struct quantity_info { const char *name; enum unit unit; const char *help; };
struct quantity_values { double of[QUANTITY_COUNT]; };          /* NONE: not known */

extern const struct quantity_info quantities[QUANTITY_COUNT];

/*
 * seconds: from start to end.  tracked: processes were tracked, not only the machine watched.  moments: the last minute
 * of a run that failed.
 */
void quantities_read(struct quantity_values *ret, const struct aggregate *whole, double seconds, bool tracked,
		     const struct moment *moments, size_t n_moments);

#endif
