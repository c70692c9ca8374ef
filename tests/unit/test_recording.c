/* test_recording.c - one representation for the files of all trackers. */
#include "fixture.h"

#include <stdio.h>
#include <string.h>

#include "summary/quantity.h"
#include "readers/recording.h"

static struct recording *open_text(const char *text)
{
	struct recording *r = NULL;
	struct why why = { "" };

	if (recording_of(&r, "file", text, strlen(text), &why) < 0)
		print_message("%s\n", why.text);
	assert_non_null(r);
	return r;
}

static size_t read_all(struct recording *r)
{
	size_t rows = 0;

	while (recording_next(r))
		rows++;
	return rows;
}

static const struct totals *next(struct recording *r)
{
	assert_true(recording_next(r));
	return &recording_sample(r)->total;
}

/* ---- CSV ----------------------------------------------------------------------------------- */

static void csv_of_this_and_of_the_rust_tracker(void **state)
{
	struct recording *r = open_text(
		"timestamp,system_processes,system_cpu_usage,system_memory_used_mib,system_disk_space_used_gb,"
		"system_gpu_vram_mib,process_pid,process_utime,process_stime,process_cpu_usage,process_memory_mib,"
		"process_disk_read_bytes,process_gpu_usage\n"
		"1000,90,1.5000,2048,10.500000,0.0000,4711,1.5000,0.5000,1.0000,100,4096,\n"
		"1002,91,0.5000,2049,10.500000,0.0000,4711,0.5000,0.0000,0.2500,300,,\n");
	const struct totals *t = next(r);

	(void)state;
	assert_near(t->cpu_processes, 90);
	assert_near(t->memory_used_bytes, 2048 * 1048576.0);
	assert_near(t->disk_total_space_used_bytes, 10.5e9);
	assert_near(t->process_pss_bytes, 100 * 1048576.0);
	assert_near(t->process_cpu_seconds, 2);
	/* No row has its length: the first is taken to be as long as the second. */
	assert_near(recording_sample(r)->interval_seconds, 2);
	t = next(r);
	assert_true(is_none(t->process_disk_read_bytes));
	assert_false(recording_next(r));

	const struct recording_facts *f = recording_facts(r);
	struct quantity_values v;

	assert_true(f->tracked);
	assert_int_equal(f->run.pids[0], 4711);
	assert_int_equal(f->n_problems, 0);
	assert_int_equal(f->run.start_wall_ns, 998 * NS_PER_SECOND);
	assert_int_equal(f->status.end_monotonic_ns, 4 * NS_PER_SECOND);
	quantities_read(&v, recording_whole(r), 4, f->tracked, f->moments, f->n_moments);
	assert_near(quantity_value(&v, QUANTITY_cpu_time), 2.5);
	assert_near(quantity_value(&v, QUANTITY_mean_cpu), 2.5 / 4);
	assert_near(quantity_value(&v, QUANTITY_peak_memory), 300 * 1048576.0);
	assert_near(quantity_value(&v, QUANTITY_mean_memory), 200 * 1048576.0);
	assert_int_equal(quantity_basis(&v, QUANTITY_peak_memory), BASIS_PSS);
	recording_close(r);
}

static void a_system_layout_watches_the_machine(void **state)
{
	struct recording *r = open_text("timestamp,processes,utime,stime,cpu_usage,memory_free,memory_used\n"
					"1000.5,90,1.0,0.5,1.5,100,200\n1000.75,90,0.1,0.1,1.5,100,200\n");
	const struct totals *t = next(r);

	(void)state;
	assert_near(t->memory_free_bytes, 100 * 1048576.0);
	assert_near(t->cpu_user_seconds, 1);
	assert_near(recording_sample(r)->interval_seconds, 0.25);
	assert_false(recording_facts(r)->tracked);
	recording_close(r);
}

/* The same name is in MiB here and in KiB with the Python tracker before 0.5, which quotes its names. */
static void old_python_files_have_other_units(void **state)
{
	static const struct { const char *text; double memory, space, user, anon; } files[] = {
		{ "\"timestamp\",\"utime\",\"memory_used_mib\",\"disk_space_used_gb\"\n1.0,2.5,2048.0,3.0\n",
		  2048 * 1048576.0, 3e9, 2.5, NONE },
		{ "\"timestamp\",\"utime\",\"memory_used\",\"disk_space_used_gb\"\n1.0,2.5,2048.0,3.0\n",
		  2048 * 1024.0, 3 * 1073741824.0, 2.5, NONE },
		{ "\"timestamp\",\"utime\",\"memory_used\",\"memory_active_anon\",\"disk_space_used_gb\"\n1.0,250,2048,9,3.0\n",
		  2048 * 1024.0, 3 * 1073741824.0, 2.5, 9 * 1024.0 },
		{ "\"timestamp\",\"system_utime\",\"system_memory_used\",\"system_disk_space_used_gb\"\r\n1.0,2.5,2048.0,3.0\r\n",
		  2048 * 1024.0, 3 * 1073741824.0, 2.5, NONE },
	};

	(void)state;
	for (size_t i = 0; i < countof(files); i++) {
		struct recording *r = open_text(files[i].text);
		const struct totals *t = next(r);

		assert_near(t->memory_used_bytes, files[i].memory);
		assert_near(t->disk_total_space_used_bytes, files[i].space);
		assert_near(t->cpu_user_seconds, files[i].user);
		if (is_none(files[i].anon))
			assert_none(t->memory_active_anon_bytes);
		else
			assert_near(t->memory_active_anon_bytes, files[i].anon);
		recording_close(r);
	}
}

