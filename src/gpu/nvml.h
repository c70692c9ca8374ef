/*
 * nvml.h - NVIDIA's management library, loaded by dlopen, with our own declarations of the functions in use.
 *
 * The library comes with the driver, so its functions and structures vary by machine: drivers from 450 (CUDA 11.0) to
 * today.  A function with a changed structure has a name for each version; the newest present is used.  Sources: NVML
 * API Reference (docs.nvidia.com/deploy/nvml-api), "Change Log" for the version of each.
 */
#ifndef RT_GPU_NVML_H
#define RT_GPU_NVML_H

#include "../core/why.h"

typedef int nvml_return;                        /* nvmlReturn_t */
typedef struct nvml_device_st *nvml_device;     /* nvmlDevice_t */

enum {
	NVML_SUCCESS = 0,
	NVML_UNINITIALIZED = 1,
	NVML_NOT_SUPPORTED = 3,
	NVML_NO_PERMISSION = 4,
	NVML_NOT_FOUND = 6,
	NVML_INSUFFICIENT_SIZE = 7,
	NVML_DRIVER_NOT_LOADED = 9,
	NVML_LIBRARY_NOT_FOUND = 12,
	NVML_FUNCTION_NOT_FOUND = 13,
	NVML_GPU_IS_LOST = 15,
	NVML_RESET_REQUIRED = 16,
	NVML_VERSION_MISMATCH = 18,             /* of driver and library: an update without a restart */
};

enum { NVML_TEMPERATURE_GPU = 0 };                                      /* nvmlTemperatureSensors_t */
enum { NVML_CLOCK_GRAPHICS = 0, NVML_CLOCK_MEMORY = 2, NVML_CLOCK_VIDEO = 3 };          /* nvmlClockType_t */
enum { NVML_PCIE_TX = 0, NVML_PCIE_RX = 1 };                            /* nvmlPcieUtilCounter_t, KB/s over 20 ms */
enum { NVML_ECC_CORRECTED = 0, NVML_ECC_UNCORRECTED = 1, NVML_ECC_VOLATILE = 0 };
enum { NVML_SAMPLES_GPU = 1 };                                          /* nvmlSamplingType_t */
enum { NVML_FIELD_PCIE_TX_BYTES = 197, NVML_FIELD_PCIE_RX_BYTES = 198 };        /* since 545 */
enum nvml_gpm_id {                              /* nvmlGpmMetricId_t: percent, or MiB/s */
	NVML_GPM_GRAPHICS_UTILIZATION = 1, NVML_GPM_SM_UTILIZATION = 2, NVML_GPM_SM_OCCUPANCY = 3,
	NVML_GPM_TENSOR_UTILIZATION = 5, NVML_GPM_MEMORY_BANDWIDTH = 10, NVML_GPM_PCIE_SENT = 20,
	NVML_GPM_PCIE_RECEIVED = 21,
};
enum { NVML_GPM_VERSION = 1, NVML_GPM_METRICS_MAX = 8 };

enum nvml_throttle {                            /* nvmlClocksThrottleReason..., EventReason... since 535 */
	NVML_THROTTLE_POWER_CAP = 0x04,
	NVML_THROTTLE_HARDWARE = 0x08,          /* any hardware reason: with 0x40 or 0x80 it shows which */
	NVML_THROTTLE_SYNC = 0x10,
	NVML_THROTTLE_SOFTWARE_THERMAL = 0x20,
	NVML_THROTTLE_HARDWARE_THERMAL = 0x40,
	NVML_THROTTLE_POWER_BRAKE = 0x80,
};

struct nvml_pci {                               /* nvmlPciInfo_t, of ..._v3 */
	char old_id[16];
	unsigned domain, bus, device, device_id, subsystem_id;
	char id[32];                            /* 00000000:65:00.0 */
};
struct nvml_utilization { unsigned gpu, memory; };
struct nvml_memory_v1 { unsigned long long total, free, used; };        /* used: includes reserved memory */
struct nvml_memory_v2 { unsigned version; unsigned long long total, reserved, free, used; };    /* since 510 */
struct nvml_attributes {                        /* nvmlDeviceAttributes_t, of ..._v2 */
	unsigned multiprocessors, copy_engines, decoders, encoders, jpegs, ofas, gpu_slices, compute_slices;
	unsigned long long memory_mib;
};
union nvml_value { double d; unsigned u; unsigned long ul; unsigned long long ull; long long ll; };
struct nvml_sample { unsigned long long time_us; union nvml_value value; };
enum { NVML_VALUE_DOUBLE, NVML_VALUE_UNSIGNED, NVML_VALUE_LONG, NVML_VALUE_LONG_LONG, NVML_VALUE_SIGNED };
struct nvml_field {                             /* nvmlFieldValue_t */
	unsigned id, scope;
	long long time_us, latency_us;
	int type;                               /* NVML_VALUE_... */
	nvml_return result;
	union nvml_value value;
};
struct nvml_process_utilization { unsigned pid; unsigned long long time_us; unsigned sm, memory, encoder, decoder; };

