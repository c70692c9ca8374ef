/* draw_line.c - draws the lines of a chart. */
#include "canvas.h"

struct look look_of(const struct canvas *c, const struct panel *panel, size_t line)
{
	size_t before = 0;
	bool strong = panel->lines[line].job || !panel->of_job;

	for (size_t i = 0; i < line; i++)
		before += is_curve(&panel->lines[i]) && panel->lines[i].job == panel->lines[line].job;
	return (struct look){
		(strong ? c->theme->job : c->theme->around)[before % LINE_COLORS],
		strong,
		!strong || before >= LINE_COLORS,
	};
}

void set_look(struct canvas *c, const struct look *look, double strong, double weak)
{
	static const double dashes[] = { 6, 3 };

	ink(c, look->color, 1);
	cairo_set_dash(c->cr, dashes, look->dashed ? countof(dashes) : 0, 0);
	cairo_set_line_width(c->cr, look->strong ? strong : weak);
}

/* ---- coordinates ------------------------------------------------------------------------------- */

double x_of(const struct scale *s, double seconds)
{
	return s->box.x + s->box.width * (seconds / s->seconds);
}

double y_of(const struct scale *s, double value)
{
	double share = value / s->top;

	return s->box.y + s->box.height * (1 - (share > 0 ? share < 1.5 ? share : 1.5 : 0));
}

double begin_of(const struct chart_series *c, size_t i)
{
	return i > 0 ? chart_series_end(c, i - 1) : 0;
}

double middle_of(const struct chart_series *c, size_t i)
{
	return (begin_of(c, i) + chart_series_end(c, i)) / 2;
}

enum part { MEAN, LEAST, MOST };

static double part_of(const struct chart_series *c, int line, size_t i, enum part part)
{
	struct chart_series_value v = chart_series_value(c, line, i);

	return part == MEAN ? v.mean : part == LEAST ? v.least : v.most;
}

/* The end of the section from `first` on in which both are known; `first`, if there is none. */
static size_t piece_end(const struct chart_series *c, int a, int b, size_t first)
{
	size_t i = first;

	while (i < chart_series_points(c) && !is_none(chart_series_value(c, a, i).mean) &&
	       !is_none(chart_series_value(c, b, i).mean))
		i++;
	return i;
}

/* Traces a line through a section, forwards or backwards. */
static void trace(struct canvas *c, const struct scale *s, const struct chart_series *chart_series, int line,
		  enum part part, size_t first, size_t end, bool back)
{
	double ends[] = { begin_of(chart_series, first), chart_series_end(chart_series, end - 1) };
	double outer[] = { part_of(chart_series, line, first, part), part_of(chart_series, line, end - 1, part) };

	cairo_line_to(c->cr, x_of(s, ends[back]), y_of(s, outer[back]));
	for (size_t k = 0; k < end - first; k++) {
		size_t i = back ? end - 1 - k : first + k;

		cairo_line_to(c->cr, x_of(s, middle_of(chart_series, i)),
			      y_of(s, part_of(chart_series, line, i, part)));
	}
	cairo_line_to(c->cr, x_of(s, ends[!back]), y_of(s, outer[!back]));
}

static void band(struct canvas *c, const struct scale *s, const struct chart_series *chart_series, int lower,
		 enum part lower_part, int upper, enum part upper_part)
{
	for (size_t first = 0; first < chart_series_points(chart_series); first++) {
		size_t end = piece_end(chart_series, lower, upper, first);

		if (end == first)
			continue;
		cairo_new_path(c->cr);
		trace(c, s, chart_series, upper, upper_part, first, end, false);
		trace(c, s, chart_series, lower, lower_part, first, end, true);
		cairo_close_path(c->cr);
		cairo_fill(c->cr);
		first = end;
	}
}

void stroke(struct canvas *c, const struct scale *s, const struct chart_series *chart_series, int line, bool filled)
{
	for (size_t first = 0; first < chart_series_points(chart_series); first++) {
		size_t end = piece_end(chart_series, line, line, first);

		if (end == first)
			continue;
		cairo_new_path(c->cr);
		trace(c, s, chart_series, line, MEAN, first, end, false);
		if (filled) {
			cairo_line_to(c->cr, x_of(s, chart_series_end(chart_series, end - 1)), y_of(s, 0));
			cairo_line_to(c->cr, x_of(s, begin_of(chart_series, first)), y_of(s, 0));
			cairo_close_path(c->cr);
			cairo_fill(c->cr);
		} else {
			cairo_stroke(c->cr);
		}
		first = end;
	}
}

void draw_line(struct canvas *c, const struct scale *s, const struct panel *panel, size_t i, const struct plot *p)
{
	const struct plot_line *l = &panel->lines[i];
	struct look look = look_of(c, panel, i);

	if (l->lower_line != NO_LINE && l->upper_line != NO_LINE) {
		ink(c, look.color, 0.18);
		band(c, s, p->chart_series, l->lower_line, MEAN, l->upper_line, MEAN);
	}
	if (l->style == STYLE_AREA) {
		ink(c, look.color, 0.14);
		stroke(c, s, p->chart_series, l->value_line, true);
	}
	if (chart_series_spread(p->chart_series, l->value_line)) {
		ink(c, look.color, 0.3);
		band(c, s, p->chart_series, l->value_line, LEAST, l->value_line, MOST);
	}
	set_look(c, &look, 1.6, 1.1);
	cairo_set_line_join(c->cr, CAIRO_LINE_JOIN_ROUND);
	stroke(c, s, p->chart_series, l->value_line, false);
	cairo_set_dash(c->cr, NULL, 0, 0);
}
