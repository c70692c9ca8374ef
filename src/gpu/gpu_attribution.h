/*
 * gpu_attribution.h - turns a reader's answer into rows of a sample and the use of the tracked tree.  Pure.
 *
 * For each sample: gpu_sums_begin, gpu_attribute for the answer of each reader, gpu_sums_end.  Which process uses a GPU
 * comes from the pids that the driver lists, or, if these are of another PID namespace, from open device files: then
 * all use of a device that a member has open counts as the tree's.  The tree's sum is NONE if a part of it is unknown;
 * the machine's sum is that of the devices that report the value.
 */
#ifndef RT_GPU_ATTRIBUTION_H
#define RT_GPU_ATTRIBUTION_H

#include "protocol.h"

/* The program of a pid: the key of its program's row; "": it has no row; NULL: the pid is not a member of the tree. */
struct gpu_membership {
	const char *(*program)(const void *context, pid_t pid); /* NULL: nothing is tracked */
	const void *context;
};

enum { GPU_FROM_PIDS = 1, GPU_FROM_FDINFO = 2, GPU_FROM_DESCRIPTORS = 4 };

struct gpu_sums {
	struct totals total;                    /* gpu_total_*, process_gpu_* */
	unsigned from;                          /* GPU_FROM_...: the sources of the tree's use */
};

void gpu_sums_begin(struct gpu_sums *s);
/*
 * Adds the answer's rows to the sample and its sums to `s`; in MIG mode the parts count, but power and energy of the
 * whole.  lists_all: of the driver (drivers.def).  again: this answer was attributed before, so its AMOUNTs do not
 * count again.  visible: 1, 0 or NONE for each device of the answer, as gpu_visible_match returns it.  The rows of
 * programs must be in the sample already; GPU use is added to them.  Devices beyond the table's room count in the sums.
 */
void gpu_attribute(struct sample *out, struct gpu_sums *s, const struct gpu_answer *a, bool lists_all, bool again,
		   const double visible[], const struct gpu_membership *members);
/* Writes the sums of all readers into the sample. */
void gpu_sums_end(struct sample *out, const struct gpu_sums *s);

#endif
