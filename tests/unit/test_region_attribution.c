/* test_region_attribution.c - the tree's use while each region was open, from readings at known times. */
#include "fixture.h"

#include <stdio.h>
#include <string.h>

#include "regions/region_attribution.h"

enum { MS = 1000000 };

static struct attribution a;

static int setup(void **state)
{
	(void)state;
	a = (struct attribution){ 0 };
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	attribution_release(&a);
	return 0;
}

/* Figures of the tree: CPU seconds since the beginning, RSS in MiB. */
static void slow_reading(double from_ms, double at_ms, double cpu_seconds, double rss_mib)
{
	struct region_reading r = {
		.from_ns = (int64_t)(from_ms * MS), .at_ns = (int64_t)(at_ms * MS), .rss_bytes = rss_mib * 1048576,
	};

	for (size_t k = 0; k < REGION_USES; k++)
		r.used[k] = NONE;
	r.used[REGION_TREE_CPU] = cpu_seconds;
	r.used[REGION_RSS_CHANGE] = r.rss_bytes;
	attribution_reading(&a, &r);
}

static void reading(double at_ms, double cpu_seconds, double rss_mib)
{
	slow_reading(at_ms, at_ms, cpu_seconds, rss_mib);
}

/* A sample, which has the network as well. */
static void sample(double at_ms, double net_bytes)
{
	struct region_reading r = { (int64_t)(at_ms * MS), (int64_t)(at_ms * MS), .rss_bytes = NONE };

	for (size_t k = 0; k < REGION_USES; k++)
		r.used[k] = k == REGION_NET_RECV ? net_bytes : NONE;
	attribution_reading(&a, &r);
}

static void entry(const char *path, double from_ms, double to_ms)
{
	attribution_open(&a, path, (int64_t)(from_ms * MS), to_ms < 0 ? INT64_MAX : (int64_t)(to_ms * MS));
}

static struct region_total of(const char *path)
{
	struct region_total t = { .count = 1 };
	struct region_totals totals = { .at = &t, .n = 1 };

	memcpy(t.path, path, strlen(path));
	attribution_fill(&totals, &a);
	return t;
}

static void use_is(const struct region_total *t, size_t k, double lower, double value, double upper)
{
	assert_float_equal(t->use[k].lower, lower, 1e-6);
	assert_float_equal(t->use[k].value, value, 1e-6);
	assert_float_equal(t->use[k].upper, upper, 1e-6);
}

/* A share of an amount that rose and fell: about this value, with unknown bounds. */
static void is_about(const struct region_total *t, size_t k, double value)
{
	assert_float_equal(t->use[k].value, value, 1e-6);
	assert_true(is_none(t->use[k].lower) && is_none(t->use[k].upper));
	assert_false(region_use_is_exact(&t->use[k]));
}

/* Read 0.1 ms after each begin and end: use within a region counts for that region alone. */
static void test_followed(void **state)
{
	(void)state;
	reading(0, 0, 1);
	entry("load", 50, -1);
	reading(50.1, 0.001, 1);
	entry("load", 50, 100);
	entry("allocate", 100.05, -1);
	reading(100.1, 0.041, 2);
	entry("allocate", 100.05, 200);
	entry("compute", 200.05, -1);
	reading(200.1, 0.141, 302);
	entry("compute", 200.05, 300);
	reading(300.1, 0.241, 302);

	struct region_total load = of("load"), allocate = of("allocate"), compute = of("compute");

	use_is(&load, REGION_TREE_CPU, 0.04, 0.04, 0.04);
	use_is(&allocate, REGION_TREE_CPU, 0.1, 0.1, 0.1);
	use_is(&allocate, REGION_RSS_CHANGE, 300 << 20, 300 << 20, 300 << 20);
	use_is(&compute, REGION_RSS_CHANGE, 0, 0, 0);
	assert_true(region_use_is_exact(&allocate.use[REGION_RSS_CHANGE]));
	assert_near(allocate.rss_rise_bytes, 300 << 20);
	assert_near(compute.rss_rise_bytes, 0);
	assert_near(load.peak_rss_bytes, 2 << 20);
	assert_near(compute.peak_rss_bytes, 302 << 20);
	assert_float_equal(compute.elapsed_seconds, 0.09995, 1e-9);
	assert_true(is_none(compute.use[REGION_DISK_READ].value));
	assert_true(is_none(of("nobody").elapsed_seconds));
}

