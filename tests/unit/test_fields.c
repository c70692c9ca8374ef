/* test_fields.c - numbers by name, one a line. */
#include "fixture.h"

#include <string.h>

#include "core/fields.h"

static const struct field fields[] = { FIELD("low "), FIELD("high "), FIELD("max:"), FIELD("lower ") };
static uint64_t value[countof(fields)];

static uint64_t parse(const char *text)
{
	memset(value, 0xff, sizeof value);
	return fields_parse(value, fields, countof(fields), text, strlen(text));
}

static void in_any_order(void **state)
{
	(void)state;
	assert_int_equal(parse("low 1\nhigh 2\nmax: 3 kB\nlower 4\n"), 0xf);
	assert_int_equal(value[2], 3);
	assert_int_equal(parse("lower 4\nother 9\nhigh 2"), 0xa);
	assert_int_equal(value[3], 4);
	assert_int_equal(value[1], 2);
	assert_int_equal(value[0], UINT64_MAX);
}

static void the_first_of_two_lines_counts(void **state)
{
	(void)state;
	assert_int_equal(parse("low 1\nlow 2\n"), 0x1);
	assert_int_equal(value[0], 1);
	assert_int_equal(parse("low x\nlow 2\n"), 0x1);
	assert_int_equal(value[0], 2);
}

static void broken_lines_are_passed_over(void **state)
{
	(void)state;
	assert_int_equal(parse(""), 0);
	assert_int_equal(parse("\n\n"), 0);
	assert_int_equal(parse("low"), 0);
	assert_int_equal(parse("low "), 0);
	assert_int_equal(parse("low \nmax 3\nhigh -1\n"), 0);   /* a number of the next line is not ours */
	assert_int_equal(parse("lowhigh 2\n high 2\n"), 0);
	assert_int_equal(parse("max:99999999999999999999\n"), 0);
	assert_int_equal(fields_parse(value, fields, countof(fields), "max:12", 5), 0x4);
	assert_int_equal(value[2], 1);          /* the text ends there */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(in_any_order),
		cmocka_unit_test(the_first_of_two_lines_counts),
		cmocka_unit_test(broken_lines_are_passed_over),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
