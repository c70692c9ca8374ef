/*
 * page.h - labelled text for a terminal: a column of labels with wrapped text beside it.  Bare pages are for further
 * processing: each line is a label, a tab and a text; columns are separated by commas, nothing is wrapped, and there
 * are no graphs.
 *
 * A caller sets `out` and `style`.  For each line: page_label, then phrases or words, then page_end.  Texts are UTF-8
 * and may come from outside: unprintable characters become '?'.  Lack of memory is noted in `out` (buffer.h).
 */
#ifndef RT_PAGE_H
#define RT_PAGE_H

#include "../core/buffer.h"

/* Of the terminal; columns: its width in characters, of which PAGE_WIDEST at most are used. */
struct summary_style { unsigned columns; bool color, utf8; };

enum { PAGE_INDENT = 13, PAGE_WIDEST = 100 };

enum ink { INK_PLAIN, INK_BOLD, INK_FAINT, INK_GOOD, INK_BAD, INK_WARN, INK_GRAPH };

/* column: the width of the line so far. */
struct page { struct buffer *out; struct summary_style style; unsigned column; bool bare; };

void page_title(struct page *p, const char *title);
void page_label(struct page *p, const char *label, enum ink ink);       /* begins a line */
void page_tab(struct page *p, unsigned column);         /* fills with blanks up to this column */
/* Kept in one piece if some line has room for it, `gap` blanks after the preceding text. */
void page_phrase(struct page *p, unsigned gap, const char *text, enum ink ink);
void page_words(struct page *p, const char *text, enum ink ink);        /* wrapped at any blank */
void page_unbroken(struct page *p, const char *text);   /* not wrapped whatever its length: a path to be copied */
void page_end(struct page *p);                          /* ends the line */
unsigned page_room(const struct page *p);               /* columns left in this line */
void page_next_line(struct page *p);                    /* continues on the next line, indented */

#endif
