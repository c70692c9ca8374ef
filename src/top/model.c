/* model.c - what the view knows of a run, filled from its record. */
#include "model.h"

#include <stdio.h>
#include <string.h>

#include "../summary/summary_parts.h"
#include "../text/human.h"
#include "../text/shown.h"

/* Copies with unprintable characters as "?", cut to fit. */
static void copy_shown(char *ret, size_t size, const char *text)
{
	struct buffer b = { 0 };

	show_text(&b, text, strnlen(text, size - 1), '?');
	(void)snprintf(ret, size, "%.*s", (int)b.len, b.at ? b.at : "");
	buffer_release(&b);
}

/* The command, else the job's name, else what is measured. */
static void title_of(char *ret, size_t size, const struct record_facts *facts)
{
	const struct run *run = &facts->run;
	struct buffer b = { 0 };

	if (run->command)
		summary_command_text(&b, run->command, true);
	else if (run->job_name)
		buffer_text(&b, run->job_name);
	else if (run->n_pids == 0)
		buffer_text(&b, "the machine");
	for (size_t i = 0; !run->command && !run->job_name && i < run->n_pids; i++)
		buffer_format(&b, "%s%d", i == 0 ? "process " : ", ", (int)run->pids[i]);
	buffer_char(&b, '\0');
	copy_shown(ret, size, b.failed ? "" : b.at);
	buffer_release(&b);
}

void model_begin(struct model *m, const struct record_facts *facts)
{
	memset(m, 0, sizeof *m);
	title_of(m->title, sizeof m->title, facts);
	copy_shown(m->id, sizeof m->id, facts->id);
	copy_shown(m->host, sizeof m->host, facts->host.name);
	m->tracked = facts->run.command || facts->run.n_pids > 0;
	m->start_wall_ns = facts->run.start_wall_ns;
	m->interval_seconds = facts->run.interval_seconds;
	m->highest_memory = m->cpu_seconds = m->cpu_lower_seconds = m->cpu_upper_seconds = NONE;
	row_clear(TABLE_TOTAL, &m->total);
}

double model_memory(const struct totals *t, bool tracked)
{
	if (!tracked)
		return t->memory_used_bytes;
	/* Bounds without a value are shown as such. */
	return is_none(t->process_pss_bytes) && is_none(t->process_pss_upper_bytes) ? t->process_rss_bytes :
									  t->process_pss_bytes;
}

double model_memory_limit(const struct totals *t, bool *ret_limited)
{
	*ret_limited = t->cgroup_memory_limit_bytes < t->memory_total_bytes ||
		       (is_none(t->memory_total_bytes) && !is_none(t->cgroup_memory_limit_bytes));
	return *ret_limited ? t->cgroup_memory_limit_bytes : t->memory_total_bytes;
}

double model_cores(const struct totals *t)
{
	return is_none(t->cgroup_cpu_available_cores) ? t->cpu_count : t->cgroup_cpu_available_cores;
}

/* What is drawn where PSS has bounds but no value: RSS can be many times as much. */
static double drawn_memory(const struct model *m, const struct totals *t)
{
	bool bounded = m->tracked && is_none(t->process_pss_bytes) && !is_none(t->process_pss_upper_bytes);

	return bounded ? t->process_pss_upper_bytes : model_memory(t, m->tracked);
}

static void add_point(struct model *m, const struct totals *t, double seconds)
{
	double value[COURSE_COUNT];
	double disk = add_known(t->process_disk_read_bytes, t->process_disk_write_bytes);
	double network = add_known(t->process_net_recv_bytes, t->process_net_sent_bytes);
	double gpus = t->process_gpu_utilization_gpus;

	if (!m->tracked) {
		disk = add_known(t->disk_total_read_bytes, t->disk_total_write_bytes);
		network = add_known(t->network_total_recv_bytes, t->network_total_sent_bytes);
	}
	value[COURSE_CPU] = m->tracked ? t->process_cpu_cores : t->cpu_utilization_cores;
	value[COURSE_MEMORY] = drawn_memory(m, t);
	value[COURSE_DISK] = disk / seconds;
	value[COURSE_NETWORK] = network / seconds;
	value[COURSE_GPU] = is_none(gpus) ? t->gpu_total_utilization_gpus : gpus;
	for (size_t i = 0; i < COURSE_COUNT; i++)
		m->value[i][m->n % POINTS_MAX] = value[i];
	value[COURSE_MEMORY] = model_memory(t, m->tracked);     /* a bound is no peak */
	if (!(value[COURSE_MEMORY] <= m->highest_memory) && !is_none(value[COURSE_MEMORY]))
		m->highest_memory = value[COURSE_MEMORY];
	m->end_seconds[m->n++ % POINTS_MAX] = m->seconds;
}

