/* exposition.c - https://github.com/OpenObservability/OpenMetrics/blob/main/specification/OpenMetrics.md */
#include "exposition.h"

#include "../core/layouts.h"
#include "../export/export.h"
#include "../export/openmetrics_name.h"

static void label(struct buffer *out, const struct label_pair *l, bool first)
{
	buffer_format(out, "%s%s=\"", first ? "" : ",", l->name);
	for (const char *c = l->value; *c; c++) {
		if (*c == '\\' || *c == '"')
			buffer_char(out, '\\');
		buffer_char(out, (unsigned char)*c < ' ' || *c == 127 ? '?' : *c);
	}
	buffer_char(out, '"');
}

/* Only counters can have one, and of these only the CPU time is known of an entry. */
static void exemplar(struct buffer *out, const struct points *p, const struct series *s)
{
	const struct region_exemplar *e = &p->exemplar;

	if (s->metric != &tables[TABLE_TOTAL].metrics[METRIC_process_cpu_seconds - 1] || !e->path[0])
		return;
	buffer_text(out, " # {");
	label(out, &(struct label_pair){ "region", e->path }, true);
	buffer_text(out, "} ");
	buffer_trimmed(out, e->cpu_seconds, export_decimals(s->metric, e->cpu_seconds));
	buffer_char(out, ' ');
	timestamp_write(out, e->end_wall_ns, 3);
}

static void value(struct buffer *out, const struct points *p, const struct series *s)
{
	struct label_pair labels[LABELS_MAX];
	size_t n = points_labels(labels, p, s);

	openmetrics_name(out, s->metric);
	buffer_char(out, '{');
	for (size_t i = 0; i < n; i++)
		label(out, &labels[i], i == 0);
	buffer_text(out, "} ");
	buffer_trimmed(out, s->newest, export_decimals(s->metric, s->newest));
	exemplar(out, p, s);
	buffer_char(out, '\n');
}

/* A series without a value in the newest row, such as that of a program that has ended, is left out. */
static void family(struct buffer *out, const struct points *p, const struct metric *m)
{
	bool head = true;

	for (size_t i = 0; i < p->n_series; i++) {
		const struct series *s = &p->series[i];

		if (s->metric != m || s->newest_ms != p->last_ms)
			continue;
		if (head)
			openmetrics_head(out, m);
		head = false;
		value(out, p, s);
	}
}

void exposition_write(struct buffer *out, const struct points *p)
{
	for (enum table t = 0; t < TABLE_COUNT; t++)
		for (size_t k = 0; k < tables[t].n_metrics; k++)
			family(out, p, &tables[t].metrics[k]);
	buffer_text(out, "# EOF\n");
}
