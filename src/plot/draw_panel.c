/* draw_panel.c - one chart of a picture. */
#include "draw.h"

#include <string.h>

#include "../record/human.h"

static const double MARKED = 0.1;               /* share of the highest that a peak must have */

enum { HEAD_LINE = 17, SWATCH = 16, GAP = 14, DOT = 3, LABELS_MOST = 8 };

/* ---- values as people read them ---------------------------------------------------------------- */

static void value_words(struct buffer *out, enum axis_unit unit, double value)
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

static double peak_of(const struct plot *p, const struct plot_line *l)
{
	return l->value_line == NO_LINE ? NONE : course_peak(p->course, l->value_line).value;
}

/* ---- head: title, what the lines are, what there was no room for ------------------------------- */

static void off_scale(struct buffer *out, const struct panel *panel, const struct plot *p)
{
	bool any = false;

	for (size_t i = 0; i < panel->n; i++) {
		const struct plot_line *l = &panel->lines[i];

		if (l->shown || !(peak_of(p, l) > panel->top))
			continue;
		buffer_format(out, "%s%s ", any ? ", " : "off the scale: ", l->label);
		value_words(out, panel->unit, peak_of(p, l));
		any = true;
	}
}

struct pen { double x, y, left, right; };

/* Room for so much in this line, or the next. */
static void advance(struct pen *pen, double width)
{
	if (pen->x > pen->left && pen->x + width > pen->right) {
		pen->x = pen->left;
		pen->y += HEAD_LINE;
	}
}

/* Draws it, or only measures.  Returns its height. */
static double head(struct canvas *c, const struct panel *panel, const struct plot *p, struct pen pen, bool draw)
{
	double top = pen.y, width = text_width(c, panel->title, TEXT_PANEL, true);
	struct buffer rest = { 0 };

	if (draw)
		draw_text(c, pen.x, pen.y, panel->title, TEXT_PANEL, true, c->theme->ink, ALIGN_LEFT,
			  pen.right - pen.left);
	pen.x += width + 1.5 * GAP;
	for (size_t i = 0; i < panel->n; i++) {
		const struct plot_line *l = &panel->lines[i];

		if (!is_curve(l) || !*l->label)
			continue;
		width = SWATCH + 5 + text_width(c, l->label, TEXT_SMALL, false);
		advance(&pen, width);
		if (draw) {
			struct look look = look_of(c, panel, i);

			set_look(c, &look, 2.2, 1.5);
			cairo_move_to(c->cr, pen.x, pen.y - 4);
			cairo_line_to(c->cr, pen.x + SWATCH, pen.y - 4);
			cairo_stroke(c->cr);
			cairo_set_dash(c->cr, NULL, 0, 0);
			draw_text(c, pen.x + SWATCH + 5, pen.y, l->label, TEXT_SMALL, false, c->theme->ink, ALIGN_LEFT,
				  0);
		}
		pen.x += width + GAP;
	}
	off_scale(&rest, panel, p);
	buffer_char(&rest, '\0');
	if (!rest.failed && *rest.at) {
		width = text_width(c, rest.at, TEXT_SMALL, false);
		advance(&pen, width);
		if (draw)
			draw_text(c, pen.x, pen.y, rest.at, TEXT_SMALL, false, c->theme->faint, ALIGN_LEFT,
				  pen.right - pen.x);
	}
	buffer_release(&rest);
	return pen.y - top + HEAD_LINE;
}

double panel_head(struct canvas *c, const struct panel *panel, double width, const struct plot *p)
{
	return head(c, panel, p, (struct pen){ 0, 0, 0, width }, false);
}

/* ---- labels in the chart ----------------------------------------------------------------------- */

struct labels { struct box at[LABELS_MOST]; size_t n; struct box dots[LABELS_MOST]; size_t n_dots; };

static bool overlaps(const struct box *a, const struct box *b)
{
	return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height && b->y < a->y + a->height;
}

/* Where there is room beside (x, y), inside the chart and clear of other labels.  false: nowhere. */
static bool place(struct labels *labels, struct box *ret, const struct scale *s, double x, double y, double width)
{
	const double height = TEXT_SMALL + 2, beside = DOT + 3;
	const struct { double x, y; } tries[] = {               /* above first: below is where lines are */
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
		if (!room)
			continue;
		labels->at[labels->n++] = *ret = b;
		return true;
	}
	return false;
}

/* On a piece of paper, so that no line runs through it. */
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
	double y = y_of(s, peak_of(p, l)), width;
	struct box b;

	ink(c, c->theme->bad, 0.9);
	cairo_set_dash(c->cr, dashes, countof(dashes), 0);
	cairo_set_line_width(c->cr, 1.2);
	stroke(c, s, p->course, l->value_line, false);
	cairo_set_dash(c->cr, NULL, 0, 0);
	buffer_format(&text, "%s: ", l->label);
	value_words(&text, panel->unit, peak_of(p, l));
	buffer_char(&text, '\0');
	if (!text.failed) {
		width = text_width(c, text.at, TEXT_SMALL, false);
		if (place(labels, &b, s, s->box.x + 6, y, width))
			label_in_chart(c, b, text.at, c->theme->bad);
	}
	buffer_release(&text);
}

