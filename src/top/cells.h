/* cells.h - a screen in memory: rows of characters with a tint, onto which the view is drawn.  Pure. */
#ifndef RT_CELLS_H
#define RT_CELLS_H

#include "../core/base.h"

/* What a character means; paint.c says how a terminal shows it. */
enum tint {
	TINT_PLAIN, TINT_BOLD, TINT_FAINT, TINT_HEAD, TINT_GOOD, TINT_WARN, TINT_BAD,
	TINT_CPU, TINT_MEMORY, TINT_DISK, TINT_NETWORK, TINT_GPU, TINT_COUNT
};

struct cell { uint32_t sign; enum tint tint; };         /* sign: a Unicode character one column wide */
struct cells { unsigned rows, columns; struct cell *at; };
struct area { unsigned row, column, rows, columns; };

enum { CELLS_ROWS_MAX = 300, CELLS_COLUMNS_MAX = 600 };        /* the rest of a larger window stays blank */

/* Another size, of at most CELLS_..._MAX; all blank.  *c is zeroed at first.  -ENOMEM: unchanged. */
int  cells_resize(struct cells *c, unsigned rows, unsigned columns) must_use;
void cells_release(struct cells *c);
void cells_clear(struct cells *c);

/* Within the screen, which the caller checks. */
static inline struct cell *cell_at(const struct cells *c, unsigned row, unsigned column)
{
	return &c->at[(size_t)row * c->columns + column];
}

/* One character; outside of the screen nothing happens. */
void cells_put(struct cells *c, unsigned row, unsigned column, uint32_t sign, enum tint tint);

/*
 * UTF-8 text in at most `width` columns; returns the number of columns used.  A character that is unprintable, or is
 * not surely one column wide, becomes "?"; without `utf8`, so does each beyond ASCII.
 */
unsigned cells_text(struct cells *c, unsigned row, unsigned column, unsigned width, const char *text, bool utf8,
		    enum tint tint);
/* The columns that the text would take. */
unsigned text_columns(const char *text);

#endif
