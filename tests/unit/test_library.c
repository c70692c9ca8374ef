/* test_library.c - resource_tracker.h from the side of a caller. */
#include "fixture.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "resource_tracker.h"

static struct rt_options options_for(const char *root)
{
	struct rt_options options;

	rt_options_init(&options, sizeof options);
	options.root = root;
	options.without = "process";
	return options;
}

static void two_trackers_do_not_meet(void **state)
{
	struct fixture one, other;
	struct rt_tracker *a, *b;

	(void)state;
	fixture_open(&one, "bare-metal");
	fixture_open(&other, "bare-metal");

	struct rt_options for_one = options_for(one.root), for_other = options_for(other.root);

	assert_int_equal(rt_open(&a, &for_one, NULL, 0), 0);
	assert_int_equal(rt_open(&b, &for_other, NULL, 0), 0);
	assert_none(rt_timestamp_seconds(a));
	assert_none(rt_get(a, "cpu.load_5m"));
	assert_int_equal(rt_sample(a), 0);
	assert_int_equal(rt_sample(b), 0);
	assert_none(rt_interval_seconds(a));
	fixture_turn(&one, 1, 0);
	assert_int_equal(rt_sample(a), 0);
	assert_int_equal(rt_sample(b), 0);
	assert_near(rt_get(a, "cpu.user_seconds"), 1.6);
	assert_near(rt_get(b, "cpu.user_seconds"), 0);
	assert_true(rt_interval_seconds(a) > 0);
	rt_close(a);
	assert_int_equal(rt_sample(b), 0);
	rt_close(b);
	fixture_close(&one);
	fixture_close(&other);
}

static void metrics_are_found_by_name(void **state)
{
	struct fixture f;
	struct rt_tracker *t;
	struct rt_metric_info info = { .size = sizeof info };
	size_t table = 99, metric = 99;

	(void)state;
	assert_int_equal(rt_find("cpu.utilization_cores", &table, &metric), 0);
	assert_string_equal(rt_table_name(table), "total");
	assert_int_equal(rt_metric_info(table, metric, &info), 0);
	assert_string_equal(info.group, "cpu");
	assert_string_equal(info.name, "utilization_cores");
	assert_string_equal(info.unit, "cores");
	assert_string_equal(info.kind, "level");
	assert_int_equal(info.decimals, 4);
	assert_int_equal(rt_metric_info(table, rt_metric_count(table), &info), -EINVAL);
	assert_int_equal(rt_find("cpu", &table, &metric), -ENOENT);
	assert_int_equal(rt_find("cpu.nothing", &table, &metric), -ENOENT);
	assert_int_equal(rt_find("utilization_cores", &table, &metric), -ENOENT);
	assert_null(rt_table_name(rt_table_count()));
	assert_int_equal(rt_metric_count(rt_table_count()), 0);

	fixture_open(&f, "bare-metal");

	struct rt_options options = options_for(f.root);

	assert_int_equal(rt_open(&t, &options, NULL, 0), 0);
	assert_int_equal(rt_sample(t), 0);
	fixture_turn(&f, 1, 0);
	assert_int_equal(rt_sample(t), 0);
	assert_int_equal(rt_find("core.utilization_pct", &table, &metric), 0);
	assert_int_equal(rt_row_count(t, table), 2);
	assert_string_equal(rt_row_key(t, table, 1), "2");
	assert_near(rt_value(t, table, 0, metric), 100);
	assert_none(rt_value(t, table, 2, metric));
	assert_none(rt_value(t, table, 0, 1000));
	assert_none(rt_value(t, 1000, 0, 0));
	assert_null(rt_row_key(t, table, 2));
	assert_string_equal(rt_label(t, table, 0, 0), "");
	assert_none(rt_get(t, "core.utilization_pct"));
	rt_close(t);
	fixture_close(&f);
}

/* A caller built with a shorter struct, or with a longer one. */
static void structs_can_grow(void **state)
{
	struct { struct rt_options options; char more[64]; } longer;
	struct { struct rt_metric_info info; void *more; } later = { .info = { .size = sizeof later } };
	struct rt_tracker *t;
	char reason[64] = "";

	(void)state;
	memset(&longer, 0, sizeof longer);
	longer.options.size = sizeof longer;
	assert_int_equal(rt_open(&t, &longer.options, NULL, 0), 0);
	rt_close(t);
	longer.options.size = offsetof(struct rt_options, only);
	longer.options.only = "what an older caller has here is not read";
	assert_int_equal(rt_open(&t, &longer.options, NULL, 0), 0);
	rt_close(t);
	longer.options.size = 0;
	assert_int_equal(rt_open(&t, &longer.options, reason, sizeof reason), -EINVAL);
	assert_string_equal(reason, "the options were not made by rt_options_init");

	later.more = &later;
	assert_int_equal(rt_metric_info(0, 0, &later.info), 0);
	assert_ptr_equal(later.more, &later);
	later.info = (struct rt_metric_info){ .size = offsetof(struct rt_metric_info, name) };
	assert_int_equal(rt_metric_info(0, 0, &later.info), 0);
	assert_non_null(later.info.group);
	assert_null(later.info.name);
}

