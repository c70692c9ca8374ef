/* rt_tracker.h - the members of struct rt_tracker, for the library's own files. */
#ifndef RT_RT_TRACKER_H
#define RT_RT_TRACKER_H

#include "../../include/resource_tracker.h"
#include "../core/metrics.h"
#include "../core/sample_write.h"
#include "../gpu/serve.h"
#include "../sampler/sampler.h"
#include "../tree/tree.h"
#include "opener.h"
#include "rt_options.h"

struct rt_tracker {
	struct sampler *sampler;                /* NULL: its samples are the rows of a record */
	struct sample_writer *writer;           /* NULL: no JSON was asked for so far */
	struct buffer line;
	struct run run;
	pid_t *pids;                            /* run.pids points here */
	char *job_name, *gpus;
	struct opener opener;                   /* a forked child has neither its threads nor its rings */
	bool sampled;
	const struct sample *sample;            /* the last one: the sampler's, or a record's row */
	struct sample own;
};

/* Writes all bytes to fd: returns their number, or -errno. */
ssize_t write_all(int fd, const char *bytes, size_t n) must_use;

#endif
