/* plot.c - the content of a picture: selects charts and their lines, and reads their series in one pass. */
#include "plot.h"

#include <stdio.h>
#include <string.h>

#include "../core/scan.h"
#include "../report/report_run.h"
#include "../text/did_you_mean.h"
#include "../text/shown.h"

/* The charts of series.def; the key charts are drawn by default, the others by name. */
static const struct { const char *chart, *title; bool key; } charts[] = {
	{ "cpu", "CPU, cores", true }, { "memory", "Memory", true }, { "disk_io", "Disk I/O", true },
	{ "network", "Network", true }, { "gpu_use", "GPUs busy", true }, { "gpu_memory", "GPU memory", true },
	{ "gpu_power", "GPU power", false }, { "gpu_temperature", "GPU temperature", false },
	{ "processes_count", "Processes", false }, { "disk_space", "Disk space", false },
	{ "pressure", "Pressure: share of the time in which tasks wait", false },
	{ "time_spent", "Where the time of the job's threads went", false },
	{ "overhead", "The tracker itself, share of a core", false },
};

/* A line beside the job's is shown only if it is at most so many times larger: else it would flatten the job's. */
static const double MUCH_LARGER = 4, LIMIT_IN_SIGHT = 1.5;
static const double HEADROOM = 1.08;            /* above the highest value, for its label; a limit is never exceeded */

static enum axis_unit axis_of(const char *unit)
{
	static const struct { const char *name; enum axis_unit unit; } units[] = {
		{ "B", AXIS_BYTES }, { "B/s", AXIS_BYTES_PER_SECOND }, { "share", AXIS_SHARE }, { "%", AXIS_PERCENT },
	};

	for (size_t i = 0; i < countof(units); i++)
		if (strcmp(unit, units[i].name) == 0)
			return units[i].unit;
	return AXIS_PLAIN;
}

static enum line_style style_of(const char *style)
{
	return strcmp(style, "area") == 0 ? STYLE_AREA : strcmp(style, "limit") == 0 ? STYLE_LIMIT : STYLE_LINE;
}

/* ---- selection of charts ----------------------------------------------------------------------- */

static struct panel *add_panel(struct plot *p, const char *title, size_t n)
{
	struct panel *panel = &p->panels[p->n++];

	*panel = (struct panel){ .unit = AXIS_PLAIN };
	memcpy(panel->title, title, size_min(n, sizeof panel->title - 1));
	return panel;
}

static void add_chart(struct plot *p, size_t chart, bool asked)
{
	struct panel *panel = add_panel(p, charts[chart].title, strlen(charts[chart].title));

	panel->asked = asked;
	for (size_t i = 0; i < SERIES_COUNT && panel->n < PANEL_LINES; i++) {
		const struct series_info *info = &report_series[i];

		if (strcmp(info->chart, charts[chart].chart) != 0)
			continue;
		panel->unit = axis_of(info->unit);
		panel->lines[panel->n++] = (struct plot_line){
			.label = info->label, .style = style_of(info->style), .job = info->owner == OWNER_JOB,
			.rate = info->rate, .only_used = info->only_used,
			.metric = info->metric, .lower = info->lower, .upper = info->upper,
		};
	}
}

static enum axis_unit axis_of_metric(const struct metric *m)
{
	if (m->unit == UNIT_BYTES)
		return m->kind == KIND_AMOUNT ? AXIS_BYTES_PER_SECOND : AXIS_BYTES;
	return m->unit == UNIT_PERCENT ? AXIS_PERCENT : AXIS_PLAIN;
}

static void add_metric(struct plot *p, const struct metric *m, struct word name)
{
	struct panel *panel = add_panel(p, name.at, name.len);
	size_t n = strlen(panel->title);
	bool unit = m->unit != UNIT_COUNT && axis_of_metric(m) == AXIS_PLAIN;

	panel->asked = true;
	panel->unit = axis_of_metric(m);
	(void)snprintf(panel->title + n, sizeof panel->title - n, "%s%s%s", unit ? ", " : "", unit ? unit_name(m->unit) : "",
		       m->kind == KIND_AMOUNT && axis_of_metric(m) == AXIS_PLAIN ? " per second" : "");
	panel->n = 1;
	panel->lines[0] = (struct plot_line){
		.label = "", .style = STYLE_LINE, .job = true, .rate = m->kind == KIND_AMOUNT, .metric = m->offset,
		.lower = offsetof(struct totals, key), .upper = offsetof(struct totals, key),
	};
}

