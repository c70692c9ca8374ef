/* test_gpu.c - GPUs: NVIDIA's by fake drivers (tests/gpu/fake_nvml.c), and their use by processes. */
#include "fixture.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "core/metrics.h"
#include "gpu/gpu_attribution.h"
#include "gpu/nvidia_device.h"
#include "gpu/owners.h"
#include "gpu/place.h"
#include "gpu/select.h"

static struct fixture f;
static char library[4096];

/* At once: the driver reads its file at any time; with half a file, keys would be missing and not be asked for
 * again. */
static void driver_says(const char *text)
{
	char from[128], to[128];

	fixture_write(&f, "fake.new", text);
	(void)snprintf(from, sizeof from, "%s/fake.new", f.root);
	(void)snprintf(to, sizeof to, "%s/fake", f.root);
	assert_int_equal(rename(from, to), 0);
}

/* The reader waits for samples by the machine's clock, so the fixture's clock follows it. */
static int64_t machine_ns(void)
{
	struct timespec t;

	assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &t), 0);
	return t.tv_sec * NS_PER_SECOND + t.tv_nsec;
}

/* A machine with the fake driver of a year (its level), and the text of that driver. */
static void open_machine(int level, const char *text)
{
	char path[128];

	fixture_open(&f, "bare-metal");
	f.now_ns = machine_ns();
	driver_says(text);
	(void)snprintf(path, sizeof path, "%s/fake", f.root);
	assert_int_equal(setenv("FAKE_NVML", path, 1), 0);
	(void)snprintf(library, sizeof library, "%s/nvml-%d/libnvidia-ml.so.1", NVML_FAKES, level);
	f.source.nvml = library;
	f.source.nvml_given = true;
	f.setup.interval_seconds = 0;
}

static bool has_answered(void)
{
	f.now_ns = machine_ns();
	assert_int_equal(fixture_read(&f), 0);
	/* An answer that is a second old, since nobody had a CPU, is none. */
	return f.sample.n_gpu > 0 || f.sample.total.gpu_total_count >= 0 ||
	       (f.why.text[0] && !strstr(f.why.text, "takes seconds to answer"));
}

/* Reads until a sample has a new answer of the driver. */
static void read_next(void)
{
	pause_ms(1);
	wait_until(has_answered());
}

static unsigned power_calls(void)
{
	void *driver = dlopen(library, RTLD_NOW);
	unsigned (*calls)(void);

	assert_non_null(driver);
	*(void **)&calls = dlsym(driver, "fake_nvml_power_calls");
	assert_non_null(calls);

	unsigned n = calls();

	(void)dlclose(driver);
	return n;
}

/* Reads until two samples in a row have readings that began after this call; at most eight devices are awake. */
static void read_fresh(void)
{
	unsigned enough = power_calls() + 4 * 8;

	wait_until((read_next(), power_calls() >= enough));
	read_next();
}

static const struct gpu_row *row_of(const char *host_id)
{
	size_t i = 0;

	while (i < f.sample.n_gpu && strcmp(f.sample.gpu[i].host_id, host_id) != 0)
		i++;
	if (i >= f.sample.n_gpu)
		fail_msg("there is no GPU %s", host_id);
	return &f.sample.gpu[i];
}

static const char two[] = "- count 2\n- driver 550.54.15\n- cuda 12040\n* name NVIDIA H100 80GB HBM3\n"
			  "0 uuid GPU-aaaa1111\n1 uuid GPU-bbbb2222\n0 pci 00000000:65:00.0\n1 pci 00000000:B3:00.0\n"
			  "* util 50\n* util_memory 10\n* memory_total 85899345920\n* memory_used 1073741824\n"
			  "* memory_reserved 4194304\n* temperature 40\n* power 300.5\n* limit 700\n* energy_rate 300\n"
			  "* clock_graphics 1980\n* clock_memory 2619\n* clock_video 1545\n* max_graphics 1980\n"
			  "* max_memory 2619\n* cores 16896\n* architecture 9\n* throttle 4\n* pcie_tx 1000000\n"
			  "* pcie_rx 5000000\n* ecc_corrected 5\n* ecc_uncorrected 0\n* fan 30\n* mig 0\n"
			  "* encoder 7\n* decoder 9\n";

static void none_is_zero(void **state)
{
	(void)state;
	fixture_open(&f, "bare-metal");         /* i915 is loaded, no device is bound to it */
	fixture_begin(&f, &collector_gpu);
	assert_near(f.sample.total.gpu_total_count, 0);
	assert_near(f.sample.total.gpu_total_utilization_gpus, 0);
	assert_near(f.sample.total.gpu_total_vram_used_bytes, 0);
	assert_near(f.sample.total.gpu_total_utilized, 0);
	assert_none(f.sample.total.process_gpu_utilization_gpus);
	fixture_close(&f);
}

static void an_unreadable_driver_is_missing_with_a_reason(void **state)
{
	(void)state;
	fixture_open(&f, "vm");                 /* NVIDIA's driver is here; captured machines have no library */
	assert_int_equal(fixture_start(&f, &collector_gpu), 0);
	wait_until(fixture_read(&f) == 0 && f.why.text[0]);
	assert_non_null(strstr(f.why.text, "NVIDIA GPUs are not read below --root"));
	assert_none(f.sample.total.gpu_total_utilization_gpus);
	assert_int_equal(fixture_read(&f), 0);
	assert_string_equal(f.why.text, "");    /* reported once */
	assert_none(f.sample.total.gpu_total_utilization_gpus);
	fixture_close(&f);
}

