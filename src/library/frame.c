/* frame.c - rows of texts and doubles, by column. */
#include "frame.h"

#include <string.h>

#include "../core/sample.h"

enum { FIRST_ROOM = 16 };

struct rt_frame *frame_open(const char *const *names)
{
	struct rt_frame *f = calloc(1, sizeof *f);

	for (; f && *names; names++)
		f->text_names[f->n_texts++] = *names;
	return f;
}

void frame_close(struct rt_frame *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->n_columns; i++)
		free(f->columns[i].at);
	for (size_t i = 0; i < f->n_texts; i++)
		free(f->texts[i]);
	free(f->columns);
	free(f->bytes);
	free(f);
}

/* Whether so many rows, columns and bytes of texts would exceed the limit. */
static bool too_much(const struct rt_frame *f, size_t rows, size_t columns, size_t bytes)
{
	return rows * (columns + f->n_texts) + bytes / sizeof(double) > f->most;
}

ssize_t frame_append(struct rt_frame *f, const char *name, const char *unit, const char *kind)
{
	if (f->n_columns == FRAME_COLUMNS_MAX)
		return -E2BIG;
	if (too_much(f, f->n_rows, f->n_columns + 1, f->n_bytes))
		return -EFBIG;

	if (f->n_columns == f->columns_room) {
		size_t room = size_max(2 * f->columns_room, FIRST_ROOM);
		struct frame_column *columns = realloc(f->columns, room * sizeof *columns);

		if (!columns)
			return -ENOMEM;
		f->columns = columns;
		f->columns_room = room;
	}

	struct frame_column *c = &f->columns[f->n_columns];
	double *at = malloc(size_max(f->room, 1) * sizeof *at);

	if (!at)
		return -ENOMEM;
	for (size_t row = 0; row < f->n_rows; row++)
		at[row] = NONE;
	*c = (struct frame_column){ .at = at };
	memcpy(c->name, name, strnlen(name, sizeof c->name - 1));
	memcpy(c->unit, unit, strnlen(unit, sizeof c->unit - 1));
	memcpy(c->kind, kind, strnlen(kind, sizeof c->kind - 1));
	return (ssize_t)f->n_columns++;
}

ssize_t frame_column(struct rt_frame *f, size_t expected, const char *name, const char *unit, const char *kind)
{
	if (expected < f->n_columns && strcmp(f->columns[expected].name, name) == 0)
		return (ssize_t)expected;
	for (size_t i = 0; i < f->n_columns; i++)
		if (strcmp(f->columns[i].name, name) == 0)
			return (ssize_t)i;
	return frame_append(f, name, unit, kind);
}

int frame_name_columns(struct rt_frame *f, const struct column_words *words, size_t n)
{
	ssize_t r = 0;

	for (size_t i = f->n_columns; r >= 0 && i < n; i++)
		r = frame_append(f, words[i].name, words[i].unit, words[i].kind);
	return r < 0 ? (int)r : 0;
}

/* Makes room for another row. */
static int reserve_row(struct rt_frame *f)
{
	size_t room = f->room > 0 ? 2 * f->room : FIRST_ROOM;

	if (f->n_rows < f->room)
		return 0;
	room = size_max(room, size_min(f->expected, f->most / size_max(f->n_columns + f->n_texts, 1)));
	for (size_t i = 0; i < f->n_columns; i++) {
		double *at = realloc(f->columns[i].at, room * sizeof *at);

		if (!at)
			return -ENOMEM;
		f->columns[i].at = at;
	}
	for (size_t i = 0; i < f->n_texts; i++) {
		size_t *at = realloc(f->texts[i], room * sizeof *at);

		if (!at)
			return -ENOMEM;
		f->texts[i] = at;
	}
	f->room = room;
	return 0;
}

static int put_text(struct rt_frame *f, const char *text, size_t *recent, size_t *ret)
{
	size_t n = strlen(text) + 1;

	if (f->n_bytes == 0 || strcmp(f->bytes + *recent, text) != 0) {
		if (f->bytes_room - f->n_bytes < n) {
			size_t room = 2 * f->bytes_room + n + FIRST_ROOM;
			char *bytes = realloc(f->bytes, room);

			if (!bytes)
				return -ENOMEM;
			f->bytes = bytes;
			f->bytes_room = room;
		}
		memcpy(f->bytes + f->n_bytes, text, n);
		*recent = f->n_bytes;
		f->n_bytes += n;
	}
	*ret = *recent;
	return 0;
}

int frame_add(struct rt_frame *f, const double *values, size_t n, const char *const *texts, size_t slot)
{
	int r = too_much(f, f->n_rows + 1, f->n_columns, f->n_bytes) ? -EFBIG : reserve_row(f);

	for (size_t i = 0; r == 0 && i < f->n_texts; i++)
		r = put_text(f, texts[i], &f->recent[(slot * f->n_texts + i) % FRAME_RECENT], &f->texts[i][f->n_rows]);
	if (r < 0)
		return r;
	for (size_t i = 0; i < f->n_columns; i++)
		f->columns[i].at[f->n_rows] = i < n ? values[i] : NONE;
	f->n_rows++;
	return 0;
}
