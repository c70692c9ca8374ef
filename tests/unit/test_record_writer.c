/* test_record_writer.c - the lines of a record, and when each is written. */
#include "fixture.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/host.h"
#include "record/record_lines.h"
#include "record/record_writer.h"
#include "text/utc.h"

static struct sample s;                         /* static: large */
static struct buffer lines;                     /* all lines put so far, terminated */
static size_t n_lines, wrong_lines;
static unsigned refused;                        /* so many of the next required lines are refused */
static struct fixture machine;

static bool put(void *context, const char *line, size_t n, bool needed)
{
	(void)context;
	if (needed && refused > 0) {
		refused--;
		return false;
	}
	/* Each call passes exactly one whole line. */
	wrong_lines += n == 0 || memchr(line, '\n', n) != line + n - 1;
	n_lines++;
	buffer_bytes(&lines, line, n);
	return true;
}

static const char *text(void)
{
	buffer_char(&lines, '\0');
	lines.len--;
	return lines.at;
}

/* Without strstr: a sanitizer's reads all of the rest each time. */
static size_t count(const char *what)
{
	size_t n = 0;

	for (const char *p = text(); (p = strchr(p, *what)) != NULL; p++)
		n += strncmp(p, what, strlen(what)) == 0;
	return n;
}

/* The n-th line that begins with this, cut at its end into `ret`. */
static const char *line(const char *begin, size_t n)
{
	static char ret[16384];

	for (const char *p = text(); *p; p = strchr(p, '\n') + 1)
		if (strncmp(p, begin, strlen(begin)) == 0 && n-- == 0) {
			(void)snprintf(ret, sizeof ret, "%.*s", (int)strcspn(p, "\n"), p);
			return ret;
		}
	fail_msg("no line %zu that begins with %s in:\n%s", n, begin, text());
	return NULL;
}

static void next(double t, double seconds)
{
	sample_clear(&s);
	s.interval_seconds = seconds;
	s.monotonic_ns = 5 * NS_PER_SECOND + (int64_t)(t * 1e9 + 0.5);
	s.total.cpu_count = 2;
	s.total.memory_total_bytes = 1000;
}

static struct record_writer *begin_with(const struct run *run, const struct record_options *options)
{
	struct record_writer *w;

	buffer_clear(&lines);
	n_lines = wrong_lines = 0;
	assert_int_equal(record_open(&w, run, &machine.source, options), 0);
	return w;
}

static struct record_writer *begin(const struct run *run, enum record_command command)
{
	return begin_with(run, &(struct record_options){ .command = command, .put = put });
}

static const struct run plain = { .interval_seconds = 1, .start_monotonic_ns = 5 * NS_PER_SECOND };

/* gmtime(3) is the truth: a day, and some beyond a leap day, over the range of nanoseconds. */
static void dates_are_those_of_the_calendar(void **state)
{
	(void)state;
	for (int64_t t = INT64_MIN / NS_PER_SECOND; t <= INT64_MAX / NS_PER_SECOND - 90001; t += 90001) {
		char ours[UTC_SIZE], theirs[UTC_SIZE];
		time_t seconds = (time_t)t;
		struct tm tm;

		utc_write(ours, t * NS_PER_SECOND + 7999999);
		assert_non_null(gmtime_r(&seconds, &tm));
		assert_true(strftime(theirs, sizeof theirs, "%Y-%m-%dT%H:%M:%S.007Z", &tm) > 0);
		assert_string_equal(ours, theirs);
	}
}

