/*
 * database.h - an SQLite database that rows are put into: tables by their columns, rows by their values in turn.
 *
 *	struct database_table t = { .name = "samples" };
 *
 *	database_column(&t, "t", "REAL NOT NULL");
 *	r = database_table_open(&t, &db, &why);
 *	database_row(&t);
 *	database_put_number(&t, 12.5);
 *	r = database_row_end(&t, &db, &why);
 *	database_table_close(&t);
 *
 * Everything between open and commit is one transaction, of which nothing is left without it.
 */
#ifndef RT_DATABASE_H
#define RT_DATABASE_H

#include <sqlite3.h>

#include "../core/buffer.h"
#include "../core/why.h"

struct database {
	sqlite3 *sqlite;
	const char *path;
	bool created, committed;                /* the file, by us: it goes if nothing comes of it */
};

struct database_table {                         /* zeroed but for its name */
	const char *name;
	struct buffer columns;                  /* "name" TYPE, one after the other with commas */
	int n_columns;
	sqlite3_stmt *insert;
	int bound;
};

/*
 * A file that is not there is made, for its user alone.  application, version: of the schema; -EINVAL with a sentence
 * for another program's file, -EPROTONOSUPPORT for a newer version.  path has to outlive the database.
 */
int  database_open(struct database *ret, const char *path, int application, int version, struct why *why) must_use;
int  database_execute(struct database *d, const char *sql, struct why *why) must_use;
/* The number that a query answers with, 0 if with none.  text: for its parameter; NULL: it has none. */
int  database_query(struct database *d, int64_t *ret, const char *sql, const char *text, struct why *why) must_use;
int  database_commit(struct database *d, struct why *why) must_use;
void database_close(struct database *d);

void database_column(struct database_table *t, const char *name, const char *type);
/* group_name */
void database_group_column(struct database_table *t, const char *group, const char *name, const char *type);
/* A table that is there gets the columns that it lacks. */
int  database_table_open(struct database_table *t, struct database *d, struct why *why) must_use;
void database_table_close(struct database_table *t);

/* The values of a row, in the order of the columns. */
void database_row(struct database_table *t);
void database_put_integer(struct database_table *t, int64_t value);
void database_put_number(struct database_table *t, double value);       /* NONE: NULL */
void database_put_text(struct database_table *t, const char *text);     /* made UTF-8 */
void database_put_known(struct database_table *t, const char *text);    /* the same; "" and NULL are NULL */
int  database_row_end(struct database_table *t, struct database *d, struct why *why) must_use;

#endif
