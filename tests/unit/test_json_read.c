/* test_json_read.c - JSON text read in place. */
#include "fixture.h"

#include <stdio.h>
#include <string.h>

#include "core/buffer.h"
#include "core/json_read.h"
#include "core/json_write.h"

static int parse(struct json_value *ret, const char *text)
{
	return json_parse(ret, text, strlen(text));
}

static void malformed_json_is_refused(void **state)
{
	static const char *const wrong[] = {
		"", " ", "nul", "nulls", "tru", "+1", "01", "1.", ".5", "1e", "1e+", "-", "--1", "0x1", "NaN",
		"\"", "\"a", "\"\\x\"", "\"\\u12g4\"", "\"\\u12\"", "\"\n\"", "'a'", "[", "]", "[1", "[1,", "[1,]",
		"[,1]", "[1 2]", "[1]]", "[1}", "{", "{}}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}",
		"{\"a\" 1}", "{1:2}", "{\"a\":1]", "1 2", "[]x", "{\"a\":1 \"b\":2}",
	};
	static const char *const right[] = {
		"null", " true ", "false", "0", "-0", "-1.5e-3", "1E5", "\"\"", "\"\\u12aF\\\"\\\\\\/\"", "[]", "[ ]",
		"{}", "{ }", "[[],{},[{}]]", "[1,\"]\",{\"}\":[1]}]", "\r\n\t{\"a\" : [ 1 , 2 ] , \"b\" : { } }\n",
	};
	struct json_value v;
	char deep[2 * JSON_DEPTH_MAX + 3];

	(void)state;
	for (size_t i = 0; i < countof(wrong); i++)
		if (parse(&v, wrong[i]) != -EBADMSG)
			fail_msg("%s is taken for JSON", wrong[i]);
	for (size_t i = 0; i < countof(right); i++)
		if (parse(&v, right[i]) != 0)
			fail_msg("%s is not taken for JSON", right[i]);
	for (size_t depth = JSON_DEPTH_MAX; depth <= JSON_DEPTH_MAX + 1; depth++) {
		memset(deep, '[', depth);
		memset(deep + depth, ']', depth);
		assert_int_equal(json_parse(&v, deep, 2 * depth), depth > JSON_DEPTH_MAX ? -EBADMSG : 0);
	}
}

/* The runs of numbers that are checked in one go end at anything else: each of these stands among plain numbers. */
static void malformed_numbers_among_others_are_refused(void **state)
{
	static const char *const wrong[] = {
		"01", "-01", "1.", "-", "--1", "1..2", "1.2.3", ".5", "1e", "", "1 2", "-.5", "1-2", "+1", "0x1", "1.e5", "nul",
	};
	static const char *const right[] = {
		"0", "-0", "0.0", "-1.5", "10", "1e5", "1.5e-3", " 1 ", "null", "[]", "{}", "\"1,2\"",
	};
	static const struct { const char *before, *after; } around[] = {
		{ "[", ",1,2]" }, { "[1,2.5,", ",-3]" }, { "[1,2,", "]" }, { "{\"a\":[1,", ",2]}" }, { "[[1],", ",[2]]" },
	};
	struct json_value v;
	char text[64];

	(void)state;
	for (size_t k = 0; k < countof(around); k++) {
		for (size_t i = 0; i < countof(wrong); i++) {
			(void)snprintf(text, sizeof text, "%s%s%s", around[k].before, wrong[i], around[k].after);
			if (parse(&v, text) != -EBADMSG)
				fail_msg("%s is taken for JSON", text);
		}
		for (size_t i = 0; i < countof(right); i++) {
			(void)snprintf(text, sizeof text, "%s%s%s", around[k].before, right[i], around[k].after);
			if (parse(&v, text) != 0)
				fail_msg("%s is not taken for JSON", text);
		}
	}
}

static void the_first_items_alone(void **state)
{
	static const char begun[] = " [1 , [2,\"]\"] ,3, this is not read";
	static const char *const whole[] = { "[1,2,3]", "[1,2]", "[]", "{\"a\":1}", "7", " [1, [2,3], 4] " };
	static const char *const wrong[] = { "[1,2", "[1 2,3,4]", "[1,[2,3,4]", "[1,2}", "[,1,2,3]", "[", "" };
	struct json_value v, item;
	struct json_walk w;

	(void)state;
	assert_int_equal(json_parse_first(&v, begun, strlen(begun), 3), 0);
	assert_int_equal(json_count(v), 3);
	w = json_walk(v);
	for (double n = 1; json_next(&w, NULL, &item); n++)
		if (item.kind == JSON_NUMBER)
			assert_near(json_as_number(item), n);
		else
			assert_int_equal(json_count(item), 2);
	for (size_t i = 0; i < countof(whole); i++) {
		assert_int_equal(json_parse_first(&v, whole[i], strlen(whole[i]), 3), 0);
		assert_int_equal(parse(&item, whole[i]), 0);
		assert_int_equal(json_count(v), json_count(item));
	}
	for (size_t i = 0; i < countof(wrong); i++)
		assert_int_equal(json_parse_first(&v, wrong[i], strlen(wrong[i]), 3), -EBADMSG);
}