static void wrong_arguments_get_a_message(void **state)
{
	struct rt_options options;
	struct rt_tracker *t;
	char reason[200] = "";
	pid_t pid = -1;

	(void)state;
	rt_options_init(&options, sizeof options);
	options.only = "cpu,gnu";
	assert_int_equal(rt_open(&t, &options, reason, sizeof reason), -EINVAL);
	assert_non_null(strstr(reason, "gnu"));
	options.only = NULL;
	options.pids = &pid;
	options.n_pids = 1;
	assert_int_equal(rt_open(&t, &options, reason, 5), -EINVAL);
	assert_string_equal(reason, "-1 i");
	options.n_pids = 0;
	options.root = "/nowhere at all";
	assert_int_equal(rt_open(&t, &options, reason, sizeof reason), -ENOENT);
	assert_non_null(strstr(reason, "/nowhere at all"));
}

static void lines_behave_like_snprintf(void **state)
{
	struct fixture f;
	struct rt_tracker *t;
	char line[65536], few[8], header[1024];
	int pipe_fds[2];

	(void)state;
	fixture_open(&f, "bare-metal");

	struct rt_options options = options_for(f.root);

	options.job_name = "nightly";
	assert_int_equal(rt_open(&t, &options, NULL, 0), 0);
	assert_int_equal(rt_sample(t), 0);

	ssize_t n = rt_write_json(t, NULL, 0);

	assert_true(n > 1000);
	assert_int_equal(rt_write_json(t, line, sizeof line), n);
	assert_int_equal(strlen(line), n);
	assert_non_null(strstr(line, "\"job_name\":\"nightly\""));
	assert_int_equal(rt_write_json(t, few, sizeof few), n);
	assert_string_equal(few, "{\"cgrou");

	n = rt_write_csv_header(RT_CSV_PROCESS, header, sizeof header);
	assert_int_equal(n, strlen(header));
	assert_memory_equal(header, "timestamp,pid,", 14);
	assert_int_equal(rt_write_csv(t, (enum rt_csv)7, line, sizeof line), -EINVAL);
	assert_int_equal(pipe(pipe_fds), 0);
	n = rt_write_csv(t, RT_CSV_SYSTEM, line, sizeof line);
	assert_int_equal(rt_print_csv(t, RT_CSV_SYSTEM, pipe_fds[1]), n);
	assert_int_equal(read(pipe_fds[0], header, sizeof header), n);
	assert_memory_equal(header, line, (size_t)n);
	assert_int_equal(rt_print_json(t, -1), -EBADF);
	assert_int_equal(rt_print_csv_header(RT_CSV_SYSTEM, -1), -EBADF);
	(void)close(pipe_fds[0]);
	(void)close(pipe_fds[1]);
	rt_close(t);
	fixture_close(&f);
}

static void *wait_a_while(void *unused)
{
	(void)pause();
	return unused;
}

static void *fork_from_thread(void *ret)
{
	pid_t child = fork();

	if (child == 0) {
		if (fork() == 0)
			(void)wait_a_while(NULL);
		(void)wait_a_while(NULL);
	}
	*(pid_t *)ret = child;
	return wait_a_while(NULL);
}

static void processes_are_measured(void **state)
{
	pid_t forked = fork(), grandchildren[8], child = 0;
	pthread_t thread;
	uint64_t rss = 0, pss = 0;
	double user = -1, system = -1;
	struct rt_process_io io = { .size = sizeof io };
	struct rt_process_stats alone = { .size = sizeof alone }, all = { .size = sizeof all };

	(void)state;
	if (forked == 0) {                              /* a child made by a thread, with a child of its own */
		(void)pthread_create(&thread, NULL, fork_from_thread, &child);
		(void)wait_a_while(NULL);
	}
	assert_true(forked > 0);
	wait_until(rt_process_children(forked, 1, grandchildren, 8) >= 2);
	assert_int_equal(rt_process_children(forked, 1, grandchildren, 8), 2);
	assert_int_equal(rt_process_children(forked, 0, NULL, 0), 1);
	assert_int_equal(rt_process_rss_bytes(forked, &rss), 0);
	assert_int_equal(rt_process_pss_bytes(forked, &pss), 0);
	assert_true(rss > 0 && pss > 0 && pss <= 2 * rss);
	assert_int_equal(rt_process_cpu_seconds(forked, 1, &user, &system), 0);
	assert_true(user >= 0 && system >= 0);
	assert_int_equal(rt_process_io(forked, &io), 0);
	assert_int_equal(rt_process_stats(forked, 0, &alone), 0);
	assert_int_equal(rt_process_stats(forked, 1, &all), 0);
	assert_int_equal(alone.children, -1);
	assert_int_equal(all.children, 2);
	assert_true(all.rss_bytes > alone.rss_bytes && alone.rss_bytes > 0);
	assert_none(all.gpu_usage);

	for (int i = 0; i < 2; i++)
		(void)kill(grandchildren[i], SIGKILL);
	(void)kill(forked, SIGKILL);
	assert_int_equal(waitpid(forked, NULL, 0), forked);
	assert_int_equal(rt_process_children(forked, 1, NULL, 0), -ESRCH);
	assert_int_equal(rt_process_rss_bytes(forked, &rss), -ESRCH);
	assert_int_equal(rt_process_stats(forked, 1, &all), -ESRCH);
	assert_int_equal(rt_process_pss_bytes(0, &pss), -EINVAL);
	assert_int_equal(rt_process_children(-1, 0, NULL, 0), -EINVAL);
}

