/* database.c - an SQLite database to which rows are written. */
#include "database.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>

#include "../core/json_write.h"
#include "../core/output_file.h"
#include "../text/shown.h"

enum { BUSY_MS = 30000 };                       /* how long to wait for another program's lock */

static int failed(const struct database *d, struct why *why)
{
	struct shown_path path = show_path(d->path);

	if (sqlite3_errcode(d->sqlite) == SQLITE_NOTADB)
		return why_set(why, -EINVAL, "%s is not an SQLite database, and is left as it is", path.text);
	return why_set(why, -EIO, "cannot write %s: %s", path.text, sqlite3_errmsg(d->sqlite));
}

int database_execute(struct database *d, const char *sql, struct why *why)
{
	return sqlite3_exec(d->sqlite, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : failed(d, why);
}

int database_query(struct database *d, int64_t *ret, const char *sql, const char *text, struct why *why)
{
	sqlite3_stmt *s = NULL;
	int step = SQLITE_ERROR;

	if (sqlite3_prepare_v2(d->sqlite, sql, -1, &s, NULL) == SQLITE_OK &&
	    (!text || sqlite3_bind_text(s, 1, text, -1, SQLITE_STATIC) == SQLITE_OK))
		step = sqlite3_step(s);
	*ret = step == SQLITE_ROW ? sqlite3_column_int64(s, 0) : 0;
	(void)sqlite3_finalize(s);
	return step == SQLITE_ROW || step == SQLITE_DONE ? 0 : failed(d, why);
}

/* ---- the file -------------------------------------------------------------------------------- */

static int check_schema(struct database *d, int application, int version, struct why *why)
{
	struct shown_path path = show_path(d->path);
	struct buffer sql = { 0 };
	int64_t theirs = 0, newest = 0, objects = 0;
	int r = database_query(d, &theirs, "PRAGMA application_id", NULL, why);

	if (r == 0)
		r = database_query(d, &newest, "PRAGMA user_version", NULL, why);
	if (r == 0)
		r = database_query(d, &objects, "SELECT count(*) FROM sqlite_schema", NULL, why);
	if (r < 0)
		return r;
	if (objects > 0 && theirs != application)
		return why_set(why, -EINVAL, "%s is a database of another program, and is left as it is", path.text);
	if (objects > 0 && newest > version)
		return why_set(why, -EPROTONOSUPPORT, "a newer resource-tracker made %s: use that one for it", path.text);
	buffer_format(&sql, "PRAGMA application_id = %d; PRAGMA user_version = %d", application, version);
	buffer_char(&sql, '\0');
	if (objects == 0)
		r = sql.failed ? why_set(why, -ENOMEM, "out of memory") : database_execute(d, sql.at, why);
	buffer_release(&sql);
	return r;
}

int database_open(struct database *ret, const char *path, int application, int version, struct why *why)
{
	struct database d = { .path = path };
	/* SQLite itself would make it readable for all users; its journal gets the mode of the file. */
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	int r = fd < 0 && errno != EEXIST ? -errno : 0;
	struct why reason;
	mode_t type;

	if (r < 0)
		return why_set(why, r, "cannot write %s: %s", show_path(path).text, strerror(-r));
	/* What stands there before it can be made is examined after that: only its owner can exchange it. */
	if (fd < 0 && (r = output_file_look(path, &type, &reason)) < 0)
		return why_set(why, r, "cannot write %s: %s", show_path(path).text, reason.text);
	d.created = fd >= 0;
	if (fd >= 0)
		(void)close(fd);
	r = sqlite3_open_v2(path, &d.sqlite, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK ? 0 : failed(&d, why);
	(void)sqlite3_busy_timeout(d.sqlite, BUSY_MS);
	if (r == 0)
		r = database_execute(&d, "PRAGMA foreign_keys = ON; BEGIN IMMEDIATE", why);
	if (r == 0)
		r = check_schema(&d, application, version, why);
	if (r < 0)
		database_close(&d);
	else
		*ret = d;
	return r;
}

int database_commit(struct database *d, struct why *why)
{
	int r = database_execute(d, "COMMIT", why);

	d->committed = r == 0;
	return r;
}

void database_close(struct database *d)
{
	(void)sqlite3_close(d->sqlite);
	if (d->created && !d->committed)
		(void)unlink(d->path);
	*d = (struct database){ .sqlite = NULL };
}

/* ---- tables ---------------------------------------------------------------------------------- */

void database_group_column(struct database_table *t, const char *group, const char *name, const char *type)
{
	buffer_format(&t->columns, "%s\"%s%s%s\" %s", t->n_columns > 0 ? "," : "", group, *group ? "_" : "", name, type);
	t->n_columns++;
}

void database_column(struct database_table *t, const char *name, const char *type)
{
	database_group_column(t, "", name, type);
}

static int run_sql(struct database *d, struct buffer *sql, struct why *why)
{
	int r;

	buffer_char(sql, '\0');
	r = sql->failed ? why_set(why, -ENOMEM, "out of memory") : database_execute(d, sql->at, why);
	buffer_clear(sql);
	return r;
}

/* The names of the columns, as in an INSERT; columns that the table of an older version lacks are added. */
static int complete_columns(struct buffer *names, const struct database_table *t, struct database *d, struct why *why)
{
	struct buffer sql = { 0 };
	int r = 0;

	for (const char *at = t->columns.at; r == 0 && *at;) {
		size_t n = strcspn(at, ","), quoted = strcspn(at + 1, "\"") + 2;
		int64_t there = 0;

		buffer_format(&sql, "SELECT count(*) FROM pragma_table_info('%s') WHERE name = '%.*s'", t->name,
			      (int)quoted - 2, at + 1);
		buffer_char(&sql, '\0');
		r = sql.failed ? why_set(why, -ENOMEM, "out of memory") : database_query(d, &there, sql.at, NULL, why);
		buffer_clear(&sql);
		buffer_format(&sql, "ALTER TABLE \"%s\" ADD COLUMN %.*s", t->name, (int)n, at);
		if (r == 0 && there == 0)
			r = run_sql(d, &sql, why);
		buffer_clear(&sql);
		buffer_format(names, "%s%.*s", names->len > 0 ? "," : "", (int)quoted, at);
		at += n + (at[n] == ',');
	}
	buffer_release(&sql);
	return r;
}

int database_table_open(struct database_table *t, struct database *d, struct why *why)
{
	struct buffer sql = { 0 }, names = { 0 };
	int r;

	buffer_char(&t->columns, '\0');
	if (t->columns.failed)
		return why_set(why, -ENOMEM, "out of memory");
	buffer_format(&sql, "CREATE TABLE IF NOT EXISTS \"%s\" (", t->name);
	buffer_text(&sql, t->columns.at);
	buffer_char(&sql, ')');
	r = run_sql(d, &sql, why);
	if (r == 0)
		r = complete_columns(&names, t, d, why);
	buffer_format(&sql, "INSERT INTO \"%s\" (", t->name);
	buffer_bytes(&sql, names.at, names.len);
	buffer_text(&sql, ") VALUES (?");
	for (int i = 1; i < t->n_columns; i++)
		buffer_text(&sql, ",?");
	buffer_bytes(&sql, ")", 2);
	if (r == 0 && (sql.failed || names.failed))
		r = why_set(why, -ENOMEM, "out of memory");
	if (r == 0 && sqlite3_prepare_v2(d->sqlite, sql.at, -1, &t->insert, NULL) != SQLITE_OK)
		r = failed(d, why);
	buffer_release(&sql);
	buffer_release(&names);
	return r;
}

void database_table_close(struct database_table *t)
{
	(void)sqlite3_finalize(t->insert);
	buffer_release(&t->columns);
	*t = (struct database_table){ .name = NULL };
}

/* ---- rows ------------------------------------------------------------------------------------ */

void database_row(struct database_table *t)
{
	(void)sqlite3_reset(t->insert);
	(void)sqlite3_clear_bindings(t->insert);
	t->bound = 0;
}

void database_put_integer(struct database_table *t, int64_t value)
{
	(void)sqlite3_bind_int64(t->insert, ++t->bound, value);
}

void database_put_number(struct database_table *t, double value)
{
	t->bound++;
	if (isfinite(value))                    /* else NULL, the initial value */
		(void)sqlite3_bind_double(t->insert, t->bound, value);
}

void database_put_text(struct database_table *t, const char *text)
{
	struct buffer clean = { 0 };

	utf8_write(&clean, text, strlen(text));
	(void)sqlite3_bind_text(t->insert, ++t->bound, clean.at ? clean.at : "", (int)clean.len, SQLITE_TRANSIENT);
	buffer_release(&clean);
}

void database_put_known(struct database_table *t, const char *text)
{
	if (text && *text)
		database_put_text(t, text);
	else
		t->bound++;
}

int database_row_end(struct database_table *t, struct database *d, struct why *why)
{
	return sqlite3_step(t->insert) == SQLITE_DONE ? 0 : failed(d, why);
}
