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
	char *job_name;
	bool sampled;
	struct sample sample;
};

/* Copies what the caller's version of an options struct has into ours, the rest stays zero.  -EINVAL. */
static inline int options_copy(void *ret, size_t ret_size, const void *options)
{
	size_t size;

	if (!options)
		return 0;
	memcpy(&size, options, sizeof size);
	if (size < sizeof size || size > 4096)
		return -EINVAL;
	memcpy(ret, options, size_min(size, ret_size));
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
