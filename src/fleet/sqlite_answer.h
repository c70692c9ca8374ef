/* sqlite_answer.h - asks a database of SQLite. */
#ifndef RT_SQLITE_ANSWER_H
#define RT_SQLITE_ANSWER_H

#include <sqlite3.h>

#include "fleet_store.h"

/* A parameter that the SQL does not have is left out.  -ENOMEM; -EIO: sqlite3_errmsg() says why. */
int sqlite_ask(sqlite3 *sqlite, const char *sql, const struct parameter *parameters, size_t n,
	       struct fleet_result *ret) must_use;

#endif
