/* test_view.c - the live view as cells: sizes, values, tables. */
#include "fixture.h"

#include <stdio.h>
#include <string.h>

#include "top/view.h"

static const struct looks utf8 = { SIGNS_BRAILLE, true }, ascii = { SIGNS_ASCII, false };

static struct entry processes[40];
static char screen[CELLS_ROWS_MAX * (CELLS_COLUMNS_MAX + 1) + 1];

static struct model *busy_model(void)
{
	static struct model m;
	static struct sample row;
	char train[] = "/usr/bin/train", epochs[] = "--epochs", seven[] = "7", *command[] = { train, epochs, seven, NULL };
	static struct record_facts facts = { .id = "20260101T000000Z-vm-42" };

	facts.run.command = command;
	facts.run.interval_seconds = 1;
	facts.run.start_wall_ns = INT64_C(1767225600) * NS_PER_SECOND;
	(void)snprintf(facts.host.name, sizeof facts.host.name, "vm");
	model_begin(&m, &facts);
	for (int i = 1; i <= 30; i++) {
		sample_clear(&row);
		row.interval_seconds = 1;
		row.monotonic_ns = i * NS_PER_SECOND;
		row.total.process_cpu_cores = i % 2 ? 1.5 : 0.5;
		row.total.process_cpu_seconds = row.total.process_cpu_cores;
		row.total.process_cpu_lower_seconds = row.total.process_cpu_cores - 0.1;
		row.total.process_cpu_upper_seconds = row.total.process_cpu_cores + 0.1;
		(void)snprintf(row.total.process_cpu_source, sizeof row.total.process_cpu_source, "perf");
		row.total.cgroup_cpu_available_cores = 2;
		row.total.process_pss_bytes = 3 << 20;
		row.total.process_pss_lower_bytes = 2 << 20;
		row.total.process_pss_upper_bytes = 4 << 20;
		row.total.memory_total_bytes = 64 << 20;
		row.total.cgroup_memory_limit_bytes = 6 << 20;
		row.total.process_disk_read_bytes = 2048;
		row.total.process_disk_write_bytes = 1024;
		row.total.process_net_recv_bytes = 512;
		row.total.process_net_sent_bytes = 0;
		row.total.cgroup_cpu_periods = 10;
		row.total.cgroup_cpu_throttled_periods = 4;
		row.total.pressure_cgroup_cpu_some_seconds = 0.25;
		row.total.pressure_cgroup_memory_some_seconds = 0;
		row.total.pressure_cgroup_io_some_seconds = 0.5;
		for (int p = 0; p < 3; p++) {
			struct program_row *program = sample_add_program(&row, (const char *[]){ "sh", "train", "awk" }[p]);

			program->processes = 3 - p;
			program->cpu_cores = (double[]){ 0.1, 1.2, 0.2 }[p];
			program->cpu_seconds = program->cpu_cores;
			program->rss_bytes = (p + 1) << 20;
		}
		model_row(&m, &row, NULL);
	}
	return &m;
}

/* The screen as text, a line per row; signs beyond ASCII become "@". */
static const char *drawn(const struct model *m, struct choices *choices, unsigned rows, unsigned columns,
			 const struct looks *looks)
{
	struct cells c = { 0 };
	struct processes_now now = { .entry = processes, .n = countof(processes), .every_seconds = NONE };
	char *at = screen;

	for (size_t i = 0; i < countof(processes); i++)
		processes[i] = (struct entry){
			.pid = 100 + (pid_t)i, .state = 'S', .count = 1, .cores = (double)i / 100, .bytes = 1 << 20,
			.disk_bytes_per_second = NONE, .cpu_seconds = 1, .name = "worker",
		};
	assert_int_equal(cells_resize(&c, rows, columns), 0);
	view_draw(&c, m, &now, choices, looks);
	for (unsigned row = 0; row < rows; row++) {
		for (unsigned column = 0; column < columns; column++) {
			uint32_t sign = cell_at(&c, row, column)->sign;

			*at++ = sign < 0x7f ? (char)sign : '@';
		}
		*at++ = '\n';
	}
	*at = '\0';
	cells_release(&c);
	return screen;
}

static void assert_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no '%s' in\n%s", part, text);
}

static unsigned rows_with(const char *text, const char *part)
{
	unsigned n = 0;

	for (; (text = strstr(text, part)) != NULL; text++)
		n++;
	return n;
}

