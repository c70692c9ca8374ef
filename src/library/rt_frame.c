/* rt_frame.c - the public functions of a frame. */
#include "../../include/resource_tracker_records.h"
#include "frame.h"
#include "rt_options.h"

size_t rt_frame_rows(const struct rt_frame *f)
{
	return f->n_rows;
}

size_t rt_frame_columns(const struct rt_frame *f)
{
	return f->n_columns;
}

int rt_frame_column_info(const struct rt_frame *f, size_t column, struct rt_column_info *ret)
{
	if (column >= f->n_columns)
		return -EINVAL;

	const struct frame_column *c = &f->columns[column];
	struct rt_column_info found = { .size = ret->size, .name = c->name, .unit = c->unit, .kind = c->kind };

	return result_give(ret, found.size, &found, sizeof found);
}

ssize_t rt_frame_find(const struct rt_frame *f, const char *name)
{
	for (size_t i = 0; i < f->n_columns; i++)
		if (strcmp(f->columns[i].name, name) == 0)
			return (ssize_t)i;
	return -ENOENT;
}

const double *rt_frame_column(const struct rt_frame *f, ssize_t column)
{
	return column >= 0 && (size_t)column < f->n_columns && f->n_rows > 0 ? f->columns[column].at : NULL;
}

ssize_t rt_frame_row(const struct rt_frame *f, size_t row, double *ret, size_t room)
{
	if (row >= f->n_rows)
		return -EINVAL;
	for (size_t i = 0; i < size_min(f->n_columns, room); i++)
		ret[i] = f->columns[i].at[row];
	return (ssize_t)f->n_columns;
}

size_t rt_frame_texts(const struct rt_frame *f)
{
	return f->n_texts;
}

const char *rt_frame_text_name(const struct rt_frame *f, size_t text)
{
	return text < f->n_texts ? f->text_names[text] : NULL;
}

const char *rt_frame_text(const struct rt_frame *f, size_t row, size_t text)
{
	return row < f->n_rows && text < f->n_texts ? f->bytes + f->texts[text][row] : NULL;
}
