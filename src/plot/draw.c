/* draw.c - a picture of a run, by cairo: its head, its charts, and the file's bytes. */
#include "canvas.h"

#include <cairo-svg.h>
#include <string.h>

#include "../history/run_words.h"
#include "../text/utc.h"

enum { LEFT = 82, RIGHT = 24, TOP = 20, BOTTOM = 44, CHART = 128, CHART_LEAST = 40, BETWEEN = 12 };

/* Times before 1973 have another origin than 1970. */
static const int64_t FIRST_DATE_NS = 100000000 * NS_PER_SECOND;

/* ---- head -------------------------------------------------------------------------------------- */

static void text_line(struct canvas *c, double *y, struct buffer *text, double size, bool bold, struct color color)
{
	buffer_char(text, '\0');
	*y += size + 4;
	if (!text->failed)
		draw_text(c, LEFT, *y, text->at, size, bold, color, ALIGN_LEFT, UNITS_WIDE - LEFT - RIGHT);
	buffer_clear(text);
}

/* Draws the name of the run, its command and its end.  Returns the lower edge. */
static double draw_head(struct canvas *c, const struct plot *p)
{
	const struct recording_facts *f = p->digest.facts;
	const char *outcome = run_outcome_word(&p->digest);
	struct buffer text = { 0 };
	double y = TOP - 8;

	run_name_words(&text, &p->digest);
	text_line(c, &y, &text, TEXT_TITLE, true, c->theme->ink);
	if (f->run.command) {
		run_command_words(&text, &f->run);
		text_line(c, &y, &text, TEXT_SMALL, false, c->theme->faint);
	}
	if (f->records_end)
		run_ending_words(&text, &p->digest);
	else
		buffer_text(&text, f->format);
	text_line(c, &y, &text, TEXT_SMALL + 1, false,
		  strcmp(outcome, "failed") == 0 ? c->theme->bad : strcmp(outcome, "succeeded") == 0 ? c->theme->good
												     : c->theme->ink);
	if (f->run.start_wall_ns >= FIRST_DATE_NS) {
		char utc[UTC_SIZE];

		utc_write(utc, f->run.start_wall_ns);
		buffer_format(&text, "%.10s %.5s UTC%s%s", utc, utc + 11, *f->host.name ? ", " : "", f->host.name);
		text_line(c, &y, &text, TEXT_SMALL, false, c->theme->faint);
	}
	buffer_release(&text);
	return y;
}

/* ---- all of it --------------------------------------------------------------------------------- */

/* The height of the picture with charts of this height. */
static double height_of(struct canvas *c, const struct plot *p, double head, double chart)
{
	double height = head + BOTTOM;

	for (size_t i = 0; i < p->n; i++)
		height += BETWEEN + panel_head(c, &p->panels[i], UNITS_WIDE - LEFT - RIGHT, p) + chart;
	return height;
}

/* The legend of the shades, if there are any. */
static const char *notes(const struct plot *p)
{
	bool spread = false, bounds = false;

	for (size_t i = 0; i < p->n; i++)
		for (size_t k = 0; k < p->panels[i].n; k++) {
			const struct plot_line *l = &p->panels[i].lines[k];

			spread |= l->shown && chart_series_spread(p->chart_series, l->value_line);
			bounds |= l->shown && l->lower_line != NO_LINE;
		}
	return spread && bounds ? "Lines are means; shaded: the range within each point, and the bounds of PSS."
	       : spread ? "Lines are means; shaded: the range within each point."
	       : bounds ? "Shaded: the bounds of PSS."
			: "";
}

static void draw_all(struct canvas *c, const struct plot *p, double chart_height)
{
	double y = draw_head(c, p);
	struct box chart = { LEFT, y, UNITS_WIDE - LEFT - RIGHT, chart_height };

	for (size_t i = 0; i < p->n; i++) {
		double head = panel_head(c, &p->panels[i], chart.width, p);

		chart.y = y + BETWEEN + head;
		draw_panel(c, &p->panels[i], chart, head, p);
		y = chart.y + chart.height;
	}
	if (p->n > 0)
		draw_times(c, chart, p);
	draw_text(c, LEFT, chart.y + chart.height + BOTTOM - 9, notes(p), TEXT_SMALL - 1, false, c->theme->faint,
		  ALIGN_LEFT, chart.width);
}

