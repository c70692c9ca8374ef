/*
 * canvas.h - what the files that draw share.  Lengths are in thousandths of the picture's width, so that letters are of
 * one size in it, whatever its size.
 */
#ifndef RT_CANVAS_H
#define RT_CANVAS_H

#include <cairo.h>

#include "plot.h"

enum { UNITS_WIDE = 1000 };
enum { TEXT_SMALL = 11, TEXT_PANEL = 13, TEXT_TITLE = 18 };

struct color { double red, green, blue; };
enum { LINE_COLORS = 6 };
struct theme {
	struct color paper, ink, faint, grid, good, bad;
	struct color job[LINE_COLORS], around[LINE_COLORS];     /* lines of the job, and of what is around it */
};
extern const struct theme theme_light, theme_dark;

struct canvas {
	cairo_t *cr;
	const struct theme *theme;
	struct buffer words;                    /* all that is written, a line each: for who reads and searches */
};

struct box { double x, y, width, height; };

void ink(struct canvas *c, struct color color, double opacity);
/* How wide it is.  What is no UTF-8 and what does not print is made harmless, here and in draw_text. */
double text_width(struct canvas *c, const char *text, double size, bool bold);
enum align { ALIGN_LEFT, ALIGN_CENTER, ALIGN_RIGHT };
/* At (x, y), y being the line that letters stand on; cut with an ellipsis to be no wider than `most` (0: any). */
void draw_text(struct canvas *c, double x, double y, const char *text, double size, bool bold, struct color color,
	       enum align align, double most);

/* What is drawn as its values go; limits are not. */
static inline bool is_curve(const struct plot_line *l) { return l->shown && l->style != STYLE_LIMIT; }

/* How a line looks.  Those of the job stand out; where there are none, all do. */
struct look { struct color color; bool strong, dashed; };
struct look look_of(const struct canvas *c, const struct panel *panel, size_t line);
void set_look(struct canvas *c, const struct look *look, double strong, double weak);   /* weak, strong: widths */

struct scale { struct box box; double seconds, top; };
double x_of(const struct scale *s, double seconds);
double y_of(const struct scale *s, double value);
double begin_of(const struct chart_series *c, size_t i);
double middle_of(const struct chart_series *c, size_t i);     /* where a point stands: in the middle of its time */
/* The means of a line as they are, or filled down to 0, in the look that is set. */
void stroke(struct canvas *c, const struct scale *s, const struct chart_series *chart_series, int line, bool filled);
/* Bounds, then what a point's rows had from the least to the most, then their mean. */
void draw_line(struct canvas *c, const struct scale *s, const struct panel *panel, size_t i, const struct plot *p);

void value_words(struct buffer *out, enum axis_unit unit, double value);        /* as people read it */
/* Limits and peaks, with their values where there is room. */
void draw_marks(struct canvas *c, const struct scale *s, const struct panel *panel, const struct plot *p);

/* A panel is a head of some lines, and its chart. */
double panel_head(struct canvas *c, const struct panel *panel, double width, const struct plot *p);    /* its height */
void draw_panel(struct canvas *c, const struct panel *panel, struct box chart, double head, const struct plot *p);
/* The axis of time, below the last chart. */
void draw_times(struct canvas *c, struct box chart, const struct plot *p);

#endif
