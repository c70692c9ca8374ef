/* collectors.h - all collectors; the sampler says in which order they read. */
#ifndef RT_COLLECTORS_H
#define RT_COLLECTORS_H

#include "../core/collector.h"

extern const struct collector collector_cpu, collector_memory, collector_disk, collector_network,
	collector_gpu, collector_cgroup, collector_pressure, collector_process, collector_tracker;

#endif