/*
 * Entries of lists of processes: the first version; the second, also of ..._v3; and the layout that ..._v3 of some
 * drivers of 2023 (530 to 535.86) wrote: only the bytes it leaves untouched distinguish the two.
 */
struct nvml_process_v1 { unsigned pid; unsigned long long used_bytes; };
struct nvml_process_v2 { unsigned pid; unsigned long long used_bytes; unsigned gpu_instance, compute_instance; };
struct nvml_process_v3 { struct nvml_process_v2 v2; unsigned long long protected_bytes; };
#define NVML_NOT_AVAILABLE (~0ULL)

struct nvml_gpm_sample;                         /* since 520 */
struct nvml_gpm_support { unsigned version, supported; };
struct nvml_gpm_metric {
	unsigned id;
	nvml_return result;
	double value;
	struct { char *short_name, *long_name, *unit; } info;
};
struct nvml_gpm_metrics {                       /* the library's array is longer; `n` is the count in use */
	unsigned version, n;
	struct nvml_gpm_sample *from, *to;
	struct nvml_gpm_metric metric[NVML_GPM_METRICS_MAX];
};

_Static_assert(sizeof(struct nvml_pci) == 68 && sizeof(struct nvml_memory_v2) == 40 &&
	       sizeof(struct nvml_sample) == 16 && sizeof(struct nvml_field) == 40 &&
	       sizeof(struct nvml_process_utilization) == 32 && sizeof(struct nvml_process_v1) == 16 &&
	       sizeof(struct nvml_process_v2) == 24 && sizeof(struct nvml_process_v3) == 32 &&
	       sizeof(struct nvml_gpm_metric) == 40 && offsetof(struct nvml_gpm_metrics, metric) == 24,
	       "layouts are the library's");

