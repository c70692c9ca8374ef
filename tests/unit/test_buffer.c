/* test_buffer.c - numbers as text, against printf. */
#include "fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/buffer.h"
#include "core/json_write.h"

static struct buffer out;

static const char *text(void)
{
	buffer_char(&out, '\0');
	return out.at;
}

static const char *fixed(double value, int decimals)
{
	buffer_clear(&out);
	buffer_fixed(&out, value, decimals);
	return text();
}

static const char *trimmed(double value, int decimals)
{
	buffer_clear(&out);
	buffer_trimmed(&out, value, decimals);
	return text();
}

static void fixed_decimals_equal_printf(void **state)
{
	static const double hard[] = { 0, 0.5, 1.5, 2.5, 0.615, 1.005, 8.345, 0.05, 0.125, 0.375, 99.995, 999.9999996,
				       4503599627370497.5, 9007199254740993.0, 1e15, 123456789012.3456 };
	char expected[400];

	(void)state;
	for (size_t i = 0; i < countof(hard); i++)
		for (int decimals = 0; decimals <= 3; decimals++) {
			(void)snprintf(expected, sizeof expected, "%.*f", decimals, hard[i]);
			assert_string_equal(fixed(hard[i], decimals), expected);
		}
	srand(1);
	for (int i = 0; i < 200000; i++) {
		int decimals = rand() % 7;
		double value = ldexp((double)rand() / 3.0, rand() % 60 - 50) * (rand() % 2 ? 1 : -1);

		/* Most short decimals lie a little beside a half. */
		if (i % 2)
			value = (rand() % 200000 - 100000) / 1000.0;
		(void)snprintf(expected, sizeof expected, "%.*f", decimals, value);
		if (expected[0] == '-' && strspn(expected, "-0.") == strlen(expected))
			memmove(expected, expected + 1, strlen(expected));
		assert_string_equal(fixed(value, decimals), expected);
	}
}

static void trimmed_keeps_one_digit(void **state)
{
	(void)state;
	assert_string_equal(trimmed(2, 4), "2.0");
	assert_string_equal(trimmed(0, 6), "0.0");
	assert_string_equal(trimmed(-0.0, 3), "0.0");
	assert_string_equal(trimmed(-0.0001, 3), "0.0");
	assert_string_equal(trimmed(0.125, 6), "0.125");
	assert_string_equal(trimmed(10.5, 0), "10");
	assert_string_equal(trimmed(100.25, 1), "100.2");
	assert_string_equal(trimmed(-1.1, 6), "-1.1");
	assert_string_equal(trimmed(NONE, 6), "");
	assert_string_equal(trimmed((double)INFINITY, 6), "");
}

static void integers_of_every_length(void **state)
{
	char expected[32];

	(void)state;
	for (uint64_t value = 1, i = 0; i < 20; i++, value *= 10)
		for (uint64_t near = value - 1; near != value + 2; near++) {
			(void)snprintf(expected, sizeof expected, "%llu", (unsigned long long)near);
			buffer_clear(&out);
			buffer_u64(&out, near);
			assert_string_equal(text(), expected);
		}
	buffer_clear(&out);
	buffer_u64(&out, UINT64_MAX);
	buffer_char(&out, ' ');
	buffer_i64(&out, INT64_MIN);
	assert_string_equal(text(), "18446744073709551615 -9223372036854775808");
}

static void any_bytes_become_json(void **state)
{
	struct json j = json_to(&out);

	(void)state;
	buffer_clear(&out);
	json_text(&j, "a\"b\\c\n\x01 \xc3\xa9\xff\xc3 \xed\xa0\x80.");
	assert_string_equal(text(), "\"a\\\"b\\\\c\\n\\u0001 \xc3\xa9\xef\xbf\xbd\xef\xbf\xbd "
				    "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd.\"");
}

/* Of any length: the buffer reserves room for the whole word at once. */
static void words_are_values(void **state)
{
	struct json j = json_to(&out);
	char long_word[5000], expected[sizeof long_word + 32];

	(void)state;
	memset(long_word, 'w', sizeof long_word - 1);
	long_word[sizeof long_word - 1] = '\0';
	(void)snprintf(expected, sizeof expected, "[\"\",\"level\",\"%s\"]", long_word);
	buffer_release(&out);
	json_open(&j, '[');
	json_word(&j, "");
	json_word(&j, "level");
	json_word(&j, long_word);
	json_close(&j, ']');
	assert_string_equal(text(), expected);
}

static int release(void **state)
{
	(void)state;
	buffer_release(&out);
	return 0;
}

static void floor_without_libm(void **state)
{
	static const double cases[][2] = {
		{ 0, 0 }, { 0.9, 0 }, { -0.1, -1 }, { -2, -2 }, { -2.5, -3 }, { 1e15 + 0.5, 1e15 },
		{ -1e15 - 0.5, -1e15 - 1 }, { 1e300, 1e300 }, { -1e300, -1e300 },
		{ (double)INFINITY, (double)INFINITY },
	};

	(void)state;
	for (size_t i = 0; i < countof(cases); i++)
		assert_true(double_floor(cases[i][0]) >= cases[i][1] && double_floor(cases[i][0]) <= cases[i][1]);
	assert_true(isnan(double_floor((double)NAN)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fixed_decimals_equal_printf),
		cmocka_unit_test(trimmed_keeps_one_digit),
		cmocka_unit_test(integers_of_every_length),
		cmocka_unit_test(any_bytes_become_json),
		cmocka_unit_test(words_are_values),
		cmocka_unit_test(floor_without_libm),
	};
	return cmocka_run_group_tests(tests, NULL, release);
}