/* The value of a named line in a file of this process. */
static uint64_t line_of(const char *path, const char *name)
{
	FILE *file = fopen(path, "r");
	char line[128];
	uint64_t found = 0;

	assert_non_null(file);
	while (fgets(line, sizeof line, file))
		if (strncmp(line, name, strlen(name)) == 0)
			found = strtoull(line + strlen(name), NULL, 10);
	(void)fclose(file);
	return found;
}

static uint64_t cancelled_bytes(void)
{
	return line_of("/proc/self/io", "cancelled_write_bytes: ");
}

/* Bytes dropped before they reached the disk are in write_bytes, and counted again as cancelled. */
static void write_and_throw_away(void)
{
	static const char block[1 << 16] = { 1 };
	char path[] = "./rt-thrown-away-XXXXXX";
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	for (int i = 0; i < 16; i++)
		assert_int_equal(write(fd, block, sizeof block), sizeof block);
	assert_int_equal(ftruncate(fd, 0), 0);
	(void)close(fd);
	(void)unlink(path);
}

static void io_of_a_process(void **state)
{
	struct rt_process_io io = { .size = sizeof io }, old = { .size = offsetof(struct rt_process_io, write_bytes) };
	struct rt_process_io none = { .size = 0 };

	(void)state;
	/* The kernel can have written them by then; tmpfs and the like count nothing. */
	for (int i = 0; i < 20 && cancelled_bytes() == 0; i++)
		write_and_throw_away();

	uint64_t before = cancelled_bytes();

	assert_int_equal(rt_process_io(getpid(), &io), 0);
	assert_in_range(io.cancelled_write_bytes, before, cancelled_bytes());
	assert_in_range(io.write_chars, 1, line_of("/proc/self/io", "wchar: "));
	assert_int_equal(io.size, sizeof io);

	old.write_bytes = old.cancelled_write_bytes = 4711;
	assert_int_equal(rt_process_io(getpid(), &old), 0);
	assert_true(old.write_chars >= io.write_chars);
	assert_int_equal(old.write_bytes, 4711);        /* a caller of an older version keeps its own value */
	assert_int_equal(old.cancelled_write_bytes, 4711);
	assert_int_equal(rt_process_io(getpid(), &none), -EINVAL);
	assert_int_equal(rt_process_io(0, &io), -EINVAL);
}

static void the_machine_is_measured(void **state)
{
	struct rt_system_stats stats = { .size = sizeof stats };

	(void)state;
	assert_int_equal(rt_system_stats(&stats), 0);
	assert_true(stats.timestamp_seconds > 1.7e9);
	assert_true(stats.processes >= 1);
	assert_true(stats.user_seconds > 0 && stats.system_seconds > 0);
	assert_true(stats.memory_total_bytes > stats.memory_free_bytes && stats.memory_free_bytes > 0);
	assert_true(stats.memory_active_anon_bytes >= 0 && stats.memory_inactive_anon_bytes >= 0);
	assert_true(stats.memory_active_anon_bytes + stats.memory_inactive_anon_bytes > 0);
	assert_true(stats.memory_active_anon_bytes + stats.memory_inactive_anon_bytes < stats.memory_total_bytes);
	assert_int_equal(rt_sector_size("no such disk"), -ENOENT);
	assert_int_equal(rt_sector_size("../block"), -ENOENT);
	assert_int_equal(rt_disk_is_partition(""), -ENOENT);
	assert_int_equal(rt_disk_is_partition("sdzzz99"), -ENOENT);
}

static void *run_stream(void *stream)
{
	return (void *)(intptr_t)rt_stream_run(stream);
}

