/* sqlite_answer.c - asks a database of SQLite. */
#include "sqlite_answer.h"

#include <stdio.h>
#include <string.h>

#include "../core/sample.h"

static int bind(sqlite3_stmt *statement, const struct parameter *p)
{
	char name[32];
	int place, r;

	(void)snprintf(name, sizeof name, ":%s", p->name);
	place = sqlite3_bind_parameter_index(statement, name);
	if (place == 0)                         /* this question has none of it */
		return 0;
	r = p->text ? sqlite3_bind_text(statement, place, p->text, -1, SQLITE_STATIC)
		    : sqlite3_bind_double(statement, place, p->number);
	return r == SQLITE_OK ? 0 : -EIO;
}

/* A column is of numbers unless a row has a text there. */
static void find_types(struct fleet_result *ret, sqlite3_stmt *statement)
{
	for (size_t i = 0; i < ret->columns.n; i++)
		if (sqlite3_column_type(statement, (int)i) == SQLITE_TEXT)
			ret->columns.at[i].type = VALUE_TEXT;
}

static int take_row(struct fleet_result *ret, sqlite3_stmt *statement)
{
	union value *row = fleet_result_row(ret);

	for (size_t i = 0; row && i < ret->columns.n; i++) {
		const char *text = (const char *)sqlite3_column_text(statement, (int)i);

		if (ret->columns.at[i].type == VALUE_NUMBER)
			row[i].number = text ? sqlite3_column_double(statement, (int)i) : NONE;
		else if (!(row[i].text = text ? arena_copy(&ret->arena, text, strlen(text)) : ""))
			return -ENOMEM;
	}
	return row ? 0 : -ENOMEM;
}

int sqlite_ask(sqlite3 *sqlite, const char *sql, const struct parameter *parameters, size_t n,
	       struct fleet_result *ret)
{
	sqlite3_stmt *statement = NULL;
	int step = SQLITE_ERROR, r = 0;

	if (sqlite3_prepare_v2(sqlite, sql, -1, &statement, NULL) != SQLITE_OK)
		return -EIO;
	for (size_t i = 0; r == 0 && i < n; i++)
		r = bind(statement, &parameters[i]);
	for (int i = 0; i < sqlite3_column_count(statement) && i < FLEET_COLUMNS_MOST; i++) {
		struct fleet_column *column = &ret->columns.at[ret->columns.n++];

		column->type = VALUE_NUMBER;
		(void)snprintf(column->name, sizeof column->name, "%s", sqlite3_column_name(statement, i));
	}
	while (r == 0 && (step = sqlite3_step(statement)) == SQLITE_ROW) {
		if (ret->n_rows == 0)
			find_types(ret, statement);
		r = take_row(ret, statement);
	}
	if (r == 0 && step != SQLITE_DONE)
		r = -EIO;
	(void)sqlite3_finalize(statement);
	return r;
}