static void the_header_names_command_and_machine(void **state)
{
	static char words[][16] = { "train", "--token", "abc", "a \"b\"" };
	static char *const command[] = { words[0], words[1], words[2], words[3], NULL };
	static const char *const tags[] = { "a=b" };
	static const pid_t pid = 12;
	struct run run = {
		.job_name = "nightly", .tags = tags, .n_tags = 1, .command = command, .pids = &pid, .n_pids = 1,
		.interval_seconds = 0.5, .start_wall_ns = 1795268880123456789, .start_monotonic_ns = 5 * NS_PER_SECOND,
	};
	struct record_writer *w = begin(&run, COMMAND_MASKED);
	char expected[256];

	(void)state;
	record_notice(w, "early");                      /* not before the header */
	next(0, NONE);
	record_sample(w, &s);
	assert_non_null(strstr(line("{\"record\":\"resource-tracker\",\"version\":1,", 0),
			       "\"start\":1795268880.123457,\"start_utc\":\"2026-11-21T13:48:00.123Z\","
			       "\"interval_seconds\":0.5,"
			       "\"command\":[\"train\",\"--token\",\"***\",\"a \\\"b\\\"\"],\"command_recorded\":\"masked\","
			       "\"pids\":[12],\"metadata\":{\"job_name\":\"nightly\"},\"tags\":[\"a=b\"],"
			       "\"host\":{\"name\":\"node 1\",\"kernel\":\"6.1.0\",\"cpu_model\":\"Fast CPU 3000\","
			       "\"cpus\":2,\"memory_bytes\":1000,\"sockets\":null,\"cores\":null},"
			       "\"fixed\":{\"cpu.count\":2,\"memory.total_bytes\":1000},\"tables\":{\"core\":"
			       "[[\"utilization_pct\",\"percent\",\"level\"]],\"disk\":[[\"read_bytes\",\"bytes\",\"amount\"],"));
	(void)snprintf(expected, sizeof expected, "\"id\":\"20261121T134800Z-node-1-%d\"", (int)getpid());
	assert_non_null(strstr(text(), expected));
	assert_string_equal(line("{\"notice\"", 0), "{\"notice\":\"early\",\"t\":0.0}");
	assert_true(strstr(text(), "{\"notice\"") > strstr(text(), "{\"record\""));
	record_close(w);

	run.named_wall_ns = 1795268879 * NS_PER_SECOND; /* its file keeps this name if it starts a second later */
	w = begin(&run, COMMAND_NAME);
	record_sample(w, &s);
	assert_non_null(strstr(text(), "\"command\":[\"train\"],\"command_recorded\":\"name\""));
	assert_non_null(strstr(text(), "\"id\":\"20261121T134759Z-node-1-"));
	assert_non_null(strstr(text(), "\"start_utc\":\"2026-11-21T13:48:00.123Z\""));
	record_close(w);
	w = begin(&run, COMMAND_FULL);
	record_sample(w, &s);
	assert_non_null(strstr(text(), "\"--token\",\"abc\""));
	record_close(w);
}

static void the_header_has_the_known_parts_of_the_job(void **state)
{
	struct job job;
	struct run run = plain;
	struct record_writer *w;

	(void)state;
	job_unknown(&job);
	assert_true(job_put_text(&job, JOB_KEY_scheduler, "slurm") && job_put_text(&job, JOB_KEY_id, "12\"34"));
	assert_true(job_put_number(&job, JOB_KEY_rank, 0) && job_put_number(&job, JOB_KEY_size, 4));
	for (int with = 0; with < 2; with++) {
		run.job = with ? &job : NULL;
		w = begin(&run, COMMAND_MASKED);
		next(0, NONE);
		record_sample(w, &s);
		assert_int_equal(strstr(text(), "\"job\"") != NULL, with);
		if (with)
			assert_non_null(strstr(text(), "\"tags\":[],\"job\":{\"scheduler\":\"slurm\",\"id\":\"12\\\"34\","
					       "\"rank\":0,\"size\":4},\"host\":{"));
		record_close(w);
	}
}