/* Lines of a file, with the length of the first in *ret_first. */
static int lines_of(const char *path, size_t *ret_columns)
{
	FILE *file = fopen(path, "r");
	int lines = 0, c;

	assert_non_null(file);
	*ret_columns = 1;
	while ((c = getc(file)) != EOF) {
		lines += c == '\n';
		*ret_columns += lines == 0 && c == ',';
	}
	(void)fclose(file);
	return lines;
}

static void a_stream_stops_on_request(void **state)
{
	char path[] = "/tmp/rt-stream-XXXXXX";
	struct rt_stream_options options;
	struct rt_stream *stream;
	pthread_t thread;
	void *result = &thread;
	size_t columns;

	(void)state;
	(void)close(mkstemp(path));
	rt_stream_options_init(&options, sizeof options);
	options.interval_seconds = 0.01;
	options.output_path = path;
	assert_int_equal(rt_system_tracker(&stream, &options, NULL, 0), 0);
	assert_int_equal(rt_stream_status(stream), RT_STREAM_READY);
	assert_int_equal(pthread_create(&thread, NULL, run_stream, stream), 0);
	wait_until(lines_of(path, &columns) >= 4);
	rt_stream_stop(stream);
	assert_int_equal(pthread_join(thread, &result), 0);
	assert_null(result);
	assert_int_equal(rt_stream_status(stream), RT_STREAM_STOPPED);
	assert_int_equal(rt_stream_run(stream), 0);
	assert_true(lines_of(path, &columns) >= 4);
	assert_int_equal(columns, 21);
	assert_int_equal(rt_stream_diff(stream), 0);
	assert_true(rt_interval_seconds(rt_stream_tracker(stream)) > 0);
	rt_stream_close(stream);
	(void)unlink(path);
}

static void a_stream_ends_with_its_process(void **state)
{
	char path[] = "/tmp/rt-stream-XXXXXX";
	struct rt_stream_options options;
	struct rt_stream *stream = NULL;
	size_t columns;
	pid_t child = fork();

	(void)state;
	if (child == 0) {
		pause_ms(50);
		_exit(0);
	}
	(void)close(mkstemp(path));
	rt_stream_options_init(&options, sizeof options);
	options.interval_seconds = 3600;                /* the end comes without a tick */
	options.output_path = path;
	options.no_header = 1;
	options.autostart = 1;
	assert_int_equal(rt_pid_tracker(&stream, child, &options, NULL, 0), 0);
	assert_int_equal(rt_stream_status(stream), RT_STREAM_EXITED);
	rt_stream_close(stream);
	assert_int_equal(lines_of(path, &columns), 1);
	assert_int_equal(columns, 12);
	assert_int_equal(waitpid(child, NULL, 0), child);
	(void)unlink(path);

	options.output_path = "/nowhere/at all";
	assert_int_equal(rt_system_tracker(&stream, &options, NULL, 0), -ENOENT);
	options.output_path = "/dev/full";
	options.interval_seconds = 0.001;
	stream = NULL;
	assert_int_equal(rt_system_tracker(&stream, &options, NULL, 0), -ENOSPC);
	rt_stream_close(stream);
	options.interval_seconds = -1;
	assert_int_equal(rt_system_tracker(&stream, &options, NULL, 0), -EINVAL);
}

static void a_process_is_tracked(void **state)
{
	struct rt_options options;
	struct rt_tracker *t;
	pid_t pid = getpid();
	size_t table, metric;

	(void)state;
	rt_options_init(&options, sizeof options);
	options.pids = &pid;
	options.n_pids = 1;
	assert_int_equal(rt_open(&t, &options, NULL, 0), 0);
	assert_int_equal(rt_sample(t), 0);
	for (volatile uint64_t i = 0; i < 50000000; i++)
		;
	assert_int_equal(rt_sample(t), 0);
	assert_true(rt_get(t, "process.rss_bytes") > 0);
	assert_true(rt_get(t, "process.cpu_seconds") > 0);
	assert_int_equal(rt_find("root.alive", &table, &metric), 0);
	assert_near(rt_value(t, table, 0, metric), 1);
	rt_close(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_trackers_do_not_meet),
		cmocka_unit_test(metrics_are_found_by_name),
		cmocka_unit_test(structs_can_grow),
		cmocka_unit_test(wrong_arguments_get_a_message),
		cmocka_unit_test(lines_behave_like_snprintf),
		cmocka_unit_test(processes_are_measured),
		cmocka_unit_test(io_of_a_process),
		cmocka_unit_test(the_machine_is_measured),
		cmocka_unit_test(a_stream_stops_on_request),
		cmocka_unit_test(a_stream_ends_with_its_process),
		cmocka_unit_test(a_process_is_tracked),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
