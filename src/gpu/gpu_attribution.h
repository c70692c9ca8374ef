/* gpu_attribution.h - a reader's answer as rows of a sample, and as what the tracked tree used.  Pure. */
#ifndef RT_GPU_ATTRIBUTION_H
#define RT_GPU_ATTRIBUTION_H

#include "protocol.h"

/* Whose process a pid is: the key of its program's row; "": it has none; NULL: it is no member of the tree. */
struct gpu_membership {
	const char *(*program)(const void *context, pid_t pid); /* NULL: nothing is tracked */
	const void *context;
};

enum { GPU_FROM_PIDS = 1, GPU_FROM_FDINFO = 2, GPU_FROM_DESCRIPTORS = 4 };

struct gpu_sums {
	struct totals total;                    /* gpu_total_*, process_gpu_* */
	unsigned from;                          /* GPU_FROM_... that told of the tree */
};

void gpu_sums_begin(struct gpu_sums *s);
/*
 * Adds the answer's rows to the sample and its sums to `s`; of what is in MIG mode the parts count, power and energy of
 * the whole.  visible: by device, as gpu_visible_match gives it.  again: the answer was told before, so what happened
 * before it does not count again.
 */
void gpu_attribute(struct sample *out, struct gpu_sums *s, const struct gpu_answer *a, bool tells_all, bool again,
		   const double visible[], const struct gpu_membership *members);
/* Writes the sums into the sample: of all readers together. */
void gpu_sums_end(struct sample *out, const struct gpu_sums *s);

#endif
