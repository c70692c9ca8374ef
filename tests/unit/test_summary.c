/* test_summary.c - the end summary as users see it. */
#include "fixture.h"

#include <string.h>

#include "summary/program_uses.h"
#include "summary/summary.h"
#include "summary/summary_parts.h"
#include "text/human.h"

static struct sample s;                         /* static: large */

/* A run of 84 s with a tree of three programs. */
static struct aggregate *a_run(struct summary *summary, bool tracked)
{
	static char words[][20] = { "python", "train.py", "--epochs", "5", "--data", "/data/my images",
				    "--api-key", "abc" };
	static char *const command[] = { words[0], words[1], words[2], words[3], words[4], words[5],
					 words[6], words[7], NULL };
	static const pid_t pid = 4711;
	struct aggregate *a = aggregate_open();

	*summary = (struct summary){
		.run = { .command = tracked ? command : NULL, .pids = &pid, .n_pids = tracked },
		.status = { .end = RUN_EXITED, .end_monotonic_ns = 83400000000 },
		.whole = a, .record_path = "/home/me/.local/state/resource-tracker/runs/20261121T134800Z-host-4711.jsonl",
	};
	for (int i = 0; i <= 83; i++) {
		struct totals *t = &s.total;
		double level = i < 40 ? i : 80 - i > 10 ? 80 - i : 10;

		sample_clear(&s);
		s.interval_seconds = i == 0 ? NONE : i == 83 ? 1.4 : 1;
		t->cpu_count = 8;
		t->memory_total_bytes = 16.0 * (1 << 30);
		t->memory_used_bytes = level * (100 << 20);
		t->network_total_recv_bytes = 12345;
		t->network_total_sent_bytes = 0;
		t->disk_total_read_bytes = 1 << 20;
		t->tracker_cpu_seconds = 0.0005;
		t->tracker_rss_bytes = 2500000;
		t->tracker_missed_samples = 0;
		if (i > 0) {
			t->cpu_utilization_cores = level / 10 + 0.5;
			t->cpu_user_seconds = level / 10;
			t->cpu_system_seconds = 0.5;
		}
		if (tracked) {
			t->cgroup_cpu_available_cores = 4;
			t->process_rss_bytes = level * (50 << 20);
			t->process_pss_bytes = level * (40 << 20);
			t->process_peak_rss_bytes = level * (30 << 20);
			struct program_row *python = sample_add_program(&s, "python");
			struct program_row *gzip = sample_add_program(&s, "gzip");
			struct program_row *others = sample_add_program(&s, "others");

			python->rss_bytes = level * (48 << 20);
			python->pss_bytes = level * (39 << 20);
			gzip->rss_bytes = 1 << 20;
			if (i > 0) {
				t->process_cpu_cores = level / 10;
				t->process_cpu_seconds = level / 10;
				t->process_cpu_user_seconds = level / 10 * 0.9;
				t->process_cpu_system_seconds = level / 10 * 0.1;
				t->process_disk_read_bytes = 3 << 20;
				t->process_disk_write_bytes = 0;
				python->cpu_seconds = level / 10 * 0.8;
				gzip->cpu_seconds = level / 10 * 0.1;
				others->cpu_seconds = level / 10 * 0.1;
			}
		}
		aggregate_add(a, &s);
		if (i > 0) {
			spark_add(&summary->cpu, tracked ? t->process_cpu_cores : t->cpu_utilization_cores);
			spark_add(&summary->memory, tracked ? t->process_pss_bytes : t->memory_used_bytes);
		}
	}
	return a;
}

static void expect(const struct summary *summary, struct summary_style style, const char *expected)
{
	struct buffer out = { 0 };

	summary_write(&out, summary, &style);
	buffer_char(&out, '\0');
	assert_string_equal(out.at, expected);
	buffer_release(&out);
}

