/* collector_names.c - the words in --only and --without, for those who link no collector. */
#include "collector_names.h"

#include <stddef.h>

const char *const sampler_collectors[] = {
	"cpu", "memory", "disk", "network", "gpu", "cgroup", "pressure", "process", "tracker", NULL,
};
