/* test_metrics_text.c - the metric reference: every metric is in it, and docs/reference/metrics.md equals it. */
#include "fixture.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "core/metrics.h"
#include "text/metrics_text.h"

static struct buffer text;

static const char *made(enum metrics_format format)
{
	buffer_clear(&text);
	metrics_text(&text, format);
	buffer_char(&text, '\0');
	assert_false(text.failed);
	return text.at;
}

static void every_metric_is_there(void **state)
{
	(void)state;
	for (int format = METRICS_PLAIN; format <= METRICS_JSON; format++) {
		const char *all = made((enum metrics_format)format);

		for (unsigned t = 0; t < TABLE_COUNT; t++)
			for (size_t i = 0; i < tables[t].n_metrics; i++) {
				assert_non_null(strstr(all, tables[t].metrics[i].name));
				assert_non_null(strstr(all, tables[t].metrics[i].help));
			}
	}
	assert_non_null(strstr(made(METRICS_MARKDOWN), "| `cpu.utime_secs` | `cpu.user_seconds` |"));
	assert_non_null(strstr(text.at, "| `system_gpu_vram_mib` | `gpu_total.vram_used_bytes`, in MiB |"));
	assert_null(strstr(text.at, "(null)"));
}

/* row_clear() finds the metrics of a row by their table. */
static void a_cleared_row_has_no_values(void **state)
{
	static union { struct totals total; struct mount_row mount; struct gpu_row gpu; char bytes[4096]; } row;

	(void)state;
	for (enum table t = 0; t < TABLE_COUNT; t++) {
		const struct rows rows = { row.bytes, 1, tables[t].stride };

		assert_true(tables[t].stride < sizeof row);
		memset(&row, 'x', sizeof row);
		row_clear(t, &row);
		assert_string_equal(row_key(rows, 0), "");
		for (size_t i = 0; i < tables[t].n_labels; i++)
			assert_string_equal(row_label(rows, 0, &tables[t].labels[i]), "");
		for (size_t i = 0; i < tables[t].n_metrics; i++)
			assert_true(is_none(row_value(rows, 0, &tables[t].metrics[i])));
		assert_int_equal(row.bytes[tables[t].stride], 'x');
	}
}

/* With UPDATE_DOCS in the environment the file is written instead. */
static void the_page_is_up_to_date(void **state)
{
	static char page[1 << 17];
	const char *path = FIXTURES "/../../docs/reference/metrics.md", *now = made(METRICS_MARKDOWN);

	(void)state;
	if (getenv("UPDATE_DOCS")) {
		auto_close int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

		assert_int_equal(write(fd, now, strlen(now)), (ssize_t)strlen(now));
		return;
	}

	auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = read(fd, page, sizeof page - 1);

	assert_true(n > 0);
	if (strcmp(page, now) != 0)
		fail_msg("docs/reference/metrics.md is not what metrics.def says; write it again with: UPDATE_DOCS=1 %s",
			 "build/dev/tests/test_metrics_text");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_metric_is_there),
		cmocka_unit_test(a_cleared_row_has_no_values),
		cmocka_unit_test(the_page_is_up_to_date),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	buffer_release(&text);
	return failed;
}