static void all_values_of_a_current_driver(void **state)
{
	const struct gpu_row *row;

	(void)state;
	open_machine(3, two);
	assert_int_equal(fixture_start(&f, &collector_gpu), 0);
	read_fresh();
	assert_int_equal(f.sample.n_gpu, 2);
	row = row_of("0");
	assert_string_equal(row->key, "GPU-aaaa1111");
	assert_string_equal(row->name, "NVIDIA H100 80GB HBM3");
	assert_string_equal(row->device_type, "GPU");
	assert_string_equal(row->vendor, "nvidia");
	assert_string_equal(row->pci_bus_id, "00000000:65:00.0");
	assert_string_equal(row->driver_version, "550.54.15");
	assert_string_equal(row->cuda_version, "12.4");
	assert_string_equal(row->architecture, "Hopper");
	assert_near(row->core_count, 16896);
	assert_near(row->mig_mode, 0);
	assert_near(row->counted_in_total, 1);
	assert_near(row->utilization_pct, 50);  /* without a buffer of samples: the driver's own last value */
	assert_none(row->utilization_peak_pct);
	assert_near(row->memory_utilization_pct, 10);
	assert_near(row->encoder_pct, 7);
	assert_near(row->decoder_pct, 9);
	assert_near(row->vram_total_bytes, 85899345920);
	assert_near(row->vram_used_bytes, 1073741824);
	assert_near(row->vram_reserved_bytes, 4194304);
	assert_near(row->vram_used_pct, 1.25);
	assert_near(row->temperature_celsius, 40);
	assert_near(row->power_watts, 300.5);
	assert_near(row->power_limit_watts, 700);
	assert_near(row->frequency_hertz, 1980e6);
	assert_near(row->memory_frequency_hertz, 2619e6);
	assert_near(row->video_frequency_hertz, 1545e6);
	assert_near(row->frequency_max_hertz, 1980e6);
	assert_near(row->memory_frequency_max_hertz, 2619e6);
	assert_near(row->throttled_power, 1);
	assert_near(row->throttled_thermal, 0);
	assert_near(row->throttled_other, 0);
	assert_near(row->fan_pct, 30);
	assert_near(row->suspended, 0);
	assert_near(row->processes, 0);
	/* Of a sample that has a reading, as the sample before it has. */
	wait_until((read_next(), !isnan(row_of("0")->ecc_corrected) && row_of("0")->energy_joules > 0));
	assert_near(row_of("0")->ecc_corrected, 0);
	/* The driver counts by the clock, as the reader does: both can be delayed in between. */
	wait_until((read_next(), fabs(row_of("0")->pcie_recv_bytes_per_second - 5e6) < 5e5 &&
				 fabs(row_of("0")->pcie_sent_bytes_per_second - 1e6) < 1e5));
	row = row_of("0");
	assert_none(row->job_visible);          /* nothing is tracked */
	assert_near(f.sample.total.gpu_total_count, 2);
	assert_near(f.sample.total.gpu_total_utilization_gpus, 1);
	assert_near(f.sample.total.gpu_total_utilized, 2);
	assert_near(f.sample.total.gpu_total_vram_used_bytes, 2 * 1073741824.0);
	assert_near(f.sample.total.gpu_total_power_watts, 601);

	/* Memory errors since the reading before; a counter that was reset gives no value. */
	char more[4096];

	(void)snprintf(more, sizeof more, "0 ecc_corrected 7\n%s", two);
	driver_says(more);
	double gained = NONE;

	wait_until((read_next(), (gained = row_of("0")->ecc_corrected) > 0));
	assert_near(gained, 2);
	fixture_close(&f);
}

static void older_drivers_report_less(void **state)
{
	(void)state;
	for (int level = 0; level < 3; level++) {
		open_machine(level, two);
		assert_int_equal(fixture_start(&f, &collector_gpu), 0);
		/* The oldest driver has no call that could be counted. */
		if (level == 0)
			read_next();
		else
			read_fresh();
		assert_int_equal(f.sample.n_gpu, 2);

		const struct gpu_row *row = row_of("1");

		assert_string_equal(row->key, level == 0 ? "nvidia-1" : "GPU-bbbb2222");
		assert_none(row->core_count);
		assert_none(row->vram_reserved_bytes);
		if (level == 0) {
			assert_none(row->utilization_pct);
			assert_none(row->vram_used_bytes);
			assert_none(row->processes);
			assert_none(f.sample.total.gpu_total_utilization_gpus);
		} else {
			assert_near(row->utilization_pct, 50);
			assert_near(row->vram_used_bytes, 1073741824 + 4194304);        /* includes reserved memory */
			assert_near(row->throttled_power, 1);
			assert_near(row->pcie_recv_bytes_per_second, 4999168);          /* whole KiB */
			assert_near(row->processes, 0);
		}
		assert_string_equal(row->architecture, level == 2 ? "Hopper" : "");
		fixture_close(&f);
	}
}

/* A driver's performance counters, which also count PCIe. */
static void counters_of_a_whole_device(void **state)
{
	char text[4096];

	(void)state;
	(void)snprintf(text, sizeof text, "%s* gpm 1\n* gpm.whole.1 77\n* gpm.whole.2 12.5\n* gpm.whole.3 3\n"
		       "* gpm.whole.5 60\n0 gpm.whole.10 40\n* gpm.whole.20 2\n* gpm.whole.21 5\n", two);
	open_machine(3, text);
	assert_int_equal(fixture_start(&f, &collector_gpu), 0);
	read_fresh();
	wait_until((read_next(), !isnan(row_of("0")->sm_active_pct)));
	assert_near(row_of("0")->utilization_pct, 50);  /* by the driver's samples */
	assert_near(row_of("0")->kernel_active_pct, 77);
	assert_near(row_of("0")->sm_active_pct, 12.5);
	assert_near(row_of("0")->sm_occupancy_pct, 3);
	assert_near(row_of("0")->tensor_active_pct, 60);
	assert_near(row_of("0")->memory_bandwidth_pct, 40);
	assert_none(row_of("1")->memory_bandwidth_pct); /* not supported: missing, not 0 */
	assert_near(row_of("0")->pcie_sent_bytes_per_second, 2 * 1048576.0);
	assert_near(row_of("0")->pcie_recv_bytes_per_second, 5 * 1048576.0);
	fixture_close(&f);
}

