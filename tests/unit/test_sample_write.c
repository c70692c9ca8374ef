/* test_sample_write.c - the lines that users and their scripts read, character by character. */
#include "fixture.h"

#include <string.h>

#include "core/layouts.h"
#include "core/metrics.h"
#include "core/sample_write.h"

static const double MIB = 1024 * 1024;

static struct sample s;
static struct buffer out;
static struct sample_writer *writer;

static const pid_t pids[] = { 4711, 4712 };
static const struct run machine = { .interval_seconds = 1 };
static const struct run job = { .interval_seconds = 0.5, .pids = pids, .n_pids = 2, .job_name = "night \"run\"" };

static void fill_machine(void)
{
	struct totals *t = &s.total;

	sample_clear(&s);
	s.wall_ns = INT64_C(1700000000987654321);
	s.interval_seconds = 2;
	t->cpu_utilization_cores = 1.25;
	t->cpu_user_seconds = 2.1;
	t->cpu_system_seconds = 0.4;
	t->cpu_processes = 123;
	t->cpu_load_1m = 0.07;
	t->memory_free_bytes = 100.99 * MIB;
	t->memory_used_bytes = 2000 * MIB;
	t->memory_used_pct = 50;
	t->memory_buffers_bytes = 0;
	t->memory_cached_bytes = 300 * MIB;
	t->memory_active_bytes = 400 * MIB;
	t->memory_shmem_bytes = 4096;
	t->disk_total_read_bytes = 512;
	t->disk_total_write_bytes = 4096;
	t->disk_total_space_total_bytes = 21474836480;
	t->disk_total_space_used_bytes = 11474836480;
	t->disk_total_space_free_bytes = 1e10;
	t->network_total_recv_bytes = 1500;
	t->network_total_sent_bytes = 99;
	t->gpu_total_utilization_gpus = 0;
	t->gpu_total_vram_used_bytes = 0;
	t->gpu_total_utilized = 0;
	t->cgroup_cpu_usage_seconds = 1.5;
	sample_add_core(&s, "0")->utilization_pct = 100;
	(void)sample_add_core(&s, "1");
}

static void fill_tree(void)
{
	struct totals *t = &s.total;

	t->process_children = 3;
	t->process_cpu_user_seconds = 0.123456;
	t->process_cpu_system_seconds = 0.01;
	t->process_cpu_cores = 0.26691;
	t->process_pss_bytes = 10.5 * MIB;
	t->process_rss_bytes = 12 * MIB;
	t->process_disk_read_bytes = 0;
}

static void fill_rows(void)
{
	struct disk_row *disk = sample_add_disk(&s, "vda");

	disk->read_bytes = 1000;
	disk->write_bytes = 0;
	disk->read_bytes_total = 5e15;
	disk->capacity_bytes = 1e12;
	(void)strcpy(disk->device_type, "ssd");

	static const char *const mounts[][3] = {
		{ "/", "vda", "ext4" }, { "/over lay", "overlay", "overlay" }, { "/data", "vda", "xfs" },
		{ "/tmp", "tmpfs", "tmpfs" }, { "/more", "overlay", "overlay" },
	};

	for (size_t i = 0; i < countof(mounts); i++) {
		struct mount_row *mount = sample_add_mount(&s, mounts[i][0]);

		(void)strcpy(mount->device, mounts[i][1]);
		(void)strcpy(mount->filesystem, mounts[i][2]);
		mount->total_bytes = 1000;
	}

	struct network_row *network = sample_add_network(&s, "eth0");

	network->recv_bytes = 3;
	network->speed_mbps = -1;

	struct gpu_row *gpu = sample_add_gpu(&s, "GPU-1");

	gpu->utilization_pct = 50;
	gpu->frequency_hertz = 1.98e9;
	(void)strcpy(gpu->driver_version, "550.54.15");
	(void)strcpy(gpu->host_id, "0");
	(void)strcpy(sample_add_program(&s, "python3")->command, "python3");
	sample_add_root(&s, "4711")->alive = 1;
	sample_add_collector(&s, "memory")->seconds = 0.00002;
	sample_add_collector(&s, "cpu")->seconds = 0.0001;
	s.mounts_left_out = 7;
}

static const char *written(void)
{
	buffer_char(&out, '\0');
	assert_false(out.failed);
	return out.at;
}

static const char *csv(const struct run *run, enum csv_layout layout)
{
	buffer_clear(&out);
	sample_write_csv(&out, &s, run, layout);
	return written();
}

static const char *json(const struct run *run)
{
	buffer_clear(&out);
	sample_write_json(writer, &out, &s, run);
	return written();
}