static void the_usual_terminal_has_every_part(void **state)
{
	struct choices choices = { .table = PROGRAMS };
	const char *text = drawn(busy_model(), &choices, 24, 80, &utf8);

	(void)state;
	assert_has(text, "/usr/bin/train --epochs 7");
	assert_has(text, "running 30.0s  since 2026-01-01 00:00:00 UTC on vm, every 1.00s, run 20260101T");
	assert_has(text, "CPU      0.50 of 2.00 cores, 25 %  used 30.0s (27.0s to 33.0s) by perf");
	assert_has(text, "Memory   3.00 MiB (2.00 MiB to 4.00 MiB) of 6.00 MiB limit, 50 %  peak 3.00 MiB");
	assert_has(text, "Disk     read 2.00 KiB/s  written 1.00 KiB/s");
	assert_has(text, "Network  TCP received 512 B/s  sent 0 B/s");
	assert_has(text, "CPU throttled in 40 % of periods  pressure: CPU 25 %, memory 0 %, I/O 50 %");
	assert_has(text, "PROGRAM");
	assert_has(text, "train");
	assert_has(text, "q leave, the run goes on");
	assert_null(strstr(text, "GPU"));
	assert_null(strstr(text, "worker"));          /* one table at a time */
}

/* Where the bounds are wide there is no value, and RSS counts shared pages several times: it is not shown instead. */
static void bounds_stand_for_a_value_that_is_not_known(void **state)
{
	struct choices choices = { .table = PROGRAMS };
	struct model *m = busy_model();

	(void)state;
	m->total.process_pss_bytes = NONE;
	m->total.process_rss_bytes = 9 << 20;
	assert_has(drawn(m, &choices, 24, 80, &ascii), "Memory   2.00 MiB to 4.00 MiB of 6.00 MiB limit  peak 3.00 MiB");
	m->total.process_pss_lower_bytes = m->total.process_pss_upper_bytes = NONE;
	assert_has(drawn(m, &choices, 24, 80, &ascii), "Memory   9.00 MiB RSS of 6.00 MiB limit, 150 %  peak 3.00 MiB");
	m->total.process_rss_bytes = NONE;
	assert_has(drawn(m, &choices, 24, 80, &ascii), "Memory   peak 3.00 MiB");
}

static void a_wide_terminal_has_both_tables(void **state)
{
	struct choices choices = { .table = PROGRAMS };
	const char *text = drawn(busy_model(), &choices, 100, 300, &utf8);

	(void)state;
	assert_int_equal(strlen(text), 100 * 301);
	assert_has(text, "PROGRAM");
	assert_has(text, "PROCESS");
	assert_int_equal(rows_with(text, "worker"), countof(processes));
	assert_has(text, "up to 2.00, from 0.000s");
	assert_non_null(strstr(text, "no region so far"));
	assert_ptr_equal(strchr(strstr(text, "pressure"), '\n') + 1, strstr(text, "no region so far"));
}

static void a_small_one_keeps_the_state_and_a_table(void **state)
{
	struct choices choices = { .table = PROCESSES };
	const char *text = drawn(busy_model(), &choices, 10, 40, &ascii);

	(void)state;
	assert_has(text, "running 30.0s");
	assert_has(text, "CPU      0.50 of 2.00 cores");
	assert_has(text, "worker");
	assert_has(drawn(busy_model(), &choices, 9, 40, &ascii), "too small");
	assert_has(drawn(busy_model(), &choices, 10, 39, &ascii), "too small");
}

/* Every size in between is drawn without a write beside the screen (a sanitizer or the checks of cells see it). */
static void every_size_is_drawn(void **state)
{
	struct choices choices = { .table = PROGRAMS, .help = false };
	const struct model *m = busy_model();

	(void)state;
	for (unsigned rows = 1; rows <= 60; rows += 7)
		for (unsigned columns = 1; columns <= 200; columns += 13) {
			choices.table ^= 1;
			choices.help = columns % 2 == 0;
			assert_int_equal(strlen(drawn(m, &choices, rows, columns, &ascii)), rows * (columns + 1));
		}
}

static void without_utf8_all_is_ascii(void **state)
{
	struct choices choices = { .table = PROGRAMS };

	(void)state;
	assert_null(strchr(drawn(busy_model(), &choices, 24, 80, &ascii), '@'));
	assert_non_null(strchr(drawn(busy_model(), &choices, 24, 80, &utf8), '@'));
}