static void a_command_on_a_usual_terminal(void **state)
{
	struct summary summary;
	struct aggregate *a = a_run(&summary, true);

	(void)state;
	expect(&summary, (struct summary_style){ 80, false, true },
	       "── resource-tracker ────────────────────────────────────────────────────────────\n"
	       " Command     python train.py --epochs 5 --data '/data/my images' --api-key ***\n"
	       " Status      exit 0 after 1m 23.4s\n"
	       " CPU         mean 2.02 cores   peak 4.00 of 4        ▁▁▂▃▃▄▅▅▆▇▇████▇▇▆▅▅▄▃▃▃▃▃▃\n"
	       "             time 2m 48.5s     user 2m 31.7s, system 16.9s\n"
	       " Memory PSS  mean 810 MiB      peak 1.56 GiB (9.8 %) ▁▁▂▃▃▄▅▅▆▇▇████▇▇▆▅▅▄▃▃▃▃▃▃\n"
	       "        RSS  mean 0.989 GiB    peak 1.95 GiB         largest process 1.17 GiB\n"
	       " Disk        read 249 MiB      written 0 B\n"
	       " Network     in 0.989 MiB      out 0 B               (whole machine)\n"
	       " Programs    python            CPU 2m 14.8s          PSS peak 1.52 GiB\n"
	       "             gzip              CPU 16.9s             RSS peak 1.00 MiB\n"
	       "             others            CPU 16.9s             each with little use\n"
	       " Tracker     CPU 0.042s (0.05 % of a core), memory 2.38 MiB, 83 samples\n"
	       " Record      /home/me/.local/state/resource-tracker/runs/20261121T134800Z-host-4711.jsonl\n");
	expect(&summary, (struct summary_style){ 80, false, false },
	       "-- resource-tracker ------------------------------------------------------------\n"
	       " Command     python train.py --epochs 5 --data '/data/my images' --api-key ***\n"
	       " Status      exit 0 after 1m 23.4s\n"
	       " CPU         mean 2.02 cores   peak 4.00 of 4          .::-==+**####**+==-::::::\n"
	       "             time 2m 48.5s     user 2m 31.7s, system 16.9s\n"
	       " Memory PSS  mean 810 MiB      peak 1.56 GiB (9.8 %)   .::-==+**####**+==-::::::\n"
	       "        RSS  mean 0.989 GiB    peak 1.95 GiB         largest process 1.17 GiB\n"
	       " Disk        read 249 MiB      written 0 B\n"
	       " Network     in 0.989 MiB      out 0 B               (whole machine)\n"
	       " Programs    python            CPU 2m 14.8s          PSS peak 1.52 GiB\n"
	       "             gzip              CPU 16.9s             RSS peak 1.00 MiB\n"
	       "             others            CPU 16.9s             each with little use\n"
	       " Tracker     CPU 0.042s (0.05 % of a core), memory 2.38 MiB, 83 samples\n"
	       " Record      /home/me/.local/state/resource-tracker/runs/20261121T134800Z-host-4711.jsonl\n");
	aggregate_close(a);
}

static void a_command_on_a_narrow_terminal(void **state)
{
	struct summary summary;
	struct aggregate *a = a_run(&summary, true);

	(void)state;
	expect(&summary, (struct summary_style){ 40, false, true },
	       "── resource-tracker ────────────────────\n"
	       " Command     python train.py …-key ***\n"
	       " Status      exit 0 after 1m 23.4s\n"
	       " CPU         mean 2.02 cores\n"
	       "             peak 4.00 of 4\n"
	       "             ▁▁▂▃▃▄▅▅▆▇▇████▇▇▆▅▅▄▃▃▃▃▃▃\n"
	       "             time 2m 48.5s\n"
	       "             user 2m 31.7s, system 16.9s\n"
	       " Memory PSS  mean 810 MiB\n"
	       "             peak 1.56 GiB (9.8 %)\n"
	       "             ▁▁▂▃▃▄▅▅▆▇▇████▇▇▆▅▅▄▃▃▃▃▃▃\n"
	       "        RSS  mean 0.989 GiB\n"
	       "             peak 1.95 GiB\n"
	       "             largest process 1.17 GiB\n"
	       " Disk        read 249 MiB\n"
	       "             written 0 B\n"
	       " Network     in 0.989 MiB      out 0 B\n"
	       "             (whole machine)\n"
	       " Programs    python\n"
	       "             CPU 2m 14.8s\n"
	       "             PSS peak 1.52 GiB\n"
	       "             gzip              CPU 16.9s\n"
	       "             RSS peak 1.00 MiB\n"
	       "             others            CPU 16.9s\n"
	       "             each with little use\n"
	       " Tracker     CPU 0.042s (0.05 % of a\n"
	       "             core), memory 2.38 MiB,\n"
	       "             83 samples\n"
	       " Record      /home/me/.local/state/resource-tracker/runs/20261121T134800Z-host-4711.jsonl\n");
	aggregate_close(a);
}