static void headers_equal_those_of_other_trackers(void **state)
{
	(void)state;
	buffer_clear(&out);
	for (enum csv_layout layout = 0; layout < CSV_LAYOUTS; layout++)
		sample_write_csv_header(&out, layout);
	assert_string_equal(written(),
		"timestamp,processes,utime,stime,cpu_usage,memory_free,memory_used,memory_buffers,memory_cached,"
		"memory_active,memory_inactive,disk_read_bytes,disk_write_bytes,disk_space_total_gb,"
		"disk_space_used_gb,disk_space_free_gb,net_recv_bytes,net_sent_bytes,gpu_usage,gpu_vram,"
		"gpu_utilized\n"
		"timestamp,system_processes,system_utime,system_stime,system_cpu_usage,system_memory_free_mib,"
		"system_memory_used_mib,system_memory_buffers_mib,system_memory_cached_mib,"
		"system_memory_active_mib,system_memory_inactive_mib,system_disk_read_bytes,"
		"system_disk_write_bytes,system_disk_space_total_gb,system_disk_space_used_gb,"
		"system_disk_space_free_gb,system_net_recv_bytes,system_net_sent_bytes,system_gpu_usage,"
		"system_gpu_vram_mib,system_gpu_utilized,process_pid,process_children,process_utime,"
		"process_stime,process_cpu_usage,process_memory_mib,process_disk_read_bytes,"
		"process_disk_write_bytes,process_gpu_usage,process_gpu_vram_mib,process_gpu_utilized\n"
		"timestamp,pid,children,utime,stime,cpu_usage,memory_mib,disk_read_bytes,disk_write_bytes,"
		"gpu_usage,gpu_vram_mib,gpu_utilized\n");
}

static void csv_of_the_machine(void **state)
{
	(void)state;
	fill_machine();
	/* The inactive memory was not read: an empty cell, not 0. */
	assert_string_equal(csv(&machine, CSV_SYSTEM),
		"1700000000,123,2.100,0.400,1.2500,100,2000,0,300,400,,512,4096,21.474836,11.474836,10.000000,"
		"1500,99,0.0000,0.0000,0\n");
	assert_string_equal(csv(&machine, CSV_COMBINED),
		"1700000000,123,2.100,0.400,1.2500,100,2000,0,300,400,,512,4096,21.474836,11.474836,10.000000,"
		"1500,99,0.0000,0.0000,0,,,,,,,,,,,\n");
	assert_string_equal(csv(&machine, CSV_PROCESS), "1700000000,,,,,,,,,,,\n");
}

static void csv_of_a_tree(void **state)
{
	(void)state;
	fill_machine();
	fill_tree();
	assert_string_equal(csv(&job, CSV_COMBINED),
		"1700000000.987,123,2.100,0.400,1.2500,100,2000,0,300,400,,512,4096,21.474836,11.474836,"
		"10.000000,1500,99,0.0000,0.0000,0,4711,3,0.1235,0.0100,0.2669,10,0,,,,\n");
	assert_string_equal(csv(&job, CSV_PROCESS),
		"1700000000.987,4711,3,0.123456,0.010000,0.2669,10.5000,0,,,,\n");
}

/* The line, from `key` on, begins with the expected part. */
static void assert_part(const char *line, const char *part)
{
	if (!strstr(line, part))
		fail_msg("%s is not in\n%s", part, line);
}

