/*
 * store_clickhouse.c - a store in a database of ClickHouse.
 *
 * Rows with equal keys are one: that which was written last.  The server merges them at some time, and with FINAL it
 * answers as if it had.  So a statement can be repeated if its answer is lost, and a run whose other rows were written
 * before a kill is written again.
 */
#include "fleet_store.h"

#include <stdio.h>

#include "clickhouse_answer.h"
#include "clickhouse_server.h"
#include "clickhouse_sql.h"

static const double PATIENCE_SECONDS = 60;

/*
 * An answer is sent when it is whole, so its status is that of the statement.  A row is acknowledged by a Distributed
 * table when its server has it; other tables do not care.
 */
static const struct { const char *parameters; bool database; } requests[] = {
	[STORE_INIT] = { "wait_end_of_query=1", false },
	[STORE_PUSH] = { "wait_end_of_query=1&insert_distributed_sync=1", true },
	[STORE_ASK] = { "wait_end_of_query=1", true },
};

struct fleet_store {
	struct clickhouse_server *server;
	struct clickhouse_address address;
	struct clickhouse_site site;
	struct fleet_columns columns[FLEET_TABLES];
};

static void close_store(struct fleet_store *s)
{
	if (s)
		clickhouse_close(s->server);
	free(s);
}

/* For a push: a wrong address, password or database is not waited for. */
static int greet(struct fleet_store *s, struct why *why)
{
	struct buffer sql = { 0 };
	int r;

	buffer_text(&sql, "SELECT 1");
	r = clickhouse_execute(s->server, &sql, 0, NULL, why);
	buffer_release(&sql);
	return r;
}

static int open_store(struct fleet_store **ret, const struct store_place *place, enum store_purpose purpose,
		      struct why *why)
{
	struct fleet_store *s = calloc(1, sizeof *s);
	char parameters[160];
	int r;

	if (!s)
		return why_set(why, -ENOMEM, "out of memory");
	for (enum fleet_table t = 0; t < FLEET_TABLES; t++)
		fleet_columns_of(&s->columns[t], t);
	s->site = (struct clickhouse_site){ s->address.database, place->cluster };
	r = clickhouse_address_read(&s->address, place->address, why);
	if (r == 0) {
		(void)snprintf(parameters, sizeof parameters, "%s%s%s", requests[purpose].parameters,
			       requests[purpose].database ? "&database=" : "",
			       requests[purpose].database ? s->address.database : "");
		r = clickhouse_open(&s->server, &s->address, place, parameters, why);
	}
	if (r == 0 && purpose == STORE_PUSH)
		r = greet(s, why);
	if (r < 0)
		close_store(s);
	else
		*ret = s;
	return r;
}

/* Releases the statement. */
static int execute(struct fleet_store *s, struct buffer *statement, double patience_seconds, struct why *why)
{
	int r = clickhouse_execute(s->server, statement, patience_seconds, NULL, why);

	buffer_release(statement);
	return r;
}

/* The same, with the rows of its answer, which are released by the caller, after an error too. */
static int execute_for(struct fleet_store *s, struct buffer *statement, double patience_seconds,
		       struct fleet_result *ret, struct why *why)
{
	struct word answer;
	int r;

	buffer_text(statement, CLICKHOUSE_ANSWER_FORMAT);
	r = clickhouse_execute(s->server, statement, patience_seconds, &answer, why);
	if (r == 0)
		r = clickhouse_answer_read(ret, answer.at, answer.len);
	buffer_release(statement);
	if (r == -EBADMSG)
		return why_set(why, r, "%s: this is not an answer of ClickHouse", s->address.origin);
	return r == -ENOMEM ? why_set(why, r, "out of memory") : r;
}

/* ---- tables ------------------------------------------------------------------------------------ */

/* A user without the right to make databases can use one that is there. */
static int make_database(struct fleet_store *s, struct why *why)
{
	struct fleet_result found = { .n_rows = 0 };
	struct buffer sql = { 0 };
	int r;

	buffer_format(&sql, "SELECT name FROM system.databases WHERE name = '%s'", s->site.database);
	r = execute_for(s, &sql, 0, &found, why);
	if (r == 0 && found.n_rows == 0) {
		clickhouse_create_database(&sql, &s->site);
		r = execute(s, &sql, 0, why);
	}
	fleet_result_release(&found);
	return r;
}

/* Other statements make and change the tables of a cluster. */
static int check_cluster(struct fleet_store *s, struct why *why)
{
	struct fleet_result found = { .n_rows = 0 };
	struct buffer sql = { 0 };
	int r;

	buffer_format(&sql, "SELECT name FROM system.tables WHERE database = '%s' AND name = '%s' AND (engine = 'Distributed') != %d",
		      s->site.database, fleet_tables[FLEET_RUNS].name, s->site.cluster != NULL);
	r = execute_for(s, &sql, 0, &found, why);
	if (r == 0 && found.n_rows > 0)
		r = why_set(why, -EINVAL, "%s: the tables are there %s", s->address.origin,
			    s->site.cluster ? "already, and not on a cluster" : "on a cluster: give --cluster NAME");
	fleet_result_release(&found);
	return r;
}