/* The names in the order in which they stand below the titles. */
static void assert_order(struct choices *choices, const char *a, const char *b, const char *c)
{
	const char *text = strstr(drawn(busy_model(), choices, 24, 80, &ascii), "PROGRAM");
	const char *first, *second;

	assert_non_null(text);
	first = strstr(text, a);
	assert_non_null(first);
	second = strstr(first, b);
	assert_non_null(second);
	assert_non_null(strstr(second, c));
}

static void tables_are_sorted(void **state)
{
	struct choices choices = { .table = PROGRAMS };

	(void)state;
	assert_order(&choices, "train ", "awk ", "sh ");
	choices.order[PROGRAMS] = ORDER_NAME;
	assert_order(&choices, "awk ", "sh ", "train ");
	choices.reversed[PROGRAMS] = true;
	assert_order(&choices, "train ", "sh ", "awk ");
	choices.reversed[PROGRAMS] = false;
	choices.order[PROGRAMS] = ORDER_MEMORY;
	assert_order(&choices, "awk ", "train ", "sh ");
	choices.order[PROGRAMS] = ORDER_NUMBER;
	assert_order(&choices, "sh ", "train ", "awk ");
}

static void a_table_ends_at_its_last_row(void **state)
{
	struct choices choices = { .table = PROCESSES, .order = { ORDER_CPU, ORDER_NUMBER }, .from = { 0, 1000 } };
	const char *text = drawn(busy_model(), &choices, 24, 80, &ascii);

	(void)state;
	assert_has(text, "139 worker");
	assert_in_range(choices.from[PROCESSES], 25, 39);
	choices.from[PROCESSES] = 3;
	text = drawn(busy_model(), &choices, 24, 80, &ascii);
	assert_has(text, "103 worker");
	assert_null(strstr(text, "102 worker"));
}

static void assert_tree(const struct entry *e, size_t n, const char *shown)
{
	char text[256] = "";
	size_t at = 0;

	for (size_t i = 0; i < n; i++)
		at += (size_t)snprintf(text + at, sizeof text - at, "%s%u:%d", i > 0 ? " " : "", e[i].level, (int)e[i].pid);
	assert_string_equal(text, shown);
}

/* 1 started 5 and 7, 5 started 2 and 9; the parent of 3 is not there. */
static void processes_stand_below_the_one_that_started_them(void **state)
{
	struct entry e[] = {
		{ .pid = 9, .parent = 5, .cores = 0.1 }, { .pid = 1, .parent = 0, .cores = 0 },
		{ .pid = 7, .parent = 1, .cores = 2 },   { .pid = 3, .parent = 400, .cores = 0.5 },
		{ .pid = 5, .parent = 1, .cores = 1 },   { .pid = 2, .parent = 5, .cores = 0.2 },
	};
	struct entry odd[] = { { .pid = 4, .parent = 4 }, { .pid = 5, .parent = 6 }, { .pid = 6, .parent = 5 } };

	(void)state;
	entries_sort(e, countof(e), PROCESSES, ORDER_NUMBER, false);
	entries_tree(e, countof(e));
	assert_tree(e, countof(e), "0:1 1:5 2:2 2:9 1:7 0:3");
	entries_sort(e, countof(e), PROCESSES, ORDER_CPU, false);
	assert_tree(e, countof(e), "0:7 0:5 0:3 0:2 0:9 0:1");
	entries_tree(e, countof(e));
	assert_tree(e, countof(e), "0:3 0:1 1:7 1:5 2:2 2:9");
	entries_tree(odd, countof(odd));
	assert_tree(odd, countof(odd), "0:4 0:5 0:6");          /* pids that were reused: none has a first one */
	entries_tree(NULL, 0);
}

static void a_title_is_found_by_its_column(void **state)
{
	struct area a = { 5, 100, 10, 80 };
	struct choices choices = { .table = PROCESSES };
	const char *text = drawn(busy_model(), &choices, 24, 80, &ascii), *titles = strstr(text, "     PID");
	static const struct { const char *title; int order; } all[] = {
		{ "PID", ORDER_NUMBER }, { "PROCESS", ORDER_NAME }, { "CPUv", ORDER_CPU },
		{ "MEMORY", ORDER_MEMORY }, { "DISK", ORDER_DISK }, { "CPU TIME", -1 },
	};

	(void)state;
	assert_non_null(titles);
	for (size_t i = 0; i < countof(all); i++) {
		const char *at = strstr(titles, all[i].title);

		assert_non_null(at);
		assert_int_equal(entries_order_at(a, PROCESSES, 100 + (unsigned)(at - titles)), all[i].order);
	}
}