static void items_keep_their_order(void **state)
{
	struct json_value v, key, item;

	(void)state;
	assert_int_equal(parse(&v, " { \"a\" : [1, [2,\"]\"], {\"x\":3}] ,\"b\":\"}\", \"a\":null}"), 0);
	assert_int_equal(v.kind, JSON_OBJECT);
	assert_int_equal(json_count(v), 3);
	assert_true(json_find(v, "b", &item));
	assert_true(json_is(item, "}"));
	assert_false(json_find(v, "c", &item));
	assert_true(json_find(v, "a", &item));
	assert_int_equal(item.kind, JSON_ARRAY);

	struct json_walk w = json_walk(item);

	assert_true(json_next(&w, NULL, &item));
	assert_near(json_as_number(item), 1);
	assert_true(json_next(&w, NULL, &item));
	assert_int_equal(json_count(item), 2);
	assert_true(json_next(&w, NULL, &item));
	assert_true(json_find(item, "x", &item));
	assert_near(json_as_number(item), 3);
	assert_false(json_next(&w, NULL, &item));

	w = json_walk(v);
	assert_true(json_next(&w, &key, &item));
	assert_true(json_is(key, "a"));
	assert_int_equal(json_count(key), 0);
	assert_int_equal(parse(&v, "[]"), 0);
	assert_int_equal(json_count(v), 0);
	assert_false(json_find(v, "a", &item));
}

static void numbers_keep_their_value(void **state)
{
	static const struct { const char *text; double value; } cases[] = {
		{ "0", 0 }, { "-0.0", 0 }, { "12.5", 12.5 }, { "0.1", 0.1 }, { "1795268880.123457", 1795268880.123457 },
		{ "123456789012345678901234567890", 123456789012345678901234567890.0 }, { "1e3", 1000 },
		{ "-2.5E-3", -0.0025 }, { "9007199254740993", 9007199254740993.0 }, { "0.3", 0.3 },
		{ "0.000001", 0.000001 }, { "1e-400", 0 }, { "5e-310", 5e-310 }, { "8589934592", 8589934592.0 },
	};
	struct json_value v;

	(void)state;
	for (size_t i = 0; i < countof(cases); i++) {
		assert_int_equal(parse(&v, cases[i].text), 0);
		assert_near(json_as_number(v), cases[i].value);
	}
	assert_int_equal(parse(&v, "1e999999999999"), 0);
	assert_true(is_none(json_as_number(v)));
	assert_int_equal(parse(&v, "\"1\""), 0);
	assert_none(json_as_number(v));
	assert_int_equal(parse(&v, "true"), 0);
	assert_true(json_as_bool(v));
}

/* Row after row of numbers, equal to the bit to the results of the general parser. */
static void numbers_in_one_go(void **state)
{
	static const char text[] =
		"[0,-0,12.5,0.1,-1795268880.123457, 7 ,12345678901234567,123456789012345678,0.12345678901234567,1e3,-2.5E-3,null,"
		"\"1\",[1,2],{\"a\":3},true,0.000001,9007199254740993,1]";
	struct json_value v, item;
	double value = 0;

	(void)state;
	assert_int_equal(parse(&v, text), 0);

	struct json_walk one = json_walk(v), other = one;

	for (size_t i = 0; i < json_count(v); i++) {
		double expected;

		assert_true(json_next(&one, NULL, &item));
		expected = json_as_number(item);
		assert_true(json_next_number(&other, &value));
		assert_memory_equal(&value, &expected, sizeof value);
		assert_ptr_equal(one.at, other.at);
	}
	assert_false(json_next_number(&other, &value));
	assert_int_equal(parse(&v, "[]"), 0);
	other = json_walk(v);
	assert_false(json_next_number(&other, &value));
	assert_int_equal(parse(&v, "1"), 0);
	other = json_walk(v);
	assert_false(json_next_number(&other, &value));
}

static void written_text_is_read_back(void **state)
{
	for (int digits = 0; digits <= 9; digits++)
		for (double value = 0.123456789; value < 1e9; value *= 7.3) {
			struct buffer b = { 0 };
			struct json j = json_to(&b);
			struct json_value v;
			double again;

			(void)state;
			json_number(&j, value, digits);
			assert_int_equal(json_parse(&v, b.at, b.len), 0);
			again = json_as_number(v);
			buffer_char(&b, '\0');
			assert_true(fabs(again - value) <= 0.5000001 * pow(10, -digits) + 4e-16 * value);
			buffer_release(&b);
		}
}

static void texts_are_decoded(void **state)
{
	struct json_value v;
	char text[16];

	(void)state;
	assert_int_equal(parse(&v, "\"a\\n\\\"\\u00e4\\ud83d\\ude00\\/\""), 0);
	assert_true(json_as_text(v, text, sizeof text));
	assert_string_equal(text, "a\n\"\xc3\xa4\xf0\x9f\x98\x80/");
	assert_int_equal(parse(&v, "\"\\ud83dx\\u0000\""), 0);
	assert_true(json_as_text(v, text, sizeof text));
	assert_string_equal(text, "\xef\xbf\xbdx\xef\xbf\xbd");
	assert_true(json_as_text(v, text, 5));          /* no half character */
	assert_string_equal(text, "\xef\xbf\xbdx");
	assert_int_equal(parse(&v, "12"), 0);
	assert_false(json_as_text(v, text, sizeof text));
	assert_string_equal(text, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(malformed_json_is_refused),
		cmocka_unit_test(malformed_numbers_among_others_are_refused),
		cmocka_unit_test(the_first_items_alone),
		cmocka_unit_test(items_keep_their_order),
		cmocka_unit_test(numbers_keep_their_value),
		cmocka_unit_test(numbers_in_one_go),
		cmocka_unit_test(written_text_is_read_back),
		cmocka_unit_test(texts_are_decoded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
