/* clickhouse_sql.c - statements for ClickHouse: they are accepted by version 18.16 and by current ones. */
#include "clickhouse_sql.h"

#include <endian.h>
#include <string.h>

#include "../core/sample.h"

/* ---- values in statements ---------------------------------------------------------------------- */

void clickhouse_literal(struct buffer *out, const char *text)
{
	buffer_char(out, '\'');
	for (; *text; text++) {
		if (*text == '\'' || *text == '\\')
			buffer_char(out, '\\');
		buffer_char(out, *text);
	}
	buffer_char(out, '\'');
}

static void put_parameter(struct buffer *out, const struct parameter *p)
{
	if (p->text)
		clickhouse_literal(out, p->text);
	else
		buffer_format(out, "%.17g", p->number);
}

static const struct parameter *find(const struct parameter *parameters, size_t n, const char *name, size_t length)
{
	for (size_t i = 0; i < n; i++)
		if (strlen(parameters[i].name) == length && memcmp(parameters[i].name, name, length) == 0)
			return &parameters[i];
	return NULL;
}

void clickhouse_bind(struct buffer *out, const char *sql, const struct parameter *parameters, size_t n)
{
	while (*sql) {
		size_t plain = strcspn(sql, ":"), length;
		const struct parameter *p;

		buffer_bytes(out, sql, plain);
		sql += plain;
		if (!*sql)
			break;
		length = strspn(sql + 1, "abcdefghijklmnopqrstuvwxyz");
		p = find(parameters, n, sql + 1, length);
		if (p)
			put_parameter(out, p);
		else
			buffer_bytes(out, sql, 1 + length);
		sql += 1 + length;
	}
}

/* ---- tables ------------------------------------------------------------------------------------ */

/* The version of a row, behind its key, is required to be unsigned. */
static const char *type_of(enum fleet_table t, const struct fleet_columns *c, size_t column)
{
	static const char *const types[] = {
		[VALUE_TEXT] = "String", [VALUE_INTEGER] = "Int64", [VALUE_NUMBER] = "Nullable(Float64)",
	};

	return column == fleet_tables[t].n_key ? "UInt64" : types[c->at[column].type];
}

static void put_names(struct buffer *out, const struct fleet_columns *c, size_t n)
{
	for (size_t i = 0; i < n; i++)
		buffer_format(out, "%s%s", i > 0 ? ", " : "", c->at[i].name);
}

static const char *suffix(enum clickhouse_layer layer)
{
	return layer == LAYER_LOCAL ? "_local" : "";
}

static void put_site(struct buffer *out, const struct clickhouse_site *at)
{
	if (!at->cluster)
		return;
	buffer_text(out, " ON CLUSTER ");
	clickhouse_literal(out, at->cluster);
}

/* database.table, and where it is. */
static void put_table(struct buffer *out, const struct clickhouse_site *at, enum clickhouse_layer layer,
		      enum fleet_table t)
{
	buffer_format(out, "%s.%s%s", at->database, fleet_tables[t].name, suffix(layer));
	put_site(out, at);
}

void clickhouse_create_database(struct buffer *out, const struct clickhouse_site *at)
{
	buffer_format(out, "CREATE DATABASE IF NOT EXISTS %s", at->database);
	put_site(out, at);
}

static void put_engine(struct buffer *out, const struct clickhouse_site *at, enum clickhouse_layer layer,
		       enum fleet_table t, const struct fleet_columns *c)
{
	const char *name = fleet_tables[t].name, *version = c->at[fleet_tables[t].n_key].name;

	if (at->cluster && layer == LAYER_ALL) {
		buffer_text(out, "Distributed(");
		clickhouse_literal(out, at->cluster);
		buffer_format(out, ", %s, %s%s, cityHash64(id))", at->database, name, suffix(LAYER_LOCAL));
		return;
	}
	/* The server has values for what is in braces. */
	if (at->cluster)
		buffer_format(out, "ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/%s/%s', '{replica}', %s)",
			      at->database, name, version);
	else
		buffer_format(out, "ReplacingMergeTree(%s)", version);
	/* No partitions: an INSERT into more than a hundred is refused, and starts can be anything. */
	buffer_text(out, " ORDER BY (");
	put_names(out, c, fleet_tables[t].n_key);
	buffer_char(out, ')');
}