static void rows_have_the_known_columns(void **state)
{
	struct record_writer *w = begin(&plain, COMMAND_MASKED);

	(void)state;
	next(0, NONE);
	s.total.memory_free_bytes = 5;
	record_sample(w, &s);
	assert_int_equal(n_lines, 1);                   /* the baseline is not a row */
	next(1, 1);
	s.total.memory_free_bytes = 700;
	s.total.cpu_user_seconds = 0.25;
	record_sample(w, &s);
	assert_non_null(strstr(line("{\"columns\"", 0), "{\"columns\":[[\"cpu.user_seconds\",\"seconds\",\"amount\"],"
			       "[\"memory.free_bytes\",\"bytes\",\"level\"]],\"missing\":[\"cpu.utilization_cores\","));
	assert_string_equal(line("[\"r\"", 0), "[\"r\",1.0,1.0,1,[0.25,700],null,{}]");

	next(2, 1);                                     /* one is missing, another one is new */
	s.total.cpu_user_seconds = 0.5;
	s.total.cpu_load_1m = 3.5;
	s.total.cpu_count = 3;
	record_sample(w, &s);
	assert_non_null(strstr(line("{\"columns\"", 1), "[\"cpu.load_1m\",\"count\",\"level\"],[\"memory.free_bytes\""));
	assert_string_equal(line("[\"r\"", 1), "[\"r\",2.0,1.0,1,[0.5,3.5,null],null,{}]");
	assert_string_equal(line("{\"fixed\"", 0), "{\"fixed\":{\"cpu.count\":3}}");
	assert_int_equal(count("{\"columns\""), 2);
	assert_int_equal(wrong_lines, 0);
	record_close(w);
}

static void rows_of_tables_are_named_once(void **state)
{
	struct record_writer *w = begin(&plain, COMMAND_MASKED);

	(void)state;
	for (int i = 0; i <= 3; i++) {
		next(i, i == 0 ? NONE : 1);
		for (int k = i == 3 ? 1 : 0; k < 2; k++) {
			struct disk_row *disk = sample_add_disk(&s, k == 0 ? "vda" : "vdb");

			disk->capacity_bytes = k == 1 && i == 3 ? 99 : 50;
			strcpy(disk->model, k == 0 ? "Fast" : "");
			if (i > 0)
				disk->read_bytes = k == 0 ? 512 * i : 0;
		}
		sample_add_core(&s, "0")->utilization_pct = i == 0 ? NONE : 12.5;
		sample_add_core(&s, "2")->utilization_pct = i == 0 ? NONE : 0;
		record_sample(w, &s);
	}
	assert_string_equal(line("{\"rows\"", 0),
			    "{\"rows\":{\"core\":[{\"index\":0,\"key\":\"0\"},{\"index\":1,\"key\":\"2\"}],"
			    "\"disk\":[{\"index\":0,\"key\":\"vda\",\"model\":\"Fast\",\"capacity_bytes\":50},"
			    "{\"index\":1,\"key\":\"vdb\",\"capacity_bytes\":50}]}}");
	assert_string_equal(line("[\"r\"", 1), "[\"r\",2.0,1.0,1,[],null,{\"core\":[[12.5],0],"
			    "\"disk\":[[1024,null,null,null,null,null],[0,null,null,null,null,null]]}]");
	assert_string_equal(line("{\"rows\"", 1),
			    "{\"rows\":{\"disk\":[{\"index\":1,\"key\":\"vdb\",\"capacity_bytes\":99}]}}");
	assert_string_equal(line("[\"r\"", 2), "[\"r\",3.0,1.0,1,[],null,{\"core\":[[12.5],0],"
			    "\"disk\":{\"1\":[0,null,null,null,null,null]}}]");
	record_close(w);
}

static void resolution_halves_with_each_block(void **state)
{
	struct record_writer *w = begin(&plain, COMMAND_MASKED);
	int t = 0;

	(void)state;
	next(0, NONE);
	record_sample(w, &s);
	for (t = 1; t <= 4096 + 2 * 4096 + 3; t++) {
		next(t, 1);
		s.total.cpu_load_1m = t % 2;
		s.total.cpu_user_seconds = 0.5;
		record_sample(w, &s);
	}
	assert_int_equal(count("[\"r\""), 4096 + 4096); /* three samples wait for a fourth */
	assert_string_equal(line("[\"r\"", 4096), "[\"r\",4098.0,2.0,2,[1.0,0.5],[1.0],{},{}]");
	next(t, 1);
	s.total.cpu_load_1m = 0;
	s.total.cpu_user_seconds = 0;
	record_sample(w, &s);
	assert_string_equal(line("[\"r\"", 8192), "[\"r\",12292.0,4.0,4,[1.5,0.5],[1.0],{},{}]");

	/* At the coarsest resolution, an incomplete row is written once a minute. */
	for (int block = 2; block < 6; block++)
		for (int i = 0; i < 4096 << block; i++) {
			next(++t, 1);
			s.total.cpu_load_1m = 1;
			record_sample(w, &s);
		}
	assert_int_equal(count("[\"p\""), 0);
	buffer_clear(&lines);
	for (int i = 0; i < 3 * 64; i++) {
		next(++t, 1);
		s.total.cpu_load_1m = 1;
		record_sample(w, &s);
	}
	assert_int_equal(count("[\"r\""), 3);
	assert_int_equal(count("[\"p\""), 3);
	assert_true(strstr(text(), "[\"p\"") < strstr(text(), "[\"r\""));
	record_close(w);
}

