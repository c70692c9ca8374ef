/*
 * gpu.c - a reading of 8 GPUs beside the bare calls of NVIDIA's library, with a fake driver.
 *
 *   bench_gpu --library FILE --what calls        the calls of a reading, and nothing else
 *   bench_gpu --library FILE --what reading      the backend's reading, and its rows and sums in a sample
 *     --samples N --warm N --hz H --phase-ms MS
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gpu/gpu_attribution.h"
#include "gpu/nvidia_device.h"
#include "measure.h"

static struct nvidia driver;
static struct gpu_device devices[GPU_MAX];
static struct gpu_answer answer;
static struct sample sample;
static struct source source;
static int n_devices;

static int64_t clock_ns(clockid_t clock)
{
	struct timespec t = { 0 };

	(void)clock_gettime(clock, &t);
	return t.tv_sec * NS_PER_SECOND + t.tv_nsec;
}

static void bare_device(nvml_device d)
{
	static char list[GPU_PROCESSES_MAX * sizeof(struct nvml_process_v3)];
	static struct nvml_process_utilization uses[GPU_PROCESSES_MAX];
	static struct nvml_sample looks[NVIDIA_SAMPLES];
	const struct nvml *n = &driver.nvml;
	struct nvml_memory_v2 memory = { .version = sizeof memory | 2U << 24 };
	struct nvml_field fields[] = { { .id = NVML_FIELD_PCIE_TX_BYTES }, { .id = NVML_FIELD_PCIE_RX_BYTES } };
	nvml_return (*const lists[])(nvml_device, unsigned *, void *) = { n->compute, n->graphics, n->mps };
	unsigned long long since_us = (unsigned long long)clock_ns(CLOCK_REALTIME) / 1000 - 1000000, wide;
	struct nvml_utilization use;
	unsigned value, period;
	int type;

	(void)n->memory_v2(d, &memory);
	(void)n->utilization(d, &use);
	value = NVIDIA_SAMPLES;
	(void)n->samples(d, NVML_SAMPLES_GPU, since_us, &type, &value, looks);
	(void)n->encoder(d, &value, &period);
	(void)n->decoder(d, &value, &period);
	(void)n->temperature(d, NVML_TEMPERATURE_GPU, &value);
	(void)n->power(d, &value);
	(void)n->power_limit(d, &value);
	(void)n->energy(d, &wide);
	(void)n->fan(d, &value);
	(void)n->throttle(d, &wide);
	(void)n->clock(d, NVML_CLOCK_GRAPHICS, &value);
	(void)n->clock(d, NVML_CLOCK_MEMORY, &value);
	(void)n->clock(d, NVML_CLOCK_VIDEO, &value);
	(void)n->ecc(d, NVML_ECC_CORRECTED, NVML_ECC_VOLATILE, &wide);
	(void)n->ecc(d, NVML_ECC_UNCORRECTED, NVML_ECC_VOLATILE, &wide);
	(void)n->fields(d, countof(fields), fields);
	for (size_t i = 0; i < countof(lists); i++) {
		unsigned count = GPU_PROCESSES_MAX;

		(void)lists[i](d, &count, list);
	}
	value = GPU_PROCESSES_MAX;
	(void)n->process_utilization(d, uses, &value, since_us);
}

static void calls(void *context)
{
	(void)context;
	for (int i = 0; i < n_devices; i++)
		bare_device(driver.at[i].handle);
}

/* Every process belongs to the tree. */
static const char *every_process(const void *context, pid_t pid)
{
	(void)context;
	(void)pid;
	return "";
}

static void reading(void *context)
{
	static const struct gpu_membership members = { every_process, NULL };
	static const double visible[GPU_MAX];
	struct gpu_moment now = { .now_ns = clock_ns(CLOCK_MONOTONIC), .wall_ns = clock_ns(CLOCK_REALTIME) };
	struct gpu_sums sums;

	(void)context;
	answer.n = (size_t)n_devices;
	answer.n_uses = 0;
	answer.pids_are_ours = true;
	for (int i = 0; i < n_devices; i++) {
		static struct gpu_process users[GPU_PROCESSES_MAX];
		int n;

		answer.device[i] = devices[i];
		(void)gpu_nvidia.read(&driver, (size_t)i, &now, &answer.device[i].row);
		n = gpu_nvidia.processes(&driver, (size_t)i, &now, users, GPU_PROCESSES_MAX);
		answer.uses_known[i] = n >= 0;
		for (int k = 0; k < n; k++)
			answer.use[answer.n_uses++] = (struct gpu_use){ (size_t)i, users[k] };
	}
	sample_clear(&sample);
	gpu_sums_begin(&sums);
	gpu_attribute(&sample, &sums, &answer, true, false, visible, &members);
	gpu_sums_end(&sample, &sums);
}

/* Writes the text of the fake driver: a busy machine with eight GPUs. */
static void write_driver(const char *path)
{
	FILE *file = fopen(path, "we");

	if (!file)
		measure_fail("cannot write", path);
	(void)fputs("- count 8\n* name NVIDIA H100\n* util 50\n* util_memory 10\n* samples 10,90\n"
		    "* encoder 0\n* decoder 0\n* memory_total 85899345920\n* memory_used 1073741824\n* temperature 40\n"
		    "* power 300\n* limit 700\n* energy_rate 300\n* clock_graphics 1980\n* clock_memory 2619\n"
		    "* clock_video 1545\n* throttle 4\n* pcie_tx 1000000\n* pcie_rx 5000000\n* ecc_corrected 0\n"
		    "* ecc_uncorrected 0\n* fan 30\n* mig 0\n* compute 10:1000,20:300\n* use 10:40:0:0@50,20:5:0:0@50\n", file);
	(void)fclose(file);
	(void)setenv("FAKE_NVML", path, 1);
}

int main(int argc, char **argv)
{
	char path[] = "/tmp/rt-bench-gpu-XXXXXX";
	const char *what = measure_option(argc, argv, "--what", "reading");
	struct measure m = { .call = strcmp(what, "calls") == 0 ? calls : reading };
	int fd = mkstemp(path);

	m.samples = measure_number(argc, argv, "--samples", 400);
	m.warm = measure_number(argc, argv, "--warm", 20);
	m.hz = (double)measure_number(argc, argv, "--hz", 0);
	m.phase_seconds = (double)measure_number(argc, argv, "--phase-ms", 0) / 1000;
	if (fd < 0 || source_open(&source, "/", NULL) < 0)
		measure_fail("cannot begin", strerror(errno));
	close_p(&fd);
	write_driver(path);
	source.nvml = measure_option(argc, argv, "--library", "libnvidia-ml.so.1");
	if (gpu_nvidia.open(&driver, &source, NULL) < 0)
		measure_fail("there is no library", source.nvml);
	n_devices = gpu_nvidia.list(&driver, devices, GPU_MAX);
	measure_run(&m);
	gpu_nvidia.close(&driver);
	source_close(&source);
	(void)unlink(path);
	return 0;
}
