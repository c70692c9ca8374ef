/* test_record_program_tree.c - the tree of programs in a record: what is written is read, and what is wrong is not. */
#include "fixture.h"

#include <stdio.h>
#include <string.h>

#include "readers/record_reader.h"
#include "record/record_lines.h"

static const char HEADER[] = "{\"record\":\"resource-tracker\",\"version\":1,\"start\":100.5,\"pids\":[7]}\n";
static const char COLUMNS[] = "\"columns\":[\"parent\",\"program\",\"processes\",\"cpu_seconds\",\"peak_rss_bytes\",\"branches\"]";

static struct buffer text;
static struct record_reader *reader;

static int release(void **state)
{
	(void)state;
	record_reader_close(reader);
	reader = NULL;
	buffer_release(&text);
	return 0;
}

/* The tree of a record with these members in its end line, each with a comma before it. */
static const struct program_tree *read_end(const char *members)
{
	record_reader_close(reader);
	buffer_clear(&text);
	buffer_format(&text, "%s{\"end\":{\"status\":\"exited\",\"exit_code\":0%s}}\n", HEADER, members);
	assert_int_equal(record_reader_of(&reader, "run.jsonl", text.at, text.len, NULL), 0);
	assert_int_equal(record_reader_next(reader), RECORD_OVER);
	assert_true(record_reader_facts(reader)->has_end);
	return record_reader_facts(reader)->programs;
}

static const struct program_tree *read_branches(const char *branches)
{
	struct buffer members = { 0 };
	const struct program_tree *tree;

	buffer_format(&members, ",\"program_tree\":{%s,\"branches\":%s}%c", COLUMNS, branches, '\0');
	tree = read_end(members.at);
	buffer_release(&members);
	return tree;
}

static void a_tree_is_read_as_it_was_written(void **state)
{
	static const struct program_tree written = {
		.at = {
			{ PARENT_NONE, 1, "make", 1, 0.123456789, 2449408 },
			{ 0, 1, "c\"c", 40, 12.5, (double)NAN },
			{ PARENT_UNKNOWN, 1, "", (double)NAN, 0, 4096 },
			{ 1, 17, "", 20, 1e-9, (double)NAN },
		},
		.n = 4, .full = true,
	};
	struct buffer members = { 0 };
	struct json j = { .out = &members, .comma = true };
	const struct program_tree *tree;

	(void)state;
	record_program_tree(&j, &written);
	buffer_char(&members, '\0');
	assert_string_equal(members.at, ",\"program_tree\":{\"columns\":[\"parent\",\"program\",\"processes\",\"cpu_seconds\","
			    "\"peak_rss_bytes\",\"branches\"],\"branches\":[[-1,\"make\",1,0.123456789,2449408,1],"
			    "[0,\"c\\\"c\",40,12.5,null,1],[null,null,null,0.0,4096,1],[1,null,20,0.000000001,null,17]],"
			    "\"full\":true}");
	tree = read_end(members.at);
	assert_int_equal(tree->n, written.n);
	assert_true(tree->full);
	for (size_t i = 0; i < tree->n; i++) {
		assert_int_equal(tree->at[i].parent, written.at[i].parent);
		assert_int_equal(tree->at[i].branches, written.at[i].branches);
		assert_string_equal(tree->at[i].name, written.at[i].name);
		assert_true(tree->at[i].cpu_seconds == written.at[i].cpu_seconds);
		assert_int_equal(is_none(tree->at[i].processes), is_none(written.at[i].processes));
		assert_int_equal(is_none(tree->at[i].largest_bytes), is_none(written.at[i].largest_bytes));
	}
	buffer_release(&members);
}

static void a_record_without_a_tree_has_no_branches(void **state)
{
	static const char *const none[] = {
		"", ",\"program_tree\":null", ",\"program_tree\":[]", ",\"program_tree\":{}", ",\"program_tree\":{\"columns\":7}",
		",\"program_tree\":{\"columns\":[\"parent\"],\"branches\":0}", ",\"program_tree\":{\"columns\":{},\"branches\":[]}",
	};

	(void)state;
	for (size_t i = 0; i < countof(none); i++)
		assert_int_equal(read_end(none[i])->n, 0);
}

static void wrong_values_are_unknown(void **state)
{
	const struct program_tree *tree = read_branches(
		"[[0,\"itself\",-1,-5,1e300,0],[2,\"a later one\",\"x\",null,[],1e300],[-7,7,{},1e999,true,-1],[0.5],[],7,"
		"\"text\",{\"a\":1},[1e99,\"a name that is longer than names of programs are\",1,1,1,1,1,1,1]]");

	(void)state;
	assert_int_equal(tree->n, 9);
	assert_false(tree->full);
	for (size_t i = 0; i < tree->n; i++) {
		assert_true(tree->at[i].parent == PARENT_UNKNOWN || (i == 3 && tree->at[i].parent == 0));
		assert_true(tree->at[i].branches >= 1);
		assert_true(strlen(tree->at[i].name) < sizeof tree->at[i].name);
		assert_true(i == 8 || (is_none(tree->at[i].processes) && is_none(tree->at[i].cpu_seconds)));
	}
	assert_string_equal(tree->at[0].name, "itself");
	assert_string_equal(tree->at[8].name, "a name that is ");
}

/* A later version may have more of them, in another order. */
static void more_columns_and_branches_are_left_out(void **state)
{
	const struct program_tree *tree;
	struct buffer many = { 0 };

	(void)state;
	tree = read_end(",\"program_tree\":{\"columns\":[\"new\",\"cpu_seconds\",\"parent\",\"newer\",\"program\"],"
			"\"branches\":[[{},2,-1,0,\"sh\"],[1,3,0,[],\"cc\"]],\"later\":1}");
	assert_int_equal(tree->n, 2);
	assert_int_equal(tree->at[1].parent, 0);
	assert_string_equal(tree->at[1].name, "cc");
	assert_near(tree->at[1].cpu_seconds, 3);
	buffer_text(&many, "[[-1,\"sh\",1,1,1,1]");
	for (int i = 0; i < 2 * BRANCH_MAX; i++)
		buffer_format(&many, ",[%d,\"sh\",1,1,1,1]", i);
	buffer_text(&many, "]");
	buffer_char(&many, '\0');
	assert_int_equal(read_branches(many.at)->n, BRANCH_MAX);
	buffer_release(&many);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tree_is_read_as_it_was_written),
		cmocka_unit_test(a_record_without_a_tree_has_no_branches),
		cmocka_unit_test(wrong_values_are_unknown),
		cmocka_unit_test(more_columns_and_branches_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, release);
}
