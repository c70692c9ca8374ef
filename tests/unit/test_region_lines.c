/* test_region_lines.c - regions reported in lines of text, valid and invalid. */
#include "fixture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "regions/line_file.h"

static char reported[2048];

static void report_short(void *context, const char *path, int64_t ns)
{
	size_t n = strlen(reported);

	(void)context;
	(void)snprintf(reported + n, sizeof reported - n, "short %s %.3f\n", path, (double)ns / 1e9);
}

static void report(void *context, const struct region_event *e)
{
	size_t n = strlen(reported);

	(void)context;
	(void)snprintf(reported + n, sizeof reported - n, "%d %s [%s] %.3f +%.3f cpu %.3f value %g tid %u%s\n", (int)e->kind, e->path,
		       e->text, (double)e->monotonic_ns / 1e9, e->seconds, e->cpu_seconds, e->value, e->tid,
		       e->unfinished ? " unfinished" : "");
}

static struct region_lines lines(void)
{
	reported[0] = '\0';
	return (struct region_lines){ .first_ns = 10 * NS_PER_SECOND, .now_ns = 20 * NS_PER_SECOND, .report = report,
				      .report_short = report_short };
}

static void say(struct region_lines *l, const char *line)
{
	region_line(l, line, strlen(line));
}

static void test_reported_regions(void **state)
{
	(void)state;
	struct region_lines l = lines();

	say(&l, "t=11 begin load data");
	say(&l, "t=12 cpu=1.5 tid=7 begin a");
	say(&l, "t=12.5 begin inner");
	say(&l, "t=13 mark half of it ");
	say(&l, "t=13 value loss -2.5e-1");
	l.wall_ns = INT64_C(1800000020) * NS_PER_SECOND;
	say(&l, "unix=1800000014 end load data");       /* and regions open inside it */
	say(&l, "cpu=1.75 t=15 tid=7 end");
	assert_string_equal(reported,
		"1 load data/inner [half of it] 13.000 +nan cpu nan value nan tid 0\n"
		"2 load data/inner [loss] 13.000 +nan cpu nan value -0.25 tid 0\n"
		"0 load data/inner [] 12.500 +1.500 cpu nan value 0 tid 0\n"
		"0 load data [] 11.000 +3.000 cpu nan value 0 tid 0\n"
		"0 a [] 12.000 +3.000 cpu 0.250 value 0 tid 7\n");
	assert_int_equal(l.wrong, 0);
	region_lines_release(&l);
}

/* Reported together: below the open regions, with the figures given for each. */
static void test_entries_reported_together(void **state)
{
	(void)state;
	struct region_lines l = lines();
	struct region_totals t;

	say(&l, "t=11 tid=7 begin train");
	say(&l, "tid=7 count=100 recursed=3 wall=0.004 min=0.00001 max=0.00009 cpu=0.003 at=42:90,60:10 entries a/b");
	say(&l, "count=1 wall=0.5 min=0.5 max=0.5 at=999999:1 entries alone");
	assert_string_equal(reported, "short train/a/b 0.004\nshort alone 0.500\n");
	assert_int_equal(l.wrong, 0);
	/* More time than there was, more entries, no figures, invalid words. */
	say(&l, "count=1 wall=10.5 entries x");
	say(&l, "count=99999999999999 wall=0 entries x");
	say(&l, "min=3 entries x");
	say(&l, "count=1 min=3 max=1 entries x");
	say(&l, "count=1 at=5 entries x");
	say(&l, "count=1 at=5: entries x");
	say(&l, "count=1 at=5:99999999999 entries x");
	say(&l, "count=1 wall=-1 entries x");
	say(&l, "count=1 entries");
	assert_int_equal(l.wrong, 9);
	say(&l, "t=12 tid=7 end");
	assert_int_equal(region_sums_totals(&t, &l.sums, 1), 0);
	assert_int_equal(t.n, 3);
	assert_string_equal(t.at[2].path, "train/a/b");
	assert_int_equal(t.at[2].count, 100);
	assert_int_equal(t.at[2].recursed, 3);
	assert_float_equal(t.at[2].seconds, 0.004, 1e-9);
	assert_float_equal(t.at[2].cpu_seconds, 0.003, 1e-9);
	assert_float_equal(t.at[2].shortest_seconds, 0.00001, 1e-9);
	assert_float_equal(t.at[2].longest_seconds, 0.00009, 1e-9);
	assert_true(t.at[2].p50_seconds < 0.00002 && t.at[2].p95_seconds > 0.00004);
	assert_true(is_none(t.at[0].cpu_seconds));
	region_totals_release(&t);
	region_lines_release(&l);
}