/* The point of the course that a moment falls into. */
static size_t point_at(const struct course *c, double seconds)
{
	size_t low = 0, high = course_points(c);

	while (low + 1 < high) {
		size_t middle = (low + high) / 2;

		if (begin_of(c, middle) < seconds)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static void mark_peak(struct canvas *c, const struct scale *s, const struct panel *panel, size_t i,
		      const struct plot *p, struct labels *labels)
{
	struct course_peak peak = course_peak(p->course, panel->lines[i].value_line);
	struct look look = look_of(c, panel, i);
	struct buffer text = { 0 };
	struct box b;

	/* Small ones are no peaks to look at. */
	if (!look.strong || !(peak.value > MARKED * panel->top))
		return;

	double x = x_of(s, middle_of(p->course, point_at(p->course, peak.end_seconds))), y = y_of(s, peak.value);

	struct box dot = { x - 2 * DOT, y - 2 * DOT, 4 * DOT, 4 * DOT };

	for (size_t k = 0; k < labels->n_dots; k++)
		if (overlaps(&dot, &labels->dots[k]))
			return;
	if (labels->n_dots < LABELS_MOST)
		labels->dots[labels->n_dots++] = dot;
	buffer_text(&text, "peak ");
	value_words(&text, panel->unit, peak.value);
	buffer_char(&text, '\0');
	if (!text.failed && place(labels, &b, s, x, y, text_width(c, text.at, TEXT_SMALL, false))) {
		label_in_chart(c, b, text.at, look.color);
		ink(c, c->theme->paper, 1);
		cairo_arc(c->cr, x, y, DOT + 1, 0, 7);
		cairo_fill(c->cr);
		ink(c, look.color, 1);
		cairo_arc(c->cr, x, y, DOT, 0, 7);
		cairo_fill(c->cr);
	}
	buffer_release(&text);
}

/* ---- axes -------------------------------------------------------------------------------------- */

static void hairline(struct canvas *c, double x, double y, double to_x, double to_y, struct color color)
{
	ink(c, color, 1);
	cairo_set_line_width(c->cr, 0.8);
	cairo_move_to(c->cr, x, y);
	cairo_line_to(c->cr, to_x, to_y);
	cairo_stroke(c->cr);
}

static void label_of(struct buffer *out, enum axis_unit unit, const struct ticks *t, size_t i)
{
	buffer_clear(out);
	ticks_label(out, unit, t, i);
	buffer_char(out, '\0');
}

static struct ticks time_ticks(const struct plot *p)
{
	return ticks_find(AXIS_TIME, p->seconds, 10, false);
}

static void draw_grid(struct canvas *c, const struct scale *s, enum axis_unit unit, const struct ticks *values,
		      const struct ticks *times)
{
	double bottom = s->box.y + s->box.height, right = s->box.x + s->box.width;
	struct buffer label = { 0 };

	for (size_t i = 0; i < times->n; i++) {
		double x = x_of(s, times->step * (double)i);

		hairline(c, x, s->box.y, x, bottom, c->theme->grid);
	}
	for (size_t i = 0; i < values->n; i++) {
		double y = y_of(s, values->step * (double)i);

		hairline(c, s->box.x, y, right, y, i == 0 ? c->theme->faint : c->theme->grid);
		label_of(&label, unit, values, i);
		if (!label.failed)
			draw_text(c, s->box.x - 7, y + 4, label.at, TEXT_SMALL, false, c->theme->faint, ALIGN_RIGHT, 0);
	}
	buffer_release(&label);
}

void draw_times(struct canvas *c, struct box chart, const struct plot *p)
{
	struct ticks times = time_ticks(p);
	struct scale s = { chart, p->seconds, 1 };
	struct buffer label = { 0 };

	for (size_t i = 0; i < times.n; i++) {
		label_of(&label, AXIS_TIME, &times, i);
		if (!label.failed)
			draw_text(c, x_of(&s, times.step * (double)i), chart.y + chart.height + TEXT_SMALL + 5,
				  label.at, TEXT_SMALL, false, c->theme->faint, ALIGN_CENTER, 0);
	}
	buffer_release(&label);
}

void draw_panel(struct canvas *c, const struct panel *panel, struct box chart, double head_height, const struct plot *p)
{
	size_t wanted = size_max((size_t)(chart.height / 32), 2);
	struct ticks values = ticks_find(panel->unit, panel->ceiling, wanted, true), times = time_ticks(p);
	struct scale s = { chart, p->seconds, values.step * (double)(values.n - 1) };
	struct labels labels = { .n = 0 };
	const char *nothing = "not known of this run";

	if (!(panel->top > 0))
		values.n = 1;                   /* nothing but 0: nothing to read off */
	(void)head(c, panel, p, (struct pen){ chart.x, chart.y - head_height + TEXT_PANEL - 4, chart.x,
					      chart.x + chart.width }, true);
	draw_grid(c, &s, panel->unit, &values, &times);
	cairo_save(c->cr);
	cairo_rectangle(c->cr, chart.x, chart.y - 1, chart.width, chart.height + 2);
	cairo_clip(c->cr);
	/* What is around the job first: the job lies on top. */
	for (int job = 0; job <= 1; job++)
		for (size_t i = panel->n; i-- > 0;)
			if (is_curve(&panel->lines[i]) && panel->lines[i].job == job) {
				draw_line(c, &s, panel, i, p);
				nothing = panel->top > 0 ? NULL : "0 all the time";
			}
	cairo_restore(c->cr);
	for (size_t i = 0; i < panel->n; i++)
		if (panel->lines[i].shown && panel->lines[i].style == STYLE_LIMIT)
			draw_limit(c, &s, panel, &panel->lines[i], p, &labels);
	for (size_t i = 0; i < panel->n; i++)
		if (is_curve(&panel->lines[i]))
			mark_peak(c, &s, panel, i, p, &labels);
	if (nothing)
		draw_text(c, chart.x + chart.width / 2, chart.y + chart.height / 2 + 4, nothing, TEXT_PANEL, false,
			  c->theme->faint, ALIGN_CENTER, 0);
}
