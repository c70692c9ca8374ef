/* session_outcome.c - statistics and evidence of a run. */
#include "session_outcome.h"

#include <string.h>

int session_outcome_open(struct session_outcome *o)
{
	o->whole = aggregate_open();
	return o->whole ? 0 : -ENOMEM;
}

void session_outcome_close(struct session_outcome *o)
{
	last_minute_close(&o->last_minute);
	aggregate_close(o->whole);
}

void session_outcome_sample(struct session_outcome *o, const struct sample *s, const struct tree *tree, bool tracked)
{
	const struct totals *t = &s->total;

	if (t->process_gpu_source[0])
		memcpy(o->gpu_source, t->process_gpu_source, sizeof o->gpu_source);
	aggregate_add(o->whole, s);
	ending_sample(&o->evidence, s);
	last_minute_sample(&o->last_minute, s, tree);
	spark_add(&o->cpu, tracked ? t->process_cpu_cores : t->cpu_utilization_cores);
	spark_add(&o->memory, tracked ? t->process_pss_bytes : t->memory_used_bytes);
	spark_add(&o->rss, t->process_rss_bytes);
}

/* Stays unknown on a captured machine, and if this metric is not selected. */
void session_outcome_own_cost(struct session_outcome *o, double seconds)
{
	const struct table_info *info = &tables[TABLE_TOTAL];

	for (size_t i = 0; i < info->n_metrics; i++) {
		struct statistic s = aggregate_total(o->whole, &info->metrics[i]);

		if (info->metrics[i].offset != offsetof(struct totals, tracker_cpu_seconds) || !(s.seconds > 0))
			continue;
		s.sum = seconds;
		aggregate_restore(o->whole, TABLE_TOTAL, "", &info->metrics[i], &s);
	}
}

size_t session_outcome_moments(const struct session_outcome *o, const struct run_status *status,
			       struct moment ret[MOMENTS])
{
	return status->reason.cause[0] ? last_minute_moments(&o->last_minute, ret) : 0;
}

void session_outcome_describe(const struct session_outcome *o, struct summary *summary, const struct sample *last,
			      struct moment moments[MOMENTS])
{
	summary->whole = o->whole;
	summary->cpu = o->cpu;
	summary->memory = o->memory;
	summary->rss = o->rss;
	summary->moments = moments;
	summary->n_moments = session_outcome_moments(o, &summary->status, moments);
	memcpy(summary->cpu_source, last->total.process_cpu_source, sizeof summary->cpu_source);
	memcpy(summary->gpu_source, o->gpu_source, sizeof summary->gpu_source);
	memcpy(summary->gpu_visible_by, last->total.process_gpu_visible_by, sizeof summary->gpu_visible_by);
}
