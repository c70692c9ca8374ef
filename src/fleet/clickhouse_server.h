/*
 * clickhouse_server.h - statements to a server of ClickHouse, by its HTTP interface.
 *
 * User and password are read from the variables CLICKHOUSE_USER and CLICKHOUSE_PASSWORD, or from the lines of a file of
 * headers (X-ClickHouse-User, X-ClickHouse-Key), and are in no message.
 */
#ifndef RT_CLICKHOUSE_SERVER_H
#define RT_CLICKHOUSE_SERVER_H

#include "../core/buffer.h"
#include "../core/scan.h"
#include "clickhouse_address.h"
#include "fleet_store.h"

struct clickhouse_server;

/* parameters: of the URL, of all statements.  -errno with a sentence. */
int  clickhouse_open(struct clickhouse_server **ret, const struct clickhouse_address *a,
		     const struct store_place *place, const char *parameters, struct why *why) must_use;
/*
 * Sends a statement, with the rows of an INSERT behind it, and waits for its end.  After a failure that can pass it is
 * repeated for patience_seconds: 0 for a statement that must not be.  ret: its answer, until the next statement;
 * can be NULL.  -errno with a sentence.
 */
int  clickhouse_execute(struct clickhouse_server *s, const struct buffer *statement, double patience_seconds,
			struct word *ret, struct why *why) must_use;
void clickhouse_close(struct clickhouse_server *s);     /* NULL is fine */

#endif
