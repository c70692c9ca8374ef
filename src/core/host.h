/* host.h - the machine of a run, for its record. */
#ifndef RT_HOST_H
#define RT_HOST_H

#include "sample.h"
#include "source.h"

struct host {                                   /* "", NONE: unknown */
	char name[65], kernel[65], architecture[32];
	char cpu_model[96];
	double cpus, memory_bytes;
};

/*
 * Reads the texts (a captured machine has no architecture).  The numbers are NONE until the caller sets them from the
 * first sample.
 */
void host_read(struct host *ret, const struct source *src);

/* The model from the beginning of /proc/cpuinfo, cut to fit; false: it has none (arm64), and ret is unchanged. */
bool host_parse_cpu_model(char *ret, size_t size, const char *text, size_t n);

#endif
