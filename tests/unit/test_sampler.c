/* test_sampler.c - consecutive samples, with clocks set by the test. */
#include "fixture.h"

#include "sampler/sampler.h"

struct clocks { int64_t monotonic_ns, wall_ns; };

static const char *const machines[] = { "vm", "disk-4kn" };    /* CPUs and memory of one, disks of the other */

static struct clocks clocks;

static int64_t monotonic_of(void *of)
{
	return ((struct clocks *)of)->monotonic_ns;
}

static int64_t wall_of(void *of)
{
	return ((struct clocks *)of)->wall_ns;
}

static struct sampler *open_sampler(struct fixture *f, const char *machine)
{
	struct sampler *s = NULL;

	fixture_open(f, machine);
	clocks = (struct clocks){ 1000 * NS_PER_SECOND, 1700000000 * NS_PER_SECOND };

	struct sampler_options options = {
		.root = f->root, .interval_seconds = 1, .only = "cpu,memory,disk",
		.monotonic_ns = monotonic_of, .wall_ns = wall_of, .clock = &clocks,
	};

	assert_int_equal(sampler_open(&s, &options, NULL), 0);
	return s;
}

static void read_after(struct sampler *s, struct sample *ret, double seconds)
{
	clocks.monotonic_ns += (int64_t)(seconds * 1e9);
	clocks.wall_ns += (int64_t)(seconds * 1e9);
	assert_int_equal(sampler_read(s, ret), 0);
	assert_int_equal(ret->wall_ns, clocks.wall_ns);
}

/* The second sample of this machine, after two seconds in which the clock was set by so many. */
static void second_sample(struct sample *ret, const char *machine, double step_seconds)
{
	struct fixture f;
	struct sampler *s = open_sampler(&f, machine);

	read_after(s, ret, 0);
	fixture_turn(&f, 1, 2);
	clocks.wall_ns += (int64_t)(step_seconds * 1e9);
	read_after(s, ret, 2);
	sampler_close(s);
	fixture_close(&f);
}

static void assert_same(double value, double expected)
{
	assert_int_equal(is_none(value), is_none(expected));
	if (!is_none(expected))
		assert_near(value, expected);
}

static void assert_same_use(const struct sample *s, const struct sample *expected)
{
	assert_same(s->total.cpu_utilization_cores, expected->total.cpu_utilization_cores);
	assert_same(s->total.memory_used_bytes, expected->total.memory_used_bytes);
	assert_same(s->total.disk_total_read_bytes, expected->total.disk_total_read_bytes);
	assert_int_equal(s->n_disk, expected->n_disk);
	for (size_t i = 0; i < expected->n_disk; i++)
		assert_same(s->disk[i].busy_pct, expected->disk[i].busy_pct);
}

static void assert_is_known(const struct sample *s)
{
	assert_true(s->total.cpu_utilization_cores > 0 || s->disk[0].busy_pct > 0);
}

/* Other trackers divide by the time of day: a rate below zero, or a thousandfold, at each correction of the clock. */
static void a_step_of_the_clock_changes_no_rate(void **state)
{
	static const double steps[] = { -3600, -0.9, 3600 };
	static struct sample steady, stepped;

	(void)state;
	for (size_t m = 0; m < countof(machines); m++) {
		second_sample(&steady, machines[m], 0);
		assert_near(steady.interval_seconds, 2);
		assert_is_known(&steady);
		for (size_t i = 0; i < countof(steps); i++) {
			second_sample(&stepped, machines[m], steps[i]);
			assert_near(stepped.interval_seconds, 2);
			assert_same_use(&stepped, &steady);
		}
	}
}

/* Other trackers write zeros, and with the next sample the total since boot. */
static void a_failed_reading_is_missing_once(void **state)
{
	static struct sample whole, s;
	struct fixture f;

	(void)state;
	second_sample(&whole, "vm", 0);

	struct sampler *sampler = open_sampler(&f, "vm");

	read_after(sampler, &s, 0);
	fixture_write(&f, "proc/stat", "");
	fixture_write(&f, "proc/meminfo", "");
	read_after(sampler, &s, 1);
	assert_none(s.total.cpu_utilization_cores);
	assert_none(s.total.memory_used_bytes);
	fixture_turn(&f, 1, 2);
	read_after(sampler, &s, 1);
	assert_same_use(&s, &whole);
	sampler_close(sampler);
	fixture_close(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_step_of_the_clock_changes_no_rate),
		cmocka_unit_test(a_failed_reading_is_missing_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
