/* test_runs_directory.c - the default place of records: found, made, pruned. */
#include "fixture.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "record/runs_directory.h"

static void the_place_follows_the_environment(void **state)
{
	char path[256];
	struct why why;

	(void)state;
	(void)setenv("HOME", "/home/u", 1);
	(void)setenv("XDG_STATE_HOME", "/state", 1);
	assert_int_equal(runs_directory(path, sizeof path, &why), 0);
	assert_string_equal(path, "/state/resource-tracker/runs");
	(void)setenv("XDG_STATE_HOME", "not/absolute", 1);
	assert_int_equal(runs_directory(path, sizeof path, &why), 0);
	assert_string_equal(path, "/home/u/.local/state/resource-tracker/runs");
	(void)unsetenv("XDG_STATE_HOME");
	(void)unsetenv("HOME");
	assert_int_equal(runs_directory(path, sizeof path, &why), -ENOENT);
	assert_int_equal(runs_directory(path, 10, &why), -ENOENT);
}

static void make_file(const char *directory, const char *name, size_t bytes, double days_old)
{
	char path[256], block[4096] = "x";
	struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, { .tv_sec = time(NULL) - (time_t)(days_old * 86400) } };

	(void)snprintf(path, sizeof path, "%s/%s", directory, name);
	auto_close int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	for (size_t done = 0; done < bytes; done += sizeof block)
		assert_int_equal(write(fd, block, sizeof block), sizeof block);
	assert_int_equal(futimens(fd, times), 0);
}

static bool there(const char *directory, const char *name)
{
	char path[256];

	(void)snprintf(path, sizeof path, "%s/%s", directory, name);
	return access(path, F_OK) == 0;
}

static void only_old_records_go(void **state)
{
	struct fixture f;
	char directory[128], outside[160];
	struct stat status;
	struct why why = { "" };

	(void)state;
	fixture_open(&f, "bare-metal");                 /* for its temporary directory */
	(void)snprintf(directory, sizeof directory, "%s/a/b/runs", f.root);
	assert_int_equal(runs_directory_make(directory, &why), 0);
	assert_int_equal(runs_directory_make(directory, &why), 0);
	assert_int_equal(stat(directory, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0700);

	make_file(directory, "ancient.jsonl", 4096, 100);
	make_file(directory, "notes.txt", 4096, 100);   /* not ours */
	make_file(directory, "old.jsonl", 40960, 3);
	make_file(directory, "new.jsonl", 40960, 1);
	make_file(directory, "mine.jsonl", 40960, 200);
	(void)snprintf(outside, sizeof outside, "%s/link.jsonl", directory);
	assert_int_equal(symlink("new.jsonl", outside), 0);

	runs_directory_prune(directory, 90, 0, "mine.jsonl");
	assert_false(there(directory, "ancient.jsonl"));
	assert_true(there(directory, "old.jsonl"));
	assert_true(there(directory, "mine.jsonl"));

	runs_directory_prune(directory, 90, 50000, "mine.jsonl");
	assert_false(there(directory, "old.jsonl"));
	assert_true(there(directory, "new.jsonl"));
	assert_true(there(directory, "notes.txt"));
	assert_true(there(directory, "link.jsonl"));
	assert_true(there(directory, "mine.jsonl"));

	assert_true(runs_directory_prune_due(directory));
	assert_false(runs_directory_prune_due(directory));      /* not twice within the hour */
	make_file(directory, ".pruned", 0, 1);
	assert_true(runs_directory_prune_due(directory));

	(void)snprintf(outside, sizeof outside, "%s/notes.txt/sub", directory);
	assert_true(runs_directory_make(outside, &why) < 0);
	assert_non_null(strstr(why.text, "cannot make "));
	fixture_close(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_place_follows_the_environment),
		cmocka_unit_test(only_old_records_go),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
