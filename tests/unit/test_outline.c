/* test_outline.c - a run of any length in a bounded number of points, at the end of its record. */
#include "fixture.h"

#include <stdio.h>
#include <string.h>

#include "core/outline.h"
#include "readers/record_reader.h"
#include "record/record_writer.h"

static struct outline o;
static struct sample s;                         /* static: large */
static struct fixture machine;
static struct buffer lines;

static size_t quantity(const char *group, const char *name)
{
	for (size_t i = 0; i < OUTLINE_QUANTITIES; i++)
		if (strcmp(outline_metric(i)->group, group) == 0 && strcmp(outline_metric(i)->name, name) == 0)
			return i;
	fail_msg("no quantity %s.%s", group, name);
	return 0;
}

/* At any length: points are adjacent, means are weighted by time, sums are complete. */
static void the_outline_covers_a_run_of_any_length(void **state)
{
	size_t cores = quantity("process", "cpu_cores"), read = quantity("process", "disk_read_bytes");
	size_t sent = quantity("process", "net_sent_bytes"), rss = quantity("process", "rss_bytes");

	(void)state;
	for (int n = 1; n <= 1000; n += n < 300 ? 1 : 97) {
		double core_seconds = 0, t = 0, bytes = 0, area = 0, begin = 0;

		o = (struct outline){ .n = 0 };
		for (int i = 1; i <= n; i++) {
			double seconds = i % 3 ? 1 : 0.5;

			t += seconds;
			core_seconds += i % 5 * seconds;
			sample_clear(&s);
			s.total.process_cpu_cores = i % 5;
			s.total.process_disk_read_bytes = i;
			if (i % 2)                      /* known at times */
				s.total.process_rss_bytes = 1000;
			outline_add(&o, &s.total, t, seconds);
		}
		assert_in_range(o.n, n < 33 ? n : 33, n < OUTLINE_POINTS ? n : OUTLINE_POINTS);
		for (size_t k = 0; k < o.n; k++) {
			assert_true(o.at[k].end_seconds > begin);
			area += o.at[k].value[cores] * (o.at[k].end_seconds - begin);
			bytes += o.at[k].value[read];
			if (!is_none(o.at[k].value[rss]))
				assert_near(o.at[k].value[rss], 1000);
			assert_none(o.at[k].value[sent]);
			begin = o.at[k].end_seconds;
		}
		assert_near(begin, t);
		assert_near(area, core_seconds);
		assert_near(bytes, n * (n + 1) / 2.0);
		assert_true(outline_knows(&o, rss));
		assert_false(outline_knows(&o, sent));
	}
}

static bool put(void *context, const char *line, size_t n, bool needed)
{
	(void)context;
	(void)needed;
	buffer_bytes(&lines, line, n);
	return true;
}

/* A run with all quantities at their largest, and its record in `lines`. */
static void write_a_run(int n)
{
	static const struct run run = { .interval_seconds = 1, .start_monotonic_ns = 5 * NS_PER_SECOND };
	struct run_status status = { .end = RUN_EXITED, .end_monotonic_ns = (5 + n) * NS_PER_SECOND };
	struct record_sums sums = { .whole = aggregate_open() };
	struct record_options options = { .sums = &sums, .put = put };
	struct record_writer *w;
	struct aggregate *whole = aggregate_open();

	buffer_clear(&lines);
	assert_int_equal(record_open(&w, &run, &machine.source, &options), 0);
	for (int i = 0; i <= n; i++) {
		sample_clear(&s);
		s.interval_seconds = i == 0 ? NONE : 1;
		s.monotonic_ns = (5 + i) * NS_PER_SECOND;
		for (size_t k = 0; i > 0 && k < OUTLINE_QUANTITIES; k++) {
			const struct metric *m = outline_metric(k);
			double value = m->unit == UNIT_BYTES ? 123456789012345.0 - i : 12345.6789 + i % 2;

			memcpy((char *)&s.total + m->offset, &value, sizeof value);
		}
		if (i > 0)
			outline_add(&sums.outline, &s.total, i, 1);
		aggregate_add(whole, &s);
		record_sample(w, &s);
	}
	record_finish(w, &status, whole);
	record_close(w);
	aggregate_close(whole);
	aggregate_close((struct aggregate *)(uintptr_t)sums.whole);
	o = sums.outline;
}

static struct record_reader *read_all(const char *text, size_t n)
{
	struct record_reader *r;

	assert_int_equal(record_reader_of(&r, "run.jsonl", text, n, NULL), 0);
	while (record_reader_next(r) != RECORD_OVER)
		;
	return r;
}