static void colours_add_no_width(void **state)
{
	struct summary summary;
	struct aggregate *a = a_run(&summary, false);

	(void)state;
	summary.record_path = NULL;
	expect(&summary, (struct summary_style){ 60, true, false },
	       "\033[2m-\033[0m\033[2m-\033[0m \033[1mresource-tracker\033[0m \033[2m----------------------------------------\033[0m\n"
	       " Machine     all that ran on it\n"
	       " Status      \033[32mexit 0\033[0m after 1m 23.4s\n"
	       " CPU         mean 2.53 cores   peak 4.50 of 8\n"
	       "             \033[36m...:::--===+++***######***++===---::::::::\033[0m\n"
	       "             time 3m 30.0s     user 2m 48.5s, system 41.5s\n"
	       " Memory      mean 1.98 GiB     peak 3.91 GiB (24 %)\n"
	       "             \033[36m  ...::---==+++**#####***++===--::::::::::\033[0m\n"
	       " Disk        read 84.0 MiB     written unknown\n"
	       " Network     in 0.989 MiB      out 0 B\n"
	       " Tracker     CPU 0.042s (0.05 % of a core), memory 2.38 MiB,\n"
	       "             83 samples\n");
	aggregate_close(a);
}

static void unknown_is_not_zero(void **state)
{
	static const char *const notices[] = { "memory: cannot read /proc/meminfo: Permission denied" };
	struct aggregate *a = aggregate_open();
	struct summary summary = {
		.run = { .pids = (const pid_t[]){ 7, 8 }, .n_pids = 2 }, .whole = a,
		.status = { .end = RUN_ROOTS_ENDED, .end_monotonic_ns = 500000000 },
		.notices = notices, .n_notices = 1,
	};

	(void)state;
	expect(&summary, (struct summary_style){ 80, false, true },
	       "── resource-tracker ────────────────────────────────────────────────────────────\n"
	       " Processes   7 8\n"
	       " Status      ended after 0.500s, exit status unknown: not the recorder's child\n"
	       " CPU         mean unknown      peak unknown\n"
	       "             time unknown      user unknown, system unknown\n"
	       " Memory RSS  mean unknown      peak unknown\n"
	       " Disk        read unknown      written unknown\n"
	       " Network     in unknown        out unknown           (whole machine)\n"
	       " Tracker     CPU unknown, memory unknown, 0 samples\n"
	       " Note        memory: cannot read /proc/meminfo: Permission denied\n");
	aggregate_close(a);
}

/* Other processes are in the job's control group: its peak is not a figure of the job. */
static void a_shared_group_gives_no_peak_of_the_job(void **state)
{
	struct summary summary;
	struct aggregate *a = a_run(&summary, true);
	struct buffer out = { 0 };

	(void)state;
	for (int i = 1; i <= 2; i++) {
		sample_clear(&s);
		s.interval_seconds = 1;
		s.total.cgroup_memory_peak_bytes = i * 3.0 * (1 << 30);
		aggregate_add(a, &s);
	}
	summary_write(&out, &summary, &(struct summary_style){ 80, false, true });
	buffer_char(&out, '\0');
	assert_non_null(strstr(out.at, " peak 1.56 GiB (9.8 %)"));
	assert_non_null(strstr(out.at, "peak of the control group 6.00 GiB, page cache and others included\n"));
	buffer_release(&out);
	aggregate_close(a);
}

