/* graph.c - a course over time as a filled graph of characters. */
#include "graph.h"

#include "../core/sample.h"

/* The signs of a column that is filled up to a level, from empty to full. */
static const uint32_t ascii[] = { ' ', '.', ':', '#' };
static const uint32_t blocks[] = { ' ', 0x2581, 0x2582, 0x2583, 0x2584, 0x2585, 0x2586, 0x2587, 0x2588 };

/* The dots of a braille sign, U+2800 on: its left and right half, filled from below. */
enum { BRAILLE = 0x2800 };
static const uint32_t left_dots[] = { 0, 0x40, 0x44, 0x46, 0x47 }, right_dots[] = { 0, 0x80, 0xa0, 0xb0, 0xb8 };

static const unsigned levels_of[] = {           /* in one row */
	[SIGNS_ASCII] = countof(ascii) - 1, [SIGNS_BLOCKS] = countof(blocks) - 1,
	[SIGNS_BRAILLE] = countof(left_dots) - 1,
};

/* The height of a value in levels, of `full`. */
static unsigned height_of(double value, double top, unsigned full)
{
	if (is_none(value) || value <= 0 || top <= 0)
		return 0;
	if (value >= top)
		return full;

	unsigned height = (unsigned)(value / top * full + 0.5);

	return height > 0 ? height : 1;
}

/* The part of a height that is in one row, counted from below. */
static unsigned part_in(unsigned height, unsigned row, unsigned levels)
{
	unsigned below = row * levels;

	return height <= below ? 0 : height - below < levels ? height - below : levels;
}

/* left and right: of a column, in levels; only braille has both. */
static uint32_t sign_of(enum signs signs, unsigned left, unsigned right)
{
	switch (signs) {
	case SIGNS_ASCII:
		return ascii[size_min(left, countof(ascii) - 1)];
	case SIGNS_BLOCKS:
		return blocks[size_min(left, countof(blocks) - 1)];
	case SIGNS_BRAILLE:
		break;
	}
	left = left < countof(left_dots) ? left : countof(left_dots) - 1;
	right = right < countof(right_dots) ? right : countof(right_dots) - 1;
	return left + right == 0 ? ' ' : BRAILLE + left_dots[left] + right_dots[right];
}

void graph_draw(struct cells *c, struct area a, enum signs signs, const double *value, size_t n, double top,
		enum tint tint)
{
	unsigned levels = levels_of[signs], full = levels * a.rows, each = values_per_column(signs);

	for (size_t i = 0; i < n && i / each < a.columns; i += each) {
		unsigned left = height_of(value[i], top, full);
		unsigned right = each > 1 && i + 1 < n ? height_of(value[i + 1], top, full) : 0;

		for (unsigned row = 0; row < a.rows; row++) {
			uint32_t sign = sign_of(signs, part_in(left, row, levels), part_in(right, row, levels));

			cells_put(c, a.row + a.rows - 1 - row, a.column + (unsigned)(i / each), sign,
				  sign == ' ' ? TINT_PLAIN : tint);
		}
	}
}

size_t graph_first(size_t n, size_t width)
{
	size_t step = size_max(width / 4, 1);

	return n <= width ? 0 : (n - width + step - 1) / step * step;
}

double graph_scale(double highest, double least, double base)
{
	double power = least > 0 ? least : 1;

	if (!(highest > power))
		return power;
	while (power * base < highest)
		power *= base;
	/* Within a power of 1024: 1, 2, 5, 10 ... 500; of 10: 1, 2, 5. */
	for (double ten = 1; ten * 10 <= base; ten *= 10)
		for (int i = 0; i < 3; i++) {
			double scale = power * ten * (double[]){ 1, 2, 5 }[i];

			if (scale >= highest && scale < power * base)
				return scale;
		}
	return power * base;
}
