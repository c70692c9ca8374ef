/* rank_parts.h - what a rank used over its time, from the outline in its record, as plain data. */
#ifndef RT_RANK_PARTS_H
#define RT_RANK_PARTS_H

#include "../core/outline.h"

/* Waiting: of all its threads for a CPU, for a disk, and by a quota. */
enum rank_line { RANK_CPU, RANK_PSS, RANK_RSS, RANK_DISK, RANK_NETWORK, RANK_GPU, RANK_WAITING, RANK_LINES };

/*
 * A part of its time, from the end of the part before.  Means over it: cores, bytes, bytes per second, GPUs, threads;
 * finite, or NONE: unknown.  Floats, because ten thousand ranks are kept at once.
 */
struct rank_part { float end_seconds, value[RANK_LINES]; };

/* *ret: at most OUTLINE_POINTS, for the caller to free; outline can be NULL: none.  -ENOMEM. */
int rank_parts_read(struct rank_part **ret, size_t *ret_n, const struct outline *outline) must_use;

#endif