static void failures_are_named(void **state)
{
	struct summary summary;
	struct aggregate *a = a_run(&summary, true);
	struct totals *t = &s.total;

	(void)state;
	sample_clear(&s);
	s.interval_seconds = 1;
	t->cgroup_cpu_quota_cores = 1.5;
	t->cgroup_cpu_periods = 10;
	t->cgroup_cpu_throttled_periods = 4;
	t->cgroup_memory_limit_bytes = 1600.0 * (1 << 20);
	t->cgroup_oom_kills = 1;
	t->memory_swap_in_bytes = 0;
	t->memory_swap_out_bytes = 5 << 20;
	aggregate_add(a, &s);
	summary.status = (struct run_status){
		.end = RUN_SIGNALED, .value = 11, .core_dumped = true, .end_monotonic_ns = 83400000000,
		.left_behind = 2, .dropped_lines = 1,
	};
	expect(&summary, (struct summary_style){ 80, false, true },
	       "── resource-tracker ────────────────────────────────────────────────────────────\n"
	       " Command     python train.py --epochs 5 --data '/data/my images' --api-key ***\n"
	       " Status      killed by signal 11 (SIGSEGV) after 1m 23.4s, core dumped\n"
	       " CPU         mean 2.02 cores   peak 4.00 of 4        ▁▁▂▃▃▄▅▅▆▇▇████▇▇▆▅▅▄▃▃▃▃▃▃\n"
	       "             time 2m 48.5s     user 2m 31.7s, system 16.9s\n"
	       " Memory PSS  mean 810 MiB      peak 1.56 GiB (100 %) ▁▁▂▃▃▄▅▅▆▇▇████▇▇▆▅▅▄▃▃▃▃▃▃\n"
	       "        RSS  mean 0.989 GiB    peak 1.95 GiB         largest process 1.17 GiB\n"
	       " Disk        read 249 MiB      written 0 B\n"
	       " Network     in 0.989 MiB      out 0 B               (whole machine)\n"
	       " Programs    python            CPU 2m 14.8s          PSS peak 1.52 GiB\n"
	       "             gzip              CPU 16.9s             RSS peak 1.00 MiB\n"
	       "             others            CPU 16.9s             each with little use\n"
	       " Tracker     CPU 0.042s (0.05 % of a core), memory 2.38 MiB, 84 samples\n"
	       " Warning     2 processes of the tree were still running when recording ended\n"
	       " Warning     1 output line dropped: a reader or disk was too slow or full\n"
	       " Warning     memory ran out: the kernel killed 1 process of this control group\n"
	       " Warning     memory came to its limit of 1.56 GiB: the peak was 100 % of it\n"
	       " Warning     the machine swapped: 0 B in, 5.00 MiB out\n"
	       " Warning     the CPU quota of 1.50 cores held the job back in 40 % of its\n"
	       "             periods\n"
	       " Record      /home/me/.local/state/resource-tracker/runs/20261121T134800Z-host-4711.jsonl\n");
	aggregate_close(a);
}

/* NONE leaves a total out. */
struct times {
	double cpu, watched, waited, blocked, throttled, group_io, io, memory;
	const char *line;
	double group_cpu;
};

