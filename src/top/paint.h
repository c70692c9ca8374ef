/*
 * paint.h - what has to be sent to a terminal so that it shows a screen: only the cells that differ from what it shows
 * already.  Pure.
 */
#ifndef RT_PAINT_H
#define RT_PAINT_H

#include "../core/buffer.h"
#include "cells.h"

/*
 * inks: bold, faint and reversed text is understood (not with TERM=dumb); colour: so are colours.
 *
 * credit_bytes: what can be sent at once.  It grows by PAINT_BYTES_PER_SECOND, so a busy screen of any size is sent
 * more seldom rather than filling a slow line.
 */
struct painter {
	bool inks, colour;
	struct cells shown;                     /* what the terminal shows; of another size than the next: unknown */
	double credit_bytes;
};

enum { PAINT_BYTES_PER_SECOND = 1800, PAINT_CREDIT_MOST = 8192 };

/* Appends what changes the terminal from `shown` to `now`, and counts it.  -ENOMEM: out is not to be sent. */
int  paint(struct buffer *out, struct painter *p, const struct cells *now) must_use;
/* The terminal's contents are unknown: the next paint sends all.  Frees what was kept. */
void paint_forget(struct painter *p);

/* Time has passed; whether the next screen may be sent now. */
bool paint_may(struct painter *p, double seconds);

#endif
