/* text_table.c - a table with columns as wide as their cells. */
#include "text_table.h"
#include "shown.h"

#include <string.h>

void text_table_put(char cell[TEXT_TABLE_CELL], struct buffer *text)
{
	size_t n = text->failed ? 0 : size_min(text->len, TEXT_TABLE_CELL - 1);

	while (n > 0 && n < text->len && ((unsigned char)text->at[n] & 0xc0) == 0x80)
		n--;                            /* not within a character */
	struct buffer fit = { 0 };

	show_text(&fit, text->at ? text->at : "", n, '?');
	n = fit.failed ? 0 : fit.len;
	if (n > 0)
		memcpy(cell, fit.at, n);
	cell[n] = '\0';
	buffer_release(&fit);
	buffer_clear(text);
}

/* In characters, not bytes: UTF-8. */
static size_t width_of(const char *text)
{
	size_t width = 0;

	for (; *text; text++)
		width += ((unsigned char)*text & 0xc0) != 0x80;
	return width;
}

static void blanks(struct buffer *out, size_t n)
{
	while (n-- > 0)
		buffer_char(out, ' ');
}

void text_table_write(struct buffer *out, const struct text_row *rows, size_t n, size_t columns, size_t words)
{
	size_t widths[TEXT_TABLE_COLUMNS] = { 0 };

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < columns; k++)
			widths[k] = size_max(widths[k], width_of(rows[i].cell[k]));
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < columns; k++) {
			const char *cell = rows[i].cell[k];
			bool left = k < words || k + 1 == columns;
			size_t rest = widths[k] - width_of(cell);

			blanks(out, (k > 0 ? 2 : 0) + (left ? 0 : rest));
			buffer_text(out, cell);
			blanks(out, left && k + 1 < columns ? rest : 0);
		}
		while (out->len > 0 && out->at[out->len - 1] == ' ')
			out->len--;
		buffer_char(out, '\n');
	}
}
