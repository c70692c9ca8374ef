/*
 * fake_nvml.c - a libnvidia-ml.so.1 without a GPU, with answers from the text file named by FAKE_NVML.
 *
 * The file is read anew whenever it changes.  A line is DEVICE KEY VALUE; DEVICE is a number, "0:1" for an instance
 * (MIG), "*" for all wholes, "-" for the driver.  A key that no line has makes its call NOT_SUPPORTED.
 *
 *     - count 8            - driver 550.54.15          - cuda 12040           - long_entries 1
 *     0 name NVIDIA H100   0 uuid GPU-...              0 util 50              0 samples 10,90   (by turns, each 100 ms)
 *     0 compute PID:BYTES,PID:BYTES      graphics, mps the same; BYTES may be "unknown"
 *     0 use PID:SM:ENCODER:DECODER@AGE_MS,...          samples of processes, and their age
 *     0 mig 1   0:1 gi 3   0 gpm.3 37.5                0 energy_rate 100 (watts: the counter runs)
 *     0 gpm 1   0 gpm.whole.2 12.5 (by the number of the metric)              - pcie_32_bits 1
 *     0 error.power 15     - error.init 999            0 slow.util 200 (milliseconds)
 *     - modprobe COMMAND   run when the library starts, as the real one runs nvidia-modprobe
 *     - crash.init 1       0 crash.util 1            ends by SIGSEGV
 *     - burn.init 200      uses so many milliseconds of CPU time
 *     - litter 1           prints at its start, starts a thread, and leaves a process behind
 *
 * FAKE_LEVEL (at its build) is the age of the driver: 3 has all names, 2 is one of 2020 (450), 1 one before
 * instances, 0 has only the names of every version.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "gpu/nvml.h"

#define EXPORT __attribute__((visibility("default")))

enum { LINES = 512, DEVICES = 64, PARTS = 8 };

struct line { char device[8], key[32], value[512]; };
struct nvml_device_st { char name[8]; };
struct nvml_gpm_sample { int64_t taken_ns; };

static struct line lines[LINES];
static size_t n_lines;
static struct timespec changed;
static ino_t changed_file;                      /* two files can be made within a tick of the clock */
static struct nvml_device_st devices[DEVICES], parts[DEVICES][PARTS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void read_lines(void)
{
	const char *path = getenv("FAKE_NVML");
	struct stat status;
	FILE *file;

	if (!path || stat(path, &status) < 0 ||
	    (status.st_ino == changed_file && memcmp(&status.st_mtim, &changed, sizeof changed) == 0))
		return;
	changed = status.st_mtim;
	changed_file = status.st_ino;
	n_lines = 0;
	file = fopen(path, "re");
	for (char text[600]; file && n_lines < LINES && fgets(text, sizeof text, file);) {
		struct line *l = &lines[n_lines];
		char *key = strchr(text, ' '), *value = key ? strchr(key + 1, ' ') : NULL;

		if (!value)
			continue;
		*key++ = *value++ = '\0';
		value[strcspn(value, "\n")] = '\0';
		(void)snprintf(l->device, sizeof l->device, "%.7s", text);
		(void)snprintf(l->key, sizeof l->key, "%.31s", key);
		(void)snprintf(l->value, sizeof l->value, "%.511s", value);
		n_lines++;
	}
	if (file)
		(void)fclose(file);
}

static const char *find(const char *device, const char *key)
{
	for (size_t i = 0; i < n_lines; i++)
		if (strcmp(lines[i].device, device) == 0 && strcmp(lines[i].key, key) == 0)
			return lines[i].value;
	return NULL;
}

/* Copied out under the lock: the file can be read anew meanwhile. */
static int text_of(char *ret, size_t size, const char *device, const char *key)
{
	const char *value;

	(void)pthread_mutex_lock(&lock);
	read_lines();
	value = find(device, key);
	if (!value && device[0] != '-' && !strchr(device, ':'))
		value = find("*", key);
	(void)snprintf(ret, size, "%s", value ? value : "");
	(void)pthread_mutex_unlock(&lock);
	return value != NULL;
}

static double number_of(const char *device, const char *key, double otherwise)
{
	char text[512];

	return text_of(text, sizeof text, device, key) ? strtod(text, NULL) : otherwise;
}

static int64_t clock_us(clockid_t id)
{
	struct timespec t;

	(void)clock_gettime(id, &t);
	return t.tv_sec * INT64_C(1000000) + t.tv_nsec / 1000;
}

/* The begin of every call: be slow, and fail, as the file demands. */
static nvml_return begin(const char *device, const char *call)
{
	int64_t began_us = clock_us(CLOCK_THREAD_CPUTIME_ID);
	char key[40];
	double ms;

	(void)snprintf(key, sizeof key, "burn.%s", call);
	ms = number_of(device, key, 0);
	while ((double)(clock_us(CLOCK_THREAD_CPUTIME_ID) - began_us) < ms * 1000)
		;
	(void)snprintf(key, sizeof key, "crash.%s", call);
	if (number_of(device, key, 0) > 0) {
		(void)signal(SIGSEGV, SIG_DFL); /* a sanitizer installs its own */
		(void)raise(SIGSEGV);
	}
	(void)snprintf(key, sizeof key, "slow.%s", call);
	ms = number_of(device, key, 0);
	if (ms > 0)
		(void)nanosleep(&(struct timespec){ (time_t)(ms / 1000), (long)(ms * 1e6) % 1000000000 }, NULL);
	(void)snprintf(key, sizeof key, "error.%s", call);
	return (nvml_return)number_of(device, key, NVML_SUCCESS);
}

static nvml_return number_into(nvml_device d, const char *key, double scale, double *ret)
{
	nvml_return r = begin(d->name, key);
	char text[512];

	if (r != NVML_SUCCESS)
		return r;
	if (!text_of(text, sizeof text, d->name, key))
		return NVML_NOT_SUPPORTED;
	*ret = strtod(text, NULL) * scale;
	return NVML_SUCCESS;
}

static nvml_return unsigned_into(nvml_device d, const char *key, double scale, unsigned *ret)
{
	double value;
	nvml_return r = number_into(d, key, scale, &value);

	if (r == NVML_SUCCESS)
		*ret = (unsigned)value;
	return r;
}

static nvml_return long_into(nvml_device d, const char *key, double scale, unsigned long long *ret)
{
	double value;
	nvml_return r = number_into(d, key, scale, &value);

	if (r == NVML_SUCCESS)
		*ret = (unsigned long long)value;
	return r;
}

static nvml_return text_into(nvml_device d, const char *key, char *ret, unsigned size)
{
	nvml_return r = begin(d->name, key);

	if (r == NVML_SUCCESS && !text_of(ret, size, d->name, key))
		return NVML_NOT_SUPPORTED;
	return r;
}

/* ---- the driver and its devices ------------------------------------------------------------ */

static nvml_return modprobe(void)
{
	char text[512];

	if (!text_of(text, sizeof text, "-", "modprobe"))
		return NVML_SUCCESS;

	pid_t pid = fork();

	if (pid == 0) {
		(void)execl("/bin/sh", "sh", "-c", text, (char *)NULL);
		_exit(127);
	}
	/* Long enough for another thread to reap it. */
	(void)nanosleep(&(struct timespec){ .tv_nsec = 200 * 1000 * 1000 }, NULL);
	return waitpid(pid, NULL, 0) == pid ? NVML_SUCCESS : NVML_DRIVER_NOT_LOADED;
}

static void *sleep_long(void *context)
{
	(void)sleep(3600);
	return context;
}

static void litter(void)
{
	pthread_t thread;

	if (number_of("-", "litter", 0) <= 0)
		return;
	(void)printf("printed by the library\n");
	(void)fflush(stdout);
	(void)fprintf(stderr, "printed by the library\n");
	(void)pthread_create(&thread, NULL, sleep_long, NULL);
	if (fork() == 0) {
		(void)execlp("sleep", "libhelper", "3600", (char *)NULL);
		_exit(127);
	}
}

static nvml_return init(void)
{
	nvml_return probed = modprobe();

	litter();

	if (probed != NVML_SUCCESS)
		return probed;
	(void)pthread_mutex_lock(&lock);
	for (unsigned i = 0; i < DEVICES; i++) {
		(void)snprintf(devices[i].name, sizeof devices[i].name, "%u", i % 100);
		for (unsigned k = 0; k < PARTS; k++)
			(void)snprintf(parts[i][k].name, sizeof parts[i][k].name, "%u:%u", i % 100, k % 10);
	}
	(void)pthread_mutex_unlock(&lock);
	return begin("-", "init");
}

static nvml_return count(unsigned *ret)
{
	*ret = (unsigned)number_of("-", "count", 0);
	return begin("-", "count");
}

static nvml_return by_index(unsigned i, nvml_device *ret)
{
	if (i >= DEVICES)
		return 2;
	*ret = &devices[i];
	return begin(devices[i].name, "by_index");
}

EXPORT nvml_return nvmlInit(void);
EXPORT nvml_return nvmlInit(void) { return init(); }
EXPORT nvml_return nvmlDeviceGetCount(unsigned *ret);
EXPORT nvml_return nvmlDeviceGetCount(unsigned *ret) { return count(ret); }
EXPORT nvml_return nvmlDeviceGetHandleByIndex(unsigned i, nvml_device *ret);
EXPORT nvml_return nvmlDeviceGetHandleByIndex(unsigned i, nvml_device *ret) { return by_index(i, ret); }

/* A function of the library: declared, exported, defined. */
#define NVML(name, ...) \
	EXPORT nvml_return name(__VA_ARGS__); \
	EXPORT nvml_return name(__VA_ARGS__)

#if FAKE_LEVEL > 0

NVML(nvmlInit_v2, void) { return init(); }
NVML(nvmlShutdown, void) { return begin("-", "shutdown"); }
NVML(nvmlDeviceGetCount_v2, unsigned *ret) { return count(ret); }
NVML(nvmlDeviceGetHandleByIndex_v2, unsigned i, nvml_device *ret) { return by_index(i, ret); }

NVML(nvmlDeviceGetHandleByPciBusId_v2, const char *id, nvml_device *ret)
{
	char text[64];

	for (unsigned i = 0; i < DEVICES; i++)
		if (text_of(text, sizeof text, devices[i].name, "pci") && strcasestr(text, id)) {
			*ret = &devices[i];
			return begin(devices[i].name, "by_pci");
		}
	return NVML_NOT_FOUND;
}

NVML(nvmlSystemGetDriverVersion, char *ret, unsigned size)
{
	return text_of(ret, size, "-", "driver") ? NVML_SUCCESS : NVML_NOT_SUPPORTED;
}

NVML(nvmlSystemGetCudaDriverVersion, int *ret)
{
	*ret = (int)number_of("-", "cuda", 0);
	return NVML_SUCCESS;
}

NVML(nvmlDeviceGetName, nvml_device d, char *ret, unsigned size) { return text_into(d, "name", ret, size); }
NVML(nvmlDeviceGetUUID, nvml_device d, char *ret, unsigned size) { return text_into(d, "uuid", ret, size); }
NVML(nvmlDeviceGetMinorNumber, nvml_device d, unsigned *ret) { return unsigned_into(d, "minor", 1, ret); }

static atomic_uint power_calls;

/* How often the power of a device was read: once in a reading. */
EXPORT unsigned fake_nvml_power_calls(void);
EXPORT unsigned fake_nvml_power_calls(void) { return power_calls; }

NVML(nvmlDeviceGetPowerUsage, nvml_device d, unsigned *ret)
{
	power_calls++;
	return unsigned_into(d, "power", 1000, ret);
}

NVML(nvmlDeviceGetEnforcedPowerLimit, nvml_device d, unsigned *ret) { return unsigned_into(d, "limit", 1000, ret); }
NVML(nvmlDeviceGetFanSpeed, nvml_device d, unsigned *ret) { return unsigned_into(d, "fan", 1, ret); }

NVML(nvmlDeviceGetPciInfo_v3, nvml_device d, struct nvml_pci *ret)
{
	memset(ret, 0, sizeof *ret);
	return text_into(d, "pci", ret->id, sizeof ret->id);
}

NVML(nvmlDeviceGetUtilizationRates, nvml_device d, struct nvml_utilization *ret)
{
	nvml_return r = unsigned_into(d, "util", 1, &ret->gpu);

	ret->memory = (unsigned)number_of(d->name, "util_memory", 0);
	return r;
}

NVML(nvmlDeviceGetEncoderUtilization, nvml_device d, unsigned *ret, unsigned *ret_us)
{
	*ret_us = 100000;
	return unsigned_into(d, "encoder", 1, ret);
}

NVML(nvmlDeviceGetDecoderUtilization, nvml_device d, unsigned *ret, unsigned *ret_us)
{
	*ret_us = 100000;
	return unsigned_into(d, "decoder", 1, ret);
}

NVML(nvmlDeviceGetMemoryInfo, nvml_device d, struct nvml_memory_v1 *ret)
{
	double total, used;
	nvml_return r = number_into(d, "memory_total", 1, &total);

	if (r != NVML_SUCCESS)
		return r;
	/* Used memory includes reserved memory. */
	used = number_of(d->name, "memory_used", 0) + number_of(d->name, "memory_reserved", 0);
	*ret = (struct nvml_memory_v1){ (unsigned long long)total, (unsigned long long)(total - used),
					(unsigned long long)used };
	return NVML_SUCCESS;
}

NVML(nvmlDeviceGetTemperature, nvml_device d, int sensor, unsigned *ret)
{
	return sensor == NVML_TEMPERATURE_GPU ? unsigned_into(d, "temperature", 1, ret) : 2;
}

NVML(nvmlDeviceGetTotalEnergyConsumption, nvml_device d, unsigned long long *ret)
{
	double watts;
	nvml_return r = number_into(d, "energy_rate", 1, &watts);

	if (r == NVML_SUCCESS)
		*ret = (unsigned long long)(watts * (double)clock_us(CLOCK_MONOTONIC) / 1000);
	return r;
}

static nvml_return clock_into(nvml_device d, const char *what, int type, unsigned *ret)
{
	static const char *const names[] = { "graphics", "sm", "memory", "video" };
	char key[32];

	(void)snprintf(key, sizeof key, "%s_%s", what, names[type & 3]);
	return unsigned_into(d, key, 1, ret);
}

NVML(nvmlDeviceGetClockInfo, nvml_device d, int type, unsigned *ret) { return clock_into(d, "clock", type, ret); }
NVML(nvmlDeviceGetMaxClockInfo, nvml_device d, int type, unsigned *ret) { return clock_into(d, "max", type, ret); }

NVML(nvmlDeviceGetCurrentClocksThrottleReasons, nvml_device d, unsigned long long *ret)
{
	return long_into(d, "throttle", 1, ret);
}

NVML(nvmlDeviceGetPcieThroughput, nvml_device d, int counter, unsigned *ret)
{
	return unsigned_into(d, counter == NVML_PCIE_TX ? "pcie_tx" : "pcie_rx", 1.0 / 1024, ret);
}

NVML(nvmlDeviceGetTotalEccErrors, nvml_device d, int error, int counter, unsigned long long *ret)
{
	return counter == NVML_ECC_VOLATILE
		       ? long_into(d, error == NVML_ECC_CORRECTED ? "ecc_corrected" : "ecc_uncorrected", 1, ret) : 2;
}

NVML(nvmlDeviceGetSamples, nvml_device d, int type, unsigned long long since_us, int *ret_type, unsigned *n,
     struct nvml_sample *ret)
{
	const int64_t step_us = 100000, looks = 100, now = clock_us(CLOCK_REALTIME) / step_us;
	nvml_return r = begin(d->name, "samples");
	unsigned values[16], n_values = 0, room = *n;
	char text[512];

	if (r != NVML_SUCCESS)
		return r;
	if (!text_of(text, sizeof text, d->name, "samples") || type != NVML_SAMPLES_GPU)
		return NVML_NOT_SUPPORTED;
	for (const char *p = text; p && n_values < countof(values); p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL)
		values[n_values++] = (unsigned)strtoul(p, NULL, 10);
	*ret_type = NVML_VALUE_UNSIGNED;
	*n = 0;
	for (int64_t k = now - looks + 1; k <= now && *n < room; k++)
		if ((unsigned long long)(k * step_us) > since_us)
			ret[(*n)++] = (struct nvml_sample){ (unsigned long long)(k * step_us),
							    { .u = values[k % n_values] } };
	return *n > 0 ? NVML_SUCCESS : NVML_NOT_FOUND;
}

/* ---- processes ----------------------------------------------------------------------------- */

static nvml_return list(nvml_device d, const char *key, size_t entry, unsigned *n, char *ret)
{
	nvml_return r = begin(d->name, key);
	unsigned room = *n;
	char text[512];

	if (r != NVML_SUCCESS)
		return r;
	if (entry == sizeof(struct nvml_process_v2) && number_of("-", "long_entries", 0) > 0)
		entry = sizeof(struct nvml_process_v3);
	*n = 0;
	if (!text_of(text, sizeof text, d->name, key))
		return NVML_SUCCESS;
	for (char *p = text; p && *p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL) {
		char *colon = strchr(p, ':');
		struct nvml_process_v3 e = { .v2 = { .pid = (unsigned)strtoul(p, NULL, 10), .gpu_instance = UINT32_MAX,
						     .compute_instance = UINT32_MAX } };

		e.v2.used_bytes = strncmp(colon + 1, "unknown", 7) == 0 ? NVML_NOT_AVAILABLE
									: strtoull(colon + 1, NULL, 10);
		if (*n < room)
			memcpy(ret + *n * entry, &e, entry);
		++*n;
	}
	return *n > room ? NVML_INSUFFICIENT_SIZE : NVML_SUCCESS;
}

#define LISTS(version, entry) \
	NVML(nvmlDeviceGetComputeRunningProcesses##version, nvml_device d, unsigned *n, void *ret) \
	{ return list(d, "compute", sizeof(struct entry), n, ret); } \
	NVML(nvmlDeviceGetGraphicsRunningProcesses##version, nvml_device d, unsigned *n, void *ret) \
	{ return list(d, "graphics", sizeof(struct entry), n, ret); }

LISTS(, nvml_process_v1)

NVML(nvmlDeviceGetProcessUtilization, nvml_device d, struct nvml_process_utilization *ret, unsigned *n,
     unsigned long long since_us)
{
	nvml_return r = begin(d->name, "use");
	unsigned room = *n;
	char text[512];

	(void)since_us;                         /* the worst case of a driver: it returns old samples again */
	if (r != NVML_SUCCESS)
		return r;
	*n = 0;
	if (!text_of(text, sizeof text, d->name, "use"))
		return NVML_NOT_FOUND;
	for (char *p = text; p && *p && *n < room; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL) {
		struct nvml_process_utilization u = { .pid = (unsigned)strtoul(p, &p, 10) };

		u.sm = (unsigned)strtoul(p + 1, &p, 10);
		u.encoder = (unsigned)strtoul(p + 1, &p, 10);
		u.decoder = (unsigned)strtoul(p + 1, &p, 10);
		u.time_us = (unsigned long long)(clock_us(CLOCK_REALTIME) - 1000 * strtoll(p + 1, &p, 10));
		ret[(*n)++] = u;
	}
	return NVML_SUCCESS;
}

#endif
#if FAKE_LEVEL > 1

LISTS(_v2, nvml_process_v2)

NVML(nvmlSystemGetCudaDriverVersion_v2, int *ret)
{
	*ret = (int)number_of("-", "cuda", 0);
	return NVML_SUCCESS;
}

NVML(nvmlDeviceGetArchitecture, nvml_device d, unsigned *ret) { return unsigned_into(d, "architecture", 1, ret); }
NVML(nvmlDeviceGetMaxMigDeviceCount, nvml_device d, unsigned *ret) { return unsigned_into(d, "mig_max", 1, ret); }
NVML(nvmlDeviceGetGpuInstanceId, nvml_device d, unsigned *ret) { return unsigned_into(d, "gi", 1, ret); }

NVML(nvmlDeviceGetMigMode, nvml_device d, unsigned *ret, unsigned *ret_pending)
{
	*ret_pending = 0;
	return unsigned_into(d, "mig", 1, ret);
}

NVML(nvmlDeviceGetMigDeviceHandleByIndex, nvml_device d, unsigned i, nvml_device *ret)
{
	nvml_device part = &parts[d - devices][i % PARTS];
	char text[32];

	*ret = part;
	return text_of(text, sizeof text, part->name, "gi") ? NVML_SUCCESS : NVML_NOT_FOUND;
}

NVML(nvmlDeviceGetAttributes_v2, nvml_device d, struct nvml_attributes *ret)
{
	memset(ret, 0, sizeof *ret);
	return long_into(d, "memory_mib", 1, &ret->memory_mib);
}

#endif
#if FAKE_LEVEL > 2

LISTS(_v3, nvml_process_v2)

NVML(nvmlDeviceGetMPSComputeRunningProcesses_v3, nvml_device d, unsigned *n, void *ret)
{
	return list(d, "mps", sizeof(struct nvml_process_v2), n, ret);
}

NVML(nvmlDeviceGetNumGpuCores, nvml_device d, unsigned *ret) { return unsigned_into(d, "cores", 1, ret); }

NVML(nvmlDeviceGetMemoryInfo_v2, nvml_device d, struct nvml_memory_v2 *ret)
{
	double total;
	nvml_return r = number_into(d, "memory_total", 1, &total);

	if (r != NVML_SUCCESS)
		return r;
	if (ret->version != 0x2000028)
		return 25;
	ret->total = (unsigned long long)total;
	ret->used = (unsigned long long)number_of(d->name, "memory_used", 0);
	ret->reserved = (unsigned long long)number_of(d->name, "memory_reserved", 0);
	ret->free = ret->total - ret->used - ret->reserved;
	return NVML_SUCCESS;
}

NVML(nvmlDeviceGetCurrentClocksEventReasons, nvml_device d, unsigned long long *ret)
{
	return long_into(d, "throttle", 1, ret);
}

/* Counters that run at the rate of pcie_tx and pcie_rx. */
NVML(nvmlDeviceGetFieldValues, nvml_device d, int n, struct nvml_field *at)
{
	for (int i = 0; i < n; i++) {
		double rate;

		at[i].type = number_of("-", "pcie_32_bits", 0) > 0 ? NVML_VALUE_UNSIGNED : NVML_VALUE_LONG_LONG;
		at[i].result = at[i].id == NVML_FIELD_PCIE_TX_BYTES   ? number_into(d, "pcie_tx", 1, &rate)
			       : at[i].id == NVML_FIELD_PCIE_RX_BYTES ? number_into(d, "pcie_rx", 1, &rate)
								      : NVML_NOT_SUPPORTED;
		if (at[i].result == NVML_SUCCESS)
			at[i].value.ull = (unsigned long long)(rate / 1e6 * (double)clock_us(CLOCK_MONOTONIC));
	}
	return begin(d->name, "fields");
}

NVML(nvmlGpmQueryDeviceSupport, nvml_device d, struct nvml_gpm_support *ret)
{
	ret->supported = number_of(d->name, "gpm", 0) > 0;
	return ret->version == 1 ? NVML_SUCCESS : 25;
}

NVML(nvmlGpmSampleAlloc, struct nvml_gpm_sample **ret)
{
	*ret = calloc(1, sizeof **ret);
	return *ret ? NVML_SUCCESS : 20;
}

NVML(nvmlGpmSampleFree, struct nvml_gpm_sample *s)
{
	free(s);
	return NVML_SUCCESS;
}

static char last_gpm[24], last_device[8];

NVML(nvmlGpmSampleGet, nvml_device d, struct nvml_gpm_sample *s)
{
	s->taken_ns = clock_us(CLOCK_MONOTONIC) * 1000;
	last_gpm[0] = '\0';
	(void)snprintf(last_device, sizeof last_device, "%s", d->name);
	return begin(d->name, "gpm.sample");
}

NVML(nvmlGpmMigSampleGet, nvml_device d, unsigned gpu_instance, struct nvml_gpm_sample *s)
{
	s->taken_ns = clock_us(CLOCK_MONOTONIC) * 1000;
	(void)snprintf(last_gpm, sizeof last_gpm, "gpm.%u", gpu_instance);
	(void)snprintf(last_device, sizeof last_device, "%s", d->name);
	return begin(d->name, last_gpm);
}

NVML(nvmlGpmMetricsGet, struct nvml_gpm_metrics *m)
{
	if (m->version != 1 || m->from->taken_ns >= m->to->taken_ns)
		return 2;
	for (unsigned i = 0; i < m->n; i++) {
		char key[24];

		(void)snprintf(key, sizeof key, "gpm.whole.%u", m->metric[i].id);
		m->metric[i].value = number_of(last_device, last_gpm[0] ? last_gpm : key, -1);
		m->metric[i].result = m->metric[i].value < 0 ? NVML_NOT_SUPPORTED : NVML_SUCCESS;
	}
	return NVML_SUCCESS;
}

#endif
