/* clickhouse_answer.c - the rows that ClickHouse answers. */
#include "clickhouse_answer.h"

#include <string.h>

#include "../core/json_read.h"
#include "../core/sample.h"
#include "../core/scan.h"

/* The bytes of a cell, without its escapes. */
static void unescape(struct buffer *out, struct word cell)
{
	static const char signs[] = "bfnrt0", meant[] = "\b\f\n\r\t\0";

	for (size_t i = 0; i < cell.len; i++) {
		const char *sign = NULL;

		if (cell.at[i] == '\\' && i + 1 < cell.len) {
			sign = memchr(signs, cell.at[++i], sizeof signs - 1);
			buffer_char(out, sign ? meant[sign - signs] : cell.at[i]);
		} else {
			buffer_char(out, cell.at[i]);
		}
	}
}

static int take_text(union value *ret, struct arena *arena, struct word cell)
{
	struct buffer text = { 0 };

	if (!word_is(cell, "\\N"))
		unescape(&text, cell);
	ret->text = text.failed ? NULL : arena_copy(arena, text.at, text.len);
	buffer_release(&text);
	return ret->text ? 0 : -ENOMEM;
}

static int take_number(union value *ret, struct word cell)
{
	static const char *const unknown[] = { "\\N", "nan", "-nan", "inf", "-inf" };
	struct json_value number;

	ret->number = NONE;
	for (size_t i = 0; i < countof(unknown); i++)
		if (word_is(cell, unknown[i]))
			return 0;
	if (json_parse(&number, cell.at, cell.len) < 0 || number.kind != JSON_NUMBER)
		return -EBADMSG;
	ret->number = json_as_number(number);
	return 0;
}

/* The next cell of a line; false: there is none. */
static bool next_cell(struct word *line, struct word *ret)
{
	const char *tab;

	if (!line->at)
		return false;
	tab = memchr(line->at, '\t', line->len);
	ret->at = line->at;
	ret->len = tab ? (size_t)(tab - line->at) : line->len;
	line->len -= tab ? ret->len + 1 : ret->len;
	line->at = tab ? tab + 1 : NULL;
	return true;
}

/* A line of names, and one of types. */
static int take_columns(struct fleet_columns *ret, struct scan *s)
{
	struct word names, types, name, type;

	if (!scan_line(s, &names) || !scan_line(s, &types))
		return -EBADMSG;
	while (next_cell(&names, &name)) {
		struct fleet_column *column = &ret->at[ret->n];

		if (ret->n == FLEET_COLUMNS_MOST || !next_cell(&types, &type))
			return -EBADMSG;
		if (!word_copy(name, column->name, sizeof column->name))
			return -EBADMSG;
		column->type = memmem(type.at, type.len, "String", 6) ? VALUE_TEXT : VALUE_NUMBER;
		ret->n++;
	}
	return types.at ? -EBADMSG : 0;
}

static int take_row(struct fleet_result *ret, struct word line)
{
	union value *row = fleet_result_row(ret);
	struct word cell;
	int r = row ? 0 : -ENOMEM;

	for (size_t i = 0; r == 0 && i < ret->columns.n; i++) {
		row[i].number = NONE;
		if (!next_cell(&line, &cell))
			r = -EBADMSG;
		else if (ret->columns.at[i].type == VALUE_TEXT)
			r = take_text(&row[i], &ret->arena, cell);
		else
			r = take_number(&row[i], cell);
	}
	return r == 0 && line.at ? -EBADMSG : r;
}

int clickhouse_answer_read(struct fleet_result *ret, const char *text, size_t n)
{
	struct scan s = scan_of(text, n);
	struct word line;
	int r = take_columns(&ret->columns, &s);

	while (r == 0 && scan_line(&s, &line))
		r = take_row(ret, line);
	return r;
}
