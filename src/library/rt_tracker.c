/* rt_tracker.c - the library's tracker: a sampler, its last sample and the writer of lines. */
#include "rt_tracker.h"

#include <string.h>

static const enum cpu_choice cpu_choices[] = {
	[RT_CPU_AUTO] = CPU_AUTO, [RT_CPU_CGROUP] = CPU_CGROUP, [RT_CPU_PERF] = CPU_PERF,
	[RT_CPU_LEDGER] = CPU_LEDGER, [RT_CPU_VISIBLE] = CPU_VISIBLE,
};

static int check(const struct rt_options *o, struct why *why)
{
	if (o->n_pids > ROOT_MAX)
		return why_set(why, -EINVAL, "more than %d processes cannot be tracked", (int)ROOT_MAX);
	if (o->n_pids > 0 && !o->pids)
		return why_set(why, -EINVAL, "n_pids is set, but not pids");
	for (size_t i = 0; i < o->n_pids; i++)
		if (o->pids[i] < 1)
			return why_set(why, -EINVAL, "%d is not a process", (int)o->pids[i]);
	if (!(o->interval_seconds >= 0))
		return why_set(why, -EINVAL, "the interval is negative");
	if (o->pss != RT_PSS_AUTO && o->pss != RT_PSS_ALWAYS && o->pss != RT_PSS_NEVER)
		return why_set(why, -EINVAL, "there is no such PSS policy");
	if ((unsigned)o->cpu_source >= countof(cpu_choices))
		return why_set(why, -EINVAL, "there is no such source of CPU time");
	if (!(o->max_overhead_percent >= 0))
		return why_set(why, -EINVAL, "the limit of the overhead is negative");
	return 0;
}

static int open_sampler(struct rt_tracker *t, const struct rt_options *o, struct why *why)
{
	static const enum pss_policy policies[] = {
		[RT_PSS_AUTO] = PSS_AUTO, [RT_PSS_ALWAYS] = PSS_ALWAYS, [RT_PSS_NEVER] = PSS_NEVER,
	};
	struct tree_options tree = {
		.roots = t->pids, .n_roots = o->n_pids, .no_children = o->no_children != 0, .pss = policies[o->pss],
		.cpu = cpu_choices[o->cpu_source],
	};
	struct sampler_options options = {
		.root = o->root, .pid = o->n_pids > 0 ? t->pids[0] : 0, .interval_seconds = o->interval_seconds,
		.only = o->only, .without = o->without, .gpus = t->gpus, .gpu_serve = gpu_serve,
		.max_overhead = o->max_overhead_percent / 100, .shared_process = true,
		.tree = o->n_pids > 0 ? &tree : NULL,
	};

	return sampler_open(&t->sampler, &options, why);
}

static int tracker_open(struct rt_tracker *t, const struct rt_options *o, struct why *why)
{
	if (o->n_pids > 0) {
		t->pids = malloc(o->n_pids * sizeof *t->pids);
		if (!t->pids)
			return why_set(why, -ENOMEM, "out of memory");
		memcpy(t->pids, o->pids, o->n_pids * sizeof *t->pids);
	}
	if ((o->job_name && !(t->job_name = strdup(o->job_name))) || (o->gpus && !(t->gpus = strdup(o->gpus))))
		return why_set(why, -ENOMEM, "out of memory");
	t->run = (struct run){
		.pids = t->pids, .n_pids = o->n_pids, .job_name = t->job_name,
		.interval_seconds = o->interval_seconds,
	};
	return open_sampler(t, o, why);
}

int rt_open(struct rt_tracker **ret, const struct rt_options *options, char *reason, size_t reason_size)
{
	struct rt_options o = { 0 };
	struct why why = { "" };
	int r = options_copy(&o, sizeof o, options);

	if (r < 0)
		options_refused(&why, r, "rt_options_init");
	else
		r = check(&o, &why);
	if (r < 0)
		return reason_give(reason, reason_size, &why, r);

	struct rt_tracker *t = calloc(1, sizeof *t);

	if (!t)
		return reason_give(reason, reason_size, &why, why_set(&why, -ENOMEM, "out of memory"));
	opener_open(&t->opener);
	t->sample = &t->own;
	sample_clear(&t->own);
	r = tracker_open(t, &o, &why);
	if (r < 0) {
		rt_close(t);
		return reason_give(reason, reason_size, &why, r);
	}
	*ret = t;
	return 0;
}

void rt_close(struct rt_tracker *t)
{
	if (!t)
		return;
	if (opener_is_us(&t->opener))          /* else close would wait for threads, which a child does not have */
		sampler_close(t->sampler);
	sample_writer_close(t->writer);
	opener_close(&t->opener);
	buffer_release(&t->line);
	free(t->pids);
	free(t->job_name);
	free(t->gpus);
	free(t);
}

int rt_sample(struct rt_tracker *t)
{
	if (!t->sampler)
		return -EINVAL;
	if (!opener_is_us(&t->opener))
		return -ECHILD;
	t->sampled = true;
	return sampler_read(t->sampler, &t->own);
}

const char *rt_notice(struct rt_tracker *t)
{
	return t->sampler ? sampler_notice(t->sampler) : NULL;
}

double rt_timestamp_seconds(const struct rt_tracker *t)
{
	return t->sampled ? (double)t->sample->wall_ns / (double)NS_PER_SECOND : NONE;
}

double rt_interval_seconds(const struct rt_tracker *t)
{
	return t->sample->interval_seconds;
}
