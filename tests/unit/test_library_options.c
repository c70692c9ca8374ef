/* test_library_options.c - options of a tracker in the library, and callers of other versions. */
#include "fixture.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

#include "resource_tracker.h"

static void the_versions_agree(void **state)
{
	char text[32];

	(void)state;
	(void)snprintf(text, sizeof text, "%d.%d.%d", RT_VERSION_MAJOR, RT_VERSION_MINOR, RT_VERSION_PATCH);
	assert_string_equal(rt_version(), text);
	assert_int_equal(rt_version_number(), RT_VERSION_NUMBER);
}

/* A caller built with a shorter struct: the bytes behind it must not be read. */
static void options_of_an_older_caller(void **state)
{
	struct { char options[offsetof(struct rt_options, only)], behind[sizeof(struct rt_options)]; } older;
	struct { char options[offsetof(struct rt_stream_options, no_children)], behind[64]; } stream;
	struct rt_options *options = (struct rt_options *)&older;
	size_t size;

	(void)state;
	memset(&older, 0x55, sizeof older);
	memset(&stream, 0x55, sizeof stream);
	rt_options_init(options, sizeof older.options);
	rt_stream_options_init((struct rt_stream_options *)&stream, sizeof stream.options);
	for (size_t i = 0; i < sizeof older.behind; i++)
		assert_int_equal(older.behind[i], 0x55);
	for (size_t i = 0; i < sizeof stream.behind; i++)
		assert_int_equal(stream.behind[i], 0x55);
	assert_int_equal(options->size, sizeof older.options);
	assert_null(options->pids);
	memcpy(&size, &stream, sizeof size);
	assert_int_equal(size, sizeof stream.options);
}

/* A caller built with a later header: options that it sets and the library does not know are refused. */
static void options_of_a_later_caller(void **state)
{
	struct { struct rt_options known; double later; } options;
	struct { struct rt_stream_options known; int later[2]; } stream_options;
	struct rt_tracker *t = NULL;
	struct rt_stream *stream = NULL;
	char reason[128];

	(void)state;
	rt_options_init(&options.known, sizeof options);
	options.known.only = "cpu";
	assert_int_equal(rt_open(&t, &options.known, reason, sizeof reason), 0);
	rt_close(t);
	options.later = 0.5;
	assert_int_equal(rt_open(&t, &options.known, reason, sizeof reason), -E2BIG);
	assert_non_null(strstr(reason, rt_version()));
	rt_stream_options_init(&stream_options.known, sizeof stream_options);
	stream_options.later[1] = 1;
	assert_int_equal(rt_system_tracker(&stream, &stream_options.known, reason, sizeof reason), -E2BIG);
	assert_non_null(strstr(reason, rt_version()));
}

static const char *label_of(const struct rt_tracker *t, const char *group_and_name)
{
	for (size_t i = 0; i < rt_label_count(0); i++)
		if (strcmp(rt_label_name(0, i), group_and_name) == 0)
			return rt_label(t, 0, 0, i);
	return NULL;
}

static void the_source_of_cpu_time_is_chosen(void **state)
{
	static const struct { enum rt_cpu_source source; const char *word; } sources[] = {
		{ RT_CPU_LEDGER, "ledger" }, { RT_CPU_VISIBLE, "visible" },
	};
	struct rt_options options;
	struct rt_tracker *t;
	pid_t pid = getpid();

	(void)state;
	rt_options_init(&options, sizeof options);
	options.pids = &pid;
	options.n_pids = 1;
	options.only = "process";
	for (size_t i = 0; i < countof(sources); i++) {
		options.cpu_source = sources[i].source;
		assert_int_equal(rt_open(&t, &options, NULL, 0), 0);
		assert_int_equal(rt_sample(t), 0);
		assert_int_equal(rt_sample(t), 0);
		assert_string_equal(label_of(t, "cpu_source"), sources[i].word);
		rt_close(t);
	}
	options.cpu_source = (enum rt_cpu_source)5;
	assert_int_equal(rt_open(&t, &options, NULL, 0), -EINVAL);
}

static bool said(struct rt_tracker *t, const char *text)
{
	bool found = false;

	for (const char *notice; rt_sample(t) == 0 && (notice = rt_notice(t)) != NULL;)
		found |= strstr(notice, text) != NULL;
	return found;
}

static void gpus_are_chosen(void **state)
{
	char list[] = "GPU-no-such-one";
	struct rt_options options;
	struct rt_tracker *t;

	(void)state;
	rt_options_init(&options, sizeof options);
	options.only = "gpu";
	options.gpus = list;
	assert_int_equal(rt_open(&t, &options, NULL, 0), 0);
	memset(list, 'x', sizeof list - 1);             /* the tracker has a copy */
	wait_until(said(t, "no GPU 'GPU-no-such-one'"));
	rt_close(t);
}

static void the_cost_of_tracking_has_a_limit(void **state)
{
	struct rt_options options;
	struct rt_tracker *t;
	struct fixture f;

	(void)state;
	fixture_open(&f, "bare-metal");
	rt_options_init(&options, sizeof options);
	options.root = f.root;
	options.max_overhead_percent = 0.5;
	assert_int_equal(rt_open(&t, &options, NULL, 0), 0);
	assert_int_equal(rt_sample(t), 0);
	assert_near(rt_get(t, "tracker.slowdown"), 1);
	rt_close(t);
	options.max_overhead_percent = -1;
	assert_int_equal(rt_open(&t, &options, NULL, 0), -EINVAL);
	fixture_close(&f);
}

