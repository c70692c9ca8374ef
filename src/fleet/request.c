/* request.c - what a run asked for. */
#include "request.h"

#include "../summary/summary_parts.h"

/* The product of two numbers of a job; NONE unless both are known and not 0. */
static double product(int64_t a, int64_t b)
{
	return a > 0 && b > 0 ? (double)a * (double)b : NONE;
}

static struct request of_job(const struct job *job)
{
	if (job->rank >= 0 && job->size > 1)
		return (struct request){ product(job->rank_cpus, 1), product(job->cpu_memory_bytes, job->rank_cpus) };
	return (struct request){
		product(job->node_cpus, 1),
		job->node_memory_bytes > 0 ? (double)job->node_memory_bytes
					   : product(job->cpu_memory_bytes, job->node_cpus),
	};
}

struct request request_of(const struct digest *d)
{
	const struct job *job = d->facts->run.job;
	struct request asked = { NONE, NONE };
	double could = summary_total(d->whole, METRIC_cgroup_cpu_available_cores).maximum;
	double limit = summary_total(d->whole, METRIC_cgroup_memory_limit_bytes).maximum;

	if (job)
		asked = of_job(job);
	/* The group of a rank is that of all ranks of its node. */
	if (!d->facts->tracked || (job && job->rank >= 0 && job->size > 1))
		return asked;
	if (is_none(asked.cores) && could > 0 && could < d->facts->host.cpus)
		asked.cores = could;
	if (is_none(asked.memory_bytes) && limit > 0)
		asked.memory_bytes = limit;
	return asked;
}
