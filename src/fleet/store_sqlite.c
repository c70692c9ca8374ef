/*
 * store_sqlite.c - a store in a file of SQLite.
 *
 * Runs are written in one transaction for each call: after a kill the file has all runs of a call, or none.
 */
#include "fleet_store.h"

#include <stdio.h>
#include <string.h>

#include "../export/database.h"
#include "../text/shown.h"
#include "quantile.h"
#include "sqlite_answer.h"

enum { APPLICATION = 0x72746c31, SCHEMA_VERSION = 1, ASK_BUSY_MS = 30000 };

static const char *const types[] = {
	[VALUE_TEXT] = "TEXT NOT NULL DEFAULT ''", [VALUE_INTEGER] = "INTEGER NOT NULL DEFAULT 0", [VALUE_NUMBER] = "REAL",
};

struct fleet_store {
	struct database db;
	struct fleet_columns columns[FLEET_TABLES];
	sqlite3_stmt *insert[FLEET_TABLES], *known;
};

static int failed(const struct fleet_store *s, struct why *why)
{
	return why_set(why, -EIO, "%s: %s", show_path(s->db.path).text, sqlite3_errmsg(s->db.sqlite));
}

static void close_store(struct fleet_store *s)
{
	for (enum fleet_table t = 0; s && t < FLEET_TABLES; t++)
		(void)sqlite3_finalize(s->insert[t]);
	if (s) {
		(void)sqlite3_finalize(s->known);
		database_close(&s->db);
	}
	free(s);
}

