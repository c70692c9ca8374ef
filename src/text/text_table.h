/* text_table.h - a table with columns as wide as their cells. */
#ifndef RT_TEXT_TABLE_H
#define RT_TEXT_TABLE_H

#include "../core/buffer.h"

enum { TEXT_TABLE_COLUMNS = 9, TEXT_TABLE_CELL = 64 };

struct text_row { char cell[TEXT_TABLE_COLUMNS][TEXT_TABLE_CELL]; };

/* Copies the text to a cell, cut to its size, with '?' for control characters; empties the text. */
void text_table_put(char cell[TEXT_TABLE_CELL], struct buffer *text);
/* Appends n lines.  The first `words` columns and the last are aligned left; the others, which are numbers, right. */
void text_table_write(struct buffer *out, const struct text_row *rows, size_t n, size_t columns, size_t words);

#endif