static void json_of_the_machine(void **state)
{
	(void)state;
	fill_machine();

	const char *line = json(&machine);

	assert_part(line, "{\"actual_interval_ms\":2000,\"cgroup\":{\"cpu_available_cores\":null,");
	assert_part(line, ",\"cpu\":{\"cgroup_usage_secs\":1.5,\"cgroup_utilization_pct\":null,"
		"\"context_switches\":null,\"count\":null,\"forks\":null,\"interrupts\":null,"
		"\"iowait_seconds\":null,\"irq_seconds\":null,\"load_15m\":null,\"load_1m\":0.07,"
		"\"load_5m\":null,\"per_core_pct\":[100.0,null],\"process_child_count\":null,"
		"\"process_cores_used\":null,\"process_count\":123,\"process_disk_read_bytes\":null,"
		"\"process_disk_write_bytes\":null,\"process_gpu_usage\":null,\"process_gpu_utilized\":null,"
		"\"process_gpu_vram_mib\":null,\"process_pss_mib\":null,\"process_rss_mib\":null,"
		"\"process_stime_secs\":null,\"process_utime_secs\":null,\"processes_blocked\":null,"
		"\"processes_running\":null,\"softirq_seconds\":null,\"steal_seconds\":null,"
		"\"stime_secs\":0.4,\"utilization_pct\":1.25,\"utime_secs\":2.1},\"disk\":[],\"disk_total\":{"
		"\"read_bytes\":512,\"space_free_bytes\":10000000000,\"space_total_bytes\":21474836480,"
		"\"space_used_bytes\":11474836480,\"write_bytes\":4096},");
	assert_part(line, ",\"gpu\":[],\"gpu_total\":{"
		"\"age_seconds\":null,\"count\":null,\"energy_joules\":null,\"power_watts\":null,"
		"\"utilization_gpus\":0.0,\"utilized\":0,\"vram_total_bytes\":null,\"vram_used_bytes\":0},"
		"\"job_name\":null,\"memory\":{\"active_anon_bytes\":null,\"active_mib\":400,\"available_mib\":null,\"buffers_mib\":0,"
		"\"cached_mib\":300,");
	assert_part(line, "\"shmem_bytes\":4096,");
	assert_part(line, "\"used_mib\":2000,\"used_pct\":50.0,");
	assert_part(line, ",\"network\":[],\"network_total\":{\"drops\":null,\"errors\":null,\"recv_bytes\":1500,");
	assert_part(line, ",\"process\":null,\"programs\":[],\"resource-tracker-version\":\"" RT_VERSION "\","
		"\"roots\":[],\"timestamp\":1700000000.987,\"timestamp_secs\":1700000000,"
		"\"tracked_pid\":null,\"tracked_pids\":[],\"tracker\":{\"collectors\":{},");
	assert_string_equal(line + strlen(line) - 2, "}\n");
}

static void json_of_a_tree_with_rows(void **state)
{
	(void)state;
	fill_machine();
	fill_tree();
	fill_rows();

	const char *line = json(&job);

	assert_part(line, "\"process_child_count\":3,\"process_cores_used\":0.2669,\"process_count\":123,"
		"\"process_disk_read_bytes\":0,");
	assert_part(line, "\"process_pss_mib\":10,\"process_rss_mib\":12,\"process_stime_secs\":0.01,"
		"\"process_utime_secs\":0.123456,");
	/* Mounts are listed with their disk; mounts on no disk have an entry for each device, without traffic. */
	assert_part(line, "\"disk\":[{\"busy_pct\":null,\"capacity_bytes\":1000000000000,"
		"\"counted_in_total\":null,\"device\":\"vda\",\"device_type\":\"ssd\",\"model\":null,\"mounts\":["
		"{\"available_bytes\":null,\"device\":\"vda\",\"filesystem\":\"ext4\",\"mount_point\":\"/\","
		"\"total_bytes\":1000,\"used_bytes\":null,\"used_pct\":null},"
		"{\"available_bytes\":null,\"device\":\"vda\",\"filesystem\":\"xfs\",\"mount_point\":\"/data\","
		"\"total_bytes\":1000,\"used_bytes\":null,\"used_pct\":null}],\"queue_length\":null,"
		"\"read_bytes_per_sec\":500.0,\"read_bytes_total\":5000000000000000,\"reads\":null,"
		"\"serial\":null,\"vendor\":null,\"write_bytes_per_sec\":0.0,\"write_bytes_total\":null,"
		"\"writes\":null},{");
	assert_part(line, "\"device\":\"overlay\",\"device_type\":null,\"model\":null,\"mounts\":["
		"{\"available_bytes\":null,\"device\":\"overlay\",\"filesystem\":\"overlay\","
		"\"mount_point\":\"/over lay\",\"total_bytes\":1000,\"used_bytes\":null,\"used_pct\":null},"
		"{\"available_bytes\":null,\"device\":\"overlay\",\"filesystem\":\"overlay\","
		"\"mount_point\":\"/more\",\"total_bytes\":1000,\"used_bytes\":null,\"used_pct\":null}],"
		"\"queue_length\":null,\"read_bytes_per_sec\":0.0,\"read_bytes_total\":0,");
	assert_part(line, "\"device\":\"tmpfs\"");
	assert_part(line, "\"detail\":{\"driver_version\":\"550.54.15\"},\"device_type\":null,");
	assert_part(line, "\"frequency_mhz\":1980,\"host_id\":\"0\",");
	assert_part(line, "\"utilization_pct\":50.0,\"utilization_peak_pct\":null,\"uuid\":\"GPU-1\",");
	assert_part(line, ",\"job_name\":\"night \\\"run\\\"\",");
	assert_part(line, ",\"mounts_left_out\":7,\"network\":[{\"counted_in_total\":null,\"driver\":null,"
		"\"interface\":\"eth0\",\"mac_address\":null,\"mtu\":null,\"operstate\":null,");
	assert_part(line, "\"rx_bytes_per_sec\":1.5,\"rx_bytes_total\":null,");
	assert_part(line, "\"speed_mbps\":-1,\"tx_bytes_per_sec\":null,\"tx_bytes_total\":null}]");
	assert_part(line, ",\"process\":{\"block_delay_seconds\":null,\"children\":3,");
	assert_part(line, ",\"programs\":[{\"command\":\"python3\",\"cpu_cores\":null,\"cpu_seconds\":null,"
		"\"disk_read_bytes\":null,\"disk_write_bytes\":null,\"ended\":null,"
		"\"gpu_utilization_gpus\":null,\"gpu_vram_bytes\":null,\"name\":\"python3\",");
	assert_part(line, ",\"roots\":[{\"alive\":1,\"command\":null,");
	assert_part(line, "\"pid\":4711,");
	assert_part(line, ",\"timestamp\":1700000000.987654,\"timestamp_secs\":1700000000,"
		"\"tracked_pid\":4711,\"tracked_pids\":[4711,4712],\"tracker\":{\"collectors\":{"
		"\"cpu\":0.0001,\"memory\":0.00002},");
}