static void exits_are_written_up_to_a_number(void **state)
{
	struct record_writer *w = begin(&plain, COMMAND_MASKED);
	struct aggregate *whole = aggregate_open();
	struct run_status status = { .end = RUN_EXITED, .end_monotonic_ns = 7 * NS_PER_SECOND };
	struct tree_exit e = { .pid = 7, .parent = 1, .name = "a b", .start_seconds = 3, .seen_seconds = 5.5,
			       .cpu_seconds = 0.25, .peak_rss_bytes = NONE, .exact = true };

	(void)state;
	next(0, NONE);
	record_sample(w, &s);
	for (int i = 0; i < 12000; i++)
		record_exit(w, &e);
	next(1, 1);
	record_sample(w, &s);
	record_finish(w, &status, whole);
	assert_string_equal(line("{\"exit\"", 0), "{\"exit\":{\"t\":0.5,\"pid\":7,\"parent\":1,\"name\":\"a b\","
			    "\"started_after_boot_seconds\":3.0,\"cpu_seconds\":0.25,\"peak_rss_bytes\":null,\"exact\":true}}");
	assert_int_equal(count("{\"exit\""), 10000);
	assert_string_equal(line("[\"r\"", 0), "[\"r\",1.0,1.0,1,[12000,3000.0],null,{}]");
	assert_non_null(strstr(line("{\"end\"", 0), "\"exits\":12000,\"exits_written\":10000,"));
	aggregate_close(whole);
	record_close(w);
}

static void the_end_has_the_totals(void **state)
{
	struct record_writer *w = begin(&plain, COMMAND_MASKED);
	struct aggregate *whole = aggregate_open();
	struct run_status status = {
		.end = RUN_SIGNALED, .value = 9, .core_dumped = false, .end_wall_ns = 1795268880000000000,
		.end_monotonic_ns = 7500000000, .left_behind = 2, .dropped_lines = 3,
	};

	(void)state;
	for (int i = 0; i <= 2; i++) {
		next(i, i == 0 ? NONE : 1);
		s.total.process_rss_bytes = 100 * i;
		if (i > 0) {
			s.total.process_cpu_seconds = 0.5 * i;
			sample_add_program(&s, "sh")->cpu_seconds = 0.25;
		}
		aggregate_add(whole, &s);
		record_sample(w, &s);
	}
	record_finish(w, &status, whole);
	assert_string_equal(line("{\"end\"", 0),
			    "{\"end\":{\"status\":\"signaled\",\"signal\":9,\"core_dumped\":false,"
			    "\"time\":1795268880.0,\"time_utc\":\"2026-11-21T13:48:00.000Z\",\"seconds\":2.5,"
			    "\"sampled_seconds\":2.0,\"samples\":2,\"record_rows\":2,\"exits\":0,\"exits_written\":0,"
			    "\"left_behind\":2,\"dropped_lines\":3,\"statistics\":{\"cpu.count\":[2,2,null],"
			    "\"memory.total_bytes\":[1000,1000,null],\"process.cpu_seconds\":[0.75,1.0,1.5],"
			    "\"process.rss_bytes\":[150.0,200,null]},"
			    "\"tables\":{\"program\":[{\"key\":\"sh\",\"cpu_seconds\":[0.25,0.25,0.5]}]}}}");
	aggregate_close(whole);
	record_close(w);
}