static int open_to_ask(struct fleet_store *s, const char *path, struct why *why)
{
	int64_t application = 0;
	int r;

	s->db.path = path;
	if (sqlite3_open_v2(path, &s->db.sqlite, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK)
		return failed(s, why);
	(void)sqlite3_busy_timeout(s->db.sqlite, ASK_BUSY_MS);
	r = database_query(&s->db, &application, "PRAGMA application_id", NULL, why);
	if (r == 0 && application != APPLICATION)
		r = why_set(why, -EINVAL, "%s is not a store of runs", show_path(path).text);
	return r == 0 && quantile_register(s->db.sqlite) < 0 ? why_set(why, -ENOMEM, "out of memory") : r;
}

static int open_store(struct fleet_store **ret, const struct store_place *place, enum store_purpose purpose,
		      struct why *why)
{
	const char *path = place->address;
	struct fleet_store *s;
	int r;

	if (purpose != STORE_INIT && access(path, F_OK) < 0)
		return why_set(why, -errno, "cannot open %s: %s; 'resource-tracker fleet init --store FILE' makes a store",
			       show_path(path).text, strerror(errno));
	s = calloc(1, sizeof *s);
	if (!s)
		return why_set(why, -ENOMEM, "out of memory");
	for (enum fleet_table t = 0; t < FLEET_TABLES; t++)
		fleet_columns_of(&s->columns[t], t);
	r = purpose == STORE_ASK ? open_to_ask(s, path, why)
				 : database_open(&s->db, path, APPLICATION, SCHEMA_VERSION, why);
	/* An empty file is not made a store by a push. */
	if (r == 0 && purpose == STORE_PUSH && !s->db.created)
		r = database_commit(&s->db, why);
	if (r < 0)
		close_store(s);
	else
		*ret = s;
	return r;
}

static int execute(struct fleet_store *s, struct buffer *sql, struct why *why)
{
	int r;

	buffer_char(sql, '\0');
	r = sql->failed ? why_set(why, -ENOMEM, "out of memory") : database_execute(&s->db, sql->at, why);
	buffer_release(sql);
	return r;
}

static int make_table(struct fleet_store *s, enum fleet_table t, struct why *why)
{
	const struct fleet_columns *columns = &s->columns[t];
	struct buffer sql = { 0 };

	buffer_format(&sql, "CREATE TABLE IF NOT EXISTS %s (", fleet_tables[t].name);
	for (size_t i = 0; i < columns->n; i++)
		buffer_format(&sql, "%s %s, ", columns->at[i].name, types[columns->at[i].type]);
	buffer_text(&sql, "PRIMARY KEY (");
	for (size_t i = 0; i < fleet_tables[t].n_key; i++)
		buffer_format(&sql, "%s%s", i > 0 ? ", " : "", columns->at[i].name);
	buffer_text(&sql, ")) WITHOUT ROWID");
	return execute(s, &sql, why);
}

/* Of an older version's table. */
static int add_columns(struct fleet_store *s, enum fleet_table t, struct why *why)
{
	char sql[128];
	int r = 0;

	(void)snprintf(sql, sizeof sql, "SELECT count(*) FROM pragma_table_info('%s') WHERE name = ?",
		       fleet_tables[t].name);
	for (size_t i = 0; r == 0 && i < s->columns[t].n; i++) {
		const struct fleet_column *column = &s->columns[t].at[i];
		struct buffer add = { 0 };
		int64_t there = 0;

		r = database_query(&s->db, &there, sql, column->name, why);
		if (r < 0 || there > 0)
			continue;
		buffer_format(&add, "ALTER TABLE %s ADD COLUMN %s %s", fleet_tables[t].name, column->name,
			      types[column->type]);
		r = execute(s, &add, why);
	}
	return r;
}

static int init(struct fleet_store *s, struct why *why)
{
	int r = 0;

	for (enum fleet_table t = 0; r == 0 && t < FLEET_TABLES; t++) {
		r = make_table(s, t, why);
		if (r == 0)
			r = add_columns(s, t, why);
	}
	return r == 0 ? database_commit(&s->db, why) : r;
}

/* ---- writing ----------------------------------------------------------------------------------- */

static int prepare(struct fleet_store *s, sqlite3_stmt **ret, struct buffer *sql, struct why *why)
{
	int r = 0;

	if (sql->failed)
		r = why_set(why, -ENOMEM, "out of memory");
	else if (sqlite3_prepare_v2(s->db.sqlite, sql->at, (int)sql->len, ret, NULL) != SQLITE_OK)
		r = why_set(why, -EIO, "%s: %s; 'resource-tracker fleet init' makes the tables",
			    show_path(s->db.path).text, sqlite3_errmsg(s->db.sqlite));
	buffer_release(sql);
	return r;
}

static int prepare_insert(struct fleet_store *s, enum fleet_table t, struct why *why)
{
	const struct fleet_columns *columns = &s->columns[t];
	struct buffer sql = { 0 };

	buffer_format(&sql, "INSERT OR REPLACE INTO %s (", fleet_tables[t].name);
	for (size_t i = 0; i < columns->n; i++)
		buffer_format(&sql, "%s%s", i > 0 ? ", " : "", columns->at[i].name);
	buffer_text(&sql, ") VALUES (");
	for (size_t i = 0; i < columns->n; i++)
		buffer_text(&sql, i > 0 ? ",?" : "?");
	buffer_char(&sql, ')');
	return prepare(s, &s->insert[t], &sql, why);
}

static int known(struct fleet_store *s, const struct fleet_run *runs, size_t n, bool *ret, struct why *why)
{
	struct buffer sql = { 0 };
	int r = 0;

	buffer_text(&sql, "SELECT 1 FROM runs WHERE id = ? AND start_us = ?");
	if (!s->known)
		r = prepare(s, &s->known, &sql, why);
	buffer_release(&sql);
	for (size_t i = 0; r == 0 && i < n; i++) {
		(void)sqlite3_bind_text(s->known, 1, runs[i].id, -1, SQLITE_STATIC);
		(void)sqlite3_bind_int64(s->known, 2, runs[i].start_us);

		int step = sqlite3_step(s->known);

		ret[i] = step == SQLITE_ROW;
		if (step != SQLITE_ROW && step != SQLITE_DONE)
			r = failed(s, why);
		(void)sqlite3_reset(s->known);
	}
	return r;
}

static int put_row(struct fleet_store *s, const struct fleet_row *row, struct why *why)
{
	const struct fleet_columns *columns = &s->columns[row->table];
	sqlite3_stmt *insert = s->insert[row->table];
	bool done;

	for (size_t i = 0; i < columns->n; i++) {
		int place = (int)i + 1;
		union value value = row->values[i];

		switch (columns->at[i].type) {
		case VALUE_TEXT:
			(void)sqlite3_bind_text(insert, place, value.text, -1, SQLITE_STATIC);
			break;
		case VALUE_INTEGER:
			(void)sqlite3_bind_int64(insert, place, value.integer);
			break;
		case VALUE_NUMBER:              /* NaN is NULL */
			(void)sqlite3_bind_double(insert, place, value.number);
			break;
		}
	}
	done = sqlite3_step(insert) == SQLITE_DONE;
	(void)sqlite3_reset(insert);
	return done ? 0 : failed(s, why);
}

static int put(struct fleet_store *s, const struct fleet_run *runs, size_t n, struct why *why)
{
	int r = 0;

	for (enum fleet_table t = 0; r == 0 && t < FLEET_TABLES; t++)
		if (!s->insert[t])
			r = prepare_insert(s, t, why);
	if (r == 0)
		r = database_execute(&s->db, "BEGIN IMMEDIATE", why);
	if (r < 0)
		return r;
	for (size_t i = 0; r == 0 && i < n; i++)
		for (size_t k = 0; r == 0 && k < runs[i].n_rows; k++)
			r = put_row(s, &runs[i].rows[k], why);
	if (r == 0)
		r = database_commit(&s->db, why);
	if (r < 0)
		(void)sqlite3_exec(s->db.sqlite, "ROLLBACK", NULL, NULL, NULL);
	return r;
}

static int ask(struct fleet_store *s, const char *sql, const struct parameter *parameters, size_t n,
	       struct fleet_result *ret, struct why *why)
{
	int r = sqlite_ask(s->db.sqlite, sql, parameters, n, ret);

	return r == -ENOMEM ? why_set(why, r, "out of memory") : r < 0 ? failed(s, why) : 0;
}

const struct store_kind store_sqlite = {
	.dialect = DIALECT_SQLITE,
	.open = open_store, .init = init, .known = known, .put = put, .ask = ask, .close = close_store,
};
