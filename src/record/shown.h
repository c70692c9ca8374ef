/* shown.h - a text from outside, made fit for a sentence: short, and without control characters. */
#ifndef RT_SHOWN_H
#define RT_SHOWN_H

struct shown { char text[72]; };
struct shown_path { char text[136]; };

struct shown show(const char *text);
struct shown_path show_path(const char *path);          /* the end of a long one, which tells more */

#endif
