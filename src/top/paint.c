/* paint.c - the difference of two screens as text for a terminal (ECMA-48). */
#include "paint.h"

#include <string.h>

#include "../core/base.h"

/* A jump of the cursor costs up to 10 bytes: so many unchanged cells of the same tint are cheaper to send again. */
enum { BRIDGE = 6, TAIL_LEAST = 4 };

static const struct ink { const char *colour, *plain; } inks[TINT_COUNT] = {
	[TINT_PLAIN] = { "0", "0" },       [TINT_BOLD] = { "0;1", "0;1" },    [TINT_FAINT] = { "0;2", "0;2" },
	[TINT_HEAD] = { "0;7", "0;7" },    [TINT_GOOD] = { "0;1;32", "0;1" }, [TINT_WARN] = { "0;1;33", "0;1" },
	[TINT_BAD] = { "0;1;31", "0;1" },  [TINT_CPU] = { "0;32", "0" },      [TINT_MEMORY] = { "0;36", "0" },
	[TINT_DISK] = { "0;33", "0" },     [TINT_NETWORK] = { "0;35", "0" },  [TINT_GPU] = { "0;34", "0" },
};

struct pen { unsigned row, column; const char *ink; };  /* where the terminal is */

static void put_sign(struct buffer *out, uint32_t sign)
{
	if (sign < 0x80) {
		buffer_char(out, (char)sign);
		return;
	}
	if (sign < 0x800)
		buffer_char(out, (char)(0xc0 | sign >> 6));
	else {
		if (sign < 0x10000)
			buffer_char(out, (char)(0xe0 | sign >> 12));
		else {
			buffer_char(out, (char)(0xf0 | sign >> 18));
			buffer_char(out, (char)(0x80 | (sign >> 12 & 0x3f)));
		}
		buffer_char(out, (char)(0x80 | (sign >> 6 & 0x3f)));
	}
	buffer_char(out, (char)(0x80 | (sign & 0x3f)));
}

static const char *ink_of(const struct painter *p, enum tint tint)
{
	return p->colour ? inks[tint].colour : p->inks ? inks[tint].plain : "0";
}

static void set_ink(struct buffer *out, struct pen *pen, const char *ink)
{
	if (strcmp(pen->ink, ink) != 0)
		buffer_format(out, "\033[%sm", ink);
	pen->ink = ink;
}

static bool blank(const struct cell *c)
{
	return c->sign == ' ' && c->tint != TINT_HEAD;
}

/* Blanks look alike in every tint but that of reversed text. */
static bool same(const struct cell *a, const struct cell *b)
{
	return (a->sign == b->sign && a->tint == b->tint) || (blank(a) && blank(b));
}

/* Goes to a column of this row: by sending what is between, if that is short; else by a jump. */
static void go(struct buffer *out, const struct painter *p, struct pen *pen, const struct cells *now, unsigned row,
	       unsigned column)
{
	bool bridge = pen->row == row && pen->column <= column && column - pen->column <= BRIDGE;

	for (unsigned i = pen->column; bridge && i < column; i++)
		bridge = strcmp(ink_of(p, cell_at(now, row, i)->tint), pen->ink) == 0 &&
			 cell_at(now, row, i)->sign < 0x80;
	if (bridge)
		for (; pen->column < column; pen->column++)
			put_sign(out, cell_at(now, row, pen->column)->sign);
	else
		buffer_format(out, "\033[%u;%uH", row + 1, column + 1);
	pen->row = row;
	pen->column = column;
}

/* The column from which on the row is blank. */
static unsigned tail_of(const struct cells *now, unsigned row)
{
	unsigned tail = now->columns;

	while (tail > 0 && blank(cell_at(now, row, tail - 1)))
		tail--;
	return tail;
}

static void paint_row(struct buffer *out, struct painter *p, struct pen *pen, const struct cells *now, unsigned row)
{
	unsigned tail = tail_of(now, row), changed = 0;

	for (unsigned i = tail; i < now->columns; i++)
		changed += !same(cell_at(now, row, i), cell_at(&p->shown, row, i));
	for (unsigned column = 0; column < now->columns; column++) {
		const struct cell *cell = cell_at(now, row, column);

		if (same(cell, cell_at(&p->shown, row, column)))
			continue;
		go(out, p, pen, now, row, column);
		if (column >= tail && changed >= TAIL_LEAST) {
			set_ink(out, pen, "0");
			buffer_text(out, "\033[K");
			return;
		}
		set_ink(out, pen, ink_of(p, cell->tint));
		put_sign(out, cell->sign);
		pen->column++;
	}
}

int paint(struct buffer *out, struct painter *p, const struct cells *now)
{
	struct pen pen = { UINT32_MAX, 0, "?" };
	size_t before = out->len;

	if (p->shown.rows != now->rows || p->shown.columns != now->columns || !p->shown.at) {
		if (cells_resize(&p->shown, now->rows, now->columns) < 0)
			return -ENOMEM;
		set_ink(out, &pen, "0");
		buffer_text(out, "\033[2J");
	}
	for (unsigned row = 0; row < now->rows; row++)
		paint_row(out, p, &pen, now, row);
	if (out->failed) {
		paint_forget(p);
		return -ENOMEM;
	}
	memcpy(p->shown.at, now->at, (size_t)now->rows * now->columns * sizeof *now->at);
	p->credit_bytes -= (double)(out->len - before);
	return 0;
}

void paint_line(struct buffer *out, const struct painter *p, const struct cells *now, unsigned row)
{
	struct pen pen = { row, 0, "0" };

	for (unsigned column = 0; column < now->columns; column++) {
		set_ink(out, &pen, ink_of(p, cell_at(now, row, column)->tint));
		put_sign(out, cell_at(now, row, column)->sign);
	}
	set_ink(out, &pen, "0");
}

void paint_forget(struct painter *p)
{
	cells_release(&p->shown);
}

bool paint_may(struct painter *p, double seconds)
{
	p->credit_bytes = double_min(p->credit_bytes + seconds * PAINT_BYTES_PER_SECOND, PAINT_CREDIT_MOST);
	return p->credit_bytes > 0;
}
