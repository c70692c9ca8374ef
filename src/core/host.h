/* host.h - the machine of a run, for its record. */
#ifndef RT_HOST_H
#define RT_HOST_H

#include "sample.h"
#include "source.h"
#include "virtualization.h"

struct host {                                   /* "", NONE: unknown */
	char name[65], kernel[65], architecture[32];
	char cpu_model[96];
	double cpus, memory_bytes;
	double sockets, cores;                  /* with CPUs online */
	char vendor[64], product[64];           /* of the machine, by its firmware: "Amazon EC2", "m7i.large" */
	char virtualization[VIRTUALIZATION_SIZE];       /* "none": it is not a virtual machine */
	char container[CONTAINER_SIZE];
};

/*
 * Reads all (a captured machine has no architecture) but memory_bytes, which is NONE until the caller sets it from the
 * first sample, as it does with cpus if the sample has them.
 */
void host_read(struct host *ret, const struct source *src);

/* The model from the beginning of /proc/cpuinfo, cut to fit; false: it has none (arm64), and ret is unchanged. */
bool host_parse_cpu_model(char *ret, size_t size, const char *text, size_t n);

#endif
