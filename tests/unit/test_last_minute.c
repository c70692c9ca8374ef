/* test_last_minute.c - readings between samples: when they are due, their cost limit, and their use. */
#include "fixture.h"

#include <stdio.h>
#include <string.h>

#include "readers/record_reader.h"
#include "record/record_writer.h"
#include "recorder/last_minute.h"
#include "summary/summary.h"

static const double MIB = 1 << 20, GIB = 1 << 30;
static const int64_t SECOND = NS_PER_SECOND;
static struct sample s;                         /* static: large */
static struct last_minute l;
static struct moment moments[MOMENTS];

static struct moment moment(double seconds, double cpu, double rss, double processes, double available)
{
	return (struct moment){ seconds, cpu, rss, processes, available, NONE };
}

static void conditions_for_closer_readings(void **state)
{
	static const struct {
		double seconds, rss, more_rss, processes, more_processes, available, less, limit;
		bool restless;
	} cases[] = {
		/* seconds, MiB, + MiB, processes, + processes, MiB available, - MiB, limit in MiB */
		{ 1, 100, 0, 1, 0, 8000, 0, 0, false },
		{ 1, 100, 10, 1, 0, 8000, 10, 0, false },               /* 790 s left */
		{ 1, 100, 200, 1, 0, 8000, 200, 0, true },              /* 39 s left */
		{ 0.1, 100, 20, 1, 0, 8000, 20, 0, true },
		{ 1, 100, 10, 1, 0, 8000, 10, 500, true },              /* 39 s until the limit */
		{ 1, 100, 10, 1, 0, 8000, 10, 900, false },             /* 79 s left */
		{ 1, 900, 10, 1, 0, 8000, 10, 800, true },              /* beyond it: swap */
		{ 1, 100, -50, 1, 0, 8000, -50, 0, false },
		{ 1, 100, 0, 1, 0, 8000, 200, 0, true },                /* other processes use up the machine's */
		{ 1, 100, 0, 1, 7, 8000, 0, 0, false },
		{ 1, 100, 0, 1, 8, 8000, 0, 0, true },
		{ 1, 100, 0, 100, 10, 8000, 0, 0, false },
		{ 1, 100, 0, 100, 25, 8000, 0, 0, true },
		{ 0, 100, 200, 1, 90, 8000, 0, 0, false },              /* no time: no rate */
	};

	(void)state;
	for (size_t i = 0; i < countof(cases); i++) {
		struct moment was = moment(5, 0, cases[i].rss * MIB, cases[i].processes, cases[i].available * MIB);
		struct moment now = moment(5 + cases[i].seconds, 0, (cases[i].rss + cases[i].more_rss) * MIB,
					   cases[i].processes + cases[i].more_processes,
					   (cases[i].available - cases[i].less) * MIB);
		double limit = cases[i].limit > 0 ? cases[i].limit * MIB : NONE;

		if (last_minute_is_restless(&was, &now, limit) != cases[i].restless)
			fail_msg("case %zu", i);
	}

	struct moment unknown = { 6, NONE, NONE, NONE, NONE, NONE }, before = moment(5, 0, MIB, 1, GIB);

	assert_false(last_minute_is_restless(&before, &unknown, NONE));
}

static void sample_at(double seconds, double available)
{
	sample_clear(&s);
	s.monotonic_ns = 100 * SECOND + (int64_t)(seconds * 1e9);
	s.total.memory_available_bytes = available;
	last_minute_sample(&l, &s, NULL);
}

