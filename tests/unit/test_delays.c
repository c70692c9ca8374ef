/* test_delays.c - time that threads waited for CPUs and disks, read while their process lives. */
#include "fixture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "collect/process.h"
#include "tree/tree_state.h"

static struct fixture f;
static pid_t root = 500;
static struct tree_options options = { .roots = &root, .n_roots = 1, .pss = PSS_NEVER };

struct thread { unsigned cpu_ms, delay_ms, block_ticks; };

/* The files of a thread; those of the process are the first thread's. */
static void put_thread(unsigned id, unsigned n, struct thread t)
{
	char path[64], text[256];

	(void)snprintf(text, sizeof text, "%u (w) S 1 1 1 0 -1 0 0 0 0 0 %u 0 0 0 20 0 %u 0 1000 10485760 "
		       "256 1 1 2 3 4 5 0 0 0 0 0 0 0 17 1 0 0 %u 0 0\n", id, t.cpu_ms / 10, n, t.block_ticks);
	(void)snprintf(path, sizeof path, "proc/500/task/%u/stat", id);
	fixture_write(&f, path, text);
	if (id == 500)
		fixture_write(&f, "proc/500/stat", text);
	(void)snprintf(text, sizeof text, "%u000000 %u000000 77\n", t.cpu_ms, t.delay_ms);
	(void)snprintf(path, sizeof path, "proc/500/task/%u/schedstat", id);
	fixture_write(&f, path, text);
	if (id == 500)
		fixture_write(&f, "proc/500/schedstat", text);
}

static struct totals *tick(double seconds)
{
	f.now_ns += (int64_t)(seconds * 1e9);
	assert_int_equal(fixture_read(&f), 0);
	return &f.sample.total;
}

static void start(const char *delayacct)
{
	fixture_open(&f, "bare-metal");
	f.setup.tree = &options;
	fixture_write(&f, "proc/sys/kernel/task_delayacct", delayacct);
	fixture_write(&f, "proc/500/statm", "2560 256 10 1 0 90 0\n");
	put_thread(500, 2, (struct thread){ 1000, 2000, 300 });
	put_thread(501, 2, (struct thread){ 1000, 2000, 500 });
	assert_int_equal(fixture_start(&f, &collector_process), 0);
	(void)tick(1);
}

static void waits_before_the_run_do_not_count(void **state)
{
	struct totals *t;

	(void)state;
	start("1\n");
	put_thread(500, 2, (struct thread){ 1300, 2100, 320 });
	put_thread(501, 2, (struct thread){ 1400, 2500, 510 });
	t = tick(6);
	assert_near(t->process_run_delay_seconds, 0.6);
	assert_near(t->process_watched_cpu_seconds, 0.7);
	assert_near(t->process_block_delay_seconds, 0.3);
	fixture_close(&f);
}

/* Regression: a command that was still in a queue when its run began had waited longer than it ran. */
static void a_wait_under_way_counts_from_the_start_of_the_run(void **state)
{
	struct totals *t;

	(void)state;
	start("0\n");
	/* Each ran for 2 s of 6, and waited for 5: the kernel adds a wait when it ends. */
	put_thread(500, 2, (struct thread){ 3000, 7000, 0 });
	put_thread(501, 2, (struct thread){ 3000, 7000, 0 });
	t = tick(6);
	assert_near(t->process_watched_cpu_seconds, 4);
	assert_near(t->process_run_delay_seconds, 8);
	/* Later waits began in the run, whenever the kernel adds them. */
	put_thread(500, 2, (struct thread){ 4000, 14000, 0 });
	put_thread(501, 2, (struct thread){ 3000, 7000, 0 });
	t = tick(6);
	assert_near(t->process_run_delay_seconds, 7);
	fixture_close(&f);
}

static void not_counted_is_not_zero(void **state)
{
	struct totals *t;

	(void)state;
	start("0\n");
	put_thread(500, 2, (struct thread){ 1300, 2100, 320 });
	t = tick(6);
	assert_near(t->process_run_delay_seconds, 0.1);
	assert_none(t->process_block_delay_seconds);
	fixture_close(&f);
}

/* A bug of Linux 6.18: a wait with a missed start counts from the boot of the machine. */
static void a_wait_is_at_most_the_elapsed_time(void **state)
{
	struct totals *t;

	(void)state;
	start("1\n");
	put_thread(500, 2, (struct thread){ 1300, 2100, 300 });
	put_thread(501, 2, (struct thread){ 1400, 2500, 1351200 });
	t = tick(6);
	assert_near(t->process_block_delay_seconds, 0);
	put_thread(500, 2, (struct thread){ 1310, 2100, 400000 });
	put_thread(501, 2, (struct thread){ 1410, 2500, 1351300 });
	t = tick(6);
	assert_near(t->process_block_delay_seconds, 1);
	put_thread(500, 2, (struct thread){ 1320, 2100, 400100 });
	t = tick(6);
	assert_near(t->process_block_delay_seconds, 1);
	fixture_close(&f);
}