static void where_the_time_went(void **state)
{
	static const struct times cases[] = {
		{ 8, 8, 2, NONE, 0, NONE, 0, 0, "80 % running, 20 % waiting for a CPU\n", NONE },
		{ 8, 7.5, 2, 0.5, NONE, NONE, NONE, NONE,
		  "75 % running, 20 % waiting for a CPU, 5.0 % for disks\n", NONE },
		{ 10, 6, 6, NONE, 0, NONE, 0, 0,
		  "50 % running, 50 % waiting for a CPU (seen for 60 % of the CPU time)\n", NONE },
		{ 10, 1, 1, NONE, 0, NONE, 0, 0,
		  "waits unknown: 90 % of the CPU time was of short-lived threads\n", NONE },
		{ 10, 1, 1, NONE, 0, NONE, 0, 0,
		  "waits unknown: 90 % of the CPU time was of short-lived threads; CPU stalls 50 % (group)\n", 5 },
		{ 10, NONE, NONE, NONE, 4.1, NONE, 0, 0, "throttled 4.10s by the CPU quota\n", NONE },
		{ 10, NONE, NONE, NONE, 0.01, 3, 5, 2,
		  "disk stalls 30 % (group); memory stalls 20 % (machine)\n", NONE },
		{ 10, 10, 0, NONE, 0, 0, 9, 0, "100 % running, 0.00 % waiting for a CPU\n", NONE },
		{ 0.01, 0.01, 0.02, NONE, 0, NONE, 0, 0, NULL, NONE },
		{ NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NULL, NONE },
	};

	(void)state;
	for (size_t i = 0; i < countof(cases); i++) {
		const struct times *c = &cases[i];
		struct aggregate *a = aggregate_open();
		struct summary summary = { .run = { .pids = (const pid_t[]){ 7 }, .n_pids = 1 }, .whole = a };
		struct buffer out = { 0 };
		char expected[256] = " Time        ";

		sample_clear(&s);
		s.interval_seconds = 10;
		s.total.process_cpu_seconds = c->cpu;
		s.total.process_watched_cpu_seconds = c->watched;
		s.total.process_run_delay_seconds = c->waited;
		s.total.process_block_delay_seconds = c->blocked;
		s.total.cgroup_cpu_throttled_seconds = c->throttled;
		s.total.pressure_cgroup_cpu_some_seconds = c->group_cpu;
		s.total.pressure_cgroup_io_some_seconds = c->group_io;
		s.total.pressure_io_some_seconds = c->io;
		s.total.pressure_memory_some_seconds = c->memory;
		aggregate_add(a, &s);
		summary_write(&out, &summary, &(struct summary_style){ 100, false, true });
		buffer_char(&out, '\0');
		for (char *p; (p = strstr(out.at, "\n             ")) != NULL;)
			memmove(p + 1, p + 14, strlen(p + 14) + 1), *p = ' ';
		if (c->line)
			strcat(expected, c->line);
		if (c->line ? !strstr(out.at, expected) : strstr(out.at, " Time ") != NULL)
			fail_msg("case %zu:\n%s", i, out.at);
		buffer_release(&out);
		aggregate_close(a);
	}
}

static void no_text_controls_the_terminal(void **state)
{
	static char words[] = "\033]0;x\007\xc2\x9b";
	static char *const command[] = { words, NULL };
	static const char *const notices[] = { "a\033[2Jb\xc2\x9b" "c\n" };
	struct aggregate *a = aggregate_open();
	struct summary summary = {
		.run = { .command = command }, .whole = a, .record_path = "/tmp/\033c", .notices = notices, .n_notices = 1,
	};
	struct buffer out = { 0 };

	(void)state;
	aggregate_add(a, &s);
	summary_write(&out, &summary, &(struct summary_style){ 80, false, true });
	assert_null(memchr(out.at, '\033', out.len));
	assert_null(memchr(out.at, '\007', out.len));
	assert_null(memmem(out.at, out.len, "\xc2\x9b", 2));
	buffer_release(&out);
	aggregate_close(a);
}