/* Found on an H200: a copy of 40 GiB was 3.7 GB by such counters. */
static void pcie_counters_of_32_bits_are_not_used(void **state)
{
	char text[4096];

	(void)state;
	(void)snprintf(text, sizeof text, "%s- pcie_32_bits 1\n", two);
	open_machine(3, text);
	assert_int_equal(fixture_start(&f, &collector_gpu), 0);
	read_fresh();
	assert_near(row_of("0")->pcie_recv_bytes_per_second, 4999168);          /* by the driver's samples of 20 ms */
	assert_none(row_of("0")->sm_active_pct);
	fixture_close(&f);
}

static void no_devices_and_eight_devices(void **state)
{
	char text[4096];

	(void)state;
	open_machine(3, "- count 0\n");
	assert_int_equal(fixture_start(&f, &collector_gpu), 0);
	read_next();
	assert_int_equal(f.sample.n_gpu, 0);
	assert_near(f.sample.total.gpu_total_utilization_gpus, 0);
	fixture_close(&f);

	(void)snprintf(text, sizeof text, "- count 8\n3 util 0\n%s", two);
	open_machine(3, text);
	f.setup.gpus = "0,3,00000000:B3";
	assert_int_equal(fixture_start(&f, &collector_gpu), 0);
	read_fresh();
	assert_int_equal(f.sample.n_gpu, 3);
	assert_near(f.sample.total.gpu_total_utilization_gpus, 1);
	assert_near(f.sample.total.gpu_total_utilized, 2);
	fixture_close(&f);
}

/* Whatever error a call returns, its value is missing and no other one is. */
static void every_error_of_every_call(void **state)
{
	static const struct { const char *call; size_t offset; } calls[] = {
		{ "util", offsetof(struct gpu_row, utilization_pct) },
		{ "memory_total", offsetof(struct gpu_row, vram_used_bytes) },
		{ "temperature", offsetof(struct gpu_row, temperature_celsius) },
		{ "power", offsetof(struct gpu_row, power_watts) },
		{ "energy_rate", offsetof(struct gpu_row, energy_joules) },
		{ "clock_graphics", offsetof(struct gpu_row, frequency_hertz) },
		{ "throttle", offsetof(struct gpu_row, throttled_power) },
		{ "ecc_corrected", offsetof(struct gpu_row, ecc_corrected) },
		{ "fan", offsetof(struct gpu_row, fan_pct) },
		{ "compute", offsetof(struct gpu_row, processes) },
	};
	static const int lost[] = { 1, 15 };

	(void)state;
	for (int code = 1; code <= 29; code++) {
		const size_t i = (size_t)code % countof(calls);
		char text[4096];
		double value;
		bool is_lost = code == lost[0] || code == lost[1];

		(void)snprintf(text, sizeof text, "0 error.%s %d\n%s", calls[i].call, code, two);
		open_machine(3, text);
		assert_int_equal(fixture_start(&f, &collector_gpu), 0);
		read_next();
		memcpy(&value, (const char *)row_of("0") + calls[i].offset, sizeof value);
		if (is_lost || strcmp(calls[i].call, "compute") != 0 || code != NVML_NOT_SUPPORTED)
			assert_none(value);
		assert_near(row_of("1")->temperature_celsius, 40);
		if (!is_lost)
			assert_string_equal(row_of("0")->name, "NVIDIA H100 80GB HBM3");
		fixture_close(&f);
	}
	for (int code = 1; code <= 29; code++) {
		char text[4096];

		(void)snprintf(text, sizeof text, "- error.init %d\n%s", code, two);
		open_machine(3, text);
		assert_int_equal(fixture_start(&f, &collector_gpu), 0);
		read_next();
		assert_int_equal(f.sample.n_gpu, 0);
		if (code == NVML_DRIVER_NOT_LOADED) {
			assert_string_equal(f.why.text, "");
			assert_near(f.sample.total.gpu_total_utilization_gpus, 0);
		} else {
			assert_non_null(strstr(f.why.text, "NVIDIA GPUs are not read: "));
			assert_none(f.sample.total.gpu_total_utilization_gpus);
		}
		fixture_close(&f);
	}
}

static void broken_libraries_are_refused(void **state)
{
	static const char *const libraries[] = { "libnvidia-ml-that-nobody-has.so.9", "/dev/null" };

	(void)state;
	for (size_t i = 0; i < countof(libraries); i++) {
		open_machine(3, two);
		f.source.nvml = libraries[i];
		assert_int_equal(fixture_start(&f, &collector_gpu), 0);
		read_next();
		assert_non_null(strstr(f.why.text, "NVIDIA GPUs are not read: "));
		assert_none(f.sample.total.gpu_total_utilization_gpus);
		fixture_close(&f);
	}
}

static void a_lost_device_goes_and_comes_back(void **state)
{
	char text[4096];

	(void)state;
	open_machine(3, two);
	assert_int_equal(fixture_start(&f, &collector_gpu), 0);
	read_fresh();
	(void)snprintf(text, sizeof text, "0 error.power 15\n0 error.by_index 15\n%s", two);
	driver_says(text);
	wait_until((read_next(), strstr(f.why.text, "GPU 0 (NVIDIA H100 80GB HBM3) was lost") != NULL));
	read_fresh();
	assert_none(row_of("0")->utilization_pct);
	assert_near(row_of("1")->utilization_pct, 50);
	driver_says(two);
	read_fresh();
	read_fresh();
	assert_near(row_of("0")->utilization_pct, 50);
	fixture_close(&f);
}