static bool is_metric(const struct metric *m, struct word name)
{
	size_t group = strlen(m->group);

	return m->kind != KIND_COUNTER && name.len == group + 1 + strlen(m->name) &&
	       memcmp(name.at, m->group, group) == 0 && name.at[group] == '.' &&
	       memcmp(name.at + group + 1, m->name, strlen(m->name)) == 0;
}

static int unknown_name(struct word name, struct why *why)
{
	const struct table_info *info = &tables[TABLE_TOTAL];
	char word[80] = "", names[256] = "", metric[96], best[96];
	struct guess guess = { .word = word };

	memcpy(word, name.at, size_min(name.len, sizeof word - 1));
	for (size_t i = 0; i < countof(charts); i++) {
		guess_consider(&guess, charts[i].chart);
		alternatives_add(names, sizeof names, charts[i].chart, false);
	}
	if (guess.best)
		(void)snprintf(best, sizeof best, "%s", guess.best);
	for (size_t i = 0; i < info->n_metrics; i++) {
		size_t before = guess.best ? guess.distance : SIZE_MAX;

		(void)snprintf(metric, sizeof metric, "%s.%s", info->metrics[i].group, info->metrics[i].name);
		guess_consider(&guess, metric);
		if (guess.best && guess.distance < before)
			(void)snprintf(best, sizeof best, "%s", metric);
		if (guess.best)
			guess.best = best;
	}
	if (guess.best)
		return why_set(why, -EINVAL, "--metrics: there is no '%s'; did you mean %s?", show(word).text, best);
	return why_set(why, -EINVAL, "--metrics: '%s' is neither a metric nor one of %s", show(word).text, names);
}

static int choose(struct plot *p, struct word name, struct why *why)
{
	const struct table_info *info = &tables[TABLE_TOTAL];

	if (p->n == PANELS_MOST)
		return why_set(why, -EINVAL, "--metrics: a picture has at most %d charts", PANELS_MOST);
	for (size_t i = 0; i < countof(charts); i++)
		if (word_is(name, charts[i].chart)) {
			add_chart(p, i, true);
			return 0;
		}
	for (size_t i = 0; i < info->n_metrics; i++)
		if (is_metric(&info->metrics[i], name)) {
			add_metric(p, &info->metrics[i], name);
			return 0;
		}
	return unknown_name(name, why);
}

int plot_choose(struct plot *p, const char *metrics, struct why *why)
{
	int r = 0;

	*p = (struct plot){ .n = 0 };
	for (size_t i = 0; !metrics && i < countof(charts); i++)
		if (charts[i].key)
			add_chart(p, i, false);
	while (r == 0 && metrics) {
		size_t n = strcspn(metrics, ",");

		r = choose(p, (struct word){ metrics, n }, why);
		metrics = metrics[n] ? metrics + n + 1 : NULL;
	}
	return r;
}

/* ---- their series ------------------------------------------------------------------------------ */

static double total_at(const struct sample *s, size_t offset)
{
	double value = NONE;

	if (s && offset != offsetof(struct totals, key))
		memcpy(&value, (const char *)&s->total + offset, sizeof value);
	return value;
}

/* A quantity that is never known has no line. */
static void add_value(struct plot *p, int *line, bool rate, double value, double maximum)
{
	if (!isfinite(value))
		return;
	if (*line == NO_LINE)
		*line = chart_series_line(p->chart_series, rate);
	p->failed |= *line == NO_LINE;
	chart_series_add(p->chart_series, *line, value, maximum);
}

static void watch_item(void *context, const struct recording *recording, enum record_item item)
{
	struct plot *p = context;
	const struct sample *s = recording_sample(recording);

	if (item != RECORD_ROW)
		return;
	chart_series_begin(p->chart_series, (double)s->monotonic_ns / 1e9, s->interval_seconds);
	for (size_t i = 0; i < p->n; i++)
		for (size_t k = 0; k < p->panels[i].n; k++) {
			struct plot_line *l = &p->panels[i].lines[k];
			double value = total_at(s, l->metric);

			if (l->rate)
				value /= s->interval_seconds;
			add_value(p, &l->value_line, l->rate, value,
				  l->rate ? NONE : total_at(recording_maxima(recording), l->metric));
			add_value(p, &l->lower_line, false, total_at(s, l->lower), NONE);
			add_value(p, &l->upper_line, false, total_at(s, l->upper), NONE);
		}
}