/* For callers with a layout of their own: for any content, each line is one label, one tab and one text. */
static void a_bare_page_is_labels_and_texts(void **state)
{
	static char word[] = "a\tb\n'c  d";
	static char *const command[] = { word, NULL };
	struct summary summary;
	struct aggregate *a = a_run(&summary, true);
	struct buffer out = { 0 };
	struct page page = { .out = &out, .style = { .utf8 = true }, .bare = true };
	struct phrase w = { { 0 } };

	(void)state;
	summary.run.command = command;
	summary_what_ran(&page, &w, &summary);
	summary_cpu(&page, &w, &summary);
	buffer_char(&out, '\0');
	assert_non_null(strstr(out.at, "Command\t'a b '\\''c  d'\nCPU\tmean "));
	assert_non_null(strstr(out.at, " cores, peak "));
	assert_non_null(strstr(out.at, " of 4\n\ttime "));
	buffer_release(&out);
	buffer_release(&w.text);
	aggregate_close(a);
}

static const char *human(struct buffer *b)
{
	buffer_char(b, '\0');
	return b->at;
}

static void quantities_have_three_digits(void **state)
{
	static const struct { double value; const char *bytes, *seconds; } cases[] = {
		{ 0, "0 B", "0.000s" }, { 999, "999 B", "16m 39.0s" }, { 1000, "0.977 KiB", "16m 40.0s" },
		{ 1024, "1.00 KiB", "17m 04.0s" }, { 10234, "9.99 KiB", "2h 50m 34s" },
		{ 10239, "10.0 KiB", "2h 50m 39s" }, { 102348, "99.9 KiB", "1d 04h 25m" },
		{ 102399, "100 KiB", "1d 04h 26m" }, { 59.96, "60 B", "1m 00.0s" }, { 59.94, "60 B", "59.9s" },
		{ 3599.96, "3.52 KiB", "1h 00m 00s" }, { 9.996, "10 B", "10.00s" }, { NONE, "unknown", "unknown" },
		{ 0.25, "0 B", "0.250s" },
	};
	struct buffer b = { 0 };

	(void)state;
	for (size_t i = 0; i < countof(cases); i++) {
		buffer_clear(&b);
		human_bytes(&b, cases[i].value);
		assert_string_equal(human(&b), cases[i].bytes);
		buffer_clear(&b);
		human_seconds(&b, cases[i].value);
		assert_string_equal(human(&b), cases[i].seconds);
	}
	for (int n = 0; n <= 2; n++) {
		buffer_clear(&b);
		human_count(&b, n, "row", "rows");
		assert_string_equal(human(&b), n == 0 ? "0 rows" : n == 1 ? "1 row" : "2 rows");
	}
	buffer_release(&b);
}

static void short_times_have_a_unit_that_fits(void **state)
{
	static const struct { double value; const char *words; } cases[] = {
		{ 5.3e-8, "53.0 ns" }, { 0.9994e-6, "999 ns" }, { 0.9996e-6, "1.0 us" }, { 1.2e-6, "1.2 us" },
		{ 0.0009999, "1.0 ms" }, { 0.097, "97.0 ms" }, { 0.2, "200 ms" }, { 0.9996, "1.00s" }, { NONE, "unknown" },
		{ 0, "0.0 ns" },
	};
	struct buffer b = { 0 };

	(void)state;
	for (size_t i = 0; i < countof(cases); i++) {
		buffer_clear(&b);
		human_duration(&b, cases[i].value);
		assert_string_equal(human(&b), cases[i].words);
	}
	buffer_release(&b);
}

static void a_spark_of_any_length_keeps_its_shape(void **state)
{
	struct spark up = { 0 }, gaps = { 0 };
	struct buffer b = { 0 };

	(void)state;
	for (int i = 0; i < 10000; i++)
		spark_add(&up, i);
	assert_in_range(up.n, SPARK_MAX / 2, SPARK_MAX);
	for (size_t i = 1; i < up.n; i++)
		assert_true(up.value[i] > up.value[i - 1]);
	assert_int_equal(spark_write(&b, &up, 8, false), 8);
	assert_string_equal(human(&b), " .:-=+*#");

	for (int i = 0; i < 9; i++)
		spark_add(&gaps, i % 3 == 1 ? NONE : 5);
	buffer_clear(&b);
	assert_int_equal(spark_write(&b, &gaps, 20, true), 9);
	assert_string_equal(human(&b), "█ ██ ██ █");
	buffer_release(&b);
}