static void a_sleeping_device_is_not_woken(void **state)
{
	(void)state;
	open_machine(3, two);
	fixture_write(&f, "sys/bus/pci/drivers/nvidia/0000:65:00.0/power", "");
	fixture_write(&f, "sys/bus/pci/drivers/nvidia/0000:b3:00.0/power", "");
	fixture_write(&f, "sys/bus/pci/devices/0000:65:00.0/power/runtime_status", "suspended\n");
	fixture_write(&f, "sys/bus/pci/devices/0000:b3:00.0/power/runtime_status", "active\n");
	assert_int_equal(gpu_driver_devices(f.source.sys, "nvidia", NULL, 0), 2);
	assert_int_equal(fixture_start(&f, &collector_gpu), 0);
	read_fresh();
	assert_int_equal(f.sample.n_gpu, 2);
	assert_string_equal(row_of("0")->key, "0000:65:00.0");  /* even its name is not queried */
	assert_string_equal(row_of("0")->name, "");
	assert_near(row_of("0")->suspended, 1);
	assert_none(row_of("0")->vram_used_bytes);
	assert_near(row_of("1")->utilization_pct, 50);          /* found by its place */
	fixture_write(&f, "sys/bus/pci/devices/0000:65:00.0/power/runtime_status", "active\n");
	read_fresh();
	read_fresh();
	assert_string_equal(row_of("0")->key, "GPU-aaaa1111");
	assert_near(row_of("0")->suspended, 0);
	assert_near(row_of("0")->temperature_celsius, 40);
	fixture_close(&f);
}

static void a_driver_that_never_starts_is_given_up(void **state)
{
	char text[4096];

	(void)state;
	(void)snprintf(text, sizeof text, "- slow.init 3000\n%s", two);
	open_machine(3, text);
	fixture_begin(&f, &collector_gpu);
	assert_string_equal(f.why.text, "");
	assert_none(f.sample.total.gpu_total_utilization_gpus);
	f.now_ns += 60 * NS_PER_SECOND;
	assert_int_equal(fixture_read(&f), 0);
	assert_non_null(strstr(f.why.text, "the driver did not begin within"));
	assert_int_equal(fixture_read(&f), 0);
	assert_string_equal(f.why.text, "");
	fixture_close(&f);
	/* Its thread returns, and touches nothing. */
	pause_ms(3100);
}

/* ---- instances (MIG) ---------------------------------------------------------------------- */

static const char mig[] = "- count 1\n0 name NVIDIA H100\n0 uuid GPU-aaaa1111\n0 mig 1\n0 mig_max 7\n0 power 100\n"
			  "0 gpm 1\n0 gpm.3 37.5\n0 util 99\n"
			  "0:0 gi 3\n0:0 uuid MIG-0000\n0:0 name NVIDIA H100 MIG 3g.40gb\n0:0 memory_mib 40448\n"
			  "0:0 memory_total 42412802048\n0:0 memory_used 1000\n0:0 compute 11:600,12:400\n"
			  "0:2 gi 5\n0:2 uuid MIG-2222\n0:2 memory_total 42412802048\n0:2 memory_used 3000\n0:2 compute 13:3000\n";

static void instances_are_devices(void **state)
{
	(void)state;
	open_machine(3, mig);
	assert_int_equal(fixture_start(&f, &collector_gpu), 0);
	read_fresh();
	assert_int_equal(f.sample.n_gpu, 3);
	assert_near(row_of("0")->mig_mode, 1);
	assert_near(row_of("0")->counted_in_total, 0);
	assert_none(row_of("0")->utilization_pct);      /* undefined, whatever the driver reports */
	assert_near(row_of("0")->power_watts, 100);
	assert_string_equal(row_of("0:0")->device_type, "MIG");
	assert_string_equal(row_of("0:0")->name, "NVIDIA H100 MIG 3g.40gb");
	assert_string_equal(row_of("0:0")->parent, "GPU-aaaa1111");
	assert_string_equal(row_of("0:0")->key, "MIG-0000");
	assert_near(row_of("0:0")->utilization_pct, 37.5);
	assert_near(row_of("0:0")->processes, 2);
	assert_none(row_of("0:2")->utilization_pct);    /* its instance has no counters: missing, not 0 */
	assert_near(row_of("0:2")->vram_used_bytes, 3000);
	assert_near(f.sample.total.gpu_total_count, 2);
	assert_near(f.sample.total.gpu_total_vram_used_bytes, 4000);
	assert_near(f.sample.total.gpu_total_power_watts, 100);
	assert_near(f.sample.total.gpu_total_utilization_gpus, 0.375);
	fixture_close(&f);

	open_machine(2, mig);                           /* no GPM */
	assert_int_equal(fixture_start(&f, &collector_gpu), 0);
	read_fresh();
	assert_int_equal(f.sample.n_gpu, 3);
	assert_none(row_of("0:0")->utilization_pct);
	assert_none(f.sample.total.gpu_total_utilization_gpus);
	fixture_close(&f);
}

/* ---- samples of the driver ---------------------------------------------------------------- */

static void only_new_samples_are_averaged(void **state)
{
	static const struct nvml_sample at[] = {
		{ 0, { .u = 100 } }, { 100, { .u = 80 } }, { 200, { .u = 10 } }, { 300, { .u = 50 } },
		{ 400, { .u = 999 } },
	};
	unsigned long long newest = 0;
	double mean = NONE, peak = NONE;

	(void)state;
	assert_int_equal(nvidia_average(&mean, &peak, &newest, at, countof(at), NVML_VALUE_UNSIGNED, 100), 2);
	assert_near(mean, 30);
	assert_near(peak, 50);
	assert_int_equal(newest, 400);
	mean = NONE;
	assert_int_equal(nvidia_average(&mean, &peak, &newest, at, countof(at), NVML_VALUE_UNSIGNED, 400), 0);
	assert_none(mean);
	assert_int_equal(nvidia_average(&mean, &peak, &newest, at, countof(at), 77, 0), 0);
	assert_none(mean);
}

/* ---- use by processes --------------------------------------------------------------------- */

/* Members 1 and 2 run python3, 3 runs sh, which has no row; no other process is a member. */
static const char *members(const void *context, pid_t pid)
{
	(void)context;
	return pid == 1 || pid == 2 ? "python3" : pid == 3 ? "" : NULL;
}

static struct gpu_answer answer;
static const double all_visible[GPU_MAX] = { 1, 1, 1, 1 };

