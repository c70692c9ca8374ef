/* test_record_tail.c - the newest lines of a record that grows, read from its ends. */
#include "fixture.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "readers/record_reader.h"
#include "readers/record_tail.h"

static const char HEADER[] = "{\"record\":\"resource-tracker\",\"version\":1,\"id\":\"a-1\",\"start\":1.0,\"interval_seconds\":1.0,"
			     "\"command\":[\"x\"],\"pids\":[1]}\n";
static const char FEW[] = "{\"columns\":[[\"process.cpu_cores\",\"cores\",\"level\"]]}\n";
static const char MANY[] = "{\"columns\":[[\"cpu.utilization_cores\",\"cores\",\"level\"],"
			   "[\"process.cpu_cores\",\"cores\",\"level\"]]}\n";

static struct record_tail tail;
static struct buffer out;

/* A file without a name. */
static int empty_file(void)
{
	char path[] = "/tmp/test_record_tail_XXXXXX";
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	(void)unlink(path);
	return fd;
}

static void put(int fd, const char *text, size_t n)
{
	assert_int_equal(write(fd, text, n), (ssize_t)n);
}

/* A row of about `size` bytes; many: by the columns of MANY, whose first one is 99. */
static void put_row(int fd, int i, bool many, double cores, size_t size)
{
	static char row[200000];
	int n = snprintf(row, sizeof row, "[\"r\",%d.0,1.0,1,[%s%g],null,{\"x\":\"", i, many ? "99," : "", cores);

	memset(row + n, '.', size);
	(void)memcpy(row + n + (int)size, "\"}]\n", 4);
	put(fd, row, (size_t)n + size + 4);
}

struct seen { int rows; double cores, seconds; };

/* What a reader sees in what the tail gave. */
static struct seen see(void)
{
	struct seen s = { .cores = NONE };
	struct record_reader *r;
	struct why why;

	assert_int_equal(record_reader_of(&r, "test", out.at, out.len, &why), 0);
	for (enum record_item item; (item = record_reader_next(r)) != RECORD_OVER;)
		if (item == RECORD_ROW) {
			s.rows++;
			s.cores = record_reader_sample(r)->total.process_cpu_cores;
			s.seconds = (double)record_reader_sample(r)->monotonic_ns / 1e9;
		}
	record_reader_close(r);
	return s;
}

static int read_tail(int fd)
{
	bool end;

	buffer_clear(&out);
	return record_tail_read(&tail, &out, &end, fd);
}

static int teardown(void **state)
{
	(void)state;
	record_tail_release(&tail);
	buffer_release(&out);
	return 0;
}

static void each_line_comes_once_and_whole(void **state)
{
	int fd = empty_file(), rows = 0;

	(void)state;
	assert_int_equal(read_tail(fd), 0);
	put(fd, HEADER, 40);
	assert_int_equal(read_tail(fd), 0);
	put(fd, HEADER + 40, sizeof HEADER - 41);
	assert_int_equal(read_tail(fd), 1);             /* the header alone */
	assert_int_equal(see().rows, 0);
	assert_int_equal(read_tail(fd), 0);
	put(fd, FEW, sizeof FEW - 1);
	for (int i = 1; i <= 50; i++) {
		put_row(fd, i, false, i, 20);
		if (i % 7 == 0)
			put(fd, "[\"r\",0", 6);         /* a line that is being written */
		assert_int_equal(read_tail(fd), 1);
		rows += see().rows;
		assert_near(see().cores, i);
		if (i % 7 == 0)
			put(fd, "\n", 1);
	}
	assert_int_equal(rows, 50);
	assert_int_equal(read_tail(fd), 0);
	(void)close(fd);
}

/* The columns change in row `change` of a megabyte of them; all before have another number of values. */
static void the_columns_of_the_last_rows_are_found(void **state)
{
	(void)state;
	for (int change = 1; change < 1000; change += 37) {
		int fd = empty_file();

		put(fd, HEADER, sizeof HEADER - 1);
		put(fd, FEW, sizeof FEW - 1);
		for (int i = 1; i <= 1000; i++) {
			if (i == change)
				put(fd, MANY, sizeof MANY - 1);
			put_row(fd, i, i >= change, i, 1000);
		}
		assert_int_equal(read_tail(fd), 1);
		assert_near(see().cores, 1000);
		assert_in_range(see().rows, 50, 70);
		put_row(fd, 1001, true, 5, 10);
		assert_int_equal(read_tail(fd), 1);
		assert_near(see().cores, 5);
		assert_int_equal(see().rows, 1);
		record_tail_release(&tail);
		(void)close(fd);
	}
}

