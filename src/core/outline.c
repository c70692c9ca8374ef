/* outline.c - a run in at most 64 points. */
#include "outline.h"

#include <string.h>

static const enum total_metric quantities[OUTLINE_QUANTITIES] = {
	METRIC_process_cpu_cores, METRIC_process_pss_bytes, METRIC_process_rss_bytes, METRIC_process_count,
	METRIC_process_disk_read_bytes, METRIC_process_disk_write_bytes, METRIC_process_net_recv_bytes,
	METRIC_process_net_sent_bytes, METRIC_process_gpu_utilization_gpus, METRIC_process_gpu_vram_bytes,
	METRIC_cpu_utilization_cores, METRIC_memory_used_bytes,
	METRIC_process_run_delay_seconds, METRIC_process_block_delay_seconds, METRIC_cgroup_cpu_throttled_seconds,
};

const struct metric *outline_metric(size_t quantity)
{
	return &tables[TABLE_TOTAL].metrics[quantities[quantity] - 1];
}

/* Adds a value: levels are averaged by time, amounts are summed. */
static void add(struct outline_point *p, size_t i, bool amount, double value, double seconds)
{
	double all = p->known_seconds[i] + seconds;

	if (is_none(value) || !(seconds > 0))
		return;
	if (is_none(p->value[i]))
		p->value[i] = value;
	else
		p->value[i] = amount ? p->value[i] + value
				     : p->value[i] + (value - p->value[i]) * (seconds / all);
	p->known_seconds[i] = all;
}

static struct outline_point nothing(void)
{
	struct outline_point p = { 0 };

	for (size_t i = 0; i < OUTLINE_QUANTITIES; i++)
		p.value[i] = NONE;
	return p;
}

void outline_halve(struct outline *o)
{
	for (size_t k = 0; k < o->n; k++) {
		struct outline_point p = o->at[k], *to = &o->at[k / 2];

		if (k % 2 == 0)
			*to = nothing();
		for (size_t i = 0; i < OUTLINE_QUANTITIES; i++)
			add(to, i, outline_metric(i)->kind == KIND_AMOUNT, p.value[i], p.known_seconds[i]);
		to->end_seconds = p.end_seconds;
	}
	o->in_last += o->n % 2 == 0 ? o->per_point : 0;
	o->n = (o->n + 1) / 2;
	o->per_point *= 2;
}

void outline_add(struct outline *o, const struct totals *t, double end_seconds, double seconds)
{
	if (o->n == 0)
		o->per_point = o->in_last = 1;
	if (o->in_last == o->per_point && o->n == OUTLINE_POINTS)
		outline_halve(o);
	if (o->in_last == o->per_point) {
		o->at[o->n++] = nothing();
		o->in_last = 0;
	}

	struct outline_point *last = &o->at[o->n - 1];

	for (size_t i = 0; i < OUTLINE_QUANTITIES; i++) {
		const struct metric *m = outline_metric(i);
		double value;

		memcpy(&value, (const char *)t + m->offset, sizeof value);
		add(last, i, m->kind == KIND_AMOUNT, value, seconds);
	}
	last->end_seconds = end_seconds;
	o->in_last++;
}

bool outline_knows(const struct outline *o, size_t quantity)
{
	for (size_t k = 0; k < o->n; k++)
		if (!is_none(o->at[k].value[quantity]))
			return true;
	return false;
}
