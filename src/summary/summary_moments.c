/* summary_moments.c - the last minute of a run that failed, as lines of a summary. */
#include "../text/human.h"
#include "summary_parts.h"

enum { GRAPH_POINTS = 18, TAB_COURSE = PAGE_INDENT + 7 };

static const double WINDOW_LEAST_SECONDS = 0.25;        /* below this a graph shows nothing */
static const double RISE_SHARE = 0.25, RISE_BYTES = 16 << 20, DIP_SHARE = 0.02, MOMENT_SECONDS = 0.95;

/* Between two moments. */
typedef double (*chart_series)(const struct moment *from, const struct moment *to);

static double memory(const struct moment *from, const struct moment *to)
{
	(void)from;
	return to->rss_bytes;
}

static double cores(const struct moment *from, const struct moment *to)
{
	double seconds = to->seconds - from->seconds;

	return seconds > 0 ? (to->cpu_seconds - from->cpu_seconds) / seconds : NONE;
}

/* Moments are closer together during activity; each character of the graph is the same time. */
static void graph(struct buffer *text, const struct summary *s, chart_series value, bool utf8)
{
	const struct moment *m = s->moments;
	size_t last = s->n_moments - 1, from = 0;
	double step = (m[last].seconds - m[0].seconds) / GRAPH_POINTS;
	struct spark spark = { 0 };

	for (size_t i = 1; i <= GRAPH_POINTS; i++) {
		double end = i < GRAPH_POINTS ? m[0].seconds + step * (double)i : m[last].seconds;
		size_t to = from;

		while (to < last && m[to + 1].seconds <= end)
			to++;
		/* If a poll came late, the time before it has the same value. */
		spark_add(&spark, value(&m[from], &m[to > from ? to : size_min(from + 1, last)]));
		from = to;
	}
	(void)spark_write(text, &spark, GRAPH_POINTS, utf8);
}

/* The last moment with a known value; n_moments: none. */
static size_t last_known(const struct summary *s, size_t end)
{
	while (end > 0 && is_none(s->moments[end - 1].rss_bytes))
		end--;
	return end > 0 ? end - 1 : s->n_moments;
}

/* Where the final rise began: before it memory was higher, or nearly constant. */
static size_t rise_to(const struct summary *s, size_t last)
{
	size_t at = last;
	double lowest = s->moments[last].rss_bytes, little = DIP_SHARE * lowest;

	for (size_t i = last; i-- > 0;) {
		double bytes = s->moments[i].rss_bytes;

		if (is_none(bytes) || bytes > lowest + little)
			break;
		if (bytes < lowest - little) {
			lowest = bytes;
			at = i;
		}
	}
	return at;
}

static void memory_text(struct buffer *text, const struct summary *s)
{
	size_t last = last_known(s, s->n_moments);

	if (last == s->n_moments)
		return;

	size_t from = rise_to(s, last);
	double end = s->moments[last].rss_bytes, rise = end - s->moments[from].rss_bytes;

	if (rise >= RISE_SHARE * end && rise >= RISE_BYTES) {
		buffer_text(text, "rose from ");
		human_bytes(text, s->moments[from].rss_bytes);
		buffer_text(text, " to ");
		human_bytes(text, end);
		buffer_text(text, " in ");
		human_seconds(text, summary_seconds(s) - s->moments[from].seconds);
	} else {
		buffer_text(text, "at last ");
		human_bytes(text, end);
	}
}

static void cpu_text(struct buffer *text, const struct summary *s)
{
	size_t last = s->n_moments - 1, from = last;

	while (from > 0 && s->moments[last].seconds - s->moments[from].seconds < MOMENT_SECONDS)
		from--;
	buffer_text(text, "at last ");
	human_cores(text, cores(&s->moments[from], &s->moments[last]));
	buffer_text(text, " cores");
}

static void line(struct page *p, struct phrase *w, const struct summary *s, const char *what, chart_series value,
		 void (*write)(struct buffer *, const struct summary *))
{
	page_phrase(p, 0, what, INK_PLAIN);
	page_tab(p, TAB_COURSE);
	graph(phrase_new(w), s, value, p->style.utf8);
	page_phrase(p, 0, phrase_text(w), INK_GRAPH);
	write(phrase_new(w), s);
	page_phrase(p, 2, phrase_text(w), INK_PLAIN);
	page_end(p);
}

void summary_last_minute(struct page *p, struct phrase *w, const struct summary *s)
{
	if (s->n_moments < 3)
		return;

	double seconds = summary_seconds(s) - s->moments[0].seconds;

	if (!(s->moments[s->n_moments - 1].seconds - s->moments[0].seconds >= WINDOW_LEAST_SECONDS))
		return;
	buffer_format(phrase_new(w), seconds < 10 ? "Last %.1fs" : "Last %.0fs", seconds);
	page_label(p, phrase_text(w), INK_PLAIN);
	line(p, w, s, "memory", memory, memory_text);
	page_label(p, "", INK_PLAIN);
	line(p, w, s, "CPU", cores, cpu_text);
}
