/*
 * database.h - an SQLite database to which rows are written: a table is described by its columns, a row by its values
 * in the same order.
 *
 *  struct database_table t = { .name = "samples" };
 *
 *  database_column(&t, "t", "REAL NOT NULL");
 *  r = database_table_open(&t, &db, &why);
 *  database_row(&t);
 *  database_put_number(&t, 12.5);
 *  r = database_row_end(&t, &db, &why);
 *  database_table_close(&t);
 *
 * Everything between open and commit is one transaction; without the commit nothing is stored.  Functions that return
 * int: 0, or -errno with a sentence; -EIO: SQLite's own error.  Another process that writes the file is waited for.
 */
#ifndef RT_DATABASE_H
#define RT_DATABASE_H

#include <sqlite3.h>

#include "../core/buffer.h"
#include "../core/why.h"

struct database {
	sqlite3 *sqlite;
	const char *path;
	bool created, committed;                /* the file was created here: it is removed unless committed */
};

struct database_table {                         /* zeroed, except its name */
	const char *name;
	struct buffer columns;                  /* "name" TYPE, separated by commas */
	int n_columns;
	sqlite3_stmt *insert;
	int bound;
};

/*
 * Opens the file, or creates it with mode 0600.  application, version: of the schema; -EINVAL with a sentence for
 * another program's file, -EPROTONOSUPPORT for a newer version.  path must outlive the database.
 */
int  database_open(struct database *ret, const char *path, int application, int version, struct why *why) must_use;
int  database_execute(struct database *d, const char *sql, struct why *why) must_use;
/* The number that a query returns, 0 if no row, and after an error.  text: for its parameter; NULL: it has none. */
int  database_query(struct database *d, int64_t *ret, const char *sql, const char *text, struct why *why) must_use;
int  database_commit(struct database *d, struct why *why) must_use;
void database_close(struct database *d);        /* after its tables; of a zeroed one nothing */

void database_column(struct database_table *t, const char *name, const char *type);
/* group_name */
void database_group_column(struct database_table *t, const char *group, const char *name, const char *type);
/* An existing table gets the columns that it lacks.  t is to be closed after an error too. */
int  database_table_open(struct database_table *t, struct database *d, struct why *why) must_use;
void database_table_close(struct database_table *t);

/* Begins a row; its values follow in the order of the columns. */
void database_row(struct database_table *t);
void database_put_integer(struct database_table *t, int64_t value);
void database_put_number(struct database_table *t, double value);       /* NONE: NULL */
void database_put_text(struct database_table *t, const char *text);     /* converted to valid UTF-8 */
void database_put_known(struct database_table *t, const char *text);    /* the same; "" and NULL are NULL */
int  database_row_end(struct database_table *t, struct database *d, struct why *why) must_use;

#endif
