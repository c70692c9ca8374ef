/* summary_gpu.c - the job's use of GPUs, and warnings about them. */
#include <string.h>

#include "../text/human.h"
#include "summary_parts.h"

/* The least that is worth a line: of the time, of a GPU. */
static const double HOT_SHARE = 0.01, POWER_SHARE = 0.1;

static struct statistic device(const struct summary *s, size_t row, size_t offset)
{
	const struct table_info *info = &tables[TABLE_GPU];
	size_t i = 0;

	while (info->metrics[i].offset != offset)
		i++;
	return aggregate_row(s->whole, TABLE_GPU, row, &info->metrics[i]);
}

#define DEVICE(s, row, metric) device(s, row, offsetof(struct gpu_row, metric))

/* Sums over the job's GPUs, or over all if it is unknown which the job uses. */
struct gpus {
	double count, visible, idle, joules, corrected, uncorrected, hot, starved, kernels, multiprocessors;
	bool shared;                            /* other processes use one of the job's */
};

static struct gpus count_gpus(const struct summary *s)
{
	struct gpus g = { .count = summary_total(s->whole, METRIC_gpu_total_count).maximum, .joules = NONE,
			  .kernels = NONE, .multiprocessors = NONE };

	for (size_t i = 0; i < aggregate_rows(s->whole, TABLE_GPU); i++) {
		bool hidden = DEVICE(s, i, job_visible).maximum <= 0;
		double share;

		if (!hidden) {
			g.joules = add_known(g.joules, DEVICE(s, i, energy_joules).sum);
			g.uncorrected += add_known(DEVICE(s, i, ecc_uncorrected).sum, 0);
			g.kernels = add_known(g.kernels, DEVICE(s, i, kernel_active_pct).mean);
			g.multiprocessors = add_known(g.multiprocessors, DEVICE(s, i, sm_active_pct).mean);
			share = DEVICE(s, i, throttled_thermal).mean;
			g.hot = share > g.hot ? share : g.hot;
			share = DEVICE(s, i, throttled_power).mean;
			g.starved = share > g.starved ? share : g.starved;
		}
		g.shared = g.shared || (DEVICE(s, i, job_processes).maximum > 0 &&
					DEVICE(s, i, processes).maximum > DEVICE(s, i, job_processes).maximum);
		g.visible += DEVICE(s, i, job_visible).maximum > 0;
		g.idle += DEVICE(s, i, job_visible).maximum > 0 && DEVICE(s, i, job_utilization_pct).maximum <= 0 &&
			  !(DEVICE(s, i, job_processes).maximum > 0);
	}
	return g;
}

static void joules(struct buffer *out, double joules)
{
	static const char *const units[] = { "J", "kJ", "MJ", "GJ" };
	size_t unit = 0;

	for (; joules >= 999.5 && unit + 1 < countof(units); unit++)
		joules /= 1000;
	buffer_trimmed(out, joules, joules < 10 ? 2 : joules < 100 ? 1 : 0);
	buffer_format(out, " %s", units[unit]);
}

static void use(struct page *p, struct phrase *w, const struct statistic *busy, double of)
{
	struct buffer *text = phrase_new(w);

	buffer_text(text, "mean ");
	human_cores(text, busy->mean);
	page_phrase(p, 0, phrase_text(w), INK_PLAIN);
	page_tab(p, TAB_PEAK - 2);
	text = phrase_new(w);
	buffer_text(text, "peak ");
	human_cores(text, busy->maximum);
	buffer_format(text, " of %.0f", of);
	page_phrase(p, 2, phrase_text(w), INK_PLAIN);
}