/* NVML_CALL(name, arguments, symbols in the library, newest first) */
#define NVML_CALLS \
	NVML_CALL(init, (void), "nvmlInit_v2", "nvmlInit") \
	NVML_CALL(shutdown, (void), "nvmlShutdown") \
	NVML_CALL(driver_version, (char *ret, unsigned size), "nvmlSystemGetDriverVersion") \
	NVML_CALL(cuda_version, (int *ret), "nvmlSystemGetCudaDriverVersion_v2", "nvmlSystemGetCudaDriverVersion") \
	NVML_CALL(count, (unsigned *ret), "nvmlDeviceGetCount_v2", "nvmlDeviceGetCount") \
	NVML_CALL(by_index, (unsigned i, nvml_device *ret), "nvmlDeviceGetHandleByIndex_v2", \
		  "nvmlDeviceGetHandleByIndex") \
	NVML_CALL(by_pci, (const char *id, nvml_device *ret), "nvmlDeviceGetHandleByPciBusId_v2", \
		  "nvmlDeviceGetHandleByPciBusId") \
	NVML_CALL(name, (nvml_device d, char *ret, unsigned size), "nvmlDeviceGetName") \
	NVML_CALL(uuid, (nvml_device d, char *ret, unsigned size), "nvmlDeviceGetUUID") \
	NVML_CALL(pci, (nvml_device d, struct nvml_pci *ret), "nvmlDeviceGetPciInfo_v3") \
	NVML_CALL(minor, (nvml_device d, unsigned *ret), "nvmlDeviceGetMinorNumber") \
	NVML_CALL(cores, (nvml_device d, unsigned *ret), "nvmlDeviceGetNumGpuCores") \
	NVML_CALL(architecture, (nvml_device d, unsigned *ret), "nvmlDeviceGetArchitecture") \
	NVML_CALL(mig_mode, (nvml_device d, unsigned *ret_now, unsigned *ret_pending), "nvmlDeviceGetMigMode") \
	NVML_CALL(mig_max, (nvml_device d, unsigned *ret), "nvmlDeviceGetMaxMigDeviceCount") \
	NVML_CALL(mig_by_index, (nvml_device d, unsigned i, nvml_device *ret), "nvmlDeviceGetMigDeviceHandleByIndex") \
	NVML_CALL(gpu_instance, (nvml_device d, unsigned *ret), "nvmlDeviceGetGpuInstanceId") \
	NVML_CALL(attributes, (nvml_device d, struct nvml_attributes *ret), "nvmlDeviceGetAttributes_v2") \
	NVML_CALL(power_limit, (nvml_device d, unsigned *ret), "nvmlDeviceGetEnforcedPowerLimit") \
	NVML_CALL(clock_max, (nvml_device d, int type, unsigned *ret), "nvmlDeviceGetMaxClockInfo") \
	NVML_CALL(utilization, (nvml_device d, struct nvml_utilization *ret), "nvmlDeviceGetUtilizationRates") \
	NVML_CALL(samples, (nvml_device d, int type, unsigned long long since_us, int *ret_type, unsigned *n, \
			    struct nvml_sample *ret), "nvmlDeviceGetSamples") \
	NVML_CALL(encoder, (nvml_device d, unsigned *ret, unsigned *ret_us), "nvmlDeviceGetEncoderUtilization") \
	NVML_CALL(decoder, (nvml_device d, unsigned *ret, unsigned *ret_us), "nvmlDeviceGetDecoderUtilization") \
	NVML_CALL(memory_v2, (nvml_device d, struct nvml_memory_v2 *ret), "nvmlDeviceGetMemoryInfo_v2") \
	NVML_CALL(memory_v1, (nvml_device d, struct nvml_memory_v1 *ret), "nvmlDeviceGetMemoryInfo") \
	NVML_CALL(temperature, (nvml_device d, int sensor, unsigned *ret), "nvmlDeviceGetTemperature") \
	NVML_CALL(power, (nvml_device d, unsigned *ret), "nvmlDeviceGetPowerUsage") \
	NVML_CALL(energy, (nvml_device d, unsigned long long *ret), "nvmlDeviceGetTotalEnergyConsumption") \
	NVML_CALL(clock, (nvml_device d, int type, unsigned *ret), "nvmlDeviceGetClockInfo") \
	NVML_CALL(throttle, (nvml_device d, unsigned long long *ret), "nvmlDeviceGetCurrentClocksEventReasons", \
		  "nvmlDeviceGetCurrentClocksThrottleReasons") \
	NVML_CALL(fields, (nvml_device d, int n, struct nvml_field *at), "nvmlDeviceGetFieldValues") \
	NVML_CALL(pcie, (nvml_device d, int counter, unsigned *ret), "nvmlDeviceGetPcieThroughput") \
	NVML_CALL(ecc, (nvml_device d, int error, int counter, unsigned long long *ret), \
		  "nvmlDeviceGetTotalEccErrors") \
	NVML_CALL(fan, (nvml_device d, unsigned *ret), "nvmlDeviceGetFanSpeed") \
	NVML_CALL(compute, (nvml_device d, unsigned *n, void *ret), "nvmlDeviceGetComputeRunningProcesses_v3", \
		  "nvmlDeviceGetComputeRunningProcesses_v2", "nvmlDeviceGetComputeRunningProcesses") \
	NVML_CALL(graphics, (nvml_device d, unsigned *n, void *ret), "nvmlDeviceGetGraphicsRunningProcesses_v3", \
		  "nvmlDeviceGetGraphicsRunningProcesses_v2", "nvmlDeviceGetGraphicsRunningProcesses") \
	NVML_CALL(mps, (nvml_device d, unsigned *n, void *ret), "nvmlDeviceGetMPSComputeRunningProcesses_v3", \
		  "nvmlDeviceGetMPSComputeRunningProcesses_v2", "nvmlDeviceGetMPSComputeRunningProcesses") \
	NVML_CALL(process_utilization, (nvml_device d, struct nvml_process_utilization *ret, unsigned *n, \
					unsigned long long since_us), "nvmlDeviceGetProcessUtilization") \
	NVML_CALL(gpm_support, (nvml_device d, struct nvml_gpm_support *ret), "nvmlGpmQueryDeviceSupport") \
	NVML_CALL(gpm_alloc, (struct nvml_gpm_sample **ret), "nvmlGpmSampleAlloc") \
	NVML_CALL(gpm_free, (struct nvml_gpm_sample *s), "nvmlGpmSampleFree") \
	NVML_CALL(gpm_sample, (nvml_device d, struct nvml_gpm_sample *s), "nvmlGpmSampleGet") \
	NVML_CALL(gpm_mig_sample, (nvml_device d, unsigned gpu_instance, struct nvml_gpm_sample *s), \
		  "nvmlGpmMigSampleGet") \
	NVML_CALL(gpm_metrics, (struct nvml_gpm_metrics *m), "nvmlGpmMetricsGet")

enum nvml_call {
#define NVML_CALL(name, arguments, ...) NVML_CALL_##name,
	NVML_CALLS
#undef NVML_CALL
	NVML_CALL_COUNT,
};

struct nvml {
	void *library;
#define NVML_CALL(name, arguments, ...) nvml_return (*name) arguments;  /* NULL: missing in this driver */
	NVML_CALLS
#undef NVML_CALL
	size_t entry_bytes[3];                  /* of lists of processes: compute, graphics, mps; 0: not known yet */
};

/*
 * Loads the library (`path` as for dlopen) into *n, which is zeroed, and initialises it, which wakes no device.
 * -ENODATA: its driver is not loaded.  Other errors set a sentence in `why`.  Call nvml_close after an error too.
 */
int  nvml_open(struct nvml *n, const char *path, struct why *why) must_use;
void nvml_close(struct nvml *n);                /* safe if it was not opened */

/* The reason for an error that concerns a whole driver, in words; static. */
const char *nvml_reason(nvml_return r);

#endif