/* Read 1.7 ms after the end, when the next region had freed 24 of its 300 MiB: no number of the region is exact. */
static void test_a_late_reading_is_not_exact(void **state)
{
	(void)state;
	reading(0, 0, 302);
	entry("spawn", 0.05, 400);
	entry("free", 400.05, -1);
	reading(401.75, 0.4, 278);
	entry("free", 400.05, 600);
	reading(600.1, 0.4, 2);

	struct region_total spawn = of("spawn"), free_ = of("free");

	is_about(&spawn, REGION_RSS_CHANGE, -(24 << 20));
	is_about(&free_, REGION_RSS_CHANGE, -(276 << 20));
}

/*
 * A reading takes 5 ms, and finds the 100 MiB that the second region took meanwhile: its use is anything from none of
 * them to all, in whichever interval it began.
 */
static void test_a_reading_takes_time(void **state)
{
	(void)state;
	reading(0, 0, 100);
	entry("a", 0, 400);
	entry("b", 401, 402);
	entry("c", 402, 1000);
	entry("d", 406, 900);
	slow_reading(400, 405, 1, 200);
	slow_reading(1000, 1000.1, 2, 250);

	struct region_total a_ = of("a"), b = of("b"), c = of("c"), d = of("d");

	is_about(&a_, REGION_RSS_CHANGE, 400. / 405 * 100 * 1048576);
	assert_false(region_use_is_exact(&b.use[REGION_RSS_CHANGE]) || region_use_is_exact(&c.use[REGION_RSS_CHANGE]));
	use_is(&b, REGION_TREE_CPU, 0, 0, 1 + 1);
	assert_float_equal(b.elapsed_seconds, 0.001, 1e-9);
	assert_float_equal(c.elapsed_seconds, 0.598, 1e-9);
	/* Reported before its interval began. */
	assert_float_equal(d.elapsed_seconds, 0.494, 1e-9);
}

static const double MIB = 1048576;

static void disk_reading(double at_ms, double written)
{
	struct region_reading r = { (int64_t)(at_ms * MS), (int64_t)(at_ms * MS), .rss_bytes = NONE };

	for (size_t k = 0; k < REGION_USES; k++)
		r.used[k] = k == REGION_DISK_WRITE ? written : k == REGION_TREE_CPU ? at_ms / 1000 : NONE;
	attribution_reading(&a, &r);
}

/* Bytes written in the 30 us between two entries belong to neither; a region of 30 us that writes nothing gets none. */
static void test_bytes_need_no_time(void **state)
{
	(void)state;
	disk_reading(0, 0);
	entry("empty", 0, 5);
	entry("write", 5, 5.03);
	entry("empty", 5.03, 10);
	disk_reading(10, MIB);

	struct region_total empty = of("empty"), write_ = of("write");

	use_is(&empty, REGION_DISK_WRITE, 0, MIB, MIB);
	use_is(&write_, REGION_DISK_WRITE, 0, 0, MIB);
	use_is(&empty, REGION_TREE_CPU, 0.01, 0.01, 0.01);
	region_total_settle(&empty);
	region_total_settle(&write_);
	assert_true(is_none(empty.use[REGION_DISK_WRITE].value) && is_none(write_.use[REGION_DISK_WRITE].value));
	assert_float_equal(empty.use[REGION_DISK_WRITE].upper, MIB, 1e-6);
	assert_float_equal(empty.use[REGION_TREE_CPU].value, 0.01, 1e-9);
}

/* Between two samples: a share, and bounds that contain the truth. */
static void test_overlap(void **state)
{
	(void)state;
	reading(0, 0, 100);
	entry("a", 100, 350);
	entry("b", 400, 900);
	reading(1000, 2, 60);

	struct region_total a_ = of("a"), b = of("b");

	use_is(&a_, REGION_TREE_CPU, 0, 0.5, 2);
	use_is(&b, REGION_TREE_CPU, 0, 1, 2);
	is_about(&b, REGION_RSS_CHANGE, -(20 << 20));
	assert_false(region_use_is_exact(&b.use[REGION_TREE_CPU]));
	assert_true(is_none(b.peak_rss_bytes) && is_none(b.rss_rise_bytes));
}

