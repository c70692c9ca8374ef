/*
 * driver.h - which of the drivers of drivers.def are present, without loading, opening or reading any of them.
 *
 * The recorder needs nothing more; backend.h is the interface for reading.
 */
#ifndef RT_GPU_DRIVER_H
#define RT_GPU_DRIVER_H

#include "../core/source.h"

struct gpu_driver {
	const char *name;                       /* "nvidia" */
	bool lists_all;                         /* drivers.def */
	/* Whether the backend can find a GPU: checks folders of src->proc, src->sys and the like. */
	bool (*present)(const struct source *src);
};

/* The drivers that are present, static, at most `room`; returns how many. */
size_t gpu_drivers_present(const struct gpu_driver *ret[], size_t room, const struct source *src);
const struct gpu_driver *gpu_driver_named(const char *name);   /* NULL: unknown name */

#endif
