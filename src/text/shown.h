/* shown.h - makes external text printable: without characters that control a terminal or the direction of text. */
#ifndef RT_SHOWN_H
#define RT_SHOWN_H

#include <stdbool.h>
#include <stddef.h>

#include "../core/buffer.h"

/*
 * The number of bytes of the character at `text`, with n > 0, and whether it is printable.  Not printable are
 * controls (C0, DEL, C1), Unicode's bidirectional controls, line separators, and invalid UTF-8.
 */
size_t sign_length(const char *text, size_t n, bool *ret_fit);
/* Appends the text, with `instead` for each unprintable character. */
void show_text(struct buffer *out, const char *text, size_t n, char instead);

struct shown { char text[72]; };
struct shown_path { char text[136]; };

/* By value, so that .text of several can be in one sentence; what is cut shows as "...". */
struct shown show(const char *text);
struct shown_path show_path(const char *path);          /* the end of a long path, as the more specific part */

/* Appends items one by one to make "a, b or c"; list is "" at first; an item without room is cut. */
void alternatives_add(char *list, size_t size, const char *item, bool last);

#endif
