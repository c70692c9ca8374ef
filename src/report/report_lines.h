/* report_lines.h - lines of a summary, printed bare (text/page.h), as facts of a report. */
#ifndef RT_REPORT_LINES_H
#define RT_REPORT_LINES_H

#include "../core/json_write.h"
#include "../core/scan.h"

/* A line "LABEL\tTEXT\n", both trimmed.  A line without a label continues the one before. */
struct bare_line { struct word label, text; };

/* Reads the next line and advances *at; false: no more lines, or one without a tab. */
bool bare_line_next(struct bare_line *ret, const char **at, const char *end);

/* Writes a member; empties the text, which belongs to the caller, here and below. */
void report_text(struct json *j, const char *key, struct buffer *text);

/* Writes a fact of a card; nothing if both texts are empty.  Empties them. */
void report_fact(struct json *j, const char *card, struct word label, struct buffer *value, struct buffer *note);

/* Writes all lines as they are. */
void report_lines(struct json *j, const char *card, const struct buffer *lines);
/* Writes lines of figures, each figure as a fact of its own, without unknown values. */
void report_figures(struct json *j, const char *card, const struct buffer *lines);

#endif
