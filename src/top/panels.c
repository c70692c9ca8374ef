/* panels.c - one quantity over time: its heading and its graph. */
#include "panels.h"

#include <string.h>

#include "../text/human.h"

/* Columns of a heading's first word with its blanks; how many a heading needs to name the graph's begin as well. */
enum { LABEL = 9, TIMED = 100 };

static void share(struct buffer *out, double part, double whole)
{
	if (whole > 0 && !is_none(part))
		buffer_format(out, ", %.0f %%", 100 * part / whole);
}

/* " (LOWER to UPPER)", where both are known and differ in what is shown. */
static void bounds(struct buffer *out, double lower, double upper, void (*put)(struct buffer *out, double n))
{
	struct buffer low = { 0 }, high = { 0 };

	if (is_none(lower) || is_none(upper))
		return;
	put(&low, lower);
	put(&high, upper);
	if (low.len != high.len || (low.len > 0 && memcmp(low.at, high.at, low.len) != 0))
		buffer_format(out, " (%.*s to %.*s)", (int)low.len, low.at, (int)high.len, high.at);
	buffer_release(&low);
	buffer_release(&high);
}

static void cpu_words(struct buffer *out, const struct model *m)
{
	const struct totals *t = &m->total;
	double cores = m->tracked ? t->process_cpu_cores : t->cpu_utilization_cores, of = model_cores(t);

	human_cores(out, cores);
	if (!is_none(of)) {
		buffer_text(out, " of ");
		human_cores(out, of);
		buffer_text(out, " cores");
		share(out, cores, of);
	} else
		buffer_text(out, " cores");
	if (is_none(m->cpu_seconds))
		return;
	buffer_text(out, "  used ");
	human_seconds(out, m->cpu_seconds);
	bounds(out, m->cpu_lower_seconds, m->cpu_upper_seconds, human_seconds);
	if (t->process_cpu_source[0])
		buffer_format(out, " by %s", t->process_cpu_source);
}

/* The value with its bounds; the bounds alone where there is no value; nothing where no process is left. */
static bool memory_now(struct buffer *out, const struct model *m, double now)
{
	const struct totals *t = &m->total;
	bool bounded = m->tracked && !is_none(t->process_pss_upper_bytes);

	if (!is_none(now)) {
		human_bytes(out, now);
		if (m->tracked && is_none(t->process_pss_bytes))
			buffer_text(out, " RSS");
		if (bounded)
			bounds(out, t->process_pss_lower_bytes, t->process_pss_upper_bytes, human_bytes);
	} else if (bounded) {
		human_bytes(out, t->process_pss_lower_bytes);
		buffer_text(out, " to ");
		human_bytes(out, t->process_pss_upper_bytes);
	}
	return out->len > 0;
}

static void memory_words(struct buffer *out, const struct model *m)
{
	const struct totals *t = &m->total;
	bool limited;
	double now = model_memory(t, m->tracked), limit = model_memory_limit(t, &limited);

	if (memory_now(out, m, now)) {
		if (!is_none(limit)) {
			buffer_text(out, " of ");
			human_bytes(out, limit);
			buffer_text(out, limited ? " limit" : " RAM");
			share(out, now, limit);
		}
		if (limited && !is_none(t->cgroup_memory_current_bytes)) {
			buffer_text(out, "  group ");
			human_bytes(out, t->cgroup_memory_current_bytes);
		}
		buffer_text(out, "  ");
	}
	if (m->is_job) {
		buffer_text(out, out->len > 0 ? "" : "unknown");
		return;
	}
	buffer_text(out, "peak ");
	human_bytes(out, m->highest_memory);
}

static void flow_words(struct buffer *out, const struct model *m, const char *in_word, double in, const char *out_word,
		       double sent)
{
	buffer_format(out, "%s ", in_word);
	human_bytes(out, in / m->row_seconds);
	buffer_format(out, "/s  %s ", out_word);
	human_bytes(out, sent / m->row_seconds);
	buffer_text(out, "/s");
}

static void disk_words(struct buffer *out, const struct model *m)
{
	const struct totals *t = &m->total;

	flow_words(out, m, "read", m->tracked ? t->process_disk_read_bytes : t->disk_total_read_bytes, "written",
		   m->tracked ? t->process_disk_write_bytes : t->disk_total_write_bytes);
}

static void network_words(struct buffer *out, const struct model *m)
{
	const struct totals *t = &m->total;

	flow_words(out, m, m->tracked ? "TCP received" : "received",
		   m->tracked ? t->process_net_recv_bytes : t->network_total_recv_bytes, "sent",
		   m->tracked ? t->process_net_sent_bytes : t->network_total_sent_bytes);
}

