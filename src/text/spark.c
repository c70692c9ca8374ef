/* spark.c - a small graph of a quantity over a run of unknown length. */
#include "spark.h"

#include <math.h>

#include "../core/sample.h"

static double mean_of(double a, double b)
{
	return is_none(a) ? b : is_none(b) ? a : (a + b) / 2;
}

static void halve(struct spark *s)
{
	for (size_t i = 0; i < SPARK_MAX / 2; i++)
		s->value[i] = mean_of(s->value[2 * i], s->value[2 * i + 1]);
	s->n = SPARK_MAX / 2;
	s->per_point *= 2;
}

static double pending_mean(const struct spark *s)
{
	return s->pending_known ? s->pending_sum / (double)s->pending_known : NONE;
}

void spark_add(struct spark *s, double value)
{
	if (s->per_point == 0)
		s->per_point = 1;
	if (!is_none(value)) {
		s->pending_sum += value;
		s->pending_known++;
	}
	if (++s->pending < s->per_point)
		return;
	if (s->n == SPARK_MAX) {
		/* The last point becomes the first half of a point twice as long. */
		halve(s);
		return;
	}
	s->value[s->n++] = pending_mean(s);
	s->pending = s->pending_known = 0;
	s->pending_sum = 0;
}

size_t spark_write(struct buffer *out, const struct spark *s, size_t width, bool utf8)
{
	static const char *const blocks[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	static const char signs[] = " .:-=+*#";
	double point[SPARK_MAX + 1] = { 0 }, highest = 0;
	size_t n = s->n;

	for (size_t i = 0; i < n; i++)
		point[i] = s->value[i];
	if (s->pending > 0 && n < SPARK_MAX)
		point[n++] = pending_mean(s);

	size_t shown = size_min(n, width);

	for (size_t i = 0; i < shown; i++) {
		double mean = NONE;
		size_t first = i * n / shown, end = (i + 1) * n / shown, known = 0;

		for (size_t k = first; k < end; k++) {
			mean = add_known(mean, point[k]);
			known += !is_none(point[k]);
		}
		point[i] = known ? mean / (double)known : NONE;
		if (point[i] > highest)
			highest = point[i];
	}
	for (size_t i = 0; i < shown; i++) {
		if (is_none(point[i])) {
			buffer_char(out, ' ');
			continue;
		}

		/* A sum of very large values is infinite, and so is the highest value then. */
		double share = isfinite(point[i]) ? point[i] / highest : point[i] > 0 ? 1 : 0;
		size_t step = share > 0 ? (size_t)(share * 7.999) : 0;

		if (utf8)
			buffer_text(out, blocks[step]);
		else
			buffer_char(out, signs[step]);
	}
	return shown;
}
