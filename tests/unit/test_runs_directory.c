/* test_runs_directory.c - the default folder of records: found, made, pruned. */
#include "fixture.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "record/runs_directory.h"

static void the_directory_follows_the_environment(void **state)
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
	char path[256], block[4096] = "{\"record\":";
	struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, { .tv_sec = time(NULL) - (time_t)(days_old * 86400) } };

	(void)snprintf(path, sizeof path, "%s/%s", directory, name);
	auto_close int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	for (size_t done = 0; done < bytes; done += sizeof block)
		assert_int_equal(write(fd, block, sizeof block), sizeof block);
	assert_int_equal(futimens(fd, times), 0);
}

/* The file is a hundred days old. */
static void write_text(const char *directory, const char *name, const char *text)
{
	struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, { .tv_sec = time(NULL) - 100 * 86400 } };
	char path[256];

	(void)snprintf(path, sizeof path, "%s/%s", directory, name);
	auto_close int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	assert_int_equal(futimens(fd, times), 0);
}

static bool there(const char *directory, const char *name)
{
	char path[256];

	(void)snprintf(path, sizeof path, "%s/%s", directory, name);
	return access(path, F_OK) == 0;
}

static void only_old_records_are_removed(void **state)
{
	struct fixture f;
	char directory[128], outside[160];
	struct stat status;
	struct why why = { "" };

	(void)state;
	fixture_open(&f, "bare-metal");                 /* for its temporary directory */
	(void)snprintf(directory, sizeof directory, "%s/a/b/runs", f.root);
	assert_int_equal(runs_directory_open(directory, false, &why), -ENOENT);
	(void)close(runs_directory_open(directory, true, &why));
	auto_close int runs = runs_directory_open(directory, true, &why);

	assert_true(runs >= 0);
	assert_int_equal(stat(directory, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0700);

	make_file(directory, "20260101T000000Z-host-1.jsonl", 4096, 100);
	make_file(directory, "notes.txt", 4096, 100);   /* not a record's name */
	make_file(directory, "data.jsonl", 4096, 100);
	make_file(directory, "20260106T000000Z-host-6.jsonl", 0, 100);
	write_text(directory, "20260107T000000Z-host-7.jsonl", "{\"important\": 1}\n");
	make_file(directory, "20260102T000000Z-host-2.jsonl", 40960, 3);
	make_file(directory, "20260103T000000Z-host-3.jsonl", 40960, 1);
	make_file(directory, "20260104T000000Z-host-4.jsonl", 40960, 200);
	(void)snprintf(outside, sizeof outside, "%s/20260105T000000Z-host-5.jsonl", directory);
	assert_int_equal(symlink("20260103T000000Z-host-3.jsonl", outside), 0);

	runs_directory_prune(runs, 90, 0, "20260104T000000Z-host-4.jsonl");
	assert_false(there(directory, "20260101T000000Z-host-1.jsonl"));
	assert_true(there(directory, "20260102T000000Z-host-2.jsonl"));
	assert_true(there(directory, "20260104T000000Z-host-4.jsonl"));

	runs_directory_prune(runs, 90, 50000, "20260104T000000Z-host-4.jsonl");
	assert_false(there(directory, "20260102T000000Z-host-2.jsonl"));
	assert_true(there(directory, "20260103T000000Z-host-3.jsonl"));
	assert_true(there(directory, "notes.txt"));
	assert_true(there(directory, "data.jsonl"));    /* not a record's name */
	assert_false(there(directory, "20260106T000000Z-host-6.jsonl"));        /* of a run killed at its start */
	assert_true(there(directory, "20260107T000000Z-host-7.jsonl")); /* not a record */
	assert_true(there(directory, "20260105T000000Z-host-5.jsonl"));
	assert_true(there(directory, "20260104T000000Z-host-4.jsonl"));

	assert_true(runs_directory_prune_due(runs));
	assert_false(runs_directory_prune_due(runs));      /* not twice within the hour */
	make_file(directory, ".pruned", 0, 1);
	assert_true(runs_directory_prune_due(runs));

	(void)snprintf(outside, sizeof outside, "%s/notes.txt/sub", directory);
	assert_true(runs_directory_open(outside, true, &why) < 0);
	assert_non_null(strstr(why.text, "cannot make "));
	fixture_close(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_directory_follows_the_environment),
		cmocka_unit_test(only_old_records_are_removed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
