/* stalls.c - the lines of the view about what the job waits for, and about its regions. */
#include "stalls.h"

#include <string.h>

#include "../text/human.h"

/* What happened in the last row: words, the number of times, words. */
static const struct reached { size_t offset; const char *before, *after; } reached[] = {
	{ offsetof(struct totals, cgroup_oom_kills), "out of memory: ", " killed" },
	{ offsetof(struct totals, cgroup_memory_max_events), "memory limit reached ", " times" },
	{ offsetof(struct totals, cgroup_memory_high_events), "slowed at the soft memory limit ", " times" },
	{ offsetof(struct totals, cgroup_pids_refused), "", " new tasks refused" },
};

/* Pressure: of the job's group where it is known, else of the machine. */
static const struct pressure { const char *word; size_t group, machine; } pressures[] = {
	{ "CPU", offsetof(struct totals, pressure_cgroup_cpu_some_seconds),
	  offsetof(struct totals, pressure_cpu_some_seconds) },
	{ "memory", offsetof(struct totals, pressure_cgroup_memory_some_seconds),
	  offsetof(struct totals, pressure_memory_some_seconds) },
	{ "I/O", offsetof(struct totals, pressure_cgroup_io_some_seconds),
	  offsetof(struct totals, pressure_io_some_seconds) },
};

static double total_at(const struct totals *t, size_t offset)
{
	double value;

	memcpy(&value, (const char *)t + offset, sizeof value);
	return value;
}

static void pressure_words(struct buffer *out, const struct model *m)
{
	bool any = false, group = true;

	for (size_t i = 0; i < countof(pressures); i++)
		group = group && !is_none(total_at(&m->total, pressures[i].group));
	for (size_t i = 0; i < countof(pressures); i++) {
		double seconds = total_at(&m->total, group ? pressures[i].group : pressures[i].machine);

		if (is_none(seconds) || !(m->row_seconds > 0))
			continue;
		buffer_format(out, "%s %s %.0f %%", any ? "," : group ? "pressure:" : "pressure of the machine:",
			      pressures[i].word, double_min(100 * seconds / m->row_seconds, 100));
		any = true;
	}
	if (!any)
		buffer_text(out, "pressure unknown");
}

static void throttling_words(struct buffer *out, const struct model *m)
{
	const struct totals *t = &m->total;

	if (t->cgroup_cpu_throttled_periods > 0 && t->cgroup_cpu_periods > 0)
		buffer_format(out, "CPU throttled in %.0f %% of periods  ",
			      100 * t->cgroup_cpu_throttled_periods / t->cgroup_cpu_periods);
	for (size_t i = 0; i < countof(reached); i++) {
		double times = total_at(t, reached[i].offset);

		if (times > 0)
			buffer_format(out, "%s%.0f%s  ", reached[i].before, times, reached[i].after);
	}
	for (size_t i = 0; i < m->n_gpus; i++)
		if (m->gpu[i].slowed)
			buffer_format(out, "GPU %zu throttled  ", i);
}

void warnings_draw(struct cells *c, struct area a, const struct model *m, const struct looks *looks)
{
	struct buffer bad = { 0 }, usual = { 0 };

	if (m->n > 0) {
		throttling_words(&bad, m);
		pressure_words(&usual, m);
	}
	buffer_char(&bad, '\0');
	buffer_char(&usual, '\0');
	if (a.rows > 0 && !bad.failed && !usual.failed) {
		unsigned used = cells_text(c, a.row, a.column, a.columns, bad.at, looks->utf8, TINT_WARN);

		(void)cells_text(c, a.row, a.column + used, a.columns - used, usual.at, looks->utf8, TINT_FAINT);
	}
	buffer_release(&bad);
	buffer_release(&usual);
}

/* ---- regions ------------------------------------------------------------------------------------ */

enum { MORE = 12 };                             /* columns of "and 99 more" */

/* The end of a long path: it is the more specific part. */
static void one_region(struct buffer *out, const struct open_region *r, size_t most)
{
	size_t n = strlen(r->path);

	buffer_format(out, "%s%s ", n > most ? ".." : "", n > most ? r->path + n - most : r->path);
	human_seconds(out, r->seconds);
	if (r->entries > 1)
		buffer_format(out, " x%u", r->entries);
}

static void region_notes(struct buffer *out, const struct model *m)
{
	if (m->n_regions == 0 && m->last_region[0])
		buffer_format(out, "last region %s  ", m->last_region);
	if (m->last_value[0])
		buffer_format(out, "%s  ", m->last_value);
	if (m->last_mark[0])
		buffer_format(out, "mark: %s", m->last_mark);
	if (out->len == 0 && m->n_regions == 0)
		buffer_text(out, m->regions_known ? "no region is open" : "no region so far");
}

void regions_draw(struct cells *c, struct area a, const struct model *m, const struct looks *looks)
{
	struct buffer text = { 0 };
	size_t shown = 0;

	/* As many as possible in each line but the last, which has the notes as well. */
	for (unsigned row = 0; row < a.rows; row++) {
		buffer_clear(&text);
		buffer_text(&text, row == 0 && m->n_regions > 0 ? "in " : row == 0 ? "" : "   ");
		while (shown < m->n_regions) {
			size_t before = text.len;

			one_region(&text, &m->region[shown], a.columns / 2);
			if (text.len + 2 + MORE > a.columns && before > 3) {
				text.len = before;
				break;
			}
			buffer_text(&text, "  ");
			shown++;
		}
		if (row + 1 == a.rows || shown == m->n_regions) {
			if (m->n_regions - shown + m->more_regions > 0)
				buffer_format(&text, "and %zu more  ", m->n_regions - shown + m->more_regions);
			region_notes(&text, m);
		}
		buffer_char(&text, '\0');
		if (!text.failed)
			(void)cells_text(c, a.row + row, a.column, a.columns, text.at, looks->utf8,
					 m->n_regions > 0 ? TINT_PLAIN : TINT_FAINT);
		if (shown == m->n_regions)
			break;
	}
	buffer_release(&text);
}
