/* draw_panel.c - one chart of a picture. */
#include "canvas.h"

#include <string.h>

enum { HEAD_LINE = 17, SWATCH = 16, GAP = 14 };

/* ---- head: title, legend, values off the scale ------------------------------------------------- */

static void off_scale(struct buffer *out, const struct panel *panel, const struct plot *p)
{
	bool any = false;

	for (size_t i = 0; i < panel->n; i++) {
		const struct plot_line *l = &panel->lines[i];

		if (l->shown || !(plot_peak(p, l) > panel->top))
			continue;
		buffer_format(out, "%s%s ", any ? ", " : "off the scale: ", l->label);
		value_words(out, panel->unit, plot_peak(p, l));
		any = true;
	}
}

struct pen { double x, y, left, right; };

/* Moves on by `width`, on this line or the next. */
static void advance(struct pen *pen, double width)
{
	if (pen->x > pen->left && pen->x + width > pen->right) {
		pen->x = pen->left;
		pen->y += HEAD_LINE;
	}
}

/* Draws the head, or only measures it.  Returns its height. */
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
	const char *nothing = "not known of this run";

	if (!(panel->top > 0))
		values.n = 1;                   /* only 0: no other value to label */
	(void)head(c, panel, p, (struct pen){ chart.x, chart.y - head_height + TEXT_PANEL - 4, chart.x,
					      chart.x + chart.width }, true);
	draw_grid(c, &s, panel->unit, &values, &times);
	cairo_save(c->cr);
	cairo_rectangle(c->cr, chart.x, chart.y - 1, chart.width, chart.height + 2);
	cairo_clip(c->cr);
	/* The environment first, so that the job's lines are on top. */
	for (int job = 0; job <= 1; job++)
		for (size_t i = panel->n; i-- > 0;)
			if (is_curve(&panel->lines[i]) && panel->lines[i].job == job) {
				draw_line(c, &s, panel, i, p);
				nothing = panel->top > 0 ? NULL : "0 all the time";
			}
	cairo_restore(c->cr);
	draw_marks(c, &s, panel, p);
	if (nothing)
		draw_text(c, chart.x + chart.width / 2, chart.y + chart.height / 2 + 4, nothing, TEXT_PANEL, false,
			  c->theme->faint, ALIGN_CENTER, 0);
}