static void answer_with(size_t n)
{
	memset(&answer, 0, sizeof answer);
	answer.n = n;
	answer.pids_are_ours = true;
	sample_clear(&f.sample);
	f.sample.interval_seconds = 2;
	(void)sample_add_program(&f.sample, "python3");
	for (size_t i = 0; i < n; i++) {
		struct gpu_row *row = &answer.device[i].row;

		*row = *sample_add_gpu(&f.sample, "x");
		(void)snprintf(row->key, sizeof row->key, "GPU-%zu", i);
		row->counted_in_total = 1;
		row->utilization_pct = 60;
		row->vram_used_bytes = 5000;
		row->energy_joules = 10;
		answer.uses_known[i] = true;
	}
	f.sample.n_gpu = 0;
}

static void use(size_t device, pid_t pid, double percent, double bytes)
{
	answer.use[answer.n_uses++] = (struct gpu_use){ device, { pid, percent, 0, 0, bytes } };
}

static const struct totals *attribute(bool lists_all, bool again)
{
	static const struct gpu_membership tracked = { members, NULL };
	struct gpu_sums sums;

	gpu_sums_begin(&sums);
	gpu_attribute(&f.sample, &sums, &answer, lists_all, again, all_visible, &tracked);
	gpu_sums_end(&f.sample, &sums);
	return &f.sample.total;
}

static void a_tree_is_the_sum_of_its_processes(void **state)
{
	const struct totals *t;

	(void)state;
	answer_with(2);
	use(0, 1, 30, 1000);
	use(0, 3, 5, 200);
	use(0, 99, 25, 3000);                   /* another process shares the device */
	use(1, 1, 10, 100);
	t = attribute(true, false);
	assert_near(t->process_gpu_utilization_gpus, 0.45);
	assert_near(t->process_gpu_seconds, 0.9);
	assert_near(t->process_gpu_vram_bytes, 1300);
	assert_near(t->process_gpu_utilized, 2);
	assert_near(t->process_gpu_processes, 2);
	assert_string_equal(t->process_gpu_source, "pids");
	assert_near(f.sample.gpu[0].job_utilization_pct, 35);
	assert_near(f.sample.gpu[0].job_vram_bytes, 1200);
	assert_near(f.sample.gpu[0].job_processes, 2);
	assert_near(f.sample.gpu[0].processes, 3);
	assert_near(f.sample.gpu[1].job_processes, 1);
	assert_near(f.sample.program[0].gpu_utilization_gpus, 0.4);
	assert_near(f.sample.program[0].gpu_vram_bytes, 1100);
	assert_near(t->gpu_total_energy_joules, 20);
}

static void samples_are_not_counted_twice(void **state)
{
	(void)state;
	answer_with(1);
	assert_none(attribute(true, true)->gpu_total_energy_joules);
	assert_none(f.sample.gpu[0].energy_joules);
	assert_near(f.sample.gpu[0].utilization_pct, 60);
}

static void no_use_is_zero_and_unknown_use_is_missing(void **state)
{
	const struct totals *t;

	(void)state;
	answer_with(1);
	use(0, 99, 25, 3000);
	t = attribute(true, false);
	assert_near(t->process_gpu_utilization_gpus, 0);
	assert_near(t->process_gpu_vram_bytes, 0);
	assert_near(t->process_gpu_utilized, 0);

	answer_with(2);                         /* for one device the processes are unknown */
	answer.uses_known[1] = false;
	use(0, 1, 25, 3000);
	t = attribute(true, false);
	assert_none(t->process_gpu_utilization_gpus);
	assert_none(t->process_gpu_vram_bytes);
	assert_near(t->process_gpu_utilized, 1);
	assert_near(f.sample.gpu[0].job_utilization_pct, 25);

	answer_with(1);                         /* this process's memory is unknown */
	use(0, 1, 25, NONE);
	t = attribute(true, false);
	assert_near(t->process_gpu_utilization_gpus, 0.25);
	assert_none(t->process_gpu_vram_bytes);
}

static void instances_count_and_the_whole_device_does_not(void **state)
{
	const struct totals *t;

	(void)state;
	answer_with(3);
	answer.device[0].row.counted_in_total = 0;
	answer.device[1].is_part = answer.device[2].is_part = true;
	use(0, 1, NONE, 900);                   /* the whole lists the processes of its parts too */
	use(1, 1, NONE, 900);
	use(2, 99, NONE, 300);
	t = attribute(true, false);
	assert_near(t->process_gpu_vram_bytes, 900);
	assert_near(t->process_gpu_utilized, 1);
	assert_none(t->process_gpu_utilization_gpus);
	assert_near(t->process_gpu_processes, 1);
	assert_near(t->gpu_total_count, 2);
}

static void in_a_container_descriptors_identify_processes(void **state)
{
	const struct totals *t;
	bool held[2];
	const pid_t job[] = { 1, 4711 };

	(void)state;
	answer_with(2);
	answer.pids_are_ours = false;
	answer.held[1] = true;
	use(0, 1, 30, 1000);                    /* number 1 outside of the container is another process */
	t = attribute(true, false);
	assert_string_equal(t->process_gpu_source, "descriptors");
	assert_near(t->process_gpu_utilization_gpus, 0.6);
	assert_near(t->process_gpu_vram_bytes, 5000);
	assert_near(t->process_gpu_utilized, 1);
	assert_none(t->process_gpu_processes);
	assert_none(f.sample.gpu[0].processes);

	fixture_open(&f, "bare-metal");
	answer_with(2);
	(void)stpcpy(answer.device[0].node[0], "nvidia0");
	(void)stpcpy(answer.device[1].node[0], "nvidia1");
	fixture_write(&f, "proc/4711/fd/none", "");
	char path[128];
	(void)snprintf(path, sizeof path, "%s/proc/4711/fd/5", f.root);
	assert_int_equal(symlink("/dev/nvidia1", path), 0);
	gpu_find_holders(held, answer.device, 2, &f.source, job, 2);
	assert_false(held[0]);
	assert_true(held[1]);
	fixture_write(&f, "proc/self/ns/none", "");
	(void)snprintf(path, sizeof path, "%s/proc/self/ns/pid", f.root);
	assert_true(gpu_pids_are_ours(&f.source));
	assert_int_equal(symlink("pid:[4026532201]", path), 0);
	assert_false(gpu_pids_are_ours(&f.source));
	fixture_close(&f);
}

