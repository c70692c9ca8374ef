/* test_record_source.c - a record that is still being written: the part that is there, and its end. */
#include "fixture.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "core/output_file.h"
#include "readers/record_reader.h"
#include "readers/record_source.h"

static char path[] = "/tmp/record-source-XXXXXX";

static void put(int fd, const char *text)
{
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
}

static void expect(struct record_source *s, const char *expected, bool whole)
{
	struct word line;

	assert_int_equal(record_source_line(s, &line), 1);
	assert_true(word_is(line, expected));
	assert_int_equal(s->whole, whole);
}

static void expect_none(struct record_source *s, int result)
{
	struct word line;

	assert_int_equal(record_source_line(s, &line), result);
}

/* Creates the file anew, written by a descriptor that locks it or not. */
static int writer(bool held)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	if (held)
		output_file_hold(fd);
	return fd;
}

static struct record_source source(bool follow)
{
	return (struct record_source){ .fd = open(path, O_RDONLY | O_CLOEXEC), .follow = follow };
}

static void a_pipe_ends_without_writers(void **state)
{
	int ends[2];

	(void)state;
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	struct record_source s = { .fd = ends[0], .follow = true };

	expect_none(&s, -EAGAIN);
	put(ends[1], "one\ntw");
	record_source_wait(&s, -1);
	expect(&s, "one", true);
	expect_none(&s, -EAGAIN);
	put(ends[1], "o\nrest");
	expect(&s, "two", true);
	expect_none(&s, -EAGAIN);
	close_p(&ends[1]);
	expect(&s, "rest", false);
	expect_none(&s, 0);
	expect_none(&s, 0);
	record_source_release(&s);
}

static void a_file_ends_when_its_writer_closes_it(void **state)
{
	int fd = writer(true);
	struct record_source s = source(true);

	(void)state;
	expect_none(&s, -EAGAIN);
	put(fd, "one\ntw");
	expect(&s, "one", true);
	record_source_wait(&s, 1);
	expect_none(&s, -EAGAIN);
	put(fd, "o\nlast\nrest");
	close_p(&fd);
	expect(&s, "two", true);
	expect(&s, "last", true);
	expect(&s, "rest", false);
	expect_none(&s, 0);
	record_source_release(&s);
}

static void a_file_that_is_not_followed_ends_at_its_size(void **state)
{
	int fd = writer(true);
	struct record_source s = source(false);

	(void)state;
	put(fd, "one\n");
	expect(&s, "one", true);
	expect_none(&s, 0);
	put(fd, "two\n");
	expect_none(&s, 0);
	record_source_release(&s);
	close_p(&fd);
}

static void a_file_without_a_writer_ends_at_its_size(void **state)
{
	int fd = writer(false);
	struct record_source s = source(true);

	(void)state;
	put(fd, "one\ntw");
	expect(&s, "one", true);
	expect(&s, "tw", false);
	expect_none(&s, 0);
	record_source_release(&s);
	close_p(&fd);
}

static void a_file_created_anew_is_another(void **state)
{
	int fd = writer(true);
	struct record_source s = source(true);

	(void)state;
	put(fd, "one\n");
	expect(&s, "one", true);
	close_p(&fd);
	fd = writer(true);
	expect_none(&s, 0);
	record_source_release(&s);
	close_p(&fd);
}

static void a_file_ends_when_its_writer_is_killed(void **state)
{
	int reported[2];
	char byte;
	struct record_source s;

	(void)state;
	assert_int_equal(pipe2(reported, O_CLOEXEC), 0);
	pid_t pid = fork();

	if (pid == 0) {
		int fd = writer(true);

		put(fd, "one\ntw");
		(void)!write(reported[1], "x", 1);
		for (;;)
			(void)pause();
	}
	assert_int_equal(read(reported[0], &byte, 1), 1);
	s = source(true);
	expect(&s, "one", true);
	expect_none(&s, -EAGAIN);
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	expect(&s, "tw", false);
	expect_none(&s, 0);
	record_source_release(&s);
	close_p(&reported[0]);
	close_p(&reported[1]);
}

static void a_reader_follows_to_the_end_line(void **state)
{
	int fd = writer(true);
	struct record_reader *r;
	struct why why;

	(void)state;
	put(fd, "{\"record\":\"resource-tracker\",\"version\":1}\n{\"columns\":[[\"process.rss_bytes\",\"bytes\",\"level\"]]}\n");
	assert_int_equal(record_reader_follow(&r, path, &why), 0);
	assert_int_equal(record_reader_next(r), RECORD_LATER);
	put(fd, "[\"r\",1,1,1,[5],null,{}]\n[\"r\",2,");
	assert_int_equal(record_reader_next(r), RECORD_ROW);
	record_reader_wait(r, 1);
	assert_int_equal(record_reader_next(r), RECORD_LATER);
	put(fd, "1,1,[6],null,{}]\n{\"end\":{\"status\":\"exited\",\"exit_code\":3}}\n");
	assert_int_equal(record_reader_next(r), RECORD_ROW);
	assert_near(record_reader_sample(r)->total.process_rss_bytes, 6);
	/* The end line gives the end, before the file is closed. */
	assert_int_equal(record_reader_next(r), RECORD_OVER);
	assert_true(record_reader_facts(r)->has_end);
	assert_int_equal(record_reader_facts(r)->status.value, 3);
	assert_int_equal(record_reader_facts(r)->n_problems, 0);
	record_reader_close(r);
	close_p(&fd);
}

static int make_path(void **state)
{
	int fd = mkstemp(path);

	(void)state;
	return fd < 0 ? -1 : close(fd);
}

static int remove_path(void **state)
{
	(void)state;
	return unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pipe_ends_without_writers),
		cmocka_unit_test(a_file_ends_when_its_writer_closes_it),
		cmocka_unit_test(a_file_that_is_not_followed_ends_at_its_size),
		cmocka_unit_test(a_file_without_a_writer_ends_at_its_size),
		cmocka_unit_test(a_file_created_anew_is_another),
		cmocka_unit_test(a_file_ends_when_its_writer_is_killed),
		cmocka_unit_test(a_reader_follows_to_the_end_line),
	};
	return cmocka_run_group_tests(tests, make_path, remove_path);
}
