/* layout.c - where each part of the view stands. */
#include "layout.h"

enum { TABLE_LEAST = 3, TABLE_USUAL = 5, GRAPH_MOST = 16, BANDS_MOST = COURSE_COUNT };

/* Panels that stand beside each other. */
struct band { unsigned rows; size_t n; enum course panel[2]; };

static size_t bands_of(struct band ret[BANDS_MOST], bool wide, bool has_gpus)
{
	size_t n = 0, panels = has_gpus ? COURSE_COUNT : COURSE_GPU;

	for (size_t i = 0; i < panels; n++) {
		ret[n] = (struct band){ .rows = 1 };
		while (i < panels && ret[n].n < (wide ? 2 : 1))
			ret[n].panel[ret[n].n++] = (enum course)i++;
	}
	return n;
}

/* Gives the bands a row for each heading, then graphs; returns the number of bands that have room. */
static size_t heighten(struct band *bands, size_t n, unsigned room)
{
	unsigned table = room > 14 ? TABLE_USUAL : TABLE_LEAST;
	unsigned spare = room > table ? room - table : 0;

	n = size_min(n, spare);
	/* Three fifths of what is left are graphs, the upper ones first; the rest are rows of tables. */
	for (unsigned graphs = (spare - (unsigned)n) * 3 / 5, i = 0; n > 0 && graphs > 0; graphs--, i++)
		if (bands[i % n].rows <= GRAPH_MOST)
			bands[i % n].rows++;
	return n;
}

static struct area take(struct area *from, unsigned rows)
{
	struct area a = *from;

	a.rows = rows < from->rows ? rows : from->rows;
	from->row += a.rows;
	from->rows -= a.rows;
	return a;
}

/* The i-th of n parts beside each other, with two blank columns between them. */
static struct area part_of(struct area a, unsigned i, unsigned n)
{
	unsigned width = (a.columns + 2) / n;

	return (struct area){
		a.row, a.column + i * width, a.rows, i + 1 < n ? width - 2 : a.columns - i * width,
	};
}

/* Title, state and keys; *left is what remains. */
static struct layout frame(unsigned rows, unsigned columns, struct area *left)
{
	struct layout l = { .fits = rows >= ROWS_LEAST && columns >= COLUMNS_LEAST };

	*left = (struct area){ 0, 0, rows, columns };
	if (!l.fits)
		return l;
	l.keys = (struct area){ rows - 1, 0, 1, columns };
	left->rows--;
	l.title = take(left, 1);
	l.state = take(left, 1);
	return l;
}

static void place_panels(struct layout *l, struct area *left, const struct band *bands, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct area band = take(left, bands[i].rows);

		for (unsigned j = 0; j < bands[i].n; j++)
			l->panel[bands[i].panel[j]] = part_of(band, j, (unsigned)bands[i].n);
	}
}

struct layout layout_of(unsigned rows, unsigned columns, bool has_gpus, enum entry_kind chosen)
{
	struct area left;
	struct layout l = frame(rows, columns, &left);
	bool wide = columns >= COLUMNS_WIDE;
	struct band bands[BANDS_MOST];
	unsigned regions = rows / 24 < 1 ? 1 : rows / 24 < 3 ? rows / 24 : 3;

	if (!l.fits)
		return l;
	place_panels(&l, &left, bands, heighten(bands, bands_of(bands, wide, has_gpus), left.rows - 1 - regions));
	l.warnings = take(&left, 1);
	l.regions = take(&left, regions);
	if (wide)
		for (unsigned i = 0; i < 2; i++)
			l.table[i] = part_of(left, i, 2);
	else
		l.table[chosen] = left;
	return l;
}

struct layout layout_of_job(unsigned rows, unsigned columns)
{
	struct area left;
	struct layout l = frame(rows, columns, &left);
	struct band bands[BANDS_MOST];
	size_t n = bands_of(bands, columns >= COLUMNS_WIDE, false);

	if (!l.fits)
		return l;
	/* A third is sums, with graphs from 30 rows on; on a small screen only the first of them. */
	n = size_min(n, left.rows / 3);
	for (size_t i = 0; i < n; i++)
		bands[i].rows = rows < 30 ? 1 : left.rows / (3 * (unsigned)n);
	place_panels(&l, &left, bands, n);
	l.warnings = take(&left, 1);
	l.table[0] = left;
	return l;
}