/* ---- the chosen devices -------------------------------------------------------------------- */

static struct gpu_device three[3];

static void make_three(void)
{
	memset(three, 0, sizeof three);
	for (size_t i = 0; i < countof(three); i++) {
		(void)snprintf(three[i].row.host_id, sizeof three[i].row.host_id, "%zu", i);
		(void)snprintf(three[i].row.key, sizeof three[i].row.key, "GPU-%zu234abcd", i);
		(void)snprintf(three[i].row.name, sizeof three[i].row.name, "NVIDIA L4");
		(void)snprintf(three[i].row.vendor, sizeof three[i].row.vendor, "nvidia");
		(void)snprintf(three[i].folder, sizeof three[i].folder, "0000:0%zu:00.0", i);
	}
}

static void a_list_means_devices(void **state)
{
	char names[32];

	(void)state;
	make_three();
	assert_true(gpu_selected("0,2", &three[2]));
	assert_false(gpu_selected("0,2", &three[1]));
	assert_true(gpu_selected("GPU-1234", &three[1]));
	assert_true(gpu_selected("gpu-1234ABCD", &three[1]));
	assert_true(gpu_selected("0000:02:00.0", &three[2]));
	assert_false(gpu_selected("GPU-", &three[1]));
	assert_int_equal(gpu_select_matched("0,7,GPU-1234,x", three, 3), 1 | 4);
	assert_int_equal(gpu_select_unmatched(names, sizeof names, "0,7,GPU-1234,x", 1 | 4), 2);
	assert_string_equal(names, "'7', 'x'");
	assert_int_equal(gpu_select_matched("0,1", three, 3), 3);
	assert_int_equal(gpu_select_unmatched(names, sizeof names, "0,1", 3), 0);
	assert_int_equal(gpu_select_matched("0", three, 0), 0);
	/* A text without room is cut, never written beyond its buffer. */
	assert_int_equal(gpu_select_unmatched(names, 5, "abc,defghi", 0), 1);
	(void)stpcpy(three[2].row.host_id, "1:0");      /* a part of 1 */
	assert_true(gpu_selected("1", &three[2]));
	assert_true(gpu_selected("1:0", &three[2]));
	assert_false(gpu_selected("1:0", &three[1]));
}

#define ENVIRONMENT(text) text, sizeof(text) - 1

static void matched(double ret[3], const char *environment, size_t n)
{
	struct gpu_visible v;

	gpu_visible_parse(&v, environment, n);
	(void)gpu_visible_match(ret, &v, three, 3);
}

static const char *by(const char *environment, size_t n)
{
	struct gpu_visible v;
	double seen[3];

	gpu_visible_parse(&v, environment, n);
	return gpu_visible_match(seen, &v, three, 3);
}

static void devices_shown_by_the_environment(void **state)
{
	double seen[3];

	(void)state;
	make_three();
	matched(seen, ENVIRONMENT("HOME=/\0XCUDA_VISIBLE_DEVICES=0\0"));
	assert_true(seen[0] > 0 && seen[1] > 0 && seen[2] > 0);
	matched(seen, ENVIRONMENT("HOME=/\0CUDA_VISIBLE_DEVICES=2,0\0X=1\0"));
	assert_true(seen[0] > 0 && seen[2] > 0);
	assert_near(seen[1], 0);
	matched(seen, ENVIRONMENT("CUDA_VISIBLE_DEVICES=\0"));
	assert_true(seen[0] <= 0 && seen[1] <= 0 && seen[2] <= 0);
	matched(seen, ENVIRONMENT("CUDA_VISIBLE_DEVICES=1,-1,2\0"));    /* the list ends at an invalid entry */
	assert_true(seen[0] <= 0 && seen[1] > 0 && seen[2] <= 0);
	matched(seen, ENVIRONMENT("CUDA_VISIBLE_DEVICES=GPU-2234\0"));
	assert_true(seen[0] <= 0 && seen[1] <= 0 && seen[2] > 0);
	matched(seen, ENVIRONMENT("CUDA_VISIBLE_DEVICES=1"));           /* cut: the text can go on */
	assert_true(seen[0] > 0 && seen[1] > 0);
	/* The order by speed is unknown. */
	(void)stpcpy(three[1].row.name, "NVIDIA T4");
	matched(seen, ENVIRONMENT("CUDA_VISIBLE_DEVICES=1\0"));
	assert_none(seen[1]);
	matched(seen, ENVIRONMENT("CUDA_DEVICE_ORDER=PCI_BUS_ID\0CUDA_VISIBLE_DEVICES=1\0"));
	assert_near(seen[0], 0);
	assert_near(seen[1], 1);
	assert_string_equal(by(ENVIRONMENT("CUDA_VISIBLE_DEVICES=1\0ROCR_VISIBLE_DEVICES=0\0")), "CUDA_VISIBLE_DEVICES");
	assert_null(by(ENVIRONMENT("ROCR_VISIBLE_DEVICES=0\0")));
}