/* The last line. */
static const char *end_line(void)
{
	buffer_char(&lines, '\0');
	lines.len--;
	return strstr(lines.at, "\n{\"end\"") + 1;
}

/* It fits into 8 KiB, and the end of the record alone gives the same as its rows. */
static void the_outline_is_read_from_the_end_alone(void **state)
{
	(void)state;
	for (int n = 1; n <= 130; n += 43) {
		write_a_run(n);

		const char *end = end_line(), *outline = strstr(end, "\"outline\":");
		size_t bytes = strlen(outline) - strlen("\"outline\":") - strlen("}}\n");
		size_t first = strcspn(lines.at, "\n") + 1;
		struct buffer ends = { 0 }, cut = { 0 };

		buffer_bytes(&ends, lines.at, first);
		buffer_text(&ends, end);
		buffer_bytes(&cut, lines.at, (size_t)(end - lines.at));

		struct record_reader *whole = read_all(lines.at, lines.len), *alone = read_all(ends.at, ends.len);
		struct record_reader *without = read_all(cut.at, cut.len);
		const struct outline *of_all = record_reader_facts(whole)->outline;
		const struct outline *of_ends = record_reader_facts(alone)->outline;
		const struct outline *of_rows = record_reader_facts(without)->outline;

		assert_in_range(bytes, 1, 8 << 10);
		assert_memory_equal(of_ends, of_all, sizeof *of_all);
		assert_in_range(of_ends->n, 1, OUTLINE_POINTS);
		assert_int_equal(record_reader_facts(alone)->rows, 0);
		assert_int_equal(of_rows->n, o.n);
		for (size_t k = 0; k < o.n; k++)
			for (size_t i = 0; i < OUTLINE_QUANTITIES; i++)
				assert_true(fabs(of_rows->at[k].value[i] - o.at[k].value[i]) <= 1);

		/* With as few points as there was room for: the whole time, and the whole amount read. */
		size_t read = quantity("process", "disk_read_bytes");
		double sum = 0;

		for (size_t k = 0; k < of_ends->n; k++)
			sum += of_ends->at[k].value[read];
		assert_true(fabs(sum - n * 123456789012345.0) <= n * n);
		assert_near(of_ends->at[of_ends->n - 1].end_seconds, n);
		record_reader_close(whole);
		record_reader_close(alone);
		record_reader_close(without);
		buffer_release(&ends);
		buffer_release(&cut);
	}
}

static void malformed_outlines_are_refused(void **state)
{
	static const char *const wrong[] = {
		"null", "7", "{}", "{\"columns\":[\"t\"]}", "{\"columns\":7,\"points\":[[1]]}",
		"{\"columns\":[\"t\",\"process.rss_bytes\"],\"points\":[null,[],[\"x\"],[-1,5],[1e300,5],[0,5]]}",
	};
	char text[1024];

	(void)state;
	for (size_t i = 0; i < countof(wrong); i++) {
		(void)snprintf(text, sizeof text, "{\"record\":\"resource-tracker\",\"version\":1}\n{\"end\":{\"outline\":%s}}\n",
			       wrong[i]);

		struct record_reader *r = read_all(text, strlen(text));

		assert_int_equal(record_reader_facts(r)->outline->n, 0);
		record_reader_close(r);
	}
	(void)snprintf(text, sizeof text, "{\"record\":\"resource-tracker\",\"version\":1}\n{\"end\":{\"outline\":{\"columns\":"
		       "[\"t\",\"new.thing\",\"process.rss_bytes\"],\"points\":[[1,7,5,9],[0.5,7,6],[2,7,null],[3,7]]}}}\n");

	struct record_reader *r = read_all(text, strlen(text));
	const struct outline *got = record_reader_facts(r)->outline;
	size_t rss = quantity("process", "rss_bytes");

	assert_int_equal(got->n, 3);                    /* time does not go back */
	assert_near(got->at[0].value[rss], 5);
	assert_none(got->at[1].value[rss]);
	assert_none(got->at[2].value[rss]);
	record_reader_close(r);
}

static int open_machine(void **state)
{
	(void)state;
	fixture_open(&machine, "bare-metal");
	return 0;
}

static int close_machine(void **state)
{
	(void)state;
	fixture_close(&machine);
	buffer_release(&lines);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_outline_covers_a_run_of_any_length),
		cmocka_unit_test(the_outline_is_read_from_the_end_alone),
		cmocka_unit_test(malformed_outlines_are_refused),
	};
	return cmocka_run_group_tests(tests, open_machine, close_machine);
}
