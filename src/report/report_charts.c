/* report_charts.c - the charts of a report's page as data: points, lines, marks, cores, programs. */
#include "report_run.h"

#include "../summary/program_uses.h"
#include "../summary/summary_parts.h"
#include "../text/human.h"
#include "chart_line.h"
#include "report_lines.h"

enum { SIGNIFICANT = 5 };

static void seconds(struct json *j, double value)
{
	json_number(j, value, 4);
}

/* A value of a chart: with as many digits as the chart can show. */
static void point(struct json *j, double value)
{
	int decimals = SIGNIFICANT - 1;

	for (double bound = 1; decimals > 0 && fabs(value) >= 10 * bound; bound *= 10)
		decimals--;
	for (double bound = 1; decimals < 9 && fabs(value) < bound && fabs(value) > 0; bound /= 10)
		decimals++;
	json_number(j, value, floor(value) >= value ? 0 : decimals);
}

/* ---- charts ------------------------------------------------------------------------------------ */

enum part { MEAN, LEAST, MOST };

static void bounds(struct json *j, const char *key, const struct chart_series *c, int line)
{
	if (line == NO_LINE)
		return;
	json_member_open(j, key, '[');
	for (size_t i = 0; i < chart_series_points(c); i++)
		point(j, chart_series_value(c, line, i).mean);
	json_close(j, ']');
}

static void values(struct json *j, const struct report_run *r, const struct chart_line *l)
{
	static const char *const keys[] = { [MEAN] = "mean", [LEAST] = "min", [MOST] = "max" };
	bool spread = l->over_seconds <= 0 && chart_series_spread(r->chart_series, l->lines.value);

	for (enum part part = MEAN; part <= (spread ? MOST : MEAN); part++) {
		json_member_open(j, keys[part], '[');
		for (size_t i = 0; i < chart_series_points(r->chart_series); i++) {
			struct chart_series_value v = chart_line_value(l, r->chart_series, l->lines.value, i);

			point(j, part == MEAN ? v.mean : part == LEAST ? v.least : v.most);
		}
		json_close(j, ']');
	}
}