static void gpu_words(struct buffer *out, const struct model *m)
{
	const struct totals *t = &m->total;
	double use = is_none(t->process_gpu_utilization_gpus) ? t->gpu_total_utilization_gpus :
								 t->process_gpu_utilization_gpus;
	double memory = is_none(t->process_gpu_vram_bytes) ? t->gpu_total_vram_used_bytes : t->process_gpu_vram_bytes;

	human_cores(out, use);
	buffer_text(out, " of ");
	human_cores(out, t->gpu_total_count);
	buffer_text(out, "  memory ");
	human_bytes(out, memory);
	buffer_text(out, " of ");
	human_bytes(out, t->gpu_total_vram_total_bytes);
	for (size_t i = 0; i < m->n_gpus; i++) {
		buffer_format(out, "  %zu:", i);
		if (!is_none(m->gpu[i].utilization_pct))
			buffer_format(out, " %.0f %%", m->gpu[i].utilization_pct);
		if (!is_none(m->gpu[i].power_watts))
			buffer_format(out, " %.0f W", m->gpu[i].power_watts);
		if (!is_none(m->gpu[i].temperature))
			buffer_format(out, " %.0f C", m->gpu[i].temperature);
	}
}

static void put_cores(struct buffer *out, double n)
{
	human_cores(out, n);
}

static void put_rate(struct buffer *out, double n)
{
	human_bytes(out, n);
	buffer_text(out, "/s");
}

static const struct panel {
	const char *label;
	enum tint tint;
	void (*words)(struct buffer *out, const struct model *m);
	double base, least;                     /* of the scale */
	void (*put)(struct buffer *out, double n);
} panels[COURSE_COUNT] = {
	[COURSE_CPU] = { "CPU", TINT_CPU, cpu_words, 10, 0.1, put_cores },
	[COURSE_MEMORY] = { "Memory", TINT_MEMORY, memory_words, 1024, 1 << 20, human_bytes },
	[COURSE_DISK] = { "Disk", TINT_DISK, disk_words, 1024, 1 << 10, put_rate },
	[COURSE_NETWORK] = { "Network", TINT_NETWORK, network_words, 1024, 1 << 10, put_rate },
	[COURSE_GPU] = { "GPU", TINT_GPU, gpu_words, 10, 0.1, put_cores },
};

/* The values that have room, oldest first; returns how many. */
static size_t window(double ret[POINTS_MAX], double *ret_begin, double *ret_highest, const struct model *m,
		     enum course course, size_t width)
{
	size_t first = size_max(graph_first(m->n, size_min(width, POINTS_MAX)),
				m->n > POINTS_MAX ? m->n - POINTS_MAX : 0);
	size_t n = m->n - first;

	*ret_highest = 0;
	*ret_begin = first > 0 ? m->end_seconds[(first - 1) % POINTS_MAX] : 0;
	for (size_t i = 0; i < n; i++) {
		ret[i] = m->value[course][(first + i) % POINTS_MAX];
		*ret_highest = ret[i] > *ret_highest ? ret[i] : *ret_highest;
	}
	return n;
}

/* What the whole quantity can be at most: a scale is never beyond it. */
static double ceiling(const struct model *m, enum course course)
{
	bool limited;

	return course == COURSE_CPU ? model_cores(&m->total) :
	       course == COURSE_MEMORY ? model_memory_limit(&m->total, &limited) :
	       course == COURSE_GPU ? m->total.gpu_total_count : NONE;
}

void panel_draw(struct cells *c, struct area a, const struct model *m, enum course course, const struct looks *looks)
{
	const struct panel *p = &panels[course];
	struct area graph = { a.row + 1, a.column, a.rows - 1, a.columns };
	double values[POINTS_MAX], begin, highest, most = ceiling(m, course);
	size_t n = window(values, &begin, &highest, m, course, (size_t)graph.columns * values_per_column(looks->signs));
	double top = graph_scale(highest, p->least, p->base);
	struct buffer words = { 0 }, scale = { 0 };

	if (a.rows == 0)
		return;
	if (most >= highest && top > most)
		top = most;
	if (m->n > 0)
		p->words(&words, m);
	else
		buffer_text(&words, "no sample yet");
	buffer_char(&words, '\0');
	if (graph.rows > 0 && m->n > 0) {
		buffer_text(&scale, "up to ");
		p->put(&scale, top);
		if (course == COURSE_CPU && a.columns >= TIMED) {
			buffer_text(&scale, ", from ");
			human_seconds(&scale, begin);
		}
	}
	buffer_char(&scale, '\0');
	if (!words.failed && !scale.failed) {
		unsigned right = text_columns(scale.at);

		(void)cells_text(c, a.row, a.column, LABEL, p->label, looks->utf8, TINT_BOLD);
		unsigned used = LABEL + cells_text(c, a.row, a.column + LABEL, a.columns - LABEL, words.at, looks->utf8,
						   TINT_PLAIN);
		if (used + 2 + right <= a.columns)
			(void)cells_text(c, a.row, a.column + a.columns - right, right, scale.at, looks->utf8,
					 TINT_FAINT);
	}
	graph_draw(c, graph, looks->signs, values, n, top, p->tint);
	buffer_release(&words);
	buffer_release(&scale);
}
