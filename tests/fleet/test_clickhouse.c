/* test_clickhouse.c - statements for ClickHouse, their values, answers, errors and addresses, without a server. */
#include "fixture.h"

#include <math.h>
#include <string.h>

#include "fleet/clickhouse_address.h"
#include "fleet/clickhouse_answer.h"
#include "fleet/clickhouse_error.h"
#include "fleet/clickhouse_sql.h"
#include "fleet/fleet_questions.h"

static void assert_written(struct buffer *text, const char *expected, size_t n)
{
	assert_false(text->failed);
	assert_int_equal(text->len, n);
	assert_memory_equal(text->at, expected, n);
	buffer_release(text);
}

static const struct { const char *text, *origin, *database; } addresses[] = {
	{ "clickhouse://localhost", "http://localhost:8123", "default" },
	{ "clickhouse://localhost/", "http://localhost:8123", "default" },
	{ "clickhouse://10.0.0.1:9/fleet_1", "http://10.0.0.1:9", "fleet_1" },
	{ "clickhouses://db.example.org/f", "https://db.example.org:8443", "f" },
	{ "clickhouse://[::1]:8123/f", "http://[::1]:8123", "f" },
};

static const char *const no_addresses[] = {
	"fleet.db", "clickhouse://", "clickhouse:///f", "clickhouse://h:", "clickhouse://h:0/f", "clickhouse://h:65536/f",
	"clickhouse://h:1x/f", "clickhouse://h/1f", "clickhouse://h/f/g", "clickhouse://h/f?x=1", "clickhouse://h/f`",
	"clickhouse://u:p@h/f", "clickhouse://[::1/f", "clickhouse://[]/f", "clickhouse://h f/f", "clickhouse://h:\t1/f",
	"clickhouse://h/f23456789012345678901234567890123456789012345678901234567890123456",
};

static void test_addresses(void **state)
{
	struct clickhouse_address a = { "", "" };
	struct why why;

	(void)state;
	for (size_t i = 0; i < countof(addresses); i++) {
		assert_int_equal(clickhouse_address_read(&a, addresses[i].text, NULL), 0);
		assert_string_equal(a.origin, addresses[i].origin);
		assert_string_equal(a.database, addresses[i].database);
	}
	for (size_t i = 0; i < countof(no_addresses); i++) {
		assert_int_equal(clickhouse_address_read(&a, no_addresses[i], &why), -EINVAL);
		assert_string_equal(a.database, "f");
	}
	assert_int_equal(clickhouse_address_read(&a, "clickhouse://u:hush@h/f", &why), -EINVAL);
	assert_null(strstr(why.text, "hush"));
	assert_false(clickhouse_address_named("clickhouse"));
}

static void test_parameters_are_values(void **state)
{
	static const char sql[] = "SELECT ':' FROM t WHERE a = :name AND b < :until AND c = :names LIMIT :limit";
	static const char expected[] = "SELECT ':' FROM t WHERE a = '\\'; \\\\ :until\t' AND b < 1e+18 AND c = :names LIMIT 100";
	const struct parameter parameters[] = {
		{ .name = "name", .text = "'; \\ :until\t" }, { .name = "until", .number = 1e18 },
		{ .name = "limit", .number = 100 },
	};
	struct buffer out = { 0 };

	(void)state;
	clickhouse_bind(&out, sql, parameters, countof(parameters));
	assert_written(&out, expected, sizeof expected - 1);
	/* Each question has all its parameters. */
	for (enum fleet_question q = 0; q < FLEET_QUESTIONS; q++) {
		const struct parameter all[] = {
			{ .name = "name", .text = "" }, { .name = "until" }, { .name = "since" }, { .name = "share" },
			{ .name = "change" }, { .name = "limit" },
		};

		clickhouse_bind(&out, fleet_question_sql[DIALECT_CLICKHOUSE][q], all, countof(all));
		assert_false(out.failed);
		assert_null(memchr(out.at, ':', out.len));
		buffer_release(&out);
	}
}

static const struct fleet_columns four_columns = {
	.at = { { "id", VALUE_TEXT }, { "start_us", VALUE_INTEGER }, { "pushed_us", VALUE_INTEGER }, { "x", VALUE_NUMBER } },
	.n = 4,
};

