/*
 * owners.h - attributes GPUs to the job by open device files, for when the driver's process numbers are of another
 * namespace.
 *
 * A driver numbers processes as the first PID namespace does.  In another one (a container) the same number is
 * another process, or none.
 */
#ifndef RT_GPU_OWNERS_H
#define RT_GPU_OWNERS_H

#include <dirent.h>

#include "backend.h"

/* Whether the numbers of src->proc are those of the first PID namespace.  True if that is unknown. */
bool gpu_pids_are_ours(const struct source *src);

enum { GPU_PROCESS_PATH = 40 };

/*
 * Opens the folder of a process's descriptors.  /proc/PID/fd belongs to the main thread: if that ended before the
 * others, another thread's is used, since threads share descriptors.  ret_of: the folder of `fd` and `fdinfo` below
 * src->proc.  To be closed with closedir.  NULL: errno is set.
 */
DIR *gpu_open_descriptors(const struct source *src, pid_t pid, char ret_of[GPU_PROCESS_PATH]);

/* By device, ret[n]: whether a process of the job has one of its nodes open.  A part is held if its whole is. */
void gpu_find_holders(bool ret[], const struct gpu_device *devices, size_t n, const struct source *src,
		      const pid_t *job, size_t n_job);

#endif
