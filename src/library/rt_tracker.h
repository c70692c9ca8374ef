/* rt_tracker.h - what struct rt_tracker holds, for the library's own files. */
#ifndef RT_RT_TRACKER_H
#define RT_RT_TRACKER_H

#include <string.h>

#include "../../include/resource_tracker.h"
#include "../core/metrics.h"
#include "../core/sample_write.h"
#include "../gpu/serve.h"
#include "../sampler/sampler.h"
#include "../tree/tree.h"

struct rt_tracker {
	struct sampler *sampler;
	struct sample_writer *writer;
	struct buffer line;
	struct run run;
	pid_t *pids;                            /* run.pids points here */
	char *job_name, *gpus;
	pid_t opener;                           /* our process: its threads and rings are not a child's of fork */
	bool sampled;
	struct sample sample;
};

/*
 * Copies what the caller's version of an options struct has into ours, the rest stays zero.  -EINVAL: it was not
 * initialised.  -E2BIG: something is set that we do not know.
 */
int options_copy(void *ret, size_t ret_size, const void *options) must_use;
/* What it said, as a sentence. */
void options_refused(struct why *why, int error, const char *initialiser);

/* As much of a result as the caller's version of its struct has; `size` stays the caller's. */
static inline int result_give(void *ret, size_t caller_size, const void *result, size_t result_size)
{
	if (caller_size < sizeof caller_size)
		return -EINVAL;
	memcpy(ret, result, size_min(caller_size, result_size));
	return 0;
}

/* The sentence of `why` to a caller who may not want it. */
static inline int reason_give(char *reason, size_t reason_size, const struct why *why, int error)
{
	if (reason && reason_size > 0) {
		size_t n = size_min(strlen(why->text), reason_size - 1);

		memcpy(reason, why->text, n);
		reason[n] = '\0';
	}
	return error;
}

/* All bytes to fd: their number, or -errno. */
ssize_t write_all(int fd, const char *bytes, size_t n) must_use;

#endif