static bool has(const struct fleet_result *columns, const char *name)
{
	for (size_t i = 0; i < columns->n_rows; i++)
		if (strcmp(fleet_result_at(columns, i, 0).text, name) == 0)
			return true;
	return false;
}

static int make_table(struct fleet_store *s, enum clickhouse_layer layer, enum fleet_table t, struct why *why)
{
	struct buffer sql = { 0 };

	clickhouse_create_table(&sql, &s->site, layer, t, &s->columns[t]);
	return execute(s, &sql, 0, why);
}

/* A table that is all local ones of a cluster has no rows, and 18.16 does not change it there: it is made again. */
static int make_again(struct fleet_store *s, enum fleet_table t, struct why *why)
{
	struct buffer sql = { 0 };
	int r;

	clickhouse_drop_table(&sql, &s->site, LAYER_ALL, t);
	r = execute(s, &sql, 0, why);
	return r == 0 ? make_table(s, LAYER_ALL, t, why) : r;
}

/* Of an older version's table. */
static int add_columns(struct fleet_store *s, enum clickhouse_layer layer, enum fleet_table t, struct why *why)
{
	struct fleet_result found = { .n_rows = 0 };
	struct buffer sql = { 0 };
	int r;

	clickhouse_columns(&sql, &s->site, layer, t);
	r = execute_for(s, &sql, 0, &found, why);
	for (size_t i = 0; r == 0 && i < s->columns[t].n; i++) {
		if (has(&found, s->columns[t].at[i].name))
			continue;
		if (s->site.cluster && layer == LAYER_ALL) {
			r = make_again(s, t, why);
			break;
		}
		clickhouse_add_column(&sql, &s->site, layer, t, &s->columns[t], i);
		r = execute(s, &sql, 0, why);
	}
	fleet_result_release(&found);
	return r;
}

static int make_tables(struct fleet_store *s, enum clickhouse_layer layer, struct why *why)
{
	int r = 0;

	for (enum fleet_table t = 0; r == 0 && t < FLEET_TABLES; t++) {
		r = make_table(s, layer, t, why);
		if (r == 0)
			r = add_columns(s, layer, t, why);
	}
	return r;
}

static int init(struct fleet_store *s, struct why *why)
{
	int r = make_database(s, why);

	if (r == 0)
		r = check_cluster(s, why);
	if (r == 0 && s->site.cluster)
		r = make_tables(s, LAYER_LOCAL, why);
	return r == 0 ? make_tables(s, LAYER_ALL, why) : r;
}

/* ---- rows -------------------------------------------------------------------------------------- */

static bool is_run(const struct fleet_run *run, const char *id, const char *start)
{
	char text[24];

	(void)snprintf(text, sizeof text, "%lld", (long long)run->start_us);
	return strcmp(run->id, id) == 0 && strcmp(text, start) == 0;
}

static int known(struct fleet_store *s, const struct fleet_run *runs, size_t n, bool *ret, struct why *why)
{
	struct fleet_result found = { .n_rows = 0 };
	struct buffer sql = { 0 };
	int r;

	clickhouse_known(&sql, runs, n);
	r = execute_for(s, &sql, PATIENCE_SECONDS, &found, why);
	if (r == 0 && found.n_rows > 0 && (found.columns.n != 2 || found.columns.at[0].type != VALUE_TEXT ||
					   found.columns.at[1].type != VALUE_TEXT))
		r = why_set(why, -EBADMSG, "%s: its table of runs is not ours", s->address.origin);
	for (size_t i = 0; r == 0 && i < n; i++)
		for (size_t k = 0; k < found.n_rows && !ret[i]; k++)
			ret[i] = is_run(&runs[i], fleet_result_at(&found, k, 0).text,
					fleet_result_at(&found, k, 1).text);
	fleet_result_release(&found);
	return r;
}

/* The rows of a table: one INSERT. */
static int put_table(struct fleet_store *s, enum fleet_table t, const struct fleet_run *runs, size_t n,
		     struct why *why)
{
	struct buffer statement = { 0 };
	size_t rows = 0;

	clickhouse_insert(&statement, t, &s->columns[t]);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < runs[i].n_rows; k++)
			if (runs[i].rows[k].table == t) {
				clickhouse_row(&statement, &s->columns[t], runs[i].rows[k].values);
				rows++;
			}
	if (rows > 0)
		return execute(s, &statement, PATIENCE_SECONDS, why);
	buffer_release(&statement);
	return 0;
}

/* Runs come last: one that is listed has all its rows. */
static int put(struct fleet_store *s, const struct fleet_run *runs, size_t n, struct why *why)
{
	int r = 0;

	for (enum fleet_table t = 0; r == 0 && t < FLEET_TABLES; t++)
		r = put_table(s, t, runs, n, why);
	return r;
}

static int ask(struct fleet_store *s, const char *sql, const struct parameter *parameters, size_t n,
	       struct fleet_result *ret, struct why *why)
{
	struct buffer statement = { 0 };

	clickhouse_bind(&statement, sql, parameters, n);
	return execute_for(s, &statement, 0, ret, why);
}

const struct store_kind store_clickhouse = {
	.dialect = DIALECT_CLICKHOUSE,
	.open = open_store, .init = init, .known = known, .put = put, .ask = ask, .close = close_store,
};