/* One kernel driver serves cards of several vendors: a variable is about those of its own vendor. */
static void a_variable_is_about_its_vendor(void **state)
{
	static const char environment[] = "CUDA_VISIBLE_DEVICES=1\0ROCR_VISIBLE_DEVICES=0\0HIP_VISIBLE_DEVICES=2\0";
	double seen[3];

	(void)state;
	make_three();
	for (size_t i = 0; i < 3; i++)
		(void)stpcpy(three[i].row.vendor, "amd");
	assert_string_equal(by(ENVIRONMENT(environment)), "ROCR_VISIBLE_DEVICES");
	matched(seen, ENVIRONMENT(environment));
	assert_true(seen[0] > 0 && seen[1] <= 0 && seen[2] <= 0);
	matched(seen, ENVIRONMENT("CUDA_VISIBLE_DEVICES=1\0"));
	assert_true(seen[0] <= 0 && seen[1] > 0 && seen[2] <= 0);
	(void)stpcpy(three[2].row.vendor, "intel");
	matched(seen, ENVIRONMENT("ROCR_VISIBLE_DEVICES=0\0"));        /* AMD's first is unknown beside others */
	assert_none(seen[0]);
	assert_none(seen[1]);
	assert_near(seen[2], 1);
	for (size_t i = 0; i < 3; i++)
		(void)stpcpy(three[i].row.vendor, "intel");
	assert_null(by(ENVIRONMENT(environment)));
	matched(seen, ENVIRONMENT(environment));
	assert_true(seen[0] > 0 && seen[1] > 0 && seen[2] > 0);
}

/* ---- lists of processes --------------------------------------------------------------------- */

/* One backend, without its thread: the pids of this test need not exist. */
static struct nvidia driver;
static struct gpu_device devices[GPU_MAX];
static struct gpu_process processes[GPU_PROCESSES_MAX];

static int list_processes(size_t device)
{
	struct gpu_row row = devices[device].row;
	struct timespec t = { 0 };

	(void)clock_gettime(CLOCK_REALTIME, &t);

	struct gpu_moment now = { .wall_ns = t.tv_sec * NS_PER_SECOND + t.tv_nsec };

	assert_int_equal(gpu_nvidia.read(&driver, device, &now, &row), 0);
	return gpu_nvidia.processes(&driver, device, &now, processes, GPU_PROCESSES_MAX);
}

static void open_driver(int level, const char *text)
{
	struct why why = { "" };

	open_machine(level, text);
	memset(&driver, 0, sizeof driver);
	if (gpu_nvidia.open(&driver, &f.source, &why) < 0)
		fail_msg("%s", why.text);
	assert_true(gpu_nvidia.list(&driver, devices, GPU_MAX) > 0);
}

static void close_driver(void)
{
	gpu_nvidia.close(&driver);
	fixture_close(&f);
}

static void each_process_counts_once(void **state)
{
	(void)state;
	for (int level = 1; level <= 3; level++)
		for (int wide = 0; wide < 2; wide++) {
			char text[1024];

			(void)snprintf(text, sizeof text, "- count 1\n%s0 util 1\n"
				       "0 compute 10:1000,20:300,30:unknown,40:7\n0 graphics 20:300,50:8\n0 mps 10:1000,60:9\n"
				       "0 use 10:40:1:2@50,20:5:0:0@50,77:90:0:0@50\n",
				       wide ? "- long_entries 1\n" : "");
			open_driver(level, text);
			assert_int_equal(list_processes(0), level == 3 ? 6 : 5);
			assert_int_equal(processes[0].pid, 10);
			assert_near(processes[0].vram_bytes, 1000);
			assert_near(processes[0].utilization_pct, 40);
			assert_near(processes[0].encoder_pct, 1);
			assert_near(processes[0].decoder_pct, 2);
			assert_int_equal(processes[1].pid, 20);
			assert_near(processes[1].vram_bytes, 300);
			assert_none(processes[2].vram_bytes);
			assert_near(processes[2].utilization_pct, 0);   /* listed, without activity */
			assert_int_equal(processes[4].pid, 50);
			close_driver();
		}
}

/* The Rust tracker asks with lastSeen 0, so that old use, even of ended processes, counts for ever. */
static void old_use_does_not_count(void **state)
{
	(void)state;
	open_driver(3, "- count 1\n0 util 1\n0 compute 10:1000,20:1\n0 use 10:40:0:0@60000,20:30:0:0@100,20:99:0:0@200\n");
	assert_int_equal(list_processes(0), 2);
	assert_near(processes[0].utilization_pct, 0);
	assert_near(processes[1].utilization_pct, 30);  /* the newest */
	close_driver();
}

static void garbage_and_empty_lists(void **state)
{
	(void)state;
	open_driver(3, "- count 1\n0 util 1\n0 compute 10:1000\n0 use 10:4000:0:0@10\n");
	assert_int_equal(list_processes(0), 1);
	assert_near(processes[0].utilization_pct, 0);
	close_driver();
	open_driver(0, "- count 1\n0 compute 10:1000\n");
	assert_int_equal(list_processes(0), -EOPNOTSUPP);
	close_driver();
	open_driver(3, "- count 1\n0 util 1\n0 compute 10:1000\n0 error.graphics 999\n");
	assert_true(list_processes(0) < 0);             /* an incomplete list is not used */
	close_driver();
}

/* The driver attributes each of its looks to one process; one that is alone needs no attribution. */
static void a_process_that_is_alone_has_the_use_of_the_device(void **state)
{
	(void)state;
	open_driver(3, "- count 1\n0 util 70\n0 encoder 7\n0 decoder 9\n0 compute 10:1000\n0 use 10:40:1:2@50\n");
	assert_int_equal(list_processes(0), 1);
	assert_near(processes[0].utilization_pct, 40);  /* another can have had it before */
	assert_int_equal(list_processes(0), 1);
	assert_near(processes[0].utilization_pct, 70);
	assert_near(processes[0].encoder_pct, 7);
	assert_near(processes[0].decoder_pct, 9);
	driver_says("- count 1\n0 util 70\n0 compute 10:1000,20:1\n0 use 10:40:1:2@50,20:30:0:0@50\n");
	wait_until(list_processes(0) == 2);
	assert_near(processes[0].utilization_pct, 40);
	driver_says("- count 1\n0 util 70\n0 compute 20:1\n0 use 20:30:0:0@50\n");
	wait_until(list_processes(0) == 1);
	assert_near(processes[0].utilization_pct, 30);
	close_driver();
}

/* ---- between the reader and its caller ----------------------------------------------------- */

static struct gpu_answer sent, received;
static struct gpu_status sent_status, received_status;