/* Measures texts on a canvas without output. */
static double measure(const struct plot *p, double chart_height)
{
	cairo_surface_t *surface = cairo_recording_surface_create(CAIRO_CONTENT_COLOR_ALPHA, NULL);
	struct canvas c = { .cr = cairo_create(surface), .theme = &theme_light };
	double height = height_of(&c, p, draw_head(&c, p), chart_height);

	buffer_release(&c.words);
	cairo_destroy(c.cr);
	cairo_surface_destroy(surface);
	return height;
}

static cairo_status_t take(void *closure, const unsigned char *bytes, unsigned n)
{
	struct buffer *out = closure;

	buffer_bytes(out, (const char *)bytes, n);
	return out->failed ? CAIRO_STATUS_NO_MEMORY : CAIRO_STATUS_SUCCESS;
}

static void escaped(struct buffer *out, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		switch (text[i]) {
		case '<': buffer_text(out, "&lt;"); break;
		case '>': buffer_text(out, "&gt;"); break;
		case '&': buffer_text(out, "&amp;"); break;
		default: buffer_char(out, text[i]);
		}
}

/* cairo's SVG has text as outlines: the texts are added for search and for screen readers. */
static void add_words(struct buffer *out, const struct buffer *svg, const struct buffer *words)
{
	const char *root = memmem(svg->at, svg->len, "<svg", 4);
	const char *end = root ? memchr(root, '>', (size_t)(svg->at + svg->len - root)) : NULL;
	const char *first = words->len > 0 ? memchr(words->at, '\n', words->len) : NULL;

	if (!end || !first)
		return;
	buffer_bytes(out, svg->at, (size_t)(end - svg->at));
	buffer_text(out, " role=\"img\">\n<title>");
	escaped(out, words->at, (size_t)(first - words->at));
	buffer_text(out, "</title>\n<desc>");
	escaped(out, first + 1, (size_t)(words->at + words->len - first - 1));
	buffer_text(out, "</desc>");
	buffer_bytes(out, end + 1, (size_t)(svg->at + svg->len - end - 1));
}

static cairo_surface_t *open_surface(struct buffer *file, const struct picture *picture, unsigned height)
{
	cairo_surface_t *surface;

	if (picture->kind == PICTURE_PNG)
		return cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)picture->width, (int)height);
	surface = cairo_svg_surface_create_for_stream(take, file, picture->width, height);
	cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX);
	return surface;
}

int draw_plot(struct buffer *out, const struct plot *p, const struct picture *picture, struct why *why)
{
	double units_high, chart = CHART, unit = (double)picture->width / UNITS_WIDE;
	struct buffer file = { 0 };
	unsigned height = picture->height;

	units_high = measure(p, chart);
	if (height == 0)
		height = (unsigned)ceil(units_high * unit);
	else if (p->n > 0)
		chart += ((double)height / unit - units_high) / (double)p->n;
	if (chart < CHART_LEAST)
		return why_set(why, -EINVAL, "--size: %u x %u is too low for %zu %s %u", picture->width, height,
			       p->n, p->n == 1 ? "chart: it needs" : "charts: they need",
			       (unsigned)ceil((units_high - (CHART - CHART_LEAST) * (double)p->n) * unit));

	cairo_surface_t *surface = open_surface(&file, picture, height);
	struct canvas c = { .cr = cairo_create(surface), .theme = picture->dark ? &theme_dark : &theme_light };
	cairo_status_t status;

	cairo_scale(c.cr, unit, unit);
	ink(&c, c.theme->paper, 1);
	cairo_paint(c.cr);
	draw_all(&c, p, chart);
	status = cairo_status(c.cr);
	cairo_destroy(c.cr);
	if (status == CAIRO_STATUS_SUCCESS && picture->kind == PICTURE_PNG)
		status = cairo_surface_write_to_png_stream(surface, take, &file);
	cairo_surface_finish(surface);
	if (status == CAIRO_STATUS_SUCCESS)
		status = cairo_surface_status(surface);
	cairo_surface_destroy(surface);
	if (picture->kind == PICTURE_PNG)
		buffer_bytes(out, file.at, file.len);
	else
		add_words(out, &file, &c.words);
	buffer_release(&file);
	buffer_release(&c.words);
	cairo_debug_reset_static_data();        /* frees fonts, for leak checkers */
	if (status != CAIRO_STATUS_SUCCESS || out->failed || out->len == 0)
		return why_set(why, -ENOMEM, "the picture cannot be drawn: %s", cairo_status_to_string(status));
	return 0;
}
