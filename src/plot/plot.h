/*
 * plot.h - a run as a still picture: charts below each other with a common time axis.
 *
 * plot_read collects the data, in one pass and in memory that does not grow with the run; draw_plot (cairo) draws
 * them.
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
	bool job;                               /* of the tracked processes; else of their environment */
	bool rate, only_used;
	size_t metric, lower, upper;            /* offsets in struct totals; that of `key`: none */
	int value_line, lower_line, upper_line; /* in the chart series */
	bool shown;                             /* known, and within the panel's scale */
};

struct panel {
	char title[64];
	enum axis_unit unit;
	struct plot_line lines[PANEL_LINES];
	size_t n;
	bool asked;                             /* selected by name: it is drawn even if nothing is known */
	double top;                             /* the highest of the lines shown */
	double ceiling;                         /* that the axis must reach; 0: all values are 0 */
	bool of_job;                            /* lines of the job are shown; else only those of its environment */
};

struct plot {
	struct digest digest;
	struct chart_series *chart_series;
	struct panel panels[PANELS_MOST];
	size_t n;
	double seconds;                         /* the length of the time axis */
	bool failed;                            /* out of memory */
};

/* metrics: names of charts and metrics separated by commas; NULL: the key charts.  -EINVAL with a sentence. */
int  plot_choose(struct plot *p, const char *metrics, struct why *why) must_use;
/*
 * p: chosen, else zeroed.  Afterwards it has only panels that are to be drawn.  -errno with a sentence, as digest_read;
 * -ENODATA: no row.  Then p means nothing, and there is nothing to release.
 */
int  plot_read(struct plot *p, const char *path, struct why *why) must_use;
void plot_release(struct plot *p);              /* once */
double plot_peak(const struct plot *p, const struct plot_line *l);      /* its highest value; NONE: unknown */

enum picture_kind { PICTURE_SVG, PICTURE_PNG };
struct picture { enum picture_kind kind; unsigned width, height; bool dark; };  /* height 0: as the charts need */

/* Appends the file's bytes.  -errno with a sentence, and out means nothing; -ENOSYS: the build has no cairo. */
int draw_plot(struct buffer *out, const struct plot *p, const struct picture *picture, struct why *why) must_use;

#endif