/* The answer is sent byte by byte; the rows are read once their number is known, as in reader.c. */
static int send_in_pieces(size_t most)
{
	struct gpu_status *s = &received_status;
	struct gpu_answer *a = &received;
	struct iovec parts[GPU_PARTS];
	char bytes[sizeof sent_status + sizeof sent];
	size_t n = gpu_reply_parts(parts, &sent_status, &sent, true), all = 0, done = 0;
	int ends[2], r = 0;

	for (size_t i = 0; i < n; i++) {
		size_t some = size_min(parts[i].iov_len, most - all);

		memcpy(bytes + all, parts[i].iov_base, some);
		all += some;
	}
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
	for (size_t i = 0; i < all && r == 0; i++) {
		assert_int_equal(write(ends[1], bytes + i, 1), 1);
		r = gpu_receive(ends[0], parts, gpu_reply_parts(parts, s, a, false), &done, MSG_DONTWAIT);
		if (r > 0 && !gpu_reply_counts_fit(s, a))
			r = -EPROTO;
		if (r > 0)
			r = gpu_receive(ends[0], parts, gpu_reply_parts(parts, s, a, true), &done, MSG_DONTWAIT);
		assert_true(r <= 0 || i == all - 1);
	}
	close_p(&ends[1]);
	if (r == 0)
		r = gpu_receive(ends[0], parts, GPU_PARTS, &done, MSG_DONTWAIT);
	close_p(&ends[0]);
	return r;
}

static void fill_reply(size_t n, size_t n_uses)
{
	memset(&sent, 0, sizeof sent);
	sent_status = (struct gpu_status){ .state = GPU_READING, .answered = 1, .devices = 3 };
	sent.n = n;
	sent.n_uses = n_uses;
	for (size_t i = 0; i < size_min(n, GPU_MAX); i++)
		(void)snprintf(sent.device[i].row.key, sizeof sent.device[i].row.key, "key %zu", i);
	for (size_t i = 0; i < size_min(n_uses, GPU_PROCESSES_MAX); i++)
		sent.use[i] = (struct gpu_use){ i % n, { .pid = (pid_t)i } };
}

static void a_reply_in_pieces_is_complete_with_its_last(void **state)
{
	(void)state;
	fill_reply(2, 3);
	assert_int_equal(send_in_pieces(SIZE_MAX), 1);
	assert_true(gpu_reply_check(&received_status, &received));
	assert_string_equal(received.device[1].row.key, "key 1");
	assert_int_equal(received.use[2].process.pid, 2);
	assert_int_equal(received_status.devices, 3);
	assert_int_equal(send_in_pieces(sizeof sent_status + 700), -EPIPE);    /* the sender ends */
	sent_status.answered = 0;
	assert_int_equal(send_in_pieces(SIZE_MAX), 1);                          /* a status alone */
}

static void an_impossible_reply_is_refused(void **state)
{
	(void)state;
	fill_reply(GPU_MAX, 0);
	sent.n = GPU_MAX + 1;
	assert_int_equal(send_in_pieces(sizeof sent_status + offsetof(struct gpu_answer, device)), -EPROTO);
	fill_reply(1, 0);
	sent.n_uses = GPU_PROCESSES_MAX + 1;
	assert_int_equal(send_in_pieces(sizeof sent_status + offsetof(struct gpu_answer, device)), -EPROTO);
	fill_reply(2, 2);
	sent.use[1].device = 2;
	assert_false(gpu_reply_check(&sent_status, &sent));
	fill_reply(2, 2);
	memset(sent.device[1].row.name, 'x', sizeof sent.device[1].row.name);
	memset(sent.device[1].node, 'x', sizeof sent.device[1].node);
	memset(&sent.held[1], 7, 1);
	assert_true(gpu_reply_check(&sent_status, &sent));
	assert_int_equal(strlen(sent.device[1].row.name), sizeof sent.device[1].row.name - 1);
	assert_int_equal(strlen(sent.device[1].node[0]), GPU_NODE_SIZE - 1);
	assert_true(sent.held[1] == true);
	sent_status.state = GPU_FAILED + 1;
	assert_false(gpu_reply_check(&sent_status, &sent));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(none_is_zero),
		cmocka_unit_test(an_unreadable_driver_is_missing_with_a_reason),
		cmocka_unit_test(all_values_of_a_current_driver),
		cmocka_unit_test(older_drivers_report_less),
		cmocka_unit_test(counters_of_a_whole_device),
		cmocka_unit_test(pcie_counters_of_32_bits_are_not_used),
		cmocka_unit_test(no_devices_and_eight_devices),
		cmocka_unit_test(every_error_of_every_call),
		cmocka_unit_test(broken_libraries_are_refused),
		cmocka_unit_test(a_lost_device_goes_and_comes_back),
		cmocka_unit_test(a_sleeping_device_is_not_woken),
		cmocka_unit_test(a_driver_that_never_starts_is_given_up),
		cmocka_unit_test(instances_are_devices),
		cmocka_unit_test(only_new_samples_are_averaged),
		cmocka_unit_test(a_tree_is_the_sum_of_its_processes),
		cmocka_unit_test(samples_are_not_counted_twice),
		cmocka_unit_test(no_use_is_zero_and_unknown_use_is_missing),
		cmocka_unit_test(instances_count_and_the_whole_device_does_not),
		cmocka_unit_test(in_a_container_descriptors_identify_processes),
		cmocka_unit_test(a_list_means_devices),
		cmocka_unit_test(devices_shown_by_the_environment),
		cmocka_unit_test(a_variable_is_about_its_vendor),
		cmocka_unit_test(each_process_counts_once),
		cmocka_unit_test(old_use_does_not_count),
		cmocka_unit_test(garbage_and_empty_lists),
		cmocka_unit_test(a_process_that_is_alone_has_the_use_of_the_device),
		cmocka_unit_test(a_reply_in_pieces_is_complete_with_its_last),
		cmocka_unit_test(an_impossible_reply_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