/* Threads in parallel, and an entry that is reported twice: while open and after its end. */
static void test_threads_count_once(void **state)
{
	(void)state;
	reading(0, 0, 1);
	entry("work", 100, 600);
	entry("work", 200, 500);
	entry("work", 550, 700);
	entry("work", 990, -1);
	reading(1000, 1, 1);
	assert_float_equal(of("work").elapsed_seconds, 0.61, 1e-9);
	entry("work", 990, 1500);
	reading(2000, 2, 1);
	assert_float_equal(of("work").elapsed_seconds, 1.11, 1e-9);
	/* Without an end it lasts until the reading; a region in the future has no figures. */
	entry("later", 2500, -1);
	reading(2400, 3, 1);
	assert_near(of("later").elapsed_seconds, 0);
}

static void test_short_entries(void **state)
{
	(void)state;
	reading(0, 0, 1);
	attribution_short(&a, "step", 250 * MS);
	entry("step", 0, 250);
	reading(1000, 1, 1);

	struct region_total step = of("step");

	use_is(&step, REGION_TREE_CPU, 0, 0.5, 1);
	/* Of four threads: never more time than there was. */
	attribution_short(&a, "step", INT64_C(4000) * MS);
	reading(2000, 2, 1);
	assert_float_equal(of("step").elapsed_seconds, 1.5, 1e-9);
	attribution_short(&a, "step", -5);
	attribution_short(&a, "step", INT64_MAX);
	attribution_short(&a, "step", INT64_MAX);
	reading(3000, 3, 1);
	assert_float_equal(of("step").elapsed_seconds, 2.5, 1e-9);
}

/* The network is known in samples only: readings between them do not count for it. */
static void test_figures_of_samples(void **state)
{
	(void)state;
	sample(0, 1000);
	entry("fetch", 0, 400);
	reading(400, 1, 1);
	entry("store", 400, -1);
	reading(500, 1, 1);
	entry("store", 400, 1000);
	sample(1000, 2000);

	struct region_total fetch = of("fetch"), store = of("store");

	use_is(&fetch, REGION_NET_RECV, 0, 400, 1000);
	use_is(&store, REGION_NET_RECV, 0, 600, 1000);
	entry("store", 1000, 2000);
	sample(2000, 3000);
	store = of("store");
	use_is(&store, REGION_NET_RECV, 1000, 1600, 2000);
}

static void reported(double from_ms, double at_ms, double rss_mib)
{
	struct region_reading r = { .from_ns = (int64_t)(from_ms * MS), .at_ns = (int64_t)(at_ms * MS),
				    .reported = true };

	for (size_t k = 0; k < REGION_USES; k++)
		r.used[k] = k == REGION_RSS_CHANGE ? rss_mib * 1048576 : NONE;
	attribution_reading(&a, &r);
}

/*
 * The program reports its memory as `a` ends; its memory is read 1.7 ms later, when `b` has taken 6 MiB.  CPU time
 * comes from the readings as ever.
 */
static void test_memory_reported_by_the_program(void **state)
{
	(void)state;
	reading(0, 0, 1);
	entry("a", 0.05, 200);
	entry("b", 200.01, -1);
	reported(200, 200.02, 101);
	reading(201.7, 0.2, 107);
	entry("b", 200.01, -1);
	reading(300, 0.3, 251);                         /* a sample, say */
	entry("b", 200.01, 400);
	entry("c", 400.01, -1);
	reported(400, 400.02, 301);
	reading(400.5, 0.4, 281);

	struct region_total a_ = of("a"), b = of("b"), c = of("c");

	use_is(&a_, REGION_RSS_CHANGE, 100 << 20, 100 << 20, 100 << 20);
	use_is(&b, REGION_RSS_CHANGE, 200 << 20, 200 << 20, 200 << 20);
	assert_true(is_none(c.use[REGION_RSS_CHANGE].value));
	assert_false(region_use_is_exact(&a_.use[REGION_TREE_CPU]));
	assert_float_equal(a_.use[REGION_TREE_CPU].upper, 0.2, 1e-9);
	assert_float_equal(b.elapsed_seconds, 0.19999, 1e-9);
	/* From then on it is read again. */
	entry("c", 400.01, 500);
	reading(500.1, 0.5, 271);
	c = of("c");
	use_is(&c, REGION_RSS_CHANGE, -(30 << 20), -(30 << 20), -(30 << 20));
}

