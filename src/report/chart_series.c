/* chart_series.c - quantities over a run of any length as a bounded number of points. */
#include "chart_series.h"

#include <string.h>

/* From this duration on a rate is reliable (core/aggregate.h); the weight of a row of unknown duration. */
static const double STEADY_SECONDS = 0.1, WEIGHTLESS = 1e-6;
/* The initial width of a point, relative to the first row's: keeps rows apart that come a little early or late. */
static const double FINENESS = 1.0 / 8;

/* An interval of time: number `index` of those with the series' width. */
struct point { double index, end_seconds; };

/* Of one line in one point; weight 0: unknown.  Seven digits of an extreme are enough, and a long run has many. */
struct part { double weight, sum; float least, most; };

struct line { struct part *parts; struct chart_series_peak peak; bool rate; };

struct chart_series {
	size_t points, n, n_lines;
	struct point *at;
	struct line *lines;
	double width, longest;                  /* in seconds: of a point; of a row so far */
	double weight, end_seconds;             /* of the current row */
	bool steady;
};

struct chart_series *chart_series_open(size_t points)
{
	struct chart_series *c = calloc(1, sizeof *c);

	if (c)
		c->at = calloc(points, sizeof *c->at);
	if (!c || !c->at) {
		free(c);
		return NULL;
	}
	c->points = points;
	return c;
}

void chart_series_close(struct chart_series *c)
{
	for (size_t i = 0; c && i < c->n_lines; i++)
		free(c->lines[i].parts);
	if (c) {
		free(c->lines);
		free(c->at);
	}
	free(c);
}

int chart_series_line(struct chart_series *c, bool rate)
{
	struct line *lines = reallocarray(c->lines, c->n_lines + 1, sizeof *lines);
	struct part *parts = lines ? calloc(c->points, sizeof *parts) : NULL;

	if (lines)
		c->lines = lines;
	if (!parts)
		return NO_LINE;
	lines[c->n_lines] = (struct line){ parts, { NONE, NONE }, rate };
	return (int)c->n_lines++;
}

/* ---- points ---------------------------------------------------------------------------------- */

static void merge(struct part *to, const struct part *from)
{
	if (from->weight <= 0)
		return;
	if (to->weight <= 0) {
		*to = *from;
		return;
	}
	to->weight += from->weight;
	to->sum += from->sum;
	to->least = from->least < to->least ? from->least : to->least;
	to->most = from->most > to->most ? from->most : to->most;
}

static void move(struct chart_series *c, size_t to, size_t from)
{
	if (to == from)
		return;
	c->at[to].end_seconds = c->at[from].end_seconds;
	for (size_t i = 0; i < c->n_lines; i++) {
		struct part *parts = c->lines[i].parts;

		merge(&parts[to], &parts[from]);
		parts[from] = (struct part){ 0 };
	}
}

/* Doubles the width: points that fall into the same interval are merged. */
static void halve(struct chart_series *c)
{
	size_t n = 0;

	c->width *= 2;
	for (size_t i = 0; i < c->n; i++) {
		double index = floor(c->at[i].index / 2);

		if (n == 0 || index > c->at[n - 1].index)
			c->at[n++] = (struct point){ index, c->at[i].end_seconds };
		move(c, n - 1, i);
	}
	c->n = n;
}

void chart_series_narrow(struct chart_series *c, size_t points)
{
	while (c->n > points)
		halve(c);
}

static double index_of(const struct chart_series *c, double end_seconds)
{
	return ceil(end_seconds / c->width) - 1;
}

void chart_series_begin(struct chart_series *c, double end_seconds, double seconds)
{
	bool known = seconds > 0;
	double last = c->n > 0 ? c->at[c->n - 1].end_seconds : 0;

	c->steady = !known || seconds >= STEADY_SECONDS || 2 * seconds >= c->longest;
	c->longest = known && seconds > c->longest ? seconds : c->longest;
	c->weight = known ? seconds : WEIGHTLESS;
	c->end_seconds = c->n > 0 && !(end_seconds > last) ? last : end_seconds;
	if (c->width <= 0)
		c->width = FINENESS * (known ? seconds : 1);
	while (c->n == c->points && c->steady && index_of(c, c->end_seconds) > c->at[c->n - 1].index)
		halve(c);
	if (c->n > 0 && (!c->steady || !(index_of(c, c->end_seconds) > c->at[c->n - 1].index)))
		c->at[c->n - 1].end_seconds = c->end_seconds;
	else
		c->at[c->n++] = (struct point){ index_of(c, c->end_seconds), c->end_seconds };
}

void chart_series_add(struct chart_series *c, int line, double value, double maximum)
{
	if (line < 0 || c->n == 0 || !isfinite(value))
		return;

	struct line *l = &c->lines[line];
	struct part *to = &l->parts[c->n - 1];
	double most = maximum > value && isfinite(maximum) ? maximum : value;
	struct part row = { c->weight, value * c->weight, (float)value, (float)most };

	if (!c->steady && l->rate && to->weight > 0) {
		to->weight += row.weight;
		to->sum += row.sum;
		return;
	}
	merge(to, &row);
	if (!(most <= l->peak.value))
		l->peak = (struct chart_series_peak){ most, c->end_seconds };
}

/* ---- results ----------------------------------------------------------------------------------- */

size_t chart_series_points(const struct chart_series *c) { return c->n; }
double chart_series_end(const struct chart_series *c, size_t point) { return c->at[point].end_seconds; }

bool chart_series_spread(const struct chart_series *c, int line)
{
	for (size_t i = 0; line >= 0 && i < c->n; i++)
		if (c->lines[line].parts[i].most > c->lines[line].parts[i].least)
			return true;
	return false;
}

struct chart_series_value chart_series_value(const struct chart_series *c, int line, size_t point)
{
	const struct part *p = line >= 0 ? &c->lines[line].parts[point] : NULL;

	return p && p->weight > 0 ? (struct chart_series_value){ p->sum / p->weight, (double)p->least, (double)p->most }
				  : (struct chart_series_value){ NONE, NONE, NONE };
}

double chart_series_mean_over(const struct chart_series *c, int line, size_t point, double seconds)
{
	const struct part *parts = line >= 0 ? c->lines[line].parts : NULL;
	double weight = 0, sum = 0, from = c->at[point].end_seconds - seconds;

	if (!parts || parts[point].weight <= 0)
		return NONE;
	for (size_t i = point + 1; i-- > 0 && (i == point || c->at[i].end_seconds > from);) {
		weight += parts[i].weight;
		sum += parts[i].sum;
	}
	return sum / weight;
}

struct chart_series_peak chart_series_peak(const struct chart_series *c, int line)
{
	return line >= 0 ? c->lines[line].peak : (struct chart_series_peak){ NONE, NONE };
}