static void calm_runs_need_no_wakeups(void **state)
{
	int64_t now = 100 * SECOND;

	(void)state;
	last_minute_open(&l, now, NONE);
	/* The first second: a command that fails at once is seen, too. */
	assert_int_equal(last_minute_due(&l, now, now + SECOND), now + SECOND / 10);
	assert_int_equal(last_minute_due(&l, now + SECOND / 2, now + SECOND), now + SECOND / 2 + SECOND / 10);
	/* None if the sample comes as soon. */
	assert_int_equal(last_minute_due(&l, now, now + SECOND / 10), 0);
	assert_int_equal(last_minute_due(&l, now + SECOND * 95 / 100, now + SECOND), 0);
	for (int i = 1; i < 10; i++) {
		now = (100 + i) * SECOND;
		sample_at(i, 8 * GIB);
		assert_int_equal(last_minute_due(&l, now, now + SECOND), 0);
		/* Between samples that are far apart, every second. */
		assert_int_equal(last_minute_due(&l, now, now + 10 * SECOND), now + SECOND);
	}
	sample_at(10, 6 * GIB);
	now = 110 * SECOND;
	for (int i = 0; i < 29; i++)
		assert_int_equal(last_minute_due(&l, now + i * SECOND / 10, now + 5 * SECOND),
				 now + (i + 1) * SECOND / 10);
	assert_int_equal(last_minute_due(&l, now + 3 * SECOND, now + 9 * SECOND), now + 4 * SECOND);
	last_minute_close(&l);
}

static void readings_wait_until_paid(void **state)
{
	int64_t now = 100 * SECOND;

	(void)state;
	memset(&l, 0, sizeof l);
	last_minute_open(&l, now, NONE);
	l.restless_until_ns = now + 1000 * SECOND;
	l.credit_ns = -300000;                          /* two seconds' worth */
	assert_int_equal(last_minute_due(&l, now, now + 10 * SECOND), now + 2 * SECOND);
	assert_int_equal(last_minute_due(&l, now, now + SECOND), 0);
	last_minute_close(&l);

	/* Before it is opened, nothing is due and nothing kept: an attachment, a watch. */
	memset(&l, 0, sizeof l);
	assert_int_equal(last_minute_due(&l, now, now + 10 * SECOND), 0);
	sample_at(1, GIB);
	assert_int_equal(last_minute_moments(&l, moments), 0);
	last_minute_close(&l);
}

static void the_ring_holds_a_minute(void **state)
{
	(void)state;
	memset(&l, 0, sizeof l);
	last_minute_open(&l, 100 * SECOND, NONE);
	for (int i = 0; i < 20000; i++)                 /* samples every 10 ms: thinned out */
		sample_at(i * 0.01, GIB + i);

	size_t n = last_minute_moments(&l, moments);

	assert_in_range(n, 590, 610);
	assert_true(moments[n - 1].seconds > 199.8 && moments[0].seconds < 140.1 && moments[0].seconds > 139.7);
	for (size_t i = 1; i < n; i++)
		assert_near(moments[i].seconds - moments[i - 1].seconds, 0.1);
	assert_near(moments[n - 1].available_bytes, GIB + 100 * moments[n - 1].seconds);
	assert_none(moments[0].rss_bytes);
	last_minute_close(&l);
}

static struct buffer lines;

static bool put(void *context, const char *line, size_t n, bool needed)
{
	(void)context;
	(void)needed;
	buffer_bytes(&lines, line, n);
	return true;
}