double plot_peak(const struct plot *p, const struct plot_line *l)
{
	return l->value_line == NO_LINE ? NONE : chart_series_peak(p->chart_series, l->value_line).value;
}

/* Whether an earlier line shows the same limit. */
static bool same_limit(const struct plot *p, const struct panel *panel, size_t line)
{
	for (size_t i = 0; i < line; i++)
		if (panel->lines[i].shown && panel->lines[i].style == STYLE_LIMIT &&
		    fabs(plot_peak(p, &panel->lines[i]) - plot_peak(p, &panel->lines[line])) <= 0)
			return true;
	return false;
}

/* Selects the lines that are known and fit into the panel, starting with the job's. */
static void settle(struct plot *p, struct panel *panel)
{
	double job = 0, rest = 0;

	for (size_t i = 0; i < panel->n; i++) {
		struct plot_line *l = &panel->lines[i];
		double peak = plot_peak(p, l);

		l->shown = !is_none(peak) && !(l->only_used && !(peak > 0));
		if (l->shown && l->style != STYLE_LIMIT && l->job)
			job = peak > job ? peak : job;
		if (l->shown && l->style != STYLE_LIMIT)
			rest = peak > rest ? peak : rest;
	}
	for (size_t i = 0; i < panel->n; i++) {
		struct plot_line *l = &panel->lines[i];
		double peak = plot_peak(p, l);

		if (!l->shown || l->style == STYLE_LIMIT)
			continue;
		l->shown = l->job || !(job > 0) || peak <= MUCH_LARGER * job;
		panel->of_job |= l->shown && l->job;
		if (l->shown && peak > panel->top)
			panel->top = peak;
	}
	panel->ceiling = HEADROOM * panel->top;
	if ((panel->unit == AXIS_SHARE && panel->top <= 1.001) || (panel->unit == AXIS_PERCENT && panel->top <= 100.1))
		panel->ceiling = fmin(panel->ceiling, panel->unit == AXIS_SHARE ? 1 : 100);
	for (size_t i = 0; i < panel->n; i++) {
		struct plot_line *l = &panel->lines[i];
		double peak = plot_peak(p, l);

		if (l->shown && l->style == STYLE_LIMIT) {
			l->shown = peak <= LIMIT_IN_SIGHT * panel->top && !same_limit(p, panel, i);
			if (l->shown)
				panel->ceiling = panel->top = fmax(peak, panel->top);
		}
	}
}

static bool anything_shown(const struct panel *panel)
{
	for (size_t i = 0; i < panel->n; i++)
		if (panel->lines[i].shown && panel->lines[i].style != STYLE_LIMIT)
			return true;
	return false;
}

int plot_read(struct plot *p, const char *path, struct why *why)
{
	struct digest_watch watch = { watch_item, p };
	size_t kept = 0;
	int r;

	for (size_t i = 0; i < p->n; i++)
		for (size_t k = 0; k < p->panels[i].n; k++)
			p->panels[i].lines[k].value_line = p->panels[i].lines[k].lower_line =
				p->panels[i].lines[k].upper_line = NO_LINE;
	p->chart_series = chart_series_open(PLOT_POINTS);
	if (!p->chart_series)
		return why_set(why, -ENOMEM, "out of memory");
	r = digest_read(&p->digest, path, &watch, why);
	if (r == 0 && p->failed) {
		digest_release(&p->digest);
		r = why_set(why, -ENOMEM, "out of memory");
	}
	if (r == 0 && chart_series_points(p->chart_series) == 0) {
		r = why_set(why, -ENODATA, "%s has no row that could be drawn", show_path(path).text);
		digest_release(&p->digest);
	}
	if (r < 0) {
		chart_series_close(p->chart_series);
		return r;
	}
	for (size_t i = 0; i < p->n; i++) {
		settle(p, &p->panels[i]);
		if (p->panels[i].asked || anything_shown(&p->panels[i]))
			p->panels[kept++] = p->panels[i];
	}
	p->n = kept;
	p->seconds = chart_series_end(p->chart_series, chart_series_points(p->chart_series) - 1);
	if (p->digest.seconds > p->seconds)
		p->seconds = p->digest.seconds;
	if (!(p->seconds > 0))
		p->seconds = 1;
	return 0;
}

void plot_release(struct plot *p)
{
	digest_release(&p->digest);
	chart_series_close(p->chart_series);
}
