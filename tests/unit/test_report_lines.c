/* test_report_lines.c - lines of a summary as facts, each figure with one short value. */
#include "fixture.h"

#include <string.h>

#include "report/report_lines.h"

static void expect(void (*write)(struct json *j, const char *card, const struct buffer *lines), const char *lines,
		   const char *expected)
{
	struct buffer in = { 0 }, out = { 0 };
	struct json j = json_to(&out);

	buffer_text(&in, lines);
	json_open(&j, '[');
	write(&j, "c", &in);
	json_close(&j, ']');
	buffer_char(&out, '\0');
	assert_string_equal(out.at, expected);
	buffer_release(&in);
	buffer_release(&out);
}

static void each_figure_has_its_own_value(void **state)
{
	(void)state;
	expect(report_figures,
	       "CPU\tmean 0.35 cores, peak 0.95 of 2\n\ttime 6.71s, user 6.08s, system unknown\n\texact: own control group\n"
	       "Memory PSS\tmean 28.7 MiB, peak 238 MiB (0.99 %)\n       RSS\tmean 33 MiB, peak 243 MiB\n"
	       "\tpeak of PSS between 1 B and 2 B\nTime\t30 % running, 70 % waiting\n",
	       "[{\"card\":\"c\",\"label\":\"CPU on average\",\"value\":\"0.35 cores\",\"note\":\"peak 0.95 of 2\"},"
	       "{\"card\":\"c\",\"label\":\"CPU time\",\"value\":\"6.71s\",\"note\":\"user 6.08s; exact: own control group\"},"
	       "{\"card\":\"c\",\"label\":\"Peak memory (PSS)\",\"value\":\"238 MiB\",\"note\":\"mean 28.7 MiB; 0.99 % of what it can "
	       "have\"},"
	       "{\"card\":\"c\",\"label\":\"Peak memory (RSS)\",\"value\":\"243 MiB\",\"note\":\"mean 33 MiB; peak of PSS between "
	       "1 B and 2 B\"},"
	       "{\"card\":\"c\",\"label\":\"Time\",\"value\":\"30 % running\",\"note\":\"70 % waiting\"}]");
}

static void unknown_values_are_not_reported(void **state)
{
	(void)state;
	expect(report_figures, "Network\tin unknown, out unknown, (whole machine)\nDisk\tread unknown, written 5 B\nCPU\t\n",
	       "[{\"card\":\"c\",\"label\":\"Written to disks\",\"value\":\"5 B\"}]");
	expect(report_figures, "", "[]");
	expect(report_figures, "no tab at all\n", "[]");
}

static void other_lines_stay_as_they_are(void **state)
{
	(void)state;
	expect(report_lines, "Status\texit 1, unknown after 3s\nCause\ta, b\n\tc\n\td\n",
	       "[{\"card\":\"c\",\"label\":\"Status\",\"value\":\"exit 1, unknown after 3s\"},"
	       "{\"card\":\"c\",\"label\":\"Cause\",\"value\":\"a, b\",\"note\":\"c; d\"}]");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_figure_has_its_own_value),
		cmocka_unit_test(unknown_values_are_not_reported),
		cmocka_unit_test(other_lines_stay_as_they_are),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