static void written_and_read_back(void **state)
{
	static const char foreign[] =
		"{\"record\":\"resource-tracker\",\"version\":1,\"start\":100.5,\"pids\":[7]}\n"
		"{\"last_minute\":{\"columns\":[\"new\",\"rss_bytes\",\"t\"],\"points\":[[1,2048,3.5],[],[1,2],7,[4,null,5]]}}\n";
	struct moment given[] = { moment(1.5, 0.25, 5 * MIB, 2, GIB), moment(1.6, 0.35, NONE, 0, GIB / 2) };
	struct aggregate *whole = aggregate_open();
	struct run_status status = { .end = RUN_EXITED, .value = 1 };
	struct run run = { .start_wall_ns = SECOND };
	struct record_writer *w;
	struct record_reader *r;
	struct fixture f;

	(void)state;
	fixture_open(&f, "vm");
	assert_int_equal(record_open(&w, &run, &f.source, &(struct record_options){ .put = put }), 0);
	record_last_minute(w, given, 0);
	record_last_minute(w, given, 2);
	record_finish(w, &status, whole);
	record_close(w);
	aggregate_close(whole);
	assert_int_equal(record_reader_of(&r, "run", lines.at, lines.len, NULL), 0);
	while (record_reader_next(r) != RECORD_OVER)
		;
	assert_int_equal(record_reader_facts(r)->n_moments, 2);
	assert_int_equal(record_reader_facts(r)->n_problems, 0);
	assert_near(record_reader_facts(r)->moments[0].rss_bytes, 5 * MIB);
	assert_near(record_reader_facts(r)->moments[0].cpu_seconds, 0.25);
	assert_none(record_reader_facts(r)->moments[1].rss_bytes);
	assert_near(record_reader_facts(r)->moments[1].available_bytes, GIB / 2);
	assert_none(record_reader_facts(r)->moments[1].memory_stall_seconds);
	record_reader_close(r);

	/* Columns in another order, unknown ones, points without a time. */
	assert_int_equal(record_reader_of(&r, "run", foreign, sizeof foreign - 1, NULL), 0);
	while (record_reader_next(r) != RECORD_OVER)
		;
	assert_int_equal(record_reader_facts(r)->n_moments, 2);
	assert_near(record_reader_facts(r)->moments[0].seconds, 3.5);
	assert_near(record_reader_facts(r)->moments[0].rss_bytes, 2048);
	assert_none(record_reader_facts(r)->moments[1].rss_bytes);
	record_reader_close(r);
	buffer_release(&lines);
	fixture_close(&f);
}

static void expect(const struct moment *given, size_t n, double end, const char *line)
{
	struct aggregate *whole = aggregate_open();
	struct summary summary = {
		.run = { .pids = (const pid_t[]){ 7 }, .n_pids = 1 }, .whole = whole, .moments = given, .n_moments = n,
		.status = { .end_monotonic_ns = (int64_t)(end * 1e9) },
	};
	struct buffer out = { 0 };

	summary_write(&out, &summary, &(struct summary_style){ 100, false, false });
	buffer_char(&out, '\0');
	if (line ? !strstr(out.at, line) : strstr(out.at, " Last ") != NULL)
		fail_msg("%s\nis not in\n%s", line ? line : "nothing", out.at);
	buffer_release(&out);
	aggregate_close(whole);
}

static void a_summary_of_the_last_minute(void **state)
{
	struct moment m[80];

	(void)state;
	/* Flat for 50 s, then up in the last four. */
	for (size_t i = 0; i < 50; i++)
		m[i] = moment((double)i, (double)i, 1.2 * GIB, 1, GIB);
	for (size_t i = 50; i < 80; i++)
		m[i] = moment(49 + 0.1 * (double)(i - 49), 49, (1.2 + 0.2 * (double)(i - 49)) * GIB, 1, GIB);
	expect(m, 80, 53, " Last 53s    memory .................#  rose from 1.20 GiB to 7.20 GiB in 4.00s\n");
	expect(m, 80, 53, "             CPU    #################   at last 0.00 cores\n");
	expect(m, 50, 50, "at last 1.20 GiB\n");
	expect(m, 50, 50, "at last 1.00 cores\n");
	/* The last reading comes when no process is left. */
	m[79].rss_bytes = NONE;
	expect(m, 80, 53, "rose from 1.20 GiB to 7.00 GiB in 4.00s\n");
	for (size_t i = 0; i < 80; i++)
		m[i].rss_bytes = NONE;
	expect(m, 80, 53, " Last 53s    memory");
	/* Nothing worth a line. */
	expect(m, 2, 53, NULL);
	expect(m + 77, 3, 53, NULL);
	expect(NULL, 0, 53, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(conditions_for_closer_readings),
		cmocka_unit_test(calm_runs_need_no_wakeups),
		cmocka_unit_test(readings_wait_until_paid),
		cmocka_unit_test(the_ring_holds_a_minute),
		cmocka_unit_test(written_and_read_back),
		cmocka_unit_test(a_summary_of_the_last_minute),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
