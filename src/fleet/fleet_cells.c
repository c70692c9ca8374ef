/* fleet_cells.c - a table's columns, and the values of a row. */
#include "fleet_cells.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../core/json_write.h"
#include "../core/sample.h"

/* The name is `first`, or first_second. */
static void put(struct cells *c, const char *first, const char *second, enum value_type type, union value value)
{
	if (c->columns && c->columns->n < FLEET_COLUMNS_MOST) {
		struct fleet_column *column = &c->columns->at[c->columns->n++];

		column->type = type;
		(void)snprintf(column->name, sizeof column->name, "%s%s%s", first, *second ? "_" : "", second);
	}
	if (c->values && c->n < FLEET_COLUMNS_MOST)
		c->values[c->n++] = value;
}

void cell_number_of(struct cells *c, const char *first, const char *second, double number)
{
	put(c, first, second, VALUE_NUMBER, (union value){ .number = isfinite(number) ? number : NONE });
}

void cell_number(struct cells *c, const char *name, double number)
{
	cell_number_of(c, name, "", number);
}

void cell_integer(struct cells *c, const char *name, int64_t integer)
{
	put(c, name, "", VALUE_INTEGER, (union value){ .integer = integer });
}

/* The text is copied as valid UTF-8; NULL is "". */
void cell_text_of(struct cells *c, const char *first, const char *second, const char *text)
{
	union value value = { .text = "" };
	struct buffer clean = { 0 };

	if (c->values && text && *text) {
		utf8_write(&clean, text, strlen(text));
		value.text = clean.failed ? NULL : arena_copy(c->arena, clean.at, clean.len);
		c->failed = c->failed || !value.text;
		buffer_release(&clean);
	}
	put(c, first, second, VALUE_TEXT, value);
}

void cell_text(struct cells *c, const char *name, const char *text)
{
	cell_text_of(c, name, "", text);
}

/* Ends the buffer's text, puts it and releases it. */
void cell_buffer(struct cells *c, const char *name, struct buffer *text)
{
	buffer_char(text, '\0');
	c->failed = c->failed || text->failed;
	cell_text(c, name, text->failed ? "" : text->at);
	buffer_release(text);
}
