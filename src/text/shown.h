/* shown.h - made fit for a sentence: a text from outside, short and without control characters; a list. */
#ifndef RT_SHOWN_H
#define RT_SHOWN_H

#include <stdbool.h>
#include <stddef.h>

struct shown { char text[72]; };
struct shown_path { char text[136]; };

struct shown show(const char *text);
struct shown_path show_path(const char *path);          /* the end of a long one, which tells more */

/* Makes "a, b or c" of one item after the other; an item without room is cut. */
void alternatives_add(char *list, size_t size, const char *item, bool last);

#endif
