/* report_lines.h - lines of a summary, set bare (text/page.h), as facts of a report. */
#ifndef RT_REPORT_LINES_H
#define RT_REPORT_LINES_H

#include "../core/json_write.h"
#include "../core/scan.h"

/* "LABEL\tTEXT\n", without the blanks around both.  One without a label belongs to the line before. */
struct bare_line { struct word label, text; };

/* The next one from *at on; false: there is none. */
bool bare_line_next(struct bare_line *ret, const char **at, const char *end);

/* A member; the text is empty after. */
void report_text(struct json *j, const char *key, struct buffer *text);

/* A fact of a card; nothing if both texts are empty.  They are empty after. */
void report_fact(struct json *j, const char *card, struct word label, struct buffer *value, struct buffer *note);

/* All lines as they are. */
void report_lines(struct json *j, const char *card, const struct buffer *lines);
/* Lines of figures, each figure with a value of its own, and without what is unknown. */
void report_figures(struct json *j, const char *card, const struct buffer *lines);

#endif