static void a_baseline_has_no_amounts(void **state)
{
	(void)state;
	fill_machine();
	fill_rows();
	s.interval_seconds = NONE;
	assert_part(json(&machine), "{\"cgroup\":{");
	assert_null(strstr(out.at, "actual_interval_ms"));
	assert_part(out.at, "\"read_bytes_per_sec\":null");
}

/* Every metric is in the line: a metric added to metrics.def appears by itself. */
static void every_metric_is_written(void **state)
{
	size_t expected = 0, numbers = 0;

	(void)state;
	fill_machine();
	fill_rows();
	s.n_mount = s.n_core = s.n_collector = 0;       /* these are not objects of their own */
	for (enum table t = 0; t < TABLE_COUNT; t++) {
		struct rows rows = sample_rows(&s, t);

		for (size_t i = 0; i < rows.n; i++)
			for (size_t m = 0; m < tables[t].n_metrics; m++, expected++) {
				double mark = 777777;

				if (tables[t].metrics[m].decimals == 0)
					mark *= MIB;
				/* One metric is written divided by 10^6. */
				if (strcmp(tables[t].metrics[m].name, "frequency_hertz") == 0)
					mark = 777777e6;
				if (t != TABLE_TOTAL && strstr("read_bytes write_bytes recv_bytes sent_bytes",
							       tables[t].metrics[m].name))
					mark *= s.interval_seconds;
				memcpy((char *)&s + tables[t].first + i * tables[t].stride +
				       tables[t].metrics[m].offset, &mark, sizeof mark);
			}
	}
	for (const char *at = json(&job); (at = strpbrk(at, ":")) != NULL;) {
		at++;
		if (strncmp(at, "777777", 6) == 0 || strncmp(at, "815558295552", 12) == 0)
			numbers++;
	}
	/* Eleven of the tree and two of the group are in `cpu` too. */
	assert_int_equal(numbers, expected + 13);
}

static int open_writer(void **state)
{
	(void)state;
	return sample_writer_open(&writer);
}

static int close_writer(void **state)
{
	(void)state;
	sample_writer_close(writer);
	buffer_release(&out);
	return 0;
}

static void timestamps_are_cut_towards_1970(void **state)
{
	static const struct { int64_t wall_ns; int decimals; const char *text; } cases[] = {
		{ INT64_C(1700000000987654321), 0, "1700000000" }, { INT64_C(1700000000987654321), 6, "1700000000.987654" },
		{ 0, 3, "0.000" }, { -1, 6, "-0.000000" }, { -1500000000, 6, "-1.500000" }, { -500000000, 3, "-0.500" },
		{ INT64_MIN, 3, "-9223372036.854" },
	};

	(void)state;
	for (size_t i = 0; i < countof(cases); i++) {
		struct buffer b = { 0 };

		timestamp_write(&b, cases[i].wall_ns, cases[i].decimals);
		assert_int_equal(b.len, strlen(cases[i].text));
		assert_memory_equal(b.at, cases[i].text, b.len);
		buffer_release(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(timestamps_are_cut_towards_1970),
		cmocka_unit_test(headers_equal_those_of_other_trackers),
		cmocka_unit_test(csv_of_the_machine),
		cmocka_unit_test(csv_of_a_tree),
		cmocka_unit_test(json_of_the_machine),
		cmocka_unit_test(json_of_a_tree_with_rows),
		cmocka_unit_test(a_baseline_has_no_amounts),
		cmocka_unit_test(every_metric_is_written),
	};
	return cmocka_run_group_tests(tests, open_writer, close_writer);
}