static void series(struct json *j, const struct report_run *r)
{
	struct chart_line lines[CHART_LINES];
	size_t n = chart_lines(lines, r);

	json_member_open(j, "series", '[');
	for (const struct chart_line *l = lines; l < lines + n; l++) {
		const struct { const char *key, *text; } texts[] = {
			{ "key", l->key }, { "chart", l->chart }, { "label", l->label }, { "unit", l->unit },
			{ "kind", l->kind }, { "style", l->style },
		};

		json_open(j, '{');
		for (size_t i = 0; i < countof(texts); i++)
			json_member_text(j, texts[i].key, texts[i].text);
		if (l->aside)
			json_member_bool(j, "aside", true);
		values(j, r, l);
		bounds(j, "bound_low", r->chart_series, l->lines.lower);
		bounds(j, "bound_high", r->chart_series, l->lines.upper);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void times(struct json *j, const struct report_run *r)
{
	json_member_open(j, "times", '[');
	for (size_t i = 0; i < chart_series_points(r->chart_series); i++)
		seconds(j, chart_series_end(r->chart_series, i));
	json_close(j, ']');
}

typedef void human_writer(struct buffer *out, double value);

static void mark(struct json *j, const char *chart, struct chart_series_peak peak, double value, const char *what,
		 human_writer *write)
{
	struct buffer label = { 0 };

	if (is_none(peak.value) || is_none(value))
		return;
	json_open(j, '{');
	json_member_text(j, "chart", chart);
	json_key(j, "at");
	seconds(j, peak.end_seconds);
	json_key(j, "value");
	point(j, value);
	buffer_format(&label, "%s ", what);
	write(&label, value);
	report_text(j, "label", &label);
	json_close(j, '}');
	buffer_release(&label);
}

static struct chart_series_peak peak_of(const struct report_run *r, enum series i)
{
	return chart_series_peak(r->chart_series, r->lines[i].value);
}

/* The peak of the largest process is marked where it was first reported: it was reached then, or just before. */
static void marks(struct json *j, const struct report_run *r)
{
	bool tree = r->digest.facts->tracked;
	struct chart_series_peak pss = peak_of(r, SERIES_memory_process_pss_bytes);
	struct chart_series_peak cpu = peak_of(r, tree ? SERIES_cpu_process_cpu_cores
						       : SERIES_cpu_cpu_utilization_cores);
	struct chart_series_peak used = peak_of(r, SERIES_memory_memory_used_bytes);
	struct chart_series_peak rss = peak_of(r, SERIES_memory_process_rss_bytes);
	struct chart_series_peak process = chart_series_peak(r->chart_series, r->largest_process);

	json_member_open(j, "marks", '[');
	mark(j, "cpu", cpu, cpu.value, "peak", human_cores);
	if (!tree)
		mark(j, "memory", used, used.value, "peak", human_bytes);
	mark(j, "memory", pss, pss.value, "peak of PSS", human_bytes);
	if (is_none(pss.value))
		mark(j, "memory", rss, rss.value, "peak of RSS", human_bytes);
	if (process.value > rss.value)
		mark(j, "memory", process, process.value, "one process had (VmHWM)", human_bytes);
	json_close(j, ']');
}

static void cores(struct json *j, const struct report_run *r)
{
	if (r->n_cores == 0)
		return;
	json_member_open(j, "cores", '{');
	json_member_u64(j, "count", r->n_cores);
	json_member_u64(j, "cores_in_line", r->cores_in_line);
	json_member_open(j, "usage", '[');
	for (size_t i = 0; i * r->cores_in_line < r->n_cores; i++) {
		json_open(j, '[');
		for (size_t k = 0; k < chart_series_points(r->chart_series); k++)
			json_number(j, chart_series_value(r->chart_series, r->cores[i], k).mean, 3);
		json_close(j, ']');
	}
	json_close(j, ']');
	json_close(j, '}');
}

/* ---- programs ---------------------------------------------------------------------------------- */

static bool heavier(const struct report_program *a, const struct report_program *b)
{
	double x = add_known(a->cpu_seconds, 0), y = add_known(b->cpu_seconds, 0);

	return x > y || (x >= y && add_known(a->peak_bytes[REPORT_RSS], 0) > add_known(b->peak_bytes[REPORT_RSS], 0));
}

/* Heaviest first, without `others`.  Returns how many there are. */
static size_t by_weight(const struct report_program *ret[REPORT_PROGRAMS], const struct report_run *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n_programs; i++) {
		size_t at = n++;

		for (; at > 0 && heavier(&r->programs[i], ret[at - 1]); at--)
			ret[at] = ret[at - 1];
		ret[at] = &r->programs[i];
	}
	return n;
}

/* The sum of some programs' lines. */
static void summed(struct json *j, const char *key, const struct report_run *r, const struct report_program *const *of,
		   size_t n, bool cpu)
{
	enum report_basis b = r->program_memory;

	json_member_open(j, key, '[');
	for (size_t i = 0; i < chart_series_points(r->chart_series); i++) {
		double sum = NONE;

		for (size_t k = 0; k < n; k++) {
			int line = cpu ? of[k]->cpu : of[k]->memory[b];

			if (cpu || !is_none(bytes_seen(of[k]->peak_bytes[b])))
				sum = add_known(sum, chart_series_value(r->chart_series, line, i).mean);
		}
		point(j, sum);
	}
	json_close(j, ']');
}

/* Programs as one.  The peak of several is unknown: they did not reach theirs at the same time. */
static void put_programs(struct json *j, const struct report_run *r, const char *name,
			 const struct report_program *const *of, size_t n)
{
	struct report_program sum = *of[0];
	double peak = n == 1 ? sum.peak_bytes[r->program_memory] : NONE;

	for (size_t k = 1; k < n; k++) {
		sum.cpu_seconds = add_known(sum.cpu_seconds, of[k]->cpu_seconds);
		sum.started = add_known(sum.started, of[k]->started);
		sum.alive = NONE;
	}
	json_open(j, '{');
	json_member_text(j, "name", name);
	json_member_number(j, "processes", sum.started > 0 ? sum.started : sum.alive, 0);
	json_member_number(j, "cpu_seconds", sum.cpu_seconds, 6);
	json_member_number(j, "peak_bytes", bytes_seen(peak), 0);
	summed(j, "cpu", r, of, n, true);
	summed(j, "memory", r, of, n, false);
	json_close(j, '}');
}

static void programs(struct json *j, const struct report_run *r)
{
	const struct report_program *all[REPORT_PROGRAMS + 1], *others = &r->programs[REPORT_PROGRAMS];
	size_t n = by_weight(all, r), reported = size_min(n, REPORT_PROGRAMS_SHOWN);

	if (others->present)
		all[n++] = others;
	if (n == 0)
		return;
	json_member_open(j, "programs", '[');
	for (size_t i = 0; i < reported; i++)
		put_programs(j, r, all[i]->name, &all[i], 1);
	if (n > reported)
		put_programs(j, r, "others", &all[reported], n - reported);
	json_close(j, ']');
	json_member_text(j, "program_memory_basis", r->program_memory == REPORT_PSS ? "PSS" : "RSS");
	json_member_number(j, "short_lived_cpu_seconds", program_uses_unaccounted(r->digest.whole), 6);
}

void report_charts(struct json *j, const struct report_run *r)
{
	times(j, r);
	series(j, r);
	marks(j, r);
	cores(j, r);
	programs(j, r);
}
