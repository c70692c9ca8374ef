/* test_path_pattern.c - a path with parts of the run in it. */
#include "fixture.h"

#include <stdio.h>
#include <string.h>

#include "text/path_pattern.h"

static const char *written(const char *pattern, const struct job *job)
{
	static char path[256];

	return path_pattern_write(path, sizeof path, pattern, job) < 0 ? "wrong" : path;
}

static void parts_are_filled_in(void **state)
{
	struct job job;
	char pid[64];

	(void)state;
	job_unknown(&job);
	assert_true(job_put_text(&job, JOB_KEY_id, "1230[7].head") && job_put_text(&job, JOB_KEY_step, "../x y"));
	assert_true(job_put_number(&job, JOB_KEY_rank, 12) && job_put_number(&job, JOB_KEY_array_task, 0));
	assert_string_equal(written("r/%j-%a-%s-%t-%n.jsonl", &job), "r/1230-7-.head-0--.-x-y-12-none.jsonl");
	assert_string_equal(written("100%%/%t%%", &job), "100%/12%");
	assert_string_equal(written("%j%t", NULL), "nonenone");
	assert_string_equal(written("plain", NULL), "plain");
	assert_string_equal(written("", NULL), "");
	(void)snprintf(pid, sizeof pid, "a%d", (int)getpid());
	assert_string_equal(written("a%p", NULL), pid);
}

static void wrong_patterns_are_refused(void **state)
{
	static const char *const all[] = { "%", "a%", "%x", "%%%", "%t%", "%-t", "% ", "%\xff", "%T" };
	struct why why;

	(void)state;
	for (size_t i = 0; i < countof(all); i++) {
		assert_int_equal(path_pattern_check(all[i], "--record", &why), -EINVAL);
		assert_non_null(strstr(why.text, "--record: "));
		assert_string_equal(written(all[i], NULL), "wrong");
	}
	assert_int_equal(path_pattern_check("a/%j%a%s%t%n%h%p%%", "--record", &why), 0);
	assert_int_equal(path_pattern_check("", "--record", &why), 0);
}

static void a_path_fits_or_is_refused(void **state)
{
	char path[8];

	(void)state;
	assert_int_equal(path_pattern_write(path, sizeof path, "1234567", NULL), 0);
	assert_int_equal(path_pattern_write(path, sizeof path, "12345678", NULL), -ENAMETOOLONG);
	assert_int_equal(path_pattern_write(path, sizeof path, "123%t", NULL), 0);
	assert_int_equal(path_pattern_write(path, sizeof path, "1234%t", NULL), -ENAMETOOLONG);
	assert_int_equal(path_pattern_write(path, 0, "", NULL), -ENAMETOOLONG);
}

static void the_folder_ends_before_the_first_part(void **state)
{
	(void)state;
	assert_int_equal(path_pattern_folder("/a/b/%j/%t.jsonl"), 5);
	assert_int_equal(path_pattern_folder("/a/b-%j.jsonl"), 3);
	assert_int_equal(path_pattern_folder("%j"), 0);
	assert_int_equal(path_pattern_folder("x%j/y"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_are_filled_in),
		cmocka_unit_test(wrong_patterns_are_refused),
		cmocka_unit_test(a_path_fits_or_is_refused),
		cmocka_unit_test(the_folder_ends_before_the_first_part),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
