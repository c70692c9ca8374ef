/* collector_names.c - the words in --only and --without, for those who link no collector. */
#include "sampler.h"

const char *const sampler_collectors[] = {
	"cpu", "memory", "disk", "network", "gpu", "cgroup", "pressure", "process", "tracker", NULL,
};
