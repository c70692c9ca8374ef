/*
 * bottom_row.h - the last row of a terminal, taken from the programs that use it.
 *
 * They go on as on a terminal that has a row less: the kernel reports that size to them (TIOCSWINSZ), so full-screen
 * programs leave the row alone, and the terminal scrolls above it only (DECSTBM).  Each change is one write(2), which
 * the kernel does not mix with those of others, and puts the cursor back to where it was (DECSC, DECRC).
 */
#ifndef RT_BOTTOM_ROW_H
#define RT_BOTTOM_ROW_H

#include <sys/ioctl.h>

#include "../core/buffer.h"

enum { BOTTOM_ROWS_LEAST = 4, BOTTOM_COLUMNS_LEAST = 20 };

struct bottom_row {
	int fd;                                 /* of the terminal */
	bool taken;
	struct winsize whole;                   /* while it is taken: the size with this row */
};

/*
 * Takes the row, or looks whether it has moved, as the window was resized, and follows.  false: the window is too
 * small, and nothing is taken.
 */
bool bottom_row_take(struct bottom_row *b);
/* Shows a text, of fewer columns than the terminal has and without a newline. */
void bottom_row_show(struct bottom_row *b, const char *text, size_t n);
/* Gives it back, blank. */
void bottom_row_give_back(struct bottom_row *b);

#endif
