/* draw_marks.c - draws limits and peaks, with their values. */
#include "canvas.h"

#include "../text/human.h"

static const double MARKED = 0.1;               /* a peak is marked if it is at least this share of the highest */

enum { DOT = 3, LABELS_MOST = 8 };

/* ---- values as text ---------------------------------------------------------------------------- */

void value_words(struct buffer *out, enum axis_unit unit, double value)
{
	switch (unit) {
	case AXIS_BYTES:
		human_bytes(out, value);
		break;
	case AXIS_BYTES_PER_SECOND:
		human_bytes(out, value);
		buffer_text(out, "/s");
		break;
	case AXIS_SHARE:
		human_percent(out, 100 * value);
		break;
	case AXIS_PERCENT:
		human_percent(out, value);
		break;
	case AXIS_TIME:
		human_seconds(out, value);
		break;
	case AXIS_PLAIN:
		if (value >= 10000)
			buffer_format(out, "%.3g %s", value / (value >= 1e6 ? 1e6 : 1e3), value >= 1e6 ? "M" : "k");
		else
			buffer_trimmed(out, value, value >= 100 || floor(value) >= value ? 0 : 2);
		break;
	}
}

/* ---- labels in the chart ----------------------------------------------------------------------- */

struct labels {
	struct box at[LABELS_MOST];
	size_t n;
	struct box dots[PANEL_LINES];           /* at peaks, by line */
	bool marked[PANEL_LINES];
};

static bool overlaps(const struct box *a, const struct box *b)
{
	return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height && b->y < a->y + a->height;
}

/* Finds a free place beside (x, y), inside the chart and clear of other labels.  false: none. */
static bool place(struct labels *labels, struct box *ret, const struct scale *s, double x, double y, double width)
{
	const double height = TEXT_SMALL + 2, beside = DOT + 3;
	const struct { double x, y; } tries[] = {               /* above first, since lines are below */
		{ x - width / 2, y - height - beside }, { x, y - height - beside }, { x - width, y - height - beside },
		{ x + beside, y - height / 2 }, { x - beside - width, y - height / 2 },
		{ x + beside, y + 2 }, { x - beside - width, y + 2 }, { x - width / 2, y + beside },
	};

	for (size_t i = 0; i < countof(tries) && labels->n < LABELS_MOST; i++) {
		struct box b = { tries[i].x, tries[i].y, width, height };
		bool room = b.x >= s->box.x && b.x + b.width <= s->box.x + s->box.width &&
			    b.y >= s->box.y - TEXT_SMALL / 2.0 && b.y + b.height <= s->box.y + s->box.height;

		for (size_t k = 0; room && k < labels->n; k++)
			room = !overlaps(&b, &labels->at[k]);
		for (size_t k = 0; room && k < PANEL_LINES; k++)
			room = !labels->marked[k] || !overlaps(&b, &labels->dots[k]);
		if (!room)
			continue;
		labels->at[labels->n++] = *ret = b;
		return true;
	}
	return false;
}

/* On a background, so that no line runs through the text. */
static void label_in_chart(struct canvas *c, struct box b, const char *text, struct color color)
{
	ink(c, c->theme->paper, 0.85);
	cairo_rectangle(c->cr, b.x - 2, b.y, b.width + 4, b.height);
	cairo_fill(c->cr);
	draw_text(c, b.x, b.y + TEXT_SMALL - 1, text, TEXT_SMALL, false, color, ALIGN_LEFT, 0);
}

static void draw_limit(struct canvas *c, const struct scale *s, const struct panel *panel, const struct plot_line *l,
		       const struct plot *p, struct labels *labels)
{
	static const double dashes[] = { 2, 3 };
	struct buffer text = { 0 };
	double y = y_of(s, plot_peak(p, l)), width;
	struct box b;

	ink(c, c->theme->bad, 0.9);
	cairo_set_dash(c->cr, dashes, countof(dashes), 0);
	cairo_set_line_width(c->cr, 1.2);
	stroke(c, s, p->chart_series, l->value_line, false);
	cairo_set_dash(c->cr, NULL, 0, 0);
	buffer_format(&text, "%s: ", l->label);
	value_words(&text, panel->unit, plot_peak(p, l));
	buffer_char(&text, '\0');
	if (!text.failed) {
		width = text_width(c, text.at, TEXT_SMALL, false);
		if (place(labels, &b, s, s->box.x + 6, y, width))
			label_in_chart(c, b, text.at, c->theme->bad);
	}
	buffer_release(&text);
}

/* The point of the series at a moment. */
static size_t point_at(const struct chart_series *c, double seconds)
{
	size_t low = 0, high = chart_series_points(c);

	while (low + 1 < high) {
		size_t middle = (low + high) / 2;

		if (begin_of(c, middle) < seconds)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static void draw_dot(struct canvas *c, double x, double y, double radius, struct color color)
{
	ink(c, color, 1);
	cairo_new_path(c->cr);                  /* drawing text leaves a current point */
	cairo_arc(c->cr, x, y, radius, 0, 7);
	cairo_fill(c->cr);
}

/* The position for the mark of a line's peak, if the peak is worth it and not marked already. */
static void find_peak(const struct canvas *c, const struct scale *s, const struct panel *panel, size_t i,
		      const struct plot *p, struct labels *labels)
{
	struct chart_series_peak peak = chart_series_peak(p->chart_series, panel->lines[i].value_line);

	if (!look_of(c, panel, i).strong || !(peak.value > MARKED * panel->top))
		return;

	double x = x_of(s, middle_of(p->chart_series, point_at(p->chart_series, peak.end_seconds)));
	double y = y_of(s, peak.value);
	struct box dot = { x - 2 * DOT, y - 2 * DOT, 4 * DOT, 4 * DOT };

	for (size_t k = 0; k < i; k++)
		if (labels->marked[k] && overlaps(&dot, &labels->dots[k]))
			return;
	labels->marked[i] = true;
	labels->dots[i] = dot;
}

static void mark_peak(struct canvas *c, const struct scale *s, const struct panel *panel, size_t i,
		      const struct plot *p, struct labels *labels)
{
	struct color color = look_of(c, panel, i).color;
	double x = labels->dots[i].x + 2 * DOT, y = labels->dots[i].y + 2 * DOT;
	struct buffer text = { 0 };
	struct box b;

	buffer_text(&text, "peak ");
	value_words(&text, panel->unit, plot_peak(p, &panel->lines[i]));
	buffer_char(&text, '\0');
	if (!text.failed && place(labels, &b, s, x, y, text_width(c, text.at, TEXT_SMALL, false))) {
		label_in_chart(c, b, text.at, color);
		draw_dot(c, x, y, DOT + 1, c->theme->paper);
		draw_dot(c, x, y, DOT, color);
	}
	buffer_release(&text);
}

void draw_marks(struct canvas *c, const struct scale *s, const struct panel *panel, const struct plot *p)
{
	struct labels labels = { .n = 0 };

	for (size_t i = 0; i < panel->n; i++)
		if (is_curve(&panel->lines[i]))
			find_peak(c, s, panel, i, p, &labels);
	for (size_t i = 0; i < panel->n; i++)
		if (panel->lines[i].shown && panel->lines[i].style == STYLE_LIMIT)
			draw_limit(c, s, panel, &panel->lines[i], p, &labels);
	for (size_t i = 0; i < panel->n; i++)
		if (labels.marked[i])
			mark_peak(c, s, panel, i, p, &labels);
}
