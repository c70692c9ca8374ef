/* status_line.c - a run in one line. */
#include "status_line.h"

#include "../core/sample.h"
#include "../text/human.h"

enum { GRAPH_LEAST = 8, GRAPH_MOST = 40, REGION_MOST = 30 };

static void time_words(struct buffer *out, double seconds)
{
	uint64_t s = (uint64_t)seconds;

	if (s >= 3600)
		buffer_format(out, " %llu:%02u:%02u  ", (unsigned long long)(s / 3600), (unsigned)(s / 60 % 60), (unsigned)(s % 60));
	else
		buffer_format(out, " %u:%02u  ", (unsigned)(s / 60), (unsigned)(s % 60));
}

static void cpu_words(struct buffer *out, const struct model *m)
{
	double of = model_cores(&m->total);

	buffer_text(out, "CPU ");
	human_cores(out, m->total.process_cpu_cores);
	if (!is_none(of)) {
		buffer_text(out, " of ");
		human_cores(out, of);
	}
	buffer_char(out, ' ');
}

static void memory_words(struct buffer *out, const struct model *m)
{
	const struct totals *t = &m->total;
	double now = model_memory(t, m->tracked), most;
	bool limited;

	most = model_memory_limit(t, &limited);
	if (is_none(now))
		now = t->process_pss_upper_bytes;
	if (is_none(now))
		return;
	buffer_text(out, "  memory ");
	human_bytes(out, now);
	if (is_none(most))
		return;
	buffer_text(out, " of ");
	human_bytes(out, most);
	if (most > 0)
		buffer_format(out, ", %.0f %%", 100 * now / most);
}

/* The innermost open region. */
static void region_words(struct buffer *out, const struct model *m)
{
	if (m->n_regions == 0)
		return;

	const struct open_region *r = &m->region[m->n_regions - 1];

	buffer_format(out, "  in %.*s ", REGION_MOST, r->path);
	human_seconds(out, r->seconds);
}

/* The newest samples that have room, the newest at the right. */
static void draw_graph(struct cells *c, struct area a, const struct model *m, const struct looks *looks)
{
	double value[2 * GRAPH_MOST];
	size_t width = a.columns * values_per_column(looks->signs), n = size_min(m->n, width);
	double top = model_cores(&m->total);

	for (size_t i = 0; i < n; i++)
		value[i] = m->value[COURSE_CPU][(m->n - n + i) % POINTS_MAX];
	graph_draw(c, a, looks->signs, value, n, is_none(top) ? 1 : top, TINT_HEAD);
}

static unsigned put(struct cells *c, unsigned column, const struct buffer *text, bool utf8)
{
	return column >= c->columns ? 0 : cells_text(c, 0, column, c->columns - column, text->at, utf8, TINT_HEAD);
}

void status_line_draw(struct cells *c, const struct model *m, double seconds, const struct looks *looks)
{
	struct buffer head = { 0 }, tail = { 0 };

	for (unsigned i = 0; i < c->columns; i++)
		cells_put(c, 0, i, ' ', TINT_HEAD);
	time_words(&head, seconds);
	if (m->n > 0) {
		cpu_words(&head, m);
		memory_words(&tail, m);
		region_words(&tail, m);
	}
	buffer_char(&head, '\0');
	buffer_char(&tail, '\0');
	if (!head.failed && !tail.failed) {
		unsigned column = put(c, 0, &head, looks->utf8), words = text_columns(tail.at);
		unsigned room = c->columns > column + words ? c->columns - column - words : 0;
		struct area graph = { 0, column, 1, (unsigned)size_min(room, GRAPH_MOST) };

		if (m->n > 0 && graph.columns >= GRAPH_LEAST) {
			draw_graph(c, graph, m, looks);
			column += graph.columns;
		}
		(void)put(c, column, &tail, looks->utf8);
	}
	buffer_release(&head);
	buffer_release(&tail);
}