static void a_record_has_a_largest_size(void **state)
{
	struct record_writer *w = begin(&plain, COMMAND_MASKED);
	struct aggregate *whole = aggregate_open();
	struct run_status status = { .end = RUN_STOPPED };
	static char note[100001];

	(void)state;
	memset(note, 'x', sizeof note - 1);
	next(0, NONE);
	record_sample(w, &s);
	for (int i = 0; i < 1000; i++)
		record_notice(w, note);
	next(1, 1);
	s.total.cpu_load_1m = 1;
	record_sample(w, &s);
	record_finish(w, &status, whole);
	assert_true(lines.len < 64 << 20);
	assert_true(lines.len > 63 << 20);
	assert_int_equal(count("{\"limit\""), 1);
	assert_int_equal(count("[\"r\""), 0);
	assert_int_equal(count("{\"end\""), 1);
	aggregate_close(whole);
	record_close(w);
}

/* At any length of the run: rows get longer in time, so the newest ones always fit, and their sums stay exact. */
static void the_newest_rows_always_fit(void **state)
{
	enum { SAMPLES = 400000, LIMIT = 1 << 20 };
	struct record_writer *w = begin(&plain, COMMAND_MASKED);
	struct aggregate *whole = aggregate_open();
	struct run_status status = { .end = RUN_STOPPED };
	double t = 0, seconds, longest = 0, covered = 0, user = 0;
	unsigned samples, rows = 0;

	(void)state;
	record_limit(w, LIMIT);
	next(0, NONE);
	record_sample(w, &s);
	for (int i = 1; i <= SAMPLES; i++) {
		next(i, 1);
		s.total.cpu_user_seconds = 0.5;
		record_sample(w, &s);
	}
	record_finish(w, &status, whole);
	assert_true(lines.len < LIMIT && lines.len > LIMIT / 2);
	assert_int_equal(count("{\"limit\""), 0);
	for (const char *p = text(); *p; p = strchr(p, '\n') + 1) {
		char *rest;

		if (strncmp(p, "[\"r\",", 5) != 0)
			continue;
		t = strtod(p + 5, &rest);
		seconds = strtod(rest + 1, &rest);
		samples = (unsigned)strtoul(rest + 1, &rest, 10);
		assert_memory_equal(rest, ",[", 2);

		double of_row = strtod(rest + 2, &rest);

		rows++;
		assert_true(seconds == samples && (rows > 4096 || samples == 1));
		longest = seconds > longest ? seconds : longest;
		covered += seconds;
		user += of_row;
		assert_near(covered, t);
	}
	assert_near(t, SAMPLES);
	assert_near(user, 0.5 * SAMPLES);
	assert_true(longest > 64 && longest < SAMPLES / 100.0);
	aggregate_close(whole);
	record_close(w);
}

