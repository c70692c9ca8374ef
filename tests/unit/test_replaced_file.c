/* test_replaced_file.c - links that stand where a file is opened, and those planted meanwhile. */
#include "analysis/replaced_file.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "fixture.h"

static char folder[] = "/tmp/test_replaced_file.XXXXXX";
static char victim[PATH_MAX], output[PATH_MAX];
static bool plant;

/* In place of that of libc: another user is quicker than its caller, which has looked at the name before. */
char *realpath(const char *restrict path, char *restrict ret)
{
	assert_null(ret);
	if (plant)
		assert_int_equal(symlink(victim, output), 0);
	return canonicalize_file_name(path);
}

static int set_up(void **state)
{
	int fd;

	(void)state;
	if (!mkdtemp(folder) || chmod(folder, 01777) < 0)
		return -1;
	(void)snprintf(victim, sizeof victim, "%s/victim", folder);
	(void)snprintf(output, sizeof output, "%s/output", folder);
	fd = open(victim, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	return fd < 0 ? -1 : close(fd);
}

static int tear_down(void **state)
{
	(void)state;
	(void)unlink(output);
	(void)unlink(victim);
	return rmdir(folder);
}

/* Regression: the name was looked at, then followed: a link that was planted between the two led to the victim. */
static void a_link_planted_meanwhile_is_not_followed(void **state)
{
	struct replaced_file f;
	struct why why;

	(void)state;
	plant = true;
	assert_int_equal(replaced_file_open(&f, output, &why), 0);
	plant = false;
	assert_string_equal(f.path, output);
	replaced_file_abandon(&f);
}

static void a_link_that_stood_there_is_followed(void **state)
{
	struct replaced_file f;
	struct why why;

	(void)state;
	(void)unlink(output);
	assert_int_equal(symlink("victim", output), 0);
	assert_int_equal(replaced_file_open(&f, output, &why), 0);
	assert_string_equal(f.path, victim);
	replaced_file_abandon(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_link_planted_meanwhile_is_not_followed),
		cmocka_unit_test(a_link_that_stood_there_is_followed),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
