/*
 * driver.h - the drivers of drivers.def that are here, known without loading, opening or reading anything of them.
 *
 * That is all that the recorder has of them; how they are read is backend.h's.
 */
#ifndef RT_GPU_DRIVER_H
#define RT_GPU_DRIVER_H

#include "../core/source.h"

struct gpu_driver {
	const char *name;                       /* "nvidia" */
	bool tells_all;                         /* drivers.def */
	/* Whether its backend has anything to look for: by folders of src->proc, src->sys and the like. */
	bool (*present)(const struct source *src);
};

/* Those that are here, at most `room` of them: how many. */
size_t gpu_drivers_present(const struct gpu_driver *ret[], size_t room, const struct source *src);
const struct gpu_driver *gpu_driver_named(const char *name);   /* NULL: none is */

#endif