static void old_python_process_files(void **state)
{
	static const struct { const char *header; double memory, user; } files[] = {
		{ "\"timestamp\",\"pid\",\"children\",\"utime\",\"stime\",\"memory_mib\",\"disk_read_bytes\"\n", 1048576.0, 1 },
		{ "\"timestamp\",\"pid\",\"children\",\"utime\",\"stime\",\"memory\",\"read_bytes\"\n", 1024.0, 1 },
		{ "\"timestamp\",\"pid\",\"children\",\"utime\",\"stime\",\"pss\",\"read_bytes\"\n", 1024.0, 0.01 },
	};

	(void)state;
	for (size_t i = 0; i < countof(files); i++) {
		char text[256];

		(void)snprintf(text, sizeof text, "%s1795262767.001,77,\"\",200,100,50.5,1e+16\n", files[i].header);
		struct recording *r = open_text(text);
		const struct totals *t = next(r);

		assert_true(recording_facts(r)->tracked);
		assert_int_equal(recording_facts(r)->run.pids[0], 77);
		assert_near(t->process_pss_bytes, 50.5 * files[i].memory);
		assert_near(t->process_cpu_user_seconds, 200 * files[i].user);
		assert_near(t->process_cpu_seconds, 300 * files[i].user);
		assert_near(t->process_disk_read_bytes, 1e16);
		assert_true(is_none(t->process_children));
		recording_close(r);
	}
}

static void a_log_of_py_resource_monitor(void **state)
{
	struct recording *r = open_text(
		"latency of one sample: 0.3 ms\n"
		"logger_process_pid:12073,cpu_count:8,vm_total_mb:16000,swap_total_mb:4095\n"
		"time,cpu_percent,cpu_percent_global,rss_mb,vms_mb,vms_global_mb,swap_used_mb,read_count,read_mb,read_mb_global,"
		"write_mb,gpu_0_mem_mb,gpu_0_mem_mb_global,gpu_0_utilization_percent_global,gpu_1_mem_mb_global,"
		"gpu_1_utilization_percent_global\n"
		"50.0,0.0,3.0,100,200,4000,0,10,1000,2000,5,1,10,50,20,25\n"
		"50.5,250.0,3.0,110,200,4000,0,15,1003,2000,5,1,10,50,20,25\n"
		"51.0,50.0,3.0,90,200,4000,0,15,1000,2001,5,1,10,50,20,25\n");
	const struct totals *t = next(r);

	(void)state;
	/* Counted since boot: the first row has no amounts, and its percentage has no interval. */
	assert_true(is_none(t->process_disk_read_bytes));
	assert_true(is_none(t->process_cpu_cores));
	assert_near(t->process_rss_bytes, 100 * 1048576.0);
	assert_near(t->gpu_total_vram_used_bytes, 30 * 1048576.0);
	assert_near(t->gpu_total_utilization_gpus, 0.75);
	assert_near(t->memory_used_pct, 25);
	t = next(r);
	assert_near(recording_sample(r)->interval_seconds, 0.5);
	assert_near(t->process_cpu_cores, 2.5);
	assert_near(t->process_disk_read_bytes, 3 * 1048576.0);
	assert_near(t->process_read_calls, 5);
	t = next(r);
	assert_near(t->process_disk_read_bytes, 0);     /* a counter that fell */
	assert_near(t->disk_total_read_bytes, 1048576.0);
	assert_false(recording_next(r));
	assert_int_equal(recording_facts(r)->n_notices, 1);
	recording_close(r);
}

/* ---- JSON Lines ---------------------------------------------------------------------------- */