static void rows_and_columns_at_once(void **state)
{
	double values[512];
	struct rt_options options;
	struct rt_tracker *t;
	struct fixture f;
	size_t core, metric;
	ssize_t n;

	(void)state;
	fixture_open(&f, "bare-metal");
	rt_options_init(&options, sizeof options);
	options.root = f.root;
	assert_int_equal(rt_open(&t, &options, NULL, 0), 0);
	assert_int_equal(rt_sample(t), 0);
	fixture_turn(&f, 1, 0);
	assert_int_equal(rt_sample(t), 0);
	n = rt_row_values(t, 0, 0, values, countof(values));
	assert_int_equal(n, rt_metric_count(0));
	for (ssize_t i = 0; i < n; i++)
		assert_memory_equal(&values[i], &(double){ rt_value(t, 0, 0, (size_t)i) }, sizeof(double));
	assert_int_equal(rt_find("core.utilization_pct", &core, &metric), 0);
	values[1] = -4711;
	assert_int_equal(rt_column_values(t, core, metric, values, 1), 2);
	assert_near(values[0], 100);
	assert_near(values[1], -4711);                  /* there was no room for it */
	assert_int_equal(rt_column_values(t, core, metric, values, countof(values)), 2);
	assert_near(values[1], rt_value(t, core, 1, metric));
	assert_int_equal(rt_row_values(t, core, 2, values, 1), -EINVAL);
	assert_int_equal(rt_row_values(t, 1000, 0, values, 1), -EINVAL);
	assert_int_equal(rt_column_values(t, core, 1000, values, 1), -EINVAL);
	assert_int_equal(rt_column_values(t, 1000, 0, values, 1), -EINVAL);
	rt_close(t);
	fixture_close(&f);
}

static double unix_seconds(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_REALTIME, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* A process that starts another one, reports its pid, and reaps it. */
static void parent_of_one(volatile pid_t *ret)
{
	pid_t child = fork();

	if (child == 0) {
		(void)pause();
		_exit(0);
	}
	*ret = child;
	(void)waitpid(child, NULL, 0);
	(void)pause();
	_exit(0);
}

static void ends_are_reported(void **state)
{
	volatile pid_t *grandchild = mmap(NULL, sizeof *grandchild, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
					  -1, 0);
	struct rt_exit e = { .size = sizeof e }, older = { .size = offsetof(struct rt_exit, start_seconds) };
	struct rt_options options;
	struct rt_tracker *t;
	double began = unix_seconds();
	pid_t child = fork();

	(void)state;
	if (child == 0)
		parent_of_one(grandchild);
	wait_until(*grandchild > 0);
	rt_options_init(&options, sizeof options);
	options.pids = &child;
	options.n_pids = 1;
	options.only = "process";
	assert_int_equal(rt_open(&t, &options, NULL, 0), 0);
	assert_int_equal(rt_next_exit(t, &e), 0);
	assert_int_equal(rt_sample(t), 0);
	assert_near(rt_get(t, "process.children"), 1);
	assert_int_equal(rt_next_exit(t, &e), 0);

	double killed = unix_seconds();

	(void)kill(*grandchild, SIGKILL);
	wait_until(rt_sample(t) == 0 && rt_next_exit(t, &e) == 1);
	assert_int_equal(e.pid, *grandchild);
	assert_int_equal(e.parent, child);
	assert_string_equal(e.name, "test_library_op");         /* the kernel's 15 bytes */
	assert_true(e.peak_rss_bytes > 0 && e.cpu_seconds >= 0);
	assert_false(e.exact);
	/* Start times come in ticks of 10 ms. */
	assert_true(e.start_seconds > began - 0.1 && e.start_seconds < killed + 0.1);
	assert_true(e.end_seconds > killed - 0.1 && e.end_seconds < unix_seconds() + 0.1);
	assert_int_equal(rt_next_exit(t, &e), 0);

	(void)kill(child, SIGKILL);
	assert_int_equal(waitpid(child, NULL, 0), child);
	assert_int_equal(rt_sample(t), 0);
	older.start_seconds = -4711;
	assert_int_equal(rt_next_exit(t, &older), 1);
	assert_int_equal(older.pid, child);
	assert_near(older.start_seconds, -4711);
	e.size = 0;
	assert_int_equal(rt_next_exit(t, &e), -EINVAL);
	rt_close(t);
	(void)munmap((void *)(uintptr_t)grandchild, sizeof *grandchild);
}

/* A forked child has none of the threads, and shares the perf rings and descriptors of its parent. */
static void a_forked_child_leaves_the_tracker_alone(void **state)
{
	struct rt_options options;
	struct rt_tracker *t;
	pid_t pid = getpid();
	int status = -1;

	(void)state;
	rt_options_init(&options, sizeof options);
	options.pids = &pid;
	options.n_pids = 1;
	assert_int_equal(rt_open(&t, &options, NULL, 0), 0);
	assert_int_equal(rt_sample(t), 0);

	pid_t child = fork();

	if (child == 0) {
		struct rt_exit e = { .size = sizeof e };
		double processes = rt_get(t, "process.count");
		bool right = rt_sample(t) == -ECHILD && rt_next_exit(t, &e) == 0 && processes >= 1 &&
			     rt_write_json(t, NULL, 0) > 0;

		rt_close(t);
		_exit(right ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(rt_sample(t), 0);
	rt_close(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_versions_agree),
		cmocka_unit_test(options_of_an_older_caller),
		cmocka_unit_test(options_of_a_later_caller),
		cmocka_unit_test(the_source_of_cpu_time_is_chosen),
		cmocka_unit_test(gpus_are_chosen),
		cmocka_unit_test(the_cost_of_tracking_has_a_limit),
		cmocka_unit_test(rows_and_columns_at_once),
		cmocka_unit_test(ends_are_reported),
		cmocka_unit_test(a_forked_child_leaves_the_tracker_alone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
