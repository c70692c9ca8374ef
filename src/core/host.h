/* host.h - which machine a run was on, as the record tells it. */
#ifndef RT_HOST_H
#define RT_HOST_H

#include "sample.h"
#include "source.h"

struct host {                                   /* "", NONE: unknown */
	char name[65], kernel[65], architecture[32];
	char cpu_model[96];
	double cpus, memory_bytes;
};

/* Names alone; numbers are the first sample's to tell. */
void host_read(struct host *ret, const struct source *src);

/* The model from the beginning of /proc/cpuinfo; false: it has none (arm64). */
bool host_parse_cpu_model(char *ret, size_t size, const char *text, size_t n);

#endif
