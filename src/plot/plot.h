/*
 * plot.h - a run as a still picture: charts one below the other on one axis of time.
 *
 * plot_read gathers what is drawn, in one reading and in memory that does not grow with the run; draw_plot (cairo)
 * makes a picture of it.
 */
#ifndef RT_PLOT_H
#define RT_PLOT_H

#include "../history/digest.h"
#include "../report/chart_series.h"
#include "ticks.h"

enum { PANELS_MOST = 24, PANEL_LINES = 16, PLOT_POINTS = 800 };

enum line_style { STYLE_LINE, STYLE_AREA, STYLE_LIMIT };

struct plot_line {
	const char *label;
	enum line_style style;
	bool job;                               /* of the tracked processes; else of what is around them */
	bool rate, only_used;
	size_t metric, lower, upper;            /* offsets in struct totals; that of `key`: none */
	int value_line, lower_line, upper_line; /* of the course */
	bool shown;                             /* known, and fit for the panel's scale */
};

struct panel {
	char title[64];
	enum axis_unit unit;
	struct plot_line lines[PANEL_LINES];
	size_t n;
	bool asked;                             /* by name: it is drawn even if nothing is known */
	double top;                             /* the highest of what is shown */
	double ceiling;                         /* what the axis has to reach; 0: there is nothing but 0 */
	bool of_job;                            /* lines of the job are shown; else what is around it is the matter */
};

struct plot {
	struct digest digest;
	struct chart_series *chart_series;
	struct panel panels[PANELS_MOST];
	size_t n;
	double seconds;                         /* of the axis of time */
	bool failed;                            /* out of memory */
};

/* metrics: charts and metrics by name with commas between them; NULL: the key charts.  -EINVAL with a sentence. */
int  plot_choose(struct plot *p, const char *metrics, struct why *why) must_use;
/* p: chosen, else zeroed.  Afterwards only panels that are to be drawn are left. */
int  plot_read(struct plot *p, const char *path, struct why *why) must_use;
void plot_release(struct plot *p);
double plot_peak(const struct plot *p, const struct plot_line *l);      /* its highest; NONE: not known */

enum picture_kind { PICTURE_SVG, PICTURE_PNG };
struct picture { enum picture_kind kind; unsigned width, height; bool dark; };  /* height 0: as the charts need */

/* The file's bytes into out.  -ENOSYS with a sentence where the build has no cairo. */
int draw_plot(struct buffer *out, const struct plot *p, const struct picture *picture, struct why *why) must_use;

#endif
