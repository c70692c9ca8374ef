/*
 * owners.h - whose a GPU is where the driver's process numbers are not ours: by who has its device file open.
 *
 * A driver numbers processes as the first PID namespace does.  In another one (a container) the same number is another
 * process, or none.
 */
#ifndef RT_GPU_OWNERS_H
#define RT_GPU_OWNERS_H

#include <dirent.h>

#include "backend.h"

/* Whether the numbers of src->proc are those of the first PID namespace.  True where that cannot be told. */
bool gpu_pids_are_ours(const struct source *src);

enum { GPU_PROCESS_PATH = 40 };

/*
 * The descriptors of a process.  /proc/PID/fd is its main thread's: if that ended before the others, they are read from
 * another thread, for all share them.  ret_of: the folder of `fd` and `fdinfo` below src->proc.  NULL: errno.
 */
DIR *gpu_open_descriptors(const struct source *src, pid_t pid, char ret_of[GPU_PROCESS_PATH]);

/* By device: whether a process of the job has one of its nodes open.  Parts are held with their wholes. */
void gpu_find_holders(bool ret[], const struct gpu_device *devices, size_t n, const struct source *src,
		      const pid_t *job, size_t n_job);

#endif