/* Names and numbers of processes that ended before any sample, and the CPU time that no program's row has. */
static void programs_too_short_to_be_seen(void **state)
{
	struct aggregate *whole = aggregate_open();
	struct page page = { .style = { .columns = 80, .utf8 = true } };
	struct buffer out = { 0 };
	struct phrase words = { { 0 } };

	(void)state;
	sample_clear(&s);
	s.interval_seconds = 1;
	s.total.process_cpu_seconds = 2;
	s.total.process_unaccounted_cpu_seconds = 1.5;

	struct program_row *seldom = sample_add_program(&s, "seldom"), *often = sample_add_program(&s, "often");
	struct program_row *sh = sample_add_program(&s, "a-program-of-a-long-name");

	seldom->started = 1;
	seldom->peak_rss_bytes = 5 << 20;         /* its exit was seen */
	often->started = 5000;
	sh->started = 2;
	sh->rss_bytes = 1 << 20;
	sh->cpu_seconds = 0.5;
	seldom->cpu_seconds = often->cpu_seconds = seldom->rss_bytes = often->rss_bytes = 0;
	aggregate_add(whole, &s);
	page.out = &out;

	struct summary summary = { .whole = whole };

	summary_programs(&page, &words, &summary);
	buffer_char(&out, '\0');
	assert_string_equal(out.at,
		" Programs    a-prog…ame ×2     CPU 0.500s            RSS peak 1.00 MiB\n"
		"             often ×5000       CPU 0.000s            memory not seen\n"
		"             seldom            CPU 0.000s            largest process 5.00 MiB\n"
		"             (short-lived)     CPU 1.50s             not seen while it was used\n");
	buffer_release(&out);
	buffer_release(&words.text);
	aggregate_close(whole);
}

/* A program gets in the second sample 1.0 of the 1.5 s that the first one left unaccounted, and all of its own. */
static void a_program_gets_unaccounted_time_later(void **state)
{
	static const double job[] = { 2, 1 }, unaccounted[] = { 1.5, 0 }, sh[] = { 0.5, 2 };
	struct aggregate *whole = aggregate_open();
	struct program_uses uses;

	(void)state;
	for (size_t i = 0; i < countof(job); i++) {
		sample_clear(&s);
		s.interval_seconds = 1;
		s.total.process_cpu_seconds = job[i];
		s.total.process_unaccounted_cpu_seconds = unaccounted[i];
		sample_add_program(&s, "sh")->cpu_seconds = sh[i];
		aggregate_add(whole, &s);
	}
	assert_near(program_uses_unaccounted(whole), 0.5);
	program_uses_read(&uses, whole);
	assert_near(uses.at[0].cpu_seconds, 2.5);
	assert_near(uses.short_lived_seconds, 0.5);
	aggregate_close(whole);
}