static void test_tables(void **state)
{
	static const char create[] = "CREATE TABLE IF NOT EXISTS d.runs (id String, start_us Int64, pushed_us UInt64, "
		"x Nullable(Float64)) ENGINE = ReplacingMergeTree(pushed_us) ORDER BY (id, start_us)";
	static const char add[] = "ALTER TABLE d.runs ADD COLUMN x Nullable(Float64)";
	static const char local[] = "CREATE TABLE IF NOT EXISTS d.runs_local ON CLUSTER 'c\\'' (id String, start_us Int64, "
		"pushed_us UInt64, x Nullable(Float64)) ENGINE = ReplicatedReplacingMergeTree("
		"'/clickhouse/tables/{shard}/d/runs', '{replica}', pushed_us) ORDER BY (id, start_us)";
	static const char all[] = "CREATE TABLE IF NOT EXISTS d.runs ON CLUSTER 'c\\'' (id String, start_us Int64, "
		"pushed_us UInt64, x Nullable(Float64)) ENGINE = Distributed('c\\'', d, runs_local, cityHash64(id))";
	const struct clickhouse_site one = { "d", NULL }, cluster = { "d", "c'" };
	static const char insert[] = "INSERT INTO runs (id, start_us, pushed_us, x) FORMAT RowBinary\n";
	struct buffer out = { 0 };

	(void)state;
	clickhouse_create_table(&out, &one, LAYER_ALL, FLEET_RUNS, &four_columns);
	assert_written(&out, create, sizeof create - 1);
	clickhouse_create_table(&out, &cluster, LAYER_LOCAL, FLEET_RUNS, &four_columns);
	assert_written(&out, local, sizeof local - 1);
	clickhouse_create_table(&out, &cluster, LAYER_ALL, FLEET_RUNS, &four_columns);
	assert_written(&out, all, sizeof all - 1);
	clickhouse_add_column(&out, &one, LAYER_ALL, FLEET_RUNS, &four_columns, 3);
	assert_written(&out, add, sizeof add - 1);
	clickhouse_insert(&out, FLEET_RUNS, &four_columns);
	assert_written(&out, insert, sizeof insert - 1);
	/* The column behind the key of each table is the one by which the newest row is known. */
	for (enum fleet_table t = 0; t < FLEET_TABLES; t++) {
		struct fleet_columns columns;

		fleet_columns_of(&columns, t);
		assert_string_equal(columns.at[fleet_tables[t].n_key].name, "pushed_us");
	}
}

static void test_rows(void **state)
{
	static const char known[] = "\2a'" "\xfe\xff\xff\xff\xff\xff\xff\xff" "\1\0\0\0\0\0\0\0" "\0\0\0\0\0\0\0\xf8\x3f";
	static const char unknown[] = "\0" "\0\0\0\0\0\0\0\x80" "\1\0\0\0\0\0\0\0" "\1";
	char text[301];
	union value values[4] = { { .text = "a'" }, { .integer = -2 }, { .integer = 1 }, { .number = 1.5 } };
	struct buffer out = { 0 };

	(void)state;
	clickhouse_row(&out, &four_columns, values);
	assert_written(&out, known, sizeof known - 1);
	values[0].text = "";
	values[1].integer = INT64_MIN;
	values[3].number = NONE;
	clickhouse_row(&out, &four_columns, values);
	assert_written(&out, unknown, sizeof unknown - 1);
	/* A length of two bytes. */
	memset(text, 'x', 300);
	text[300] = '\0';
	values[0].text = text;
	clickhouse_row(&out, &four_columns, values);
	assert_memory_equal(out.at, "\xac\2xx", 4);
	assert_int_equal(out.len, 2 + 300 + 8 + 8 + 1);
	buffer_release(&out);
}

static void test_known(void **state)
{
	static const char expected[] = "SELECT DISTINCT id, toString(start_us) AS start FROM runs WHERE (id, start_us) IN "
		"(('a\\'b', -5), ('c', 7))";
	const struct fleet_run runs[] = { { "a'b", -5, NULL, 0 }, { "c", 7, NULL, 0 } };
	struct buffer out = { 0 };

	(void)state;
	clickhouse_known(&out, runs, countof(runs));
	assert_written(&out, expected, sizeof expected - 1);
}

static int read_answer(struct fleet_result *ret, const char *text)
{
	*ret = (struct fleet_result){ .n_rows = 0 };
	return clickhouse_answer_read(ret, text, strlen(text));
}

