/* text_table.h - cells in columns as wide as they need to be. */
#ifndef RT_TEXT_TABLE_H
#define RT_TEXT_TABLE_H

#include "../core/buffer.h"

enum { TEXT_TABLE_COLUMNS = 9, TEXT_TABLE_CELL = 64 };

struct text_row { char cell[TEXT_TABLE_COLUMNS][TEXT_TABLE_CELL]; };

/* The text so far becomes a cell, cut to its room, and '?' for what could steer a terminal; then it is empty. */
void text_table_put(char cell[TEXT_TABLE_CELL], struct buffer *text);
/* The first `words` columns and the last begin at the left, the rest, which are numbers, end at the right. */
void text_table_write(struct buffer *out, const struct text_row *rows, size_t n, size_t columns, size_t words);

#endif
