/* quantile.h - the function quantile(x, share) for SQLite, which has none. */
#ifndef RT_QUANTILE_H
#define RT_QUANTILE_H

#include <sqlite3.h>

/*
 * Of n values that are not NULL, in ascending order from 0 on, the one at floor(share * n), as quantileExact of
 * ClickHouse; NULL of none.  -ENOMEM.
 */
int quantile_register(sqlite3 *database);

#endif