/* For any length, size and number of events: a feed has a row for each sample and a line for each exit and region. */
static void a_feed_has_everything(void **state)
{
	enum { SAMPLES = 5000, LIMIT = 1 << 20 };
	struct aggregate *whole = aggregate_open();
	struct record_sums sums = { .whole = whole };
	const struct record_options options = { .detail = RECORD_ALL, .sums = &sums, .put = put };
	struct record_writer *w = begin_with(&plain, &options);
	struct run_status status = { .end = RUN_STOPPED };
	struct tree_exit e = { .pid = 7, .cpu_seconds = 0.25, .peak_rss_bytes = NONE };
	struct region_event region = { .kind = REGION_MARK, .path = "a", .text = "b" };
	struct region_totals totals = { .lost = 1, .unreported = 3 };

	(void)state;
	record_limit(w, LIMIT);
	next(0, NONE);
	record_sample(w, &s);
	for (int i = 1; i <= SAMPLES; i++) {
		next(i, 1);
		s.total.cpu_user_seconds = 0.5;
		s.total.cpu_load_1m = 2;
		for (int k = i % 2 ? 1 : 0; k < 2; k++)         /* vda comes later, and at times */
			sample_add_disk(&s, k == 0 ? "vda" : "vdb")->read_bytes = 512;
		sample_add_core(&s, "0")->utilization_pct = 50;
		aggregate_add(whole, &s);
		for (int k = 0; k < 5; k++) {
			sums.exits.n++;
			sums.exits.cpu_seconds += e.cpu_seconds;
			record_exit(w, &e);
			record_region(w, &region);
		}
		record_sample(w, &s);
	}
	record_regions(w, &totals);
	record_finish(w, &status, whole);
	assert_true(lines.len > LIMIT);
	assert_int_equal(count("{\"limit\""), 0);
	assert_int_equal(count("[\"p\""), 0);
	assert_int_equal(count("[\"r\""), SAMPLES);
	assert_int_equal(count("{\"exit\""), 5 * SAMPLES);
	assert_int_equal(count("{\"mark\""), 5 * SAMPLES);
	assert_non_null(strstr(line("{\"record\"", 0), ",\"detail\":\"all\","));
	/* After the row: amounts of totals, then of disks, since the start; levels have none. */
	assert_string_equal(line("[\"r\"", 0), "[\"r\",1.0,1.0,1,[0.5,2.0,5,1.25],null,{\"core\":[[50.0]],"
			    "\"disk\":[[512,null,null,null,null,null]]},{},[0.5,5,1.25],"
			    "{\"disk\":[[512,null,null,null]]}]");
	assert_string_equal(line("[\"r\"", 2), "[\"r\",3.0,1.0,1,[0.5,2.0,5,1.25],null,{\"core\":[[50.0]],"
			    "\"disk\":[[512,null,null,null,null,null]]},{},[1.5,15,3.75],"
			    "{\"disk\":[[1536,null,null,null]]}]");
	assert_string_equal(line("[\"r\"", SAMPLES - 1), "[\"r\",5000.0,1.0,1,[0.5,2.0,5,1.25],null,{\"core\":[[50.0]],"
			    "\"disk\":{\"1\":[512,null,null,null,null,null],\"0\":[512,null,null,null,null,null]}},{},"
			    "[2500.0,25000,6250.0],{\"disk\":{\"1\":[1280000,null,null,null],"
			    "\"0\":[2560000,null,null,null]}}]");
	assert_non_null(strstr(line("{\"end\"", 0), "\"exits\":25000,\"exits_written\":25000,"));
	assert_non_null(strstr(line("{\"end\"", 0), "\"regions_untold\":3"));
	aggregate_close(whole);
	record_close(w);
}

/* Regions of the record itself: those beyond its limit are counted. */
static void regions_are_written_up_to_a_number(void **state)
{
	struct aggregate *whole = aggregate_open();
	struct record_writer *w = begin(&plain, COMMAND_MASKED);
	struct run_status status = { .end = RUN_STOPPED };
	struct region_event region = { .kind = REGION_MARK, .path = "a", .text = "b" };
	struct region_totals totals = { .lost = 1, .unreported = 3 };

	(void)state;
	next(0, NONE);
	record_sample(w, &s);
	for (int i = 0; i < 20100; i++)
		record_region(w, &region);
	record_regions(w, &totals);
	record_finish(w, &status, whole);
	assert_int_equal(count("{\"mark\""), 20000);
	assert_non_null(strstr(line("{\"end\"", 0), "\"regions_untold\":103"));
	aggregate_close(whole);
	record_close(w);
}

static void a_header_is_written_without_a_baseline(void **state)
{
	struct record_writer *w = begin(&plain, COMMAND_MASKED);
	struct aggregate *whole = aggregate_open();
	struct run_status status = { .end = RUN_STOPPED };

	(void)state;
	record_notice(w, "no sample could be taken");
	record_finish(w, &status, whole);
	assert_int_equal(n_lines, 3);
	assert_ptr_equal(strstr(text(), "{\"record\""), text());
	aggregate_close(whole);
	record_close(w);
	record_close(NULL);
}

