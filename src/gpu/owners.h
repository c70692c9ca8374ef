/*
 * owners.h - whose a GPU is where the driver's process numbers are not ours: by who has its device file open.
 *
 * A driver numbers processes as the first PID namespace does.  In another one (a container) the same number is another
 * process, or none.
 */
#ifndef RT_GPU_OWNERS_H
#define RT_GPU_OWNERS_H

#include "backend.h"

/* Whether the numbers of src->proc are those of the first PID namespace.  True where that cannot be told. */
bool gpu_pids_are_ours(const struct source *src);

/* By device: whether a process of the job has one of its nodes open.  Parts are held with their wholes. */
void gpu_find_holders(bool ret[], const struct gpu_device *devices, size_t n, const struct source *src,
		      const pid_t *job, size_t n_job);

#endif