static void test_memory(void **state)
{
	(void)state;
	struct region_lines l = lines();
	struct memory_notes memory = { 0 };

	say(&l, "t=11 rss 77 104857600");               /* memory is not asked for */
	l.memory = &memory;
	say(&l, "t=12 tid=7 rss 77 104857600 ");
	assert_int_equal(l.wrong, 0);
	assert_string_equal(reported, "");
	assert_int_equal(memory.n, 1);
	assert_int_equal(memory.at[0].pid, 77);
	assert_int_equal(memory.at[0].from_ns, 12 * NS_PER_SECOND);
	assert_int_equal(memory.at[0].until_ns, 12 * NS_PER_SECOND);
	assert_near(memory.at[0].rss_bytes, 104857600);
	region_lines_release(&l);
}

static void test_recursion_and_ends(void **state)
{
	(void)state;
	struct region_lines l = lines();
	struct region_totals t;

	for (const char *const *line = (const char *const[]){
		"t=11 begin a", "t=12 begin b", "t=13 begin a", "t=13 begin c", "t=14 end c", "t=14 end a", "t=15 begin b",
		"t=16 end b", "t=17 end b", "t=18 begin d", NULL }; *line; line++)
		say(&l, *line);
	region_lines_end(&l);
	assert_int_equal(region_sums_totals(&t, &l.sums, 1.0), 0);
	assert_int_equal(t.n, 4);
	assert_string_equal(t.at[0].path, "a");
	assert_int_equal(t.at[0].recursed, 1);
	assert_int_equal(t.at[0].unfinished, 1);
	assert_string_equal(t.at[1].path, "a/b");
	assert_int_equal(t.at[1].recursed, 1);
	assert_true(fabs(t.at[1].seconds - 5) < 1e-6);
	assert_string_equal(t.at[2].path, "a/b/c");
	assert_string_equal(t.at[3].path, "a/d");
	region_totals_release(&t);
	region_lines_release(&l);
}

static void test_wrong_lines(void **state)
{
	(void)state;
	static const char *const wrong[] = {
		"", " ", "begin", "begin  ", "end", "end x", "mark", "value x", "value 1", "value x 1e999", "value x y",
		"rss", "rss 7", "rss 0 5", "rss 7 0", "rss 7 5 x", "rss 99999999999 5", "rss 7 99999999999999999999", "rss x y",
		"t= begin x", "tid=-1 begin x", "start x", "BEGIN x", "cpu=1", "value x 1 ,", "\xff\xfe",
	};
	struct region_lines l = lines();

	for (size_t i = 0; i < countof(wrong); i++)
		say(&l, wrong[i]);
	assert_int_equal(l.wrong, countof(wrong));
	region_line(&l, "begin \0x", 8);                /* a name that would end before it begins */
	region_line(&l, "end", 3);
	assert_int_equal(l.wrong, countof(wrong) + 2);
	assert_string_equal(reported, "");
	/* A time outside of the run is invalid; the time of reading stands for it. */
	say(&l, "t=5 begin x");
	say(&l, "t=99 end x");
	assert_string_equal(reported, "0 x [] 20.000 +0.000 cpu nan value 0 tid 0\n");
	region_lines_release(&l);
}

static void test_more_than_room(void **state)
{
	(void)state;
	struct region_lines l = lines();
	char line[64];

	for (int i = 0; i < 300; i++) {
		(void)snprintf(line, sizeof line, "tid=%d begin x", i + 1);
		say(&l, line);
	}
	assert_int_equal(l.sums.lost, 300 - LINES_THREADS);
	for (int i = 0; i < 100; i++) {
		(void)snprintf(line, sizeof line, "tid=1 begin %d", i);
		say(&l, line);
	}
	assert_int_equal(l.sums.lost, 300 - LINES_THREADS + 100 - (LINES_DEPTH - 1));
	region_lines_end(&l);
	region_lines_release(&l);
}

