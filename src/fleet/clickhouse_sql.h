/* clickhouse_sql.h - statements for ClickHouse, and the values in them: all append, errors are those of `out`. */
#ifndef RT_CLICKHOUSE_SQL_H
#define RT_CLICKHOUSE_SQL_H

#include "fleet_rows.h"
#include "fleet_store.h"

/* The text in quotes; all bytes are those of the text. */
void clickhouse_literal(struct buffer *out, const char *text);
/* The SQL with the values of its parameters in place of their names. */
void clickhouse_bind(struct buffer *out, const char *sql, const struct parameter *parameters, size_t n);

/*
 * Where tables are.  On one server (cluster NULL) each is one, which keeps of rows with equal keys the one that was
 * written last.  On a cluster each shard has such tables, replicated, named ..._local, and a table of the plain name is
 * all of them: a run is on the shard of its id.
 */
struct clickhouse_site { const char *database, *cluster; };
enum clickhouse_layer { LAYER_LOCAL, LAYER_ALL };      /* on one server the second alone */

void clickhouse_create_database(struct buffer *out, const struct clickhouse_site *at);
void clickhouse_create_table(struct buffer *out, const struct clickhouse_site *at, enum clickhouse_layer layer,
			     enum fleet_table t, const struct fleet_columns *c);
void clickhouse_add_column(struct buffer *out, const struct clickhouse_site *at, enum clickhouse_layer layer,
			   enum fleet_table t, const struct fleet_columns *c, size_t column);
void clickhouse_drop_table(struct buffer *out, const struct clickhouse_site *at, enum clickhouse_layer layer,
			   enum fleet_table t);
/* Asks for the columns of a table that are there: their names. */
void clickhouse_columns(struct buffer *out, const struct clickhouse_site *at, enum clickhouse_layer layer,
			enum fleet_table t);

/* The statement before rows, and a row: https://clickhouse.com/docs/en/interfaces/formats#rowbinary */
void clickhouse_insert(struct buffer *out, enum fleet_table t, const struct fleet_columns *c);
void clickhouse_row(struct buffer *out, const struct fleet_columns *c, const union value *values);

/* Asks which of these runs are there: id, and start_us as text. */
void clickhouse_known(struct buffer *out, const struct fleet_run *runs, size_t n);

#endif