static void memory_and_energy(struct page *p, struct phrase *w, double bytes, double energy)
{
	struct buffer *text;

	page_label(p, "", INK_PLAIN);
	if (!is_none(bytes)) {
		text = phrase_new(w);
		buffer_text(text, "memory ");
		human_bytes(text, bytes);
		page_phrase(p, 0, phrase_text(w), INK_PLAIN);
	}
	if (energy > 0) {
		page_tab(p, TAB_PEAK - 2);
		text = phrase_new(w);
		buffer_text(text, "energy ");
		joules(text, energy);
		buffer_text(text, " (whole boards)");
		page_phrase(p, 2, phrase_text(w), INK_PLAIN);
	}
	page_end(p);
}

/* A GPU is busy if a single kernel runs on it: how much of it worked then. */
static void multiprocessors(struct page *p, struct phrase *w, const struct gpus *g)
{
	struct buffer *text;

	if (!(g->kernels > 0) || is_none(g->multiprocessors))
		return;
	text = phrase_new(w);
	buffer_text(text, "while kernels ran, they kept ");
	human_percent(text, 100 * g->multiprocessors / g->kernels);
	buffer_text(text, " of the multiprocessors busy");
	page_label(p, "", INK_PLAIN);
	page_phrase(p, 0, phrase_text(w), INK_PLAIN);
	page_end(p);
}

void summary_gpu(struct page *p, struct phrase *w, const struct summary *s)
{
	bool tree = summary_tracks(s);
	struct statistic busy = tree ? summary_total(s->whole, METRIC_process_gpu_utilization_gpus)
				     : summary_total(s->whole, METRIC_gpu_total_utilization_gpus);
	double bytes = tree ? summary_total(s->whole, METRIC_process_gpu_vram_bytes).maximum
			    : summary_total(s->whole, METRIC_gpu_total_vram_used_bytes).maximum;
	struct gpus g = count_gpus(s);

	if (!(g.count > 0))
		return;
	page_label(p, "GPU", INK_PLAIN);
	if (tree && !(busy.maximum > 0) && !(bytes > 0) && !is_none(busy.maximum)) {
		page_phrase(p, 0, "not used", INK_PLAIN);
		page_end(p);
		return;
	}
	use(p, w, &busy, tree && g.visible > 0 ? g.visible : g.count);
	if (tree && (g.shared || strcmp(s->gpu_source, "descriptors") == 0)) {
		page_tab(p, TAB_GRAPH - 2);
		page_phrase(p, 2, g.shared ? "(attributed by the driver: others use the same GPUs)"
					   : "(with what others did on the same GPUs)", INK_FAINT);
	}
	page_end(p);
	memory_and_energy(p, w, bytes, g.joules);
	multiprocessors(p, w, &g);
}

void summary_gpu_warnings(struct page *p, struct buffer *text, const struct summary *s)
{
	struct gpus g = count_gpus(s);

	if (g.uncorrected > 0) {
		buffer_format(text, "%.0f error%s in the memory of GPUs could not be corrected: results may be wrong",
			      g.uncorrected, g.uncorrected > 1 ? "s" : "");
		summary_say(p, text, "Warning", INK_WARN);
	}
	if (s->gpu_visible_by[0] && g.idle > 0) {
		if (g.visible > 1)
			buffer_format(text, "%.0f of the %.0f GPUs", g.idle, g.visible);
		else
			buffer_text(text, "the one GPU");
		buffer_format(text, " that %s gives the job %s never used", s->gpu_visible_by, g.idle > 1 ? "were" : "was");
		summary_say(p, text, "Warning", INK_WARN);
	}
	if (g.hot >= HOT_SHARE) {
		buffer_text(text, "a GPU was hot: its clock was held down in ");
		human_percent(text, 100 * g.hot);
		buffer_text(text, " of the time");
		summary_say(p, text, "Warning", INK_WARN);
	}
	if (g.starved >= POWER_SHARE) {
		buffer_text(text, "a GPU was at its limit of power in ");
		human_percent(text, 100 * g.starved);
		buffer_text(text, " of the time");
		summary_say(p, text, "Note", INK_FAINT);
	}
}