static void models_of_cpus_are_found(void **state)
{
	static const char x86[] = "processor\t: 0\nvendor_id\t: X\ncpu family\t: 6\nmodel\t\t: 1\nmodel name\t: Fast  3\n";
	static const char power[] = "processor\t: 0\ncpu\t\t: POWER9\n";
	static const char arm[] = "processor\t: 0\nBogoMIPS\t: 50.00\nCPU implementer\t: 0x41\n";
	char model[16] = "";

	(void)state;
	assert_true(host_parse_cpu_model(model, sizeof model, x86, strlen(x86)));
	assert_string_equal(model, "Fast  3");
	assert_true(host_parse_cpu_model(model, sizeof model, power, strlen(power)));
	assert_string_equal(model, "POWER9");
	assert_false(host_parse_cpu_model(model, sizeof model, arm, strlen(arm)));
	assert_false(host_parse_cpu_model(model, sizeof model, "", 0));
}

static int open_machine(void **state)
{
	(void)state;
	fixture_open(&machine, "bare-metal");
	fixture_write(&machine, "proc/sys/kernel/hostname", "node 1\n");
	fixture_write(&machine, "proc/sys/kernel/osrelease", "6.1.0\n");
	fixture_write(&machine, "proc/cpuinfo", "processor\t: 0\nmodel name\t: Fast CPU 3000\n");
	return 0;
}

static int close_machine(void **state)
{
	(void)state;
	fixture_close(&machine);
	buffer_release(&lines);
	return 0;
}

/* No matter which line is refused at first: no row precedes the lines that it refers to, and none is lost. */
static void rows_follow_the_lines_they_refer_to(void **state)
{
	(void)state;
	for (unsigned n = 0; n < 6; n++) {
		struct record_writer *w = begin(&plain, COMMAND_MASKED);
		struct run_status status = { .end = RUN_STOPPED };
		struct aggregate *whole = aggregate_open();

		assert_non_null(whole);
		refused = n;
		next(0, NONE);
		record_sample(w, &s);
		for (int i = 1; i <= 8; i++) {
			next(i, 1);
			s.total.memory_used_bytes = 100;
			assert_non_null(sample_add_network(&s, "eth0"));
			record_sample(w, &s);
		}
		record_finish(w, &status, whole);
		record_close(w);
		aggregate_close(whole);
		assert_int_equal(refused, 0);

		const char *header = strstr(text(), "{\"record\""), *columns = strstr(text(), "{\"columns\"");
		const char *rows = strstr(text(), "{\"rows\""), *row = strstr(text(), "[\"r\"");

		assert_ptr_equal(header, text());
		assert_true(columns > header && rows > columns && row > rows);
		assert_non_null(strstr(rows, "\"key\":\"eth0\""));
		/* A sample that could not be written as a row is in the next row. */
		double samples = 0;

		for (size_t i = 0; i < count("[\"r\""); i++)
			samples += strtod(strchr(strchr(strchr(line("[\"r\"", i), ',') + 1, ',') + 1, ',') + 1, NULL);
		assert_true(samples >= 8 - n && samples <= 8);
		assert_true(n > 1 || samples > 7.5);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dates_are_those_of_the_calendar),
		cmocka_unit_test(the_header_names_command_and_machine),
		cmocka_unit_test(the_header_has_the_known_parts_of_the_job),
		cmocka_unit_test(rows_have_the_known_columns),
		cmocka_unit_test(rows_of_tables_are_named_once),
		cmocka_unit_test(resolution_halves_with_each_block),
		cmocka_unit_test(exits_are_written_up_to_a_number),
		cmocka_unit_test(the_end_has_the_totals),
		cmocka_unit_test(a_record_has_a_largest_size),
		cmocka_unit_test(the_newest_rows_always_fit),
		cmocka_unit_test(a_feed_has_everything),
		cmocka_unit_test(regions_are_written_up_to_a_number),
		cmocka_unit_test(a_header_is_written_without_a_baseline),
		cmocka_unit_test(models_of_cpus_are_found),
		cmocka_unit_test(rows_follow_the_lines_they_refer_to),
	};
	return cmocka_run_group_tests(tests, open_machine, close_machine);
}
