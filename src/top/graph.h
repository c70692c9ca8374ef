/* graph.h - a course over time as a filled graph of characters.  Pure. */
#ifndef RT_GRAPH_H
#define RT_GRAPH_H

#include "cells.h"

enum signs { SIGNS_ASCII, SIGNS_BLOCKS, SIGNS_BRAILLE };        /* by what the terminal can show */

/* The number of values beside each other in a column of characters. */
static inline unsigned values_per_column(enum signs s) { return s == SIGNS_BRAILLE ? 2 : 1; }

/*
 * Draws values, the oldest at the left edge; those beyond the area are left out.  A value of `top` or more fills the
 * height; a value above 0 is never invisible; NONE is a gap.
 */
void graph_draw(struct cells *c, struct area a, enum signs signs, const double *value, size_t n, double top,
		enum tint tint);

/*
 * The first value to show of `n` so far, where `width` of them have room: the graph grows to the right, and moves by a
 * quarter of the width when it is full.  So a new value changes one column of the screen, not all of them, and a remote
 * terminal receives little.
 */
size_t graph_first(size_t n, size_t width);

/*
 * The end of the scale for a highest value: the next of 1, 2, 5 times a power of `base` (10, or 1024 for bytes), and at
 * least `least`, of a NONE too.
 */
double graph_scale(double highest, double least, double base);

#endif
