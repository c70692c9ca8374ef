/* test_limits.c - docs/reference/limits.md states the values of limits.def. */
#include "fixture.h"

#include <fcntl.h>
#include <string.h>

#include "core/buffer.h"
#include "core/limits.h"

static const struct limit { long value; const char *what, *beyond; } limits[] = {
#define LIMIT(name, value, what, beyond) { (value), what, beyond },
#include "core/limits.def"
#undef LIMIT
};

static void add_limit(struct buffer *out, const struct limit *l)
{
	enum { MIB = 1 << 20 };
	bool bytes = l->value % MIB == 0;

	buffer_format(out, "| %s | %ld%s | %s |\n", l->what, bytes ? l->value / MIB : l->value, bytes ? " MiB" : "", l->beyond);
}

/* With UPDATE_DOCS in the environment the file is written instead. */
static void the_page_is_up_to_date(void **state)
{
	const char *path = FIXTURES "/../../docs/reference/limits.md";
	struct buffer page = { 0 };
	static char now[1 << 14];

	(void)state;
	buffer_text(&page, "# Limits\n\nLimits that a run can reach, and the effect beyond each.\n\n"
			   "| limit | at most | beyond |\n|---|---:|---|\n");
	for (size_t i = 0; i < countof(limits); i++)
		add_limit(&page, &limits[i]);
	assert_false(page.failed);
	if (getenv("UPDATE_DOCS")) {
		auto_close int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

		assert_int_equal(write(fd, page.at, page.len), (ssize_t)page.len);
	} else {
		auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);
		ssize_t n = read(fd, now, sizeof now);

		if (n != (ssize_t)page.len || memcmp(now, page.at, page.len) != 0)
			fail_msg("docs/reference/limits.md is not what limits.def says; write it again with: UPDATE_DOCS=1 %s",
				 "build/dev/tests/test_limits");
	}
	buffer_release(&page);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(the_page_is_up_to_date) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