/* Ten programs: those that matter by CPU time or memory are named, and all of it adds up to the job's. */
static void programs_add_up_to_the_job(void **state)
{
	static const struct { const char *name; double cpu, mib, started; } uses[] = {
		{ "tiny", 0.02, 1, 5 }, { "cc1", 60, 100, 40 }, { "ld", 20, 400, 2 }, { "as", 10, 2, 40 }, { "make", 0.5, 300, 1 },
		{ "sh", 0.3, 2, 90 }, { "mv", 0.03, 1, 9 }, { "cat", 0.05, 1, 1 }, { "others", 1.1, NONE, 30 },
	};
	struct aggregate *whole = aggregate_open();
	struct page page = { .style = { .columns = 80, .utf8 = false } };
	struct summary summary = { .whole = whole };
	struct buffer out = { 0 };
	struct phrase words = { { 0 } };

	(void)state;
	sample_clear(&s);
	s.interval_seconds = 100;
	s.total.process_cpu_seconds = 100;
	s.total.process_unaccounted_cpu_seconds = 8;
	for (size_t i = 0; i < countof(uses); i++) {
		struct program_row *row = sample_add_program(&s, uses[i].name);

		row->cpu_seconds = uses[i].cpu;
		row->rss_bytes = uses[i].mib * (1 << 20);
		row->started = uses[i].started;
	}
	aggregate_add(whole, &s);
	page.out = &out;
	summary_programs(&page, &words, &summary);
	buffer_char(&out, '\0');
	assert_string_equal(out.at,
		" Programs    cc1 x40           CPU 1m 00.0s          RSS peak 100 MiB\n"
		"             ld x2             CPU 20.0s             RSS peak 400 MiB\n"
		"             as x40            CPU 10.0s             RSS peak 2.00 MiB\n"
		"             make              CPU 0.500s            RSS peak 300 MiB\n"
		"             others x135       CPU 1.50s             4 programs and more\n"
		"             (short-lived)     CPU 8.00s             not seen while it was used\n");
	buffer_release(&out);
	buffer_release(&words.text);
	aggregate_close(whole);
}

/* By time, each followed by those in it; the columns stand below each other. */
static void regions_by_time(void **state)
{
	static struct region_total regions[] = {
		{ .path = "load", .count = 1, .seconds = 3, .cpu_seconds = 1 },
		{ .path = "train", .count = 1, .seconds = 90.5, .cpu_seconds = 80 },
		{ .path = "train/epoch", .count = 1, .seconds = 40, .cpu_seconds = 39 },
		{ .path = "train/test", .count = 1, .seconds = 50, .cpu_seconds = 0.5 },
		{ .path = "train/test/read", .count = 1, .seconds = 0.0497, .cpu_seconds = NONE },
	};
	struct page page = { .style = { .columns = 80, .utf8 = false } };
	struct summary summary = { .regions = { .at = regions, .n = countof(regions) } };
	struct buffer out = { 0 };
	struct phrase words = { { 0 } };

	(void)state;
	for (size_t i = 0; i < countof(regions); i++) {
		regions[i].elapsed_seconds = regions[i].seconds;
		regions[i].rss_rise_bytes = NONE;
		for (size_t u = 0; u < REGION_USES; u++)
			regions[i].use[u] = (struct region_use){ NONE, NONE, NONE };
	}
	page.out = &out;
	summary_regions(&page, &words, &summary);
	buffer_char(&out, '\0');
	assert_string_equal(out.at,
		" Regions     train             1m 30.5s CPU 1m 20.0s\n"
		"               test            50.0s    CPU 500 ms\n"
		"                 read          49.7 ms\n"
		"               epoch           40.0s    CPU 39.0s\n"
		"             load              3.00s    CPU 1.00s\n");
	buffer_release(&out);
	buffer_release(&words.text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_command_on_a_usual_terminal),
		cmocka_unit_test(a_command_on_a_narrow_terminal),
		cmocka_unit_test(colours_add_no_width),
		cmocka_unit_test(unknown_is_not_zero),
		cmocka_unit_test(a_shared_group_gives_no_peak_of_the_job), cmocka_unit_test(failures_are_named),
		cmocka_unit_test(where_the_time_went),
		cmocka_unit_test(no_text_controls_the_terminal),
		cmocka_unit_test(a_bare_page_is_labels_and_texts),
		cmocka_unit_test(quantities_have_three_digits),
		cmocka_unit_test(short_times_have_a_unit_that_fits),
		cmocka_unit_test(a_spark_of_any_length_keeps_its_shape),
		cmocka_unit_test(programs_too_short_to_be_seen),
		cmocka_unit_test(a_program_gets_unaccounted_time_later),
		cmocka_unit_test(programs_add_up_to_the_job), cmocka_unit_test(regions_by_time),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
