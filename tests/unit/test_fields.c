/* test_fields.c - numbers by name, one per line. */
#include "fixture.h"

#include <stdio.h>
#include <string.h>

#include "core/fields.h"

static const struct field fields[] = { FIELD("low "), FIELD("high "), FIELD("max:"), FIELD("lower ") };
static uint64_t value[countof(fields)];

static uint64_t parse(const char *text)
{
	memset(value, 0xff, sizeof value);
	return fields_parse(value, fields, countof(fields), text, strlen(text));
}

static void fields_in_any_order(void **state)
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

static void broken_lines_are_skipped(void **state)
{
	(void)state;
	assert_int_equal(parse(""), 0);
	assert_int_equal(parse("\n\n"), 0);
	assert_int_equal(parse("low"), 0);
	assert_int_equal(parse("low "), 0);
	assert_int_equal(parse("low \nmax 3\nhigh -1\n"), 0);   /* the number on the next line does not count */
	assert_int_equal(parse("lowhigh 2\n high 2\n"), 0);
	assert_int_equal(parse("max:99999999999999999999\n"), 0);
	assert_int_equal(fields_parse(value, fields, countof(fields), "max:12", 5), 0x4);
	assert_int_equal(value[2], 1);          /* the text ends there */
}

static struct places places;

/* Must equal a parse of the whole text. */
static uint64_t parse_again(const char *text)
{
	uint64_t whole[countof(fields)];
	uint64_t found = parse(text);

	memcpy(whole, value, sizeof whole);
	memset(value, 0xff, sizeof value);
	assert_int_equal(fields_parse_again(value, fields, countof(fields), text, strlen(text), &places), found);
	for (unsigned i = 0; i < countof(fields); i++)
		assert_true(!fields_has(found, i) || value[i] == whole[i]);
	return found;
}

static void lines_can_move(void **state)
{
	static const char many[] = "a 1\nb 2\nc 3\nd 4\ne 5\nf 6\ng 7\nh 8\ni 9\nj 1\nk 2\nl 3\nm 4\nn 5\no 6\np 7\nq 8\nr 9\n";
	char text[256];

	(void)state;
	memset(&places, 0, sizeof places);
	assert_int_equal(parse_again("x 1\nlow 2\nxhigh 3\nhigh 4\ny 5\nmax: 6\nz 7\n"), 0x7);
	assert_int_equal(places.at[1], 18);
	assert_int_equal(parse_again("x 1\nlow 2\nxhigh 3\nhigh 4\ny 5\nmax: 6\nz 7\n"), 0x7);
	assert_int_equal(parse_again("x 10000\nlow 2\nxhigh 3\nhigh 4\ny 500000\nmax: 60\nz 7\n"), 0x7);
	assert_int_equal(places.at[1], 22);
	assert_int_equal(parse_again("x 1\nlow 2\nxhigh 3\nhigh 4\nmax: 6"), 0x7);
	(void)snprintf(text, sizeof text, "%slow 2\nhigh 30\nmax: 6\n", many);
	assert_int_equal(parse_again(text), 0x7);
	assert_int_equal(places.at[0], strlen(many));
	assert_int_equal(parse_again("low 2\nhigh 3\nmax: 6\n"), 0x7);
	assert_int_equal(parse_again("high 3\nmax: 6\nlow 2\n"), 0x7);
}

static void lines_can_come_and_go(void **state)
{
	(void)state;
	memset(&places, 0, sizeof places);
	assert_int_equal(parse_again(""), 0);
	assert_int_equal(parse_again("low 2\nhigh 3\n"), 0x3);
	assert_int_equal(parse_again("high 3\n"), 0x2);
	assert_int_equal(parse_again("high x\n"), 0);
	assert_int_equal(parse_again("low 2\nhigh 3\n"), 0x3);
	assert_int_equal(parse_again("high"), 0);
	assert_int_equal(parse_again("high 4"), 0x2);
	/* While no line moves, missing names are not searched for. */
	assert_int_equal(fields_parse_again(value, fields, countof(fields), "high 4\nlow 1\n", 13, &places), 0x2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_in_any_order),
		cmocka_unit_test(the_first_of_two_lines_counts),
		cmocka_unit_test(broken_lines_are_skipped),
		cmocka_unit_test(lines_can_move),
		cmocka_unit_test(lines_can_come_and_go),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
