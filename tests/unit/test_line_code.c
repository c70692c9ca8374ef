/* test_line_code.c - long series of numbers as short text; tests/web/parts.test.js decodes the same texts. */
#include "fixture.h"

#include "report/line_code.h"

static void differences_repeats_and_unknown_values(void **state)
{
	static const int64_t steps[] = { 0, 0, 0, 5, -3 };
	struct buffer text = { 0 };
	struct line_code code = line_code_to(&text);

	(void)state;
	for (size_t i = 0; i < countof(steps); i++)
		line_code_add(&code, steps[i]);
	line_code_unknown(&code);
	line_code_unknown(&code);
	line_code_add(&code, 40);
	line_code_add(&code, 40);
	line_code_end(&code);
	buffer_char(&text, '\0');
	assert_string_equal(text.at, "~GKR_E2CA");
	buffer_release(&text);
}

static void steps_are_as_fine_near_zero_as_at_the_peak(void **state)
{
	const struct line_scale scale = { 0.001, 0.01 };

	(void)state;
	assert_int_equal(line_steps(&scale, 0), 0);
	assert_int_equal(line_steps(&scale, 0.00001), 1);
	assert_int_equal(line_steps(&scale, 10.1) - line_steps(&scale, 10), 1);
	assert_int_equal(line_steps(&scale, -10), -line_steps(&scale, 10));
	assert_int_equal(line_steps(&(struct line_scale){ 0, 0.01 }, 5), 0);
	assert_int_equal(line_steps(&(struct line_scale){ NONE, 0.01 }, 5), 0);
	assert_in_range(line_steps(&(struct line_scale){ 1e-300, 0.01 }, 1e300), 1000, 100000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(differences_repeats_and_unknown_values),
		cmocka_unit_test(steps_are_as_fine_near_zero_as_at_the_peak),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