void clickhouse_create_table(struct buffer *out, const struct clickhouse_site *at, enum clickhouse_layer layer,
			     enum fleet_table t, const struct fleet_columns *c)
{
	buffer_text(out, "CREATE TABLE IF NOT EXISTS ");
	put_table(out, at, layer, t);
	for (size_t i = 0; i < c->n; i++)
		buffer_format(out, "%s%s %s", i > 0 ? ", " : " (", c->at[i].name, type_of(t, c, i));
	buffer_text(out, ") ENGINE = ");
	put_engine(out, at, layer, t, c);
}

void clickhouse_drop_table(struct buffer *out, const struct clickhouse_site *at, enum clickhouse_layer layer,
			   enum fleet_table t)
{
	buffer_text(out, "DROP TABLE IF EXISTS ");
	put_table(out, at, layer, t);
}

void clickhouse_add_column(struct buffer *out, const struct clickhouse_site *at, enum clickhouse_layer layer,
			   enum fleet_table t, const struct fleet_columns *c, size_t column)
{
	buffer_text(out, "ALTER TABLE ");
	put_table(out, at, layer, t);
	buffer_format(out, " ADD COLUMN %s %s", c->at[column].name, type_of(t, c, column));
}

void clickhouse_columns(struct buffer *out, const struct clickhouse_site *at, enum clickhouse_layer layer,
			enum fleet_table t)
{
	buffer_format(out, "SELECT name FROM system.columns WHERE database = '%s' AND table = '%s%s'", at->database,
		      fleet_tables[t].name, suffix(layer));
}

/* ---- rows -------------------------------------------------------------------------------------- */

void clickhouse_insert(struct buffer *out, enum fleet_table t, const struct fleet_columns *c)
{
	buffer_format(out, "INSERT INTO %s (", fleet_tables[t].name);
	put_names(out, c, c->n);
	/* The data begin behind the first newline. */
	buffer_text(out, ") FORMAT RowBinary\n");
}

static void put_u64(struct buffer *out, uint64_t value)
{
	uint64_t bytes = htole64(value);

	buffer_bytes(out, (const char *)&bytes, sizeof bytes);
}

/* Its length, seven bits in a byte from the lowest on, and the bytes. */
static void put_text(struct buffer *out, const char *text)
{
	size_t length = strlen(text), n = length;

	for (; n >= 128; n /= 128)
		buffer_char(out, (char)(n % 128 + 128));
	buffer_char(out, (char)n);
	buffer_bytes(out, text, length);
}

/* 1 is NULL; 0 comes before a number. */
static void put_number(struct buffer *out, double number)
{
	uint64_t bits;

	memcpy(&bits, &number, sizeof bits);
	buffer_char(out, is_none(number));
	if (!is_none(number))
		put_u64(out, bits);
}

void clickhouse_row(struct buffer *out, const struct fleet_columns *c, const union value *values)
{
	for (size_t i = 0; i < c->n; i++)
		switch (c->at[i].type) {
		case VALUE_TEXT: put_text(out, values[i].text); break;
		case VALUE_INTEGER: put_u64(out, (uint64_t)values[i].integer); break;
		case VALUE_NUMBER: put_number(out, values[i].number); break;
		}
}

void clickhouse_known(struct buffer *out, const struct fleet_run *runs, size_t n)
{
	buffer_format(out, "SELECT DISTINCT id, toString(start_us) AS start FROM %s WHERE (id, start_us) IN (",
		      fleet_tables[FLEET_RUNS].name);
	for (size_t i = 0; i < n; i++) {
		buffer_text(out, i > 0 ? ", (" : "(");
		clickhouse_literal(out, runs[i].id);
		buffer_format(out, ", %lld)", (long long)runs[i].start_us);
	}
	buffer_char(out, ')');
}