static void the_end_stays_in_view(void **state)
{
	struct choices choices = { .table = PROGRAMS };
	struct model *m = busy_model();
	struct record_facts facts = { .status = { .end = RUN_EXITED, .value = 3 } };

	(void)state;
	facts.status.end_monotonic_ns = 31 * NS_PER_SECOND;
	model_end(m, &facts);
	assert_has(drawn(m, &choices, 24, 80, &ascii), "ended, status 3 after 31.0s");
	facts.status.end = RUN_SIGNALED;
	facts.status.value = 9;
	model_end(m, &facts);
	assert_has(drawn(m, &choices, 24, 80, &ascii), "ended by SIGKILL after 31.0s");
	facts.status.end = RUN_RUNNING;
	model_end(m, &facts);
	assert_has(drawn(m, &choices, 24, 80, &ascii), "cut off: the recorder ended without a last line");
}

static void open_regions_have_their_time(void **state)
{
	struct choices choices = { .table = PROGRAMS };
	struct model *m = busy_model();
	struct region_event value = { .kind = REGION_VALUE, .text = "loss", .value = 0.125 };

	(void)state;
	m->regions_known = true;
	assert_has(drawn(m, &choices, 24, 80, &ascii), "no region is open");
	m->n_regions = 2;
	m->region[0] = (struct open_region){ "epoch 3", 12.34, 1 };
	m->region[1] = (struct open_region){ "epoch 3/load", 2, 4 };
	model_region(m, &value);
	assert_has(drawn(m, &choices, 24, 80, &ascii), "in epoch 3 12.3s  epoch 3/load 2.00s x4  loss 0.125");
	m->region[0] = (struct open_region){ "a region with a name so long that nothing else fits beside it, not one", 1, 1 };
	assert_has(drawn(m, &choices, 24, 80, &ascii), "and 1 more");
}

static void a_hostile_name_is_harmless(void **state)
{
	struct choices choices = { .table = PROGRAMS };
	struct model *m = busy_model();

	(void)state;
	(void)snprintf(m->title, sizeof m->title, "a\033]0;x\a\xff\xe4\xb8\xad" "b");
	assert_has(drawn(m, &choices, 24, 80, &ascii), "a?]0;x???b ");
}

static void a_graph_moves_by_quarters(void **state)
{
	(void)state;
	assert_int_equal(graph_first(10, 80), 0);
	assert_int_equal(graph_first(80, 80), 0);
	assert_int_equal(graph_first(81, 80), 20);
	assert_int_equal(graph_first(100, 80), 20);
	assert_int_equal(graph_first(101, 80), 40);
	assert_int_equal(graph_first(5, 1), 4);
}

static void scales_are_round(void **state)
{
	(void)state;
	assert_true(graph_scale(0, 1, 10) == 1);
	assert_true(graph_scale(1.5, 0.1, 10) == 2);
	assert_true(graph_scale(47, 0.1, 10) > 49.9 && graph_scale(47, 0.1, 10) < 50.1);
	assert_true(graph_scale(300 * 1024, 1024, 1024) == 500 * 1024);
	assert_true(graph_scale(600 * 1024, 1024, 1024) == 1024 * 1024);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_usual_terminal_has_every_part),
		cmocka_unit_test(bounds_stand_for_a_value_that_is_not_known),
		cmocka_unit_test(a_wide_terminal_has_both_tables),
		cmocka_unit_test(a_small_one_keeps_the_state_and_a_table), cmocka_unit_test(every_size_is_drawn),
		cmocka_unit_test(without_utf8_all_is_ascii), cmocka_unit_test(tables_are_sorted),
		cmocka_unit_test(a_table_ends_at_its_last_row), cmocka_unit_test(a_title_is_found_by_its_column),
		cmocka_unit_test(processes_stand_below_the_one_that_started_them),
		cmocka_unit_test(the_end_stays_in_view), cmocka_unit_test(open_regions_have_their_time),
		cmocka_unit_test(a_hostile_name_is_harmless), cmocka_unit_test(a_graph_moves_by_quarters),
		cmocka_unit_test(scales_are_round),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