/* The program was kept from the CPU during its own reading: 5 ms, in which other threads can have taken any of it. */
static void test_memory_reported_slowly(void **state)
{
	(void)state;
	reading(0, 0, 1);
	entry("a", 0.05, 200);
	entry("b", 206, -1);
	reported(200, 205, 101);
	is_about(&(struct region_total){ .use = { [REGION_RSS_CHANGE] = of("a").use[REGION_RSS_CHANGE] } },
		 REGION_RSS_CHANGE, (199.95 / 205) * (100 << 20));
}

/* Memory that came and went between two readings: the process's peak shows it. */
static void test_largest_size(void **state)
{
	(void)state;
	struct region_reading r = { MS, MS, .rss_bytes = 10, .largest_bytes = 20 };

	attribution_reading(&a, &r);
	entry("both", 1, 100);
	r.from_ns = r.at_ns = 100 * MS;
	r.largest_bytes = 300;
	attribution_reading(&a, &r);
	entry("after", 100, 200);
	r.from_ns = r.at_ns = 200 * MS;
	attribution_reading(&a, &r);
	assert_near(of("both").peak_rss_bytes, 300);
	assert_near(of("both").rss_rise_bytes, 290);
	assert_near(of("after").peak_rss_bytes, 10);
	assert_near(of("after").rss_rise_bytes, 0);
}

/* A forked child has all of its parent's memory in its RSS. */
static void test_a_fork_is_not_a_rise(void **state)
{
	(void)state;
	struct region_reading r = { MS, MS, .rss_bytes = 300, .processes = 1 };

	attribution_reading(&a, &r);
	entry("spawn", 1, -1);
	r = (struct region_reading){ 100 * MS, 100 * MS, .rss_bytes = 600, .processes = 2 };
	attribution_reading(&a, &r);
	entry("spawn", 1, 200);
	r = (struct region_reading){ 200 * MS, 200 * MS, .rss_bytes = 305, .processes = 1 };
	attribution_reading(&a, &r);
	assert_near(of("spawn").peak_rss_bytes, 600);
	assert_near(of("spawn").rss_rise_bytes, 5);
}

/* Paths beyond the limit are left out; readings out of order are dropped. */
static void test_garbage(void **state)
{
	(void)state;
	char path[32];

	reading(0, 0, 1);
	for (int i = 0; i < 3000; i++) {
		(void)snprintf(path, sizeof path, "%d", i);
		entry(path, 0, 10);
		entry(path, 5, 4);
	}
	for (int i = 0; i < 70000; i++)
		entry("1", i % 10, 10);
	reading(10, 1, 1);
	reading(5, 2, 1);
	assert_float_equal(of("7").use[REGION_TREE_CPU].value, 1, 1e-9);
	assert_float_equal(of("1").elapsed_seconds, 0.01, 1e-9);
	assert_true(is_none(of("2999").elapsed_seconds));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_followed, setup, teardown),
		cmocka_unit_test_setup_teardown(test_a_late_reading_is_not_exact, setup, teardown),
		cmocka_unit_test_setup_teardown(test_a_reading_takes_time, setup, teardown),
		cmocka_unit_test_setup_teardown(test_overlap, setup, teardown),
		cmocka_unit_test_setup_teardown(test_bytes_need_no_time, setup, teardown),
		cmocka_unit_test_setup_teardown(test_threads_count_once, setup, teardown),
		cmocka_unit_test_setup_teardown(test_short_entries, setup, teardown),
		cmocka_unit_test_setup_teardown(test_figures_of_samples, setup, teardown),
		cmocka_unit_test_setup_teardown(test_memory_reported_by_the_program, setup, teardown),
		cmocka_unit_test_setup_teardown(test_memory_reported_slowly, setup, teardown),
		cmocka_unit_test_setup_teardown(test_largest_size, setup, teardown),
		cmocka_unit_test_setup_teardown(test_a_fork_is_not_a_rise, setup, teardown),
		cmocka_unit_test_setup_teardown(test_garbage, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
