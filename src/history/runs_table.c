/* runs_table.c - past runs as a table. */
#include "runs_table.h"

#include <string.h>

#include "../text/shown.h"

enum {
	COMMAND_LEAST = 16,
	CELL_MOST = 1000,                       /* every line is padded to the widest cell: names can be megabytes */
};

/* The best basis that all jobs of the list with this quantity have. */
static enum basis basis_of_jobs(const struct past_run *const *runs, size_t n, enum quantity q)
{
	struct basis_set set = basis_set_all();

	for (size_t i = 0; i < n; i++)
		if (is_none(runs[i]->values.by[q][BASIS_MACHINE]))
			basis_set_narrow(&set, &runs[i]->values, q);
	return basis_set_best(&set);
}

static unsigned width_of(const char *text, size_t n)
{
	unsigned width = 0;

	for (size_t i = 0; i < n; i++)
		width += ((unsigned char)text[i] & 0xc0) != 0x80;
	return width;
}

/* At most `width` characters, without control characters. */
static void put(struct buffer *out, const char *text, size_t n, unsigned width)
{
	bool fit;

	for (size_t i = 0, length; i < n && width-- > 0; i += length) {
		length = sign_length(text + i, n - i, &fit);
		show_text(out, text + i, length, '?');
	}
}

static void pad(struct buffer *out, unsigned width, unsigned to)
{
	for (; width < to; width++)
		buffer_char(out, ' ');
}

static unsigned cell_width(const struct buffer *text)
{
	unsigned width = width_of(text->at, text->len);

	return width < CELL_MOST ? width : CELL_MOST;
}

static void put_cell(struct buffer *out, const struct buffer *text, bool right, bool last, unsigned width)
{
	unsigned has = cell_width(text);

	if (right)
		pad(out, has, width);
	put(out, text->at, text->len, width);
	if (last)
		buffer_char(out, '\n');
	else if (!right)
		pad(out, has, width);
	if (!last)
		buffer_text(out, "  ");
}

/* The last column is cut to what the others leave. */
static unsigned command_width(unsigned columns, unsigned before)
{
	return columns == 0 ? UINT32_MAX : columns > before + COMMAND_LEAST ? columns - before : COMMAND_LEAST;
}

void runs_table(struct buffer *out, const struct past_run *const *runs, size_t n, const struct runs_columns *which,
		unsigned columns, bool utf8)
{
	struct runs_columns shown = *which;
	unsigned widths[RUNS_COLUMNS_MOST] = { 0 }, before = 0;
	enum basis memory = basis_of_jobs(runs, n, QUANTITY_peak_memory);
	struct buffer text = { 0 };

	if (shown.n == 0)
		runs_columns_usual(&shown, runs, n);
	for (size_t pass = 0; pass < 2; pass++) {       /* the first finds the widths */
		for (size_t i = 0; i < n + 1; i++)
			for (size_t k = 0; k < shown.n; k++) {
				size_t c = shown.at[k];

				buffer_clear(&text);
				if (i == 0)
					runs_title(&text, c, memory);
				else
					runs_cell(&text, runs[i - 1], c, memory, utf8);
				if (pass > 0)
					put_cell(out, &text, runs_column_is_number(c), k + 1 == shown.n, widths[k]);
				else if (cell_width(&text) > widths[k])
					widths[k] = cell_width(&text);
			}
		for (size_t k = 0; pass == 0 && k + 1 < shown.n; k++)
			before += widths[k] + 2;
		if (pass == 0 && shown.at[shown.n - 1] == COLUMN_COMMAND)
			widths[shown.n - 1] = command_width(columns, before);
	}
	buffer_release(&text);
}