static void test_the_file(void **state)
{
	(void)state;
	static char much[40000];
	struct region_lines l = lines();
	struct line_file f;
	struct stat s;

	assert_int_equal(line_file_open(&f), 0);
	assert_int_equal(ftruncate(f.fd, 0), 0);        /* nothing is cut off */
	assert_int_equal(write(f.fd, "begin a\nend a\nbeg", 17), 17);
	assert_int_equal(ftruncate(f.fd, 3), -1);
	line_file_read(&f, &l, false);
	assert_string_equal(reported, "0 a [] 20.000 +0.000 cpu nan value 0 tid 0\n");
	assert_int_equal(l.wrong, 0);
	memset(much, 'x', sizeof much);                 /* a line without end, then a valid one */
	assert_int_equal(write(f.fd, "in b\n", 5), 5);
	assert_int_equal(write(f.fd, much, sizeof much), sizeof much);
	assert_int_equal(write(f.fd, "\nend b", 6), 6);
	line_file_read(&f, &l, false);
	assert_true(l.wrong > 0);
	assert_null(strstr(reported, " b "));
	line_file_read(&f, &l, true);
	assert_non_null(strstr(reported, " b "));
	/* Blocks that were read are freed, and a hole of terabytes is not read through. */
	assert_int_equal(fstat(f.fd, &s), 0);
	assert_true(s.st_blocks * 512 <= 8192);
	assert_int_equal(pwrite(f.fd, "\nmark c\n", 8, INT64_C(1) << 42), 8);
	line_file_read(&f, &l, false);
	assert_int_equal(f.next, (INT64_C(1) << 42) + 8);
	line_file_close(&f);
	region_lines_release(&l);
}

static int64_t late(void *clock)
{
	return *(int64_t *)clock += NS_PER_SECOND;
}

/* Regression: a region written after the clock was read and before the file was read had no length. */
static void test_lines_written_late(void **state)
{
	(void)state;
	struct region_lines l = lines();
	struct line_file f;
	int64_t now = 25 * NS_PER_SECOND;
	struct source source = { .monotonic_ns = late, .wall_ns = late, .clock = &now };

	l.source = &source;
	assert_int_equal(line_file_open(&f), 0);
	assert_int_equal(write(f.fd, "t=21 begin a\nt=23 end a\nt=99 begin b\nt=99 end b\n", 48), 48);
	line_file_read(&f, &l, false);
	/* A time in the future is invalid all the same. */
	assert_string_equal(reported, "0 a [] 21.000 +2.000 cpu nan value 0 tid 0\n0 b [] 26.000 +0.000 cpu nan value 0 tid 0\n");
	line_file_close(&f);
	region_lines_release(&l);
}

/* A flood of lines used a third of a core. */
static void test_more_lines_than_the_rate(void **state)
{
	(void)state;
	struct region_lines l = lines();
	struct line_file f;
	static const char pair[] = "begin a\nend a\n", cut[] = "begin out\nbegin in";

	assert_int_equal(line_file_open(&f), 0);
	f.lines_per_second = 10;                        /* 200 at once */
	for (size_t i = 0; i < 5000; i++)
		assert_int_equal(write(f.fd, pair, sizeof pair - 1), sizeof pair - 1);
	assert_int_equal(write(f.fd, cut, sizeof cut - 1), sizeof cut - 1);
	line_file_read(&f, &l, false);
	assert_in_range(f.lost_bytes, 1, 5000 * sizeof pair);
	assert_true(f.credit <= 0);
	assert_int_equal(l.wrong, 0);

	/* A region opened in the lost part, and the end of a line that began in it, give nothing. */
	uint64_t lost = f.lost_bytes;

	l.now_ns += INT64_C(600) * NS_PER_SECOND;       /* the last piece was read on credit */
	reported[0] = '\0';
	assert_int_equal(write(f.fd, "side\nend out\nbegin b\nend b\n", 27), 27);
	line_file_read(&f, &l, false);
	assert_int_equal(l.wrong, 1);
	assert_null(strstr(reported, "out"));
	assert_non_null(strstr(reported, " b "));
	assert_int_equal(f.lost_bytes, lost);

	assert_int_equal(write(f.fd, "begin c\n", 8), 8);
	line_file_read(&f, &l, false);
	for (size_t i = 0; i < 5000; i++)
		assert_int_equal(write(f.fd, pair, sizeof pair - 1), sizeof pair - 1);
	l.sums.lost = 0;
	line_file_read(&f, &l, true);
	assert_true(f.lost_bytes > lost);
	assert_int_equal(l.sums.lost, 1 + (strstr(reported, " c/a ") == NULL));
	region_lines_end(&l);
	assert_null(strstr(reported, " c ["));
	line_file_close(&f);
	region_lines_release(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reported_regions), cmocka_unit_test(test_recursion_and_ends),
		cmocka_unit_test(test_entries_reported_together), cmocka_unit_test(test_memory),
		cmocka_unit_test(test_wrong_lines),
		cmocka_unit_test(test_more_than_room), cmocka_unit_test(test_the_file),
		cmocka_unit_test(test_lines_written_late), cmocka_unit_test(test_more_lines_than_the_rate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
