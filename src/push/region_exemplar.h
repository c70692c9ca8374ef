/*
 * region_exemplar.h - an entry of a region as the exemplar of the CPU time's counter: which part of the program the
 * time of a sample was of.
 */
#ifndef RT_REGION_EXEMPLAR_H
#define RT_REGION_EXEMPLAR_H

#include "../core/buffer.h"
#include "../core/regions.h"

struct region_exemplar {                        /* zeroed: none */
	char whole[REGION_PATH_SIZE];           /* the path of the region */
	char path[REGION_PATH_SIZE];            /* the same, as short as a label of an exemplar must be */
	double cpu_seconds;                     /* of the entry, by its thread's clock */
	int64_t end_wall_ns;
};

/*
 * Takes over the event if it is a whole entry with known CPU time, which is more than that of
 * ret; of two regions of which one is within the other the inner one, if it has half of the time.
 */
void region_exemplar_consider(struct region_exemplar *ret, const struct region_event *e, int64_t start_wall_ns);

#endif
