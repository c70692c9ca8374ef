/* test_ticks.c - the grid lines of an axis, and their labels. */
#include "fixture.h"

#include <string.h>

#include "plot/ticks.h"

/* All labels of an axis, with a blank between them. */
static const char *labels(enum axis_unit unit, double top, size_t wanted, bool above)
{
	static char text[16384];
	struct ticks t = ticks_find(unit, top, wanted, above);
	struct buffer all = { 0 };

	assert_in_range(t.n, 1, 4 * wanted + 2);
	for (size_t i = 0; i < t.n; i++) {
		if (i > 0)
			buffer_text(&all, "|");
		ticks_label(&all, unit, &t, i);
	}
	buffer_char(&all, '\0');
	assert_true(all.len < sizeof text);
	memcpy(text, all.at, all.len);
	buffer_release(&all);
	return text;
}

static void values(void **state)
{
	(void)state;
	assert_string_equal(labels(AXIS_PLAIN, 2, 4, true), "0|0.5|1.0|1.5|2.0");
	assert_string_equal(labels(AXIS_PLAIN, 7.3, 4, true), "0|2|4|6|8");
	assert_string_equal(labels(AXIS_PLAIN, 0.031, 4, true), "0|0.01|0.02|0.03|0.04");
	assert_string_equal(labels(AXIS_PLAIN, 52000, 4, true), "0|20 k|40 k|60 k");
	assert_string_equal(labels(AXIS_BYTES, 520 * 1048576.0, 4, true), "0|200 MiB|400 MiB|600 MiB");
	assert_string_equal(labels(AXIS_BYTES, 1.43 * 1073741824.0, 4, true), "0|0.5 GiB|1.0 GiB|1.5 GiB");
	assert_string_equal(labels(AXIS_BYTES, 3, 8, true), "0|1 B|2 B|3 B");
	assert_string_equal(labels(AXIS_BYTES_PER_SECOND, 236 * 1048576.0, 4, true), "0|100 MiB/s|200 MiB/s|300 MiB/s");
	assert_string_equal(labels(AXIS_SHARE, 1, 4, true), "0|50 %|100 %");
	assert_string_equal(labels(AXIS_SHARE, 0.002, 4, true), "0|0.05 %|0.10 %|0.15 %|0.20 %");
	assert_string_equal(labels(AXIS_PERCENT, 97, 2, true), "0|50 %|100 %");
}

static void times(void **state)
{
	(void)state;
	assert_string_equal(labels(AXIS_TIME, 1.23, 6, false), "0|0.5 s|1.0 s");
	assert_string_equal(labels(AXIS_TIME, 8.3, 8, false), "0|2 s|4 s|6 s|8 s");
	assert_string_equal(labels(AXIS_TIME, 95, 4, false), "0|30 s|60 s|90 s");
	assert_string_equal(labels(AXIS_TIME, 200, 8, false), "0|0:30 min|1:00 min|1:30 min|2:00 min|2:30 min|3:00 min");
	assert_string_equal(labels(AXIS_TIME, 1500, 5, false), "0|5 min|10 min|15 min|20 min|25 min");
	assert_string_equal(labels(AXIS_TIME, 9000, 5, false), "0|0:30 h|1:00 h|1:30 h|2:00 h|2:30 h");
	assert_string_equal(labels(AXIS_TIME, 86400, 8, false), "0|3 h|6 h|9 h|12 h|15 h|18 h|21 h|24 h");
	assert_string_equal(labels(AXIS_TIME, 10 * 86400.0, 5, false), "0|2 d|4 d|6 d|8 d|10 d");
}

static void every_range_has_ticks(void **state)
{
	static const double tops[] = { 0, -1, 1e-300, 1e-9, 0.999999999, 1, 1.0000000001, 1e15, 1e300 };
	enum axis_unit units[] = { AXIS_BYTES, AXIS_BYTES_PER_SECOND, AXIS_SHARE, AXIS_PERCENT, AXIS_TIME, AXIS_PLAIN };

	(void)state;
	for (size_t i = 0; i < countof(tops); i++)
		for (size_t k = 0; k < countof(units); k++) {
			struct ticks t = ticks_find(units[k], tops[i], 6, true);

			assert_true(t.step > 0 && t.n >= 2 && t.n <= TICKS_MOST);
			assert_true(t.step * (double)(t.n - 1) >= tops[i] * (1 - 1e-9));
			(void)labels(units[k], tops[i], 6, true);
		}
	assert_int_equal(ticks_find(AXIS_PLAIN, NONE, 4, true).n, ticks_find(AXIS_PLAIN, 1, 4, true).n);
	assert_int_equal(ticks_find(AXIS_PLAIN, (double)INFINITY, 4, true).n, ticks_find(AXIS_PLAIN, 1, 4, true).n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values),
		cmocka_unit_test(times),
		cmocka_unit_test(every_range_has_ticks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