/* So much at once that it is not read: what stands in between can be other columns. */
static void columns_that_were_skipped_are_found(void **state)
{
	int fd = empty_file();

	(void)state;
	put(fd, HEADER, sizeof HEADER - 1);
	put(fd, FEW, sizeof FEW - 1);
	put_row(fd, 1, false, 1, 10);
	assert_int_equal(read_tail(fd), 1);
	put(fd, MANY, sizeof MANY - 1);
	for (int i = 2; i <= 300; i++)
		put_row(fd, i, true, i, 1000);
	assert_int_equal(read_tail(fd), 1);
	assert_near(see().cores, 300);
	(void)close(fd);
}

static void a_file_that_became_shorter_begins_again(void **state)
{
	int fd = empty_file();

	(void)state;
	put(fd, HEADER, sizeof HEADER - 1);
	put(fd, FEW, sizeof FEW - 1);
	put_row(fd, 1, false, 1, 1000);
	assert_int_equal(read_tail(fd), 1);
	assert_int_equal(ftruncate(fd, 0), 0);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	assert_int_equal(read_tail(fd), 0);
	put(fd, HEADER, sizeof HEADER - 1);
	put(fd, MANY, sizeof MANY - 1);
	put_row(fd, 2, true, 7, 10);
	assert_int_equal(read_tail(fd), 1);
	assert_near(see().cores, 7);
	assert_near(see().seconds, 2);
	(void)close(fd);
}

/* Under the same name, and longer than before. */
static void a_file_that_was_written_anew_begins_again(void **state)
{
	static const char again[] = "{\"record\":\"resource-tracker\",\"version\":1,\"id\":\"b-2\",\"start\":2.0,"
				    "\"interval_seconds\":1.0,\"command\":[\"x\"],\"pids\":[1]}\n";
	int fd = empty_file();

	(void)state;
	put(fd, HEADER, sizeof HEADER - 1);
	put(fd, FEW, sizeof FEW - 1);
	put_row(fd, 1, false, 1, 10);
	assert_int_equal(read_tail(fd), 1);
	assert_int_equal(ftruncate(fd, 0), 0);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	put(fd, again, sizeof again - 1);
	put(fd, MANY, sizeof MANY - 1);
	put_row(fd, 2, true, 7, 1000);
	assert_int_equal(read_tail(fd), 1);
	assert_near(see().cores, 7);
	assert_int_equal(see().rows, 1);
	(void)close(fd);
}

/* Also one that is longer than what is read, and a row before it that is as long. */
static void the_end_is_seen(void **state)
{
	(void)state;
	for (size_t size = 10; size < 200000; size *= 10) {
		static char end[200100] = "{\"end\":{\"x\":\"";
		int fd = empty_file(), n = (int)sizeof "{\"end\":{\"x\":\"" - 1;
		bool ended;

		memset(end + n, '.', size);
		(void)memcpy(end + n + (int)size, "\"}}\n", 4);
		put(fd, HEADER, sizeof HEADER - 1);
		put(fd, FEW, sizeof FEW - 1);
		put_row(fd, 1, false, 1, 10);
		buffer_clear(&out);
		assert_int_equal(record_tail_read(&tail, &out, &ended, fd), 1);
		assert_false(ended);
		put(fd, end, (size_t)n + size + 4);
		buffer_clear(&out);
		assert_in_range(record_tail_read(&tail, &out, &ended, fd), 0, 1);
		assert_true(ended);
		record_tail_release(&tail);
		(void)close(fd);
	}
}

static void what_is_no_record_ends(void **state)
{
	static char nothing[2 << 20];
	int fd = empty_file();

	(void)state;
	memset(nothing, 'x', sizeof nothing);
	put(fd, nothing, sizeof nothing);
	assert_int_equal(read_tail(fd), -EBADMSG);
	(void)close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(each_line_comes_once_and_whole, teardown),
		cmocka_unit_test_teardown(the_columns_of_the_last_rows_are_found, teardown),
		cmocka_unit_test_teardown(columns_that_were_skipped_are_found, teardown),
		cmocka_unit_test_teardown(a_file_that_became_shorter_begins_again, teardown),
		cmocka_unit_test_teardown(a_file_that_was_written_anew_begins_again, teardown),
		cmocka_unit_test_teardown(the_end_is_seen, teardown),
		cmocka_unit_test_teardown(what_is_no_record_ends, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