/* The CPU time of a program since the start, with this row's added; NONE if there is no room to remember it. */
static double spend(struct model *m, const struct program_row *row)
{
	size_t i = 0;

	while (i < m->n_spent && strcmp(m->spent[i].name, row->key) != 0)
		i++;
	if (i == PROGRAMS_KEPT)
		return NONE;
	if (i == m->n_spent) {
		(void)snprintf(m->spent[i].name, sizeof m->spent[i].name, "%s", row->key);
		m->spent[m->n_spent++].seconds = 0;
	}
	if (!is_none(row->cpu_seconds))
		m->spent[i].seconds += row->cpu_seconds;
	return m->spent[i].seconds;
}

static void set_programs(struct model *m, const struct sample *row, double seconds)
{
	m->n_programs = 0;
	for (size_t i = 0; i < row->n_program; i++) {
		const struct program_row *p = &row->program[i];
		double disk = add_known(p->disk_read_bytes, p->disk_write_bytes);
		struct entry *e = &m->program[m->n_programs];

		*e = (struct entry){
			.count = p->processes, .cores = p->cpu_cores,
			.bytes = is_none(p->pss_bytes) ? p->rss_bytes : p->pss_bytes,
			.disk_bytes_per_second = disk / seconds, .cpu_seconds = spend(m, p),
		};
		copy_shown(e->name, sizeof e->name, p->key);
		/* A program that is over is in the sums only. */
		m->n_programs += is_none(p->processes) || p->processes > 0 || e->cores > 0;
	}
}

static void set_gpus(struct model *m, const struct sample *row)
{
	m->n_gpus = size_min(row->n_gpu, GPUS_SHOWN);
	for (size_t i = 0; i < m->n_gpus; i++) {
		const struct gpu_row *g = &row->gpu[i];

		m->gpu[i] = (struct gpu_now){
			.utilization_pct = g->utilization_pct, .temperature = g->temperature_celsius,
			.power_watts = g->power_watts,
			.slowed = g->throttled_power > 0 || g->throttled_thermal > 0 || g->throttled_other > 0,
		};
		copy_shown(m->gpu[i].name, sizeof m->gpu[i].name, *g->name ? g->name : g->key);
	}
}

void model_row(struct model *m, const struct sample *row, const struct sample *sums)
{
	const struct totals *t = &row->total;

	m->total = *t;
	m->seconds = (double)row->monotonic_ns / 1e9;
	m->row_seconds = row->interval_seconds;
	if (sums) {
		m->cpu_seconds = sums->total.process_cpu_seconds;
		m->cpu_lower_seconds = sums->total.process_cpu_lower_seconds;
		m->cpu_upper_seconds = sums->total.process_cpu_upper_seconds;
	} else {
		m->cpu_seconds = add_known(m->cpu_seconds, t->process_cpu_seconds);
		m->cpu_lower_seconds = add_known(m->cpu_lower_seconds, t->process_cpu_lower_seconds);
		m->cpu_upper_seconds = add_known(m->cpu_upper_seconds, t->process_cpu_upper_seconds);
	}
	if (!(m->row_seconds > 0))
		return;                         /* the baseline: nothing has happened yet */
	add_point(m, t, m->row_seconds);
	set_programs(m, row, m->row_seconds);
	set_gpus(m, row);
}

void model_region(struct model *m, const struct region_event *event)
{
	struct buffer b = { 0 };
	char *to = m->last_mark;

	if (event->kind == REGION_ENTRY) {
		to = m->last_region;
		buffer_format(&b, "%.60s ", event->path);
		human_duration(&b, event->seconds);
	} else if (event->kind == REGION_VALUE) {
		to = m->last_value;
		buffer_format(&b, "%.60s %.6g", event->text, event->value);
	} else
		buffer_text(&b, event->text);
	buffer_char(&b, '\0');
	if (!b.failed)
		copy_shown(to, sizeof m->last_mark, b.at);
	buffer_release(&b);
}

void model_end(struct model *m, const struct record_facts *facts)
{
	const struct run_status *s = &facts->status;
	struct buffer b = { 0 };

	switch (s->end) {
	case RUN_RUNNING:
		buffer_text(&b, "cut off: the recorder ended without a last line");
		break;
	case RUN_EXITED:
		buffer_format(&b, "ended, status %d", s->value);
		break;
	case RUN_SIGNALED:
		buffer_text(&b, "ended by ");
		human_signal(&b, s->value);
		break;
	case RUN_ROOTS_ENDED:
		buffer_text(&b, "ended: its processes are over");
		break;
	case RUN_STOPPED:
		buffer_text(&b, "ended: the recorder was stopped");
		break;
	}
	if (s->reason.text[0])
		buffer_format(&b, ": %s", s->reason.text);
	buffer_char(&b, '\0');
	copy_shown(m->ended, sizeof m->ended, b.failed ? "ended" : b.at);
	buffer_release(&b);
	m->n_regions = m->more_regions = 0;
	m->lost_lines = facts->lost_lines;
	if (s->end_monotonic_ns > 0)
		m->seconds = (double)s->end_monotonic_ns / 1e9;
}