/* A process is read when it is a quarter older, and thus late in the life of one that ends young, too. */
static void young_processes_are_read_often(void **state)
{
	double seen = 0, worst = 0;

	(void)state;
	start("0\n");
	for (unsigned i = 1; i <= 80; i++) {
		put_thread(500, 1, (struct thread){ 1000 + 250 * i, 2000 + 250 * i, 0 });
		seen += tick(0.5)->process_run_delay_seconds;

		double unseen = 0.25 * i - seen;

		if (i >= 16 && i < 40 && unseen / (0.25 * i) > worst)
			worst = unseen / (0.25 * i);
		assert_true(unseen <= 2.5 + 0.26);      /* 5 s, half of them waiting */
	}
	assert_true(worst < 0.27);
	fixture_close(&f);
}

enum { CROWD = 1600 };

/* The main thread and n - 1 others, each with the same times. */
static void put_crowd(unsigned n, struct thread main_thread, struct thread of_others)
{
	for (unsigned i = 1; i < n; i++)
		put_thread(500 + i, n, of_others);
	put_thread(500, n, main_thread);
	/* The CPU time of a process is that of all its threads; a main thread has its own, too. */
	char text[256];
	unsigned ticks = (main_thread.cpu_ms + (n - 1) * of_others.cpu_ms) / 10;

	(void)snprintf(text, sizeof text, "500 (w) S 1 1 1 0 -1 0 0 0 0 0 %u 0 0 0 20 0 %u 0 1000 10485760 256 1 1 2 3 4\n",
		       ticks, n);
	fixture_write(&f, "proc/500/stat", text);
}

/* Regression: a process with more than 512 threads had no delays. */
static void a_sample_of_many_threads_is_read(void **state)
{
	struct totals *t;

	(void)state;
	fixture_open(&f, "bare-metal");
	f.setup.tree = &options;
	fixture_write(&f, "proc/500/statm", "2560 256 10 1 0 90 0\n");
	put_crowd(CROWD, (struct thread){ 50, 0, 0 }, (struct thread){ 100, 1000, 0 });
	assert_int_equal(fixture_start(&f, &collector_process), 0);
	(void)tick(1);
	/* All alike: each runs 10 ms and waits three times as long. */
	put_crowd(CROWD, (struct thread){ 60, 30, 0 }, (struct thread){ 110, 1030, 0 });
	t = tick(6);
	assert_near(t->process_cpu_seconds, CROWD * 0.01);
	assert_true(fabs(t->process_watched_cpu_seconds - CROWD * 0.01) < CROWD * 0.001);
	assert_true(fabs(t->process_run_delay_seconds - 3 * t->process_watched_cpu_seconds) < 1e-6);
	assert_non_null(strstr(tree_notice(((struct process *)f.state)->tree), "a sample of them"));

	/* One of them alone: it is in the sample and does not stand for others. */
	put_crowd(CROWD, (struct thread){ 2060, 530, 0 }, (struct thread){ 110, 1030, 0 });
	t = tick(6);
	assert_near(t->process_watched_cpu_seconds, 2);
	assert_near(t->process_run_delay_seconds, 0.5);
	fixture_close(&f);
}

static void assert_waited(double ran_seconds)
{
	struct totals *t = tick(6);

	assert_near(t->process_cpu_seconds, ran_seconds);
	assert_true(fabs(t->process_watched_cpu_seconds - ran_seconds) < 0.1 * ran_seconds);
	assert_true(fabs(t->process_run_delay_seconds - 3 * t->process_watched_cpu_seconds) < 1e-6);
}

/* New threads begin at zero, and all run 10 ms from reading to reading. */
static void a_growing_number_of_threads_is_followed(void **state)
{
	static const unsigned crowd[] = { 1, 400, 700, 1500, 6000 };
	unsigned was = 1;

	(void)state;
	fixture_open(&f, "bare-metal");
	f.setup.tree = &options;
	fixture_write(&f, "proc/500/statm", "2560 256 10 1 0 90 0\n");
	put_crowd(1, (struct thread){ 0, 0, 0 }, (struct thread){ 0, 0, 0 });
	assert_int_equal(fixture_start(&f, &collector_process), 0);
	(void)tick(1);
	for (unsigned i = 0; i < countof(crowd); i++) {
		unsigned ms = 10 * (i + 1);

		put_crowd(crowd[i], (struct thread){ ms, 3 * ms, 0 }, (struct thread){ ms, 3 * ms, 0 });
		assert_waited((crowd[i] * ms - was * (ms - 10)) / 1000.0);
		was = crowd[i];
	}
	fixture_close(&f);
}

static void gains_of_delays(void **state)
{
	(void)state;
	assert_int_equal(delay_gain(5, 9, 10, 1), 4);
	assert_int_equal(delay_gain(9, 5, 10, 1), 0);
	assert_int_equal(delay_gain(0, 11, 10, 1), 0);
	assert_int_equal(delay_gain(0, 11, 10, 2), 11);
	assert_int_equal(delay_gain(0, 11, -1, 2), 0);
	assert_int_equal(delay_gain(0, 11, 10, 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(waits_before_the_run_do_not_count),
		cmocka_unit_test(a_wait_under_way_counts_from_the_start_of_the_run),
		cmocka_unit_test(not_counted_is_not_zero),
		cmocka_unit_test(a_wait_is_at_most_the_elapsed_time),
		cmocka_unit_test(young_processes_are_read_often),
		cmocka_unit_test(a_sample_of_many_threads_is_read),
		cmocka_unit_test(a_growing_number_of_threads_is_followed),
		cmocka_unit_test(gains_of_delays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