static void json_lines_of_the_rust_tracker(void **state)
{
	struct recording *r = open_text(
		"warn: no GPU\n"
		"{\"cpu\":{\"per_core_pct\":[50.0,100.0],\"process_count\":7,\"process_pss_mib\":null,\"utilization_pct\":1.5,"
		"\"utime_secs\":0.5},\"disk\":[{\"device\":\"sda\",\"model\":\"X\",\"mounts\":[{\"available_bytes\":30,"
		"\"mount_point\":\"/\",\"total_bytes\":100,\"used_bytes\":60}],\"read_bytes_per_sec\":1000.0}],\"gpu\":[],"
		"\"memory\":{\"total_mib\":4,\"used_mib\":2},\"network\":[],\"timestamp_secs\":1000,\"tracked_pid\":null}\n"
		"{\"actual_interval_ms\":2000,\"cpu\":{\"process_count\":8,\"process_pss_mib\":3,\"utilization_pct\":0.5},"
		"\"disk\":[{\"device\":\"sda\",\"read_bytes_per_sec\":10.0},{\"device\":\"sdb\",\"read_bytes_per_sec\":20.0}],"
		"\"memory\":{\"used_mib\":2},\"network\":[{\"interface\":\"eth0\",\"rx_bytes_per_sec\":7.5}],"
		"\"gpu\":[{\"frequency_mhz\":1980,\"host_id\":\"0\",\"utilization_pct\":50.0,\"uuid\":\"GPU-1\","
		"\"vram_used_bytes\":1000},{\"utilization_pct\":0.0,\"uuid\":\"GPU-2\",\"vram_used_bytes\":24}],"
		"\"timestamp_secs\":1002,\"tracked_pid\":42}\n");
	const struct totals *t = next(r);
	const struct sample *s = recording_sample(r);

	(void)state;
	assert_near(t->cpu_utilization_cores, 1.5);
	assert_near(t->cpu_user_seconds, 0.5);
	assert_near(t->memory_used_pct, 50);
	assert_near(t->memory_total_bytes, 4 * 1048576.0);
	assert_int_equal(s->n_core, 2);
	assert_near(s->core[1].utilization_pct, 100);
	assert_string_equal(s->disk[0].model, "X");
	/* It has no interval: that of the second is used. */
	assert_near(s->interval_seconds, 2);
	assert_near(t->disk_total_read_bytes, 2000);
	assert_near(t->disk_total_space_used_bytes, 70);
	t = next(r);
	assert_near(t->process_pss_bytes, 3 * 1048576.0);
	assert_near(t->disk_total_read_bytes, 60);
	assert_near(t->network_total_recv_bytes, 15);
	assert_near(t->gpu_total_utilization_gpus, 0.5);
	assert_near(t->gpu_total_vram_used_bytes, 1024);
	assert_near(t->gpu_total_utilized, 1);
	assert_near(s->gpu[0].frequency_hertz, 1980e6);
	assert_true(is_none(t->disk_total_space_used_bytes));
	assert_false(recording_next(r));
	assert_true(recording_facts(r)->tracked);
	assert_int_equal(recording_facts(r)->run.pids[0], 42);
	assert_int_equal(recording_facts(r)->n_problems, 1);    /* the warning */
	recording_close(r);
}

static void own_json_keeps_its_sums_and_programs(void **state)
{
	struct recording *r = open_text(
		"{\"actual_interval_ms\":500,\"disk\":[{\"counted_in_total\":0,\"device\":\"dm-0\",\"read_bytes_per_sec\":9.0}],"
		"\"disk_total\":{\"read_bytes\":4},\"process\":{\"cpu_seconds\":0.25,\"pss_bytes\":1234},"
		"\"programs\":[{\"command\":\"cc1\",\"cpu_seconds\":0.125,\"name\":\"cc1\"}],\"timestamp\":1000.25,"
		"\"timestamp_secs\":1000,\"tracked_pid\":1}\n");
	const struct totals *t = next(r);

	(void)state;
	assert_near(t->disk_total_read_bytes, 4);
	assert_near(t->process_pss_bytes, 1234);
	assert_near(t->process_cpu_seconds, 0.25);
	assert_int_equal(recording_sample(r)->wall_ns, 1000250000000);
	assert_string_equal(recording_sample(r)->program[0].command, "cc1");
	assert_near(recording_sample(r)->program[0].cpu_seconds, 0.125);
	recording_close(r);
}

static void an_event_log_has_regions(void **state)
{
	struct recording *r = open_text("10.0,start,load, the array,0\n11.0,start,f,0\n11.5,start,f,1\n12.0,end,f,1\n"
					"14.0,end,f,0\n15.0,end,load, the array,0\n15.5,end,f,7\n16.0,start,f,2\n17.0,end,f,");

	(void)state;
	assert_false(recording_next(r));
	assert_false(recording_failed(r, NULL));

	const struct recording_facts *f = recording_facts(r);

	assert_int_equal(f->n_regions, 2);
	assert_string_equal(f->regions[0].name, "load, the array");
	assert_near(f->regions[0].seconds, 5);
	assert_int_equal(f->regions[1].count, 2);
	assert_near(f->regions[1].seconds, 3.5);
	assert_near(f->regions[1].minimum_seconds, 0.5);
	assert_near(f->regions[1].maximum_seconds, 3);
	assert_int_equal(f->regions[1].unfinished, 1);
	assert_int_equal(f->status.end_monotonic_ns, 6 * NS_PER_SECOND);
	assert_int_equal(f->n_problems, 1);             /* an end without beginning, and a line that is cut off */
	recording_close(r);
}