static void test_answers(void **state)
{
	struct fleet_result r;

	(void)state;
	assert_int_equal(read_answer(&r, "name\tn\nLowCardinality(String)\tNullable(Float64)\na\\tb\\\\\\'\\n\t1e+20\n\t\\N\n"
				     "\\N\tnan\nx\t-0.5\n"), 0);
	assert_int_equal(r.n_rows, 4);
	assert_int_equal(r.columns.n, 2);
	assert_string_equal(r.columns.at[1].name, "n");
	assert_string_equal(fleet_result_at(&r, 0, 0).text, "a\tb\\'\n");
	assert_near(fleet_result_at(&r, 0, 1).number, 1e20);
	assert_string_equal(fleet_result_at(&r, 1, 0).text, "");
	assert_true(is_none(fleet_result_at(&r, 1, 1).number));
	assert_string_equal(fleet_result_at(&r, 2, 0).text, "");
	assert_true(is_none(fleet_result_at(&r, 2, 1).number));
	assert_near(fleet_result_at(&r, 3, 1).number, -0.5);
	fleet_result_release(&r);
	assert_int_equal(read_answer(&r, "name\nString\n"), 0);
	assert_int_equal(r.n_rows, 0);
	fleet_result_release(&r);
}

static const char *const no_answers[] = {
	"", "\n", "a", "a\n", "a\tb\nString\n", "a\nString\tString\n", "a\nUInt8\nx\n", "a\nUInt8\n1\t2\n",
	"a\tb\nUInt8\tUInt8\n1\n", "a\nUInt8\n\n", "a\nUInt8\n[1]\n", "Code: 60, e.displayText() = DB::Exception: x\n",
	"a2345678901234567890123456789012345678901234567890123456789012345\nString\n",
};

static void test_what_is_no_answer(void **state)
{
	struct fleet_result r;

	(void)state;
	for (size_t i = 0; i < countof(no_answers); i++) {
		assert_int_equal(read_answer(&r, no_answers[i]), -EBADMSG);
		fleet_result_release(&r);
	}
}

static const struct { const char *body, *text; unsigned code; bool temporary, no_tables; } errors[] = {
	{ "Code: 60, e.displayText() = DB::Exception: Table d.nope doesn't exist., e.what() = DB::Exception\n",
	  "Table d.nope doesn't exist", 60, false, true },
	{ "Code: 60. DB::Exception: Table d.nope does not exist. (UNKNOWN_TABLE) (version 24.8.4.13 (official build))\n",
	  "Table d.nope does not exist. (UNKNOWN_TABLE)", 60, false, true },
	{ "Code: 252, e.displayText() = DB::Exception: Too many parts (300).\nx", "Too many parts (300)", 252, true, false },
	{ "Code: 32. DB::Exception: Attempt to read after eof: while receiving packet from 127.0.0.1:9: Insertion status:\nx",
	  "Attempt to read after eof: while receiving packet from 127.0.0.1:9: Insertion status:", 32, true, false },
	{ "Code: 62, e.displayText() = DB::Exception: Syntax \x1b[31m", "Syntax ?[31m", 62, false, false },
	{ "Code: 62", "", 62, false, false }, { "", "", 0, false, false }, { "Code: x", "", 0, false, false },
	{ "<html>Code: 60", "", 0, false, false }, { "Code: 99999999999999999999999", "", 0, false, false },
};

static void test_errors(void **state)
{
	struct clickhouse_error e;

	(void)state;
	for (size_t i = 0; i < countof(errors); i++) {
		clickhouse_error_read(&e, errors[i].body, strlen(errors[i].body));
		assert_string_equal(e.text, errors[i].text);
		assert_int_equal(e.code, errors[i].code);
		assert_int_equal(e.temporary, errors[i].temporary);
		assert_int_equal(e.no_tables, errors[i].no_tables);
	}
	clickhouse_error_read(&e, NULL, 0);
	assert_int_equal(e.code, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_addresses), cmocka_unit_test(test_parameters_are_values),
		cmocka_unit_test(test_tables), cmocka_unit_test(test_rows), cmocka_unit_test(test_known),
		cmocka_unit_test(test_answers), cmocka_unit_test(test_what_is_no_answer), cmocka_unit_test(test_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
