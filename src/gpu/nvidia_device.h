/* nvidia_device.h - shared by the files of the NVIDIA backend: nvidia.c, nvidia_read.c, nvidia_counters.c and
 * nvidia_processes.c. */
#ifndef RT_NVIDIA_DEVICE_H
#define RT_NVIDIA_DEVICE_H

#include "backend.h"
#include "nvml.h"

/* The previous value of a driver's counter; known: there is one. */
struct nvidia_counter { unsigned long long was; bool known; };

struct nvidia_use { double utilization_pct, encoder_pct, decoder_pct; };

enum { NVIDIA_SAMPLES = 256 };                  /* the driver keeps about 100 samples */

struct nvidia_device {
	nvml_device handle;                     /* NULL: it slept when it was listed */
	nvml_device whole;                      /* of an instance (MIG); NULL: not an instance */
	unsigned gpu_instance;
	bool alone;                             /* no other device shares its GPU instance */
	bool lost;                              /* in this reading */
	uint8_t unsupported[NVML_CALL_COUNT];   /* calls that it does not support: a bit for each kind of answer */
	bool fields_unsupported;
	struct nvidia_counter energy, ecc[2], pcie[2];
	int64_t pcie_ns;                        /* when the counters were read */
	unsigned long long gpu_us;              /* the newest of its samples that were taken; 0: none yet */
	unsigned long long before_us;           /* gpu_us at the previous reading: processes' use counts from there */
	struct nvidia_use use;                  /* of the device, in this reading */
	unsigned only_pid;                      /* the only process at the previous reading; 0: none, or several */
	struct nvml_gpm_sample *gpm[2];         /* the last two, alternating; NULL: not supported */
	unsigned gpm_taken;
};

struct nvidia {
	struct nvml nvml;
	const struct source *src;
	char driver_version[80], cuda_version[16];
	struct nvidia_device at[GPU_MAX];
	size_t n;
	struct nvml_sample samples[NVIDIA_SAMPLES];
	char processes[GPU_PROCESSES_MAX * sizeof(struct nvml_process_v3)];
	struct nvml_process_utilization uses[GPU_PROCESSES_MAX];
};

/*
 * Calls a function of the library on a device: true if it succeeded.  A call that a device does not support is not
 * repeated; a lost device is not called any more.
 *
 *     if (NVIDIA_ASK(n, d, power, &milliwatts))
 *     if (NVIDIA_ASK_KIND(n, d, clock, NVML_CLOCK_VIDEO, &megahertz))         the call's first argument is a kind,
 *     0..7
 */
#define NVIDIA_ASK(n, d, call, ...) NVIDIA_TRY(n, d, 0, call, __VA_ARGS__)
#define NVIDIA_ASK_KIND(n, d, call, kind, ...) NVIDIA_TRY(n, d, kind, call, kind, __VA_ARGS__)
#define NVIDIA_TRY(n, d, kind, call, ...) \
	((n)->nvml.call && nvidia_may(d, NVML_CALL_##call, kind) && \
	 nvidia_took(d, NVML_CALL_##call, kind, (n)->nvml.call((d)->handle, __VA_ARGS__)))

static inline bool nvidia_may(const struct nvidia_device *d, enum nvml_call call, int kind)
{
	return !d->lost && !(d->unsupported[call] >> kind & 1);
}

static inline bool nvidia_took(struct nvidia_device *d, enum nvml_call call, int kind, nvml_return r)
{
	if (r == NVML_NOT_SUPPORTED || r == NVML_FUNCTION_NOT_FOUND)
		d->unsupported[call] |= (uint8_t)(1U << kind);
	if (r == NVML_GPU_IS_LOST || r == NVML_UNINITIALIZED)
		d->lost = true;
	return r == NVML_SUCCESS;
}

/* What a counter gained; NONE the first time, and after a reset of the counter. */
static inline double nvidia_gain(struct nvidia_counter *c, unsigned long long now)
{
	double gained = c->known && now >= c->was ? (double)(now - c->was) : NONE;

	*c = (struct nvidia_counter){ .was = now, .known = true };
	return gained;
}

/* state: struct nvidia; the rest as `read` and `processes` of backend.h. */
int nvidia_read(void *state, size_t device, const struct gpu_moment *m, struct gpu_row *row);
int nvidia_processes(void *state, size_t device, const struct gpu_moment *m, struct gpu_process *ret, size_t room);

/* The counters of a whole device and of an instance, between the previous reading and this one. */
void nvidia_read_counters(struct nvidia *n, struct nvidia_device *d, int64_t now_ns, struct gpu_row *row);
void nvidia_read_part_counters(struct nvidia *n, struct nvidia_device *d, struct gpu_row *row);

/*
 * Pure, for tests.  Mean and maximum, in percent, of the driver's samples newer than since_us; returns how many; of 0
 * both stay.  *newest_us is the time of the newest of all.
 */
size_t nvidia_average(double *ret_mean, double *ret_peak, unsigned long long *newest_us,
		      const struct nvml_sample *at, size_t n, int type, unsigned long long since_us);

#endif
