/* shown.h - made fit to be shown: a text from outside, without what steers a terminal or the order of letters. */
#ifndef RT_SHOWN_H
#define RT_SHOWN_H

#include <stdbool.h>
#include <stddef.h>

#include "../core/buffer.h"

/*
 * The number of bytes of the sign at `text`, of n > 0, and whether it may be shown.  Not so are controls (C0, DEL, C1),
 * those of the direction of writing (Unicode's bidirectional controls), separators of lines, and what is no UTF-8.
 */
size_t sign_length(const char *text, size_t n, bool *ret_fit);
/* Appends the text, with `instead` for each such sign. */
void show_text(struct buffer *out, const char *text, size_t n, char instead);

struct shown { char text[72]; };
struct shown_path { char text[136]; };

struct shown show(const char *text);
struct shown_path show_path(const char *path);          /* the end of a long one, which tells more */

/* Makes "a, b or c" of one item after the other; an item without room is cut. */
void alternatives_add(char *list, size_t size, const char *item, bool last);

#endif
