/*
 * canvas.h - shared by the files that draw.  Lengths and text sizes are in thousandths of the picture's width, so that
 * text has the same relative size in pictures of any size; y counts downwards.  The caller of draw.c's functions owns
 * the cairo context and `words`.  Errors stay in the cairo context, which is checked when the picture is written.
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
	struct color job[LINE_COLORS], around[LINE_COLORS];     /* lines of the job, and of its environment */
};
extern const struct theme theme_light, theme_dark;

struct canvas {
	cairo_t *cr;
	const struct theme *theme;
	struct buffer words;                    /* all texts, one a line: for search and screen readers */
};

struct box { double x, y, width, height; };

void ink(struct canvas *c, struct color color, double opacity);
/* The width of a text, in units.  Invalid UTF-8 and unprintable characters are replaced, here and in draw_text. */
double text_width(struct canvas *c, const char *text, double size, bool bold);
enum align { ALIGN_LEFT, ALIGN_CENTER, ALIGN_RIGHT };
/*
 * Draws a text at (x, y), y being the baseline; shortened with an ellipsis to be at most `most` wide (0: any).  Adds it
 * to `words`.
 */
void draw_text(struct canvas *c, double x, double y, const char *text, double size, bool bold, struct color color,
	       enum align align, double most);

/* Whether a line is drawn as a curve; limits are not. */
static inline bool is_curve(const struct plot_line *l) { return l->shown && l->style != STYLE_LIMIT; }

/* The look of a line.  Those of the job are strong; without any, all lines are. */
struct look { struct color color; bool strong, dashed; };
struct look look_of(const struct canvas *c, const struct panel *panel, size_t line);
void set_look(struct canvas *c, const struct look *look, double strong, double weak);   /* weak, strong: widths */

struct scale { struct box box; double seconds, top; };
double x_of(const struct scale *s, double seconds);
double y_of(const struct scale *s, double value);
double begin_of(const struct chart_series *c, size_t i);
double middle_of(const struct chart_series *c, size_t i);     /* the position of a point: the middle of its interval */
/* Draws the means of a line as a curve, or filled down to 0, in the current look. */
void stroke(struct canvas *c, const struct scale *s, const struct chart_series *chart_series, int line, bool filled);
/* Draws the bounds, then the range from least to most, then the mean. */
void draw_line(struct canvas *c, const struct scale *s, const struct panel *panel, size_t i, const struct plot *p);

void value_words(struct buffer *out, enum axis_unit unit, double value);        /* as text with a unit */
/* Draws limits and peaks, with their values if there is room. */
void draw_marks(struct canvas *c, const struct scale *s, const struct panel *panel, const struct plot *p);

/* A panel has a head of some lines, and a chart. */
double panel_head(struct canvas *c, const struct panel *panel, double width, const struct plot *p);    /* its height */
void draw_panel(struct canvas *c, const struct panel *panel, struct box chart, double head, const struct plot *p);
/* Draws the time axis, below the last chart. */
void draw_times(struct canvas *c, struct box chart, const struct plot *p);

#endif
