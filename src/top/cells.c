/* cells.c - a screen in memory. */
#include "cells.h"

#include <string.h>

#include "../text/shown.h"

int cells_resize(struct cells *c, unsigned rows, unsigned columns)
{
	rows = rows < CELLS_ROWS_MAX ? rows : CELLS_ROWS_MAX;
	columns = columns < CELLS_COLUMNS_MAX ? columns : CELLS_COLUMNS_MAX;

	struct cell *at = calloc(size_max((size_t)rows * columns, 1), sizeof *at);

	if (!at)
		return -ENOMEM;
	free(c->at);
	c->at = at;
	c->rows = rows;
	c->columns = columns;
	cells_clear(c);
	return 0;
}

void cells_release(struct cells *c)
{
	free(c->at);
	*c = (struct cells){ 0 };
}

void cells_clear(struct cells *c)
{
	for (size_t i = 0; i < (size_t)c->rows * c->columns; i++)
		c->at[i] = (struct cell){ ' ', TINT_PLAIN };
}

void cells_put(struct cells *c, unsigned row, unsigned column, uint32_t sign, enum tint tint)
{
	if (row < c->rows && column < c->columns)
		*cell_at(c, row, column) = (struct cell){ sign, tint };
}

/* The code point of a valid UTF-8 character of n bytes. */
static uint32_t decoded(const char *text, size_t n)
{
	static const unsigned char first[] = { 0, 0x7f, 0x1f, 0x0f, 0x07 };
	uint32_t sign = (unsigned char)text[0] & first[n];

	for (size_t i = 1; i < n; i++)
		sign = sign << 6 | ((unsigned char)text[i] & 0x3f);
	return sign;
}

/* Latin, Greek and Cyrillic without combining marks, and the signs that the view itself uses. */
static bool one_column(uint32_t sign)
{
	return sign < 0x300 || (sign >= 0x370 && sign < 0x483) || (sign >= 0x48a && sign < 0x530) ||
	       (sign >= 0x2010 && sign < 0x2028) || (sign >= 0x2190 && sign < 0x2194) ||
	       (sign >= 0x2500 && sign < 0x25d0);
}

unsigned cells_text(struct cells *c, unsigned row, unsigned column, unsigned width, const char *text, bool utf8,
		    enum tint tint)
{
	unsigned used = 0;

	for (size_t left = strlen(text); left > 0 && used < width;) {
		bool fit;
		size_t n = size_min(sign_length(text, left, &fit), left);
		uint32_t sign = fit && n <= 4 ? decoded(text, n) : '?';

		if (!one_column(sign) || (!utf8 && sign > 0x7e))
			sign = '?';
		cells_put(c, row, column + used++, sign, tint);
		text += n;
		left -= n;
	}
	return used;
}

unsigned text_columns(const char *text)
{
	unsigned n = 0;

	for (size_t left = strlen(text); left > 0; n++) {
		bool fit;
		size_t bytes = size_min(sign_length(text, left, &fit), left);

		text += bytes;
		left -= bytes;
	}
	return n;
}