/* ---- errors in files ---------------------------------------------------------------------- */

static void unknown_files_give_one_sentence(void **state)
{
	static const char *const texts[] = {
		"", "\n", "hello\n", "{}\n", "[1,2]\n", "timestamp\n1\n", "a,b,c\n1,2,3\n", "{\"timestamp\":NaN}\n",
		("\x7f" "ELF\x02\x01\x01"), "\"timestamp\",\"foo\"\n1,2\n", "{\"record\":\"else\"}\n",
		"{\"record\":\"resource-tracker\",\"version\":99}\n",
	};

	(void)state;
	for (size_t i = 0; i < countof(texts); i++) {
		struct recording *r = NULL;
		struct why why = { "" };

		assert_true(recording_of(&r, "file", texts[i], strlen(texts[i]), &why) < 0);
		assert_non_null(strstr(why.text, "file"));
		assert_null(strchr(why.text, '\n'));
	}
}

static void a_header_without_rows_has_no_sample(void **state)
{
	struct recording *r = open_text("timestamp,cpu_usage\n");
	struct why why = { "" };

	(void)state;
	assert_false(recording_next(r));
	assert_true(recording_failed(r, &why));
	assert_string_equal(why.text, "file has no sample in it");
	recording_close(r);
}

static void impossible_values_are_missing(void **state)
{
	struct recording *r = open_text("timestamp,cpu_usage,memory_used\n1000,nan,inf\nnan,1,1\n1001,-inf,1e999\n\n"
					"garbage\n1002,0.5,,,,\n1003,0.7");
	const struct totals *t;

	(void)state;
	t = next(r);
	assert_true(is_none(t->cpu_utilization_cores) && is_none(t->memory_used_bytes));
	t = next(r);
	assert_true(is_none(t->cpu_utilization_cores) && is_none(t->memory_used_bytes));
	t = next(r);
	assert_near(t->cpu_utilization_cores, 0.5);
	assert_false(recording_next(r));                /* the last line has no end: 0.7 is possibly a part of 0.75 */
	assert_false(recording_failed(r, NULL));
	assert_int_equal(recording_facts(r)->n_problems, 1);
	assert_string_equal(recording_facts(r)->problems[0], "file: 3 lines are left out: no sample");
	recording_close(r);
}

static void a_clock_that_is_set_back(void **state)
{
	struct recording *r = open_text("timestamp,cpu_usage\n1000,1\n1010,1\n500,1\n510,1\n510,1\n");

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		(void)next(r);
		assert_near(recording_sample(r)->interval_seconds, 10);
	}
	(void)next(r);
	assert_true(is_none(recording_sample(r)->interval_seconds));    /* twice the same time */
	recording_close(r);
}

static void a_file_cut_anywhere_keeps_its_whole_lines(void **state)
{
	static const char text[] = "{\"cpu\":{\"utilization_pct\":1.0},\"timestamp_secs\":1}\n"
				   "{\"cpu\":{\"utilization_pct\":2.0},\"timestamp_secs\":2}\n";
	size_t first = strcspn(text, "\n");

	(void)state;
	for (size_t n = first; n < sizeof text - 1; n++) {
		struct recording *r;

		assert_int_equal(recording_of(&r, "file", text, n, NULL), 0);
		assert_int_equal(read_all(r), n >= sizeof text - 2 ? 2 : 1);
		recording_close(r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(csv_of_this_and_of_the_rust_tracker),
		cmocka_unit_test(a_system_layout_watches_the_machine),
		cmocka_unit_test(old_python_files_have_other_units),
		cmocka_unit_test(old_python_process_files),
		cmocka_unit_test(a_log_of_py_resource_monitor),
		cmocka_unit_test(json_lines_of_the_rust_tracker),
		cmocka_unit_test(own_json_keeps_its_sums_and_programs),
		cmocka_unit_test(an_event_log_has_regions),
		cmocka_unit_test(unknown_files_give_one_sentence),
		cmocka_unit_test(a_header_without_rows_has_no_sample),
		cmocka_unit_test(impossible_values_are_missing),
		cmocka_unit_test(a_clock_that_is_set_back),
		cmocka_unit_test(a_file_cut_anywhere_keeps_its_whole_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
