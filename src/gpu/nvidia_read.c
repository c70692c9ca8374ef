/* nvidia_read.c - reads the current values of one NVIDIA device. */
#include "nvidia_device.h"

#include <string.h>

static double sample_value(const struct nvml_sample *s, int type)
{
	switch (type) {
	case NVML_VALUE_DOUBLE: return s->value.d;
	case NVML_VALUE_UNSIGNED: return s->value.u;
	case NVML_VALUE_LONG: return (double)s->value.ul;
	case NVML_VALUE_LONG_LONG: return (double)s->value.ull;
	case NVML_VALUE_SIGNED: return (double)s->value.ll;
	default: return NONE;
	}
}

size_t nvidia_average(double *ret_mean, double *ret_peak, unsigned long long *newest_us,
		      const struct nvml_sample *at, size_t n, int type, unsigned long long since_us)
{
	double sum = 0, peak = 0;
	size_t looks = 0;

	for (size_t i = 0; i < n; i++) {
		double value = sample_value(&at[i], type);

		if (at[i].time_us > *newest_us)
			*newest_us = at[i].time_us;
		/* The buffer of a driver that has just been loaded holds samples without a time. */
		if (at[i].time_us <= since_us || at[i].time_us == 0 || !(value >= 0 && value <= 100))
			continue;
		sum += value;
		peak = value > peak ? value : peak;
		looks++;
	}
	if (looks > 0) {
		*ret_mean = sum / (double)looks;
		*ret_peak = peak;
	}
	return looks;
}

/* The mean of the driver's samples since the previous reading.  The first reading only finds the newest sample. */
static void average(struct nvidia *n, struct nvidia_device *d, struct gpu_row *row)
{
	unsigned count = countof(n->samples);
	int value_type = NVML_VALUE_UNSIGNED;

	d->before_us = d->gpu_us;
	if (!NVIDIA_ASK_KIND(n, d, samples, NVML_SAMPLES_GPU, d->before_us, &value_type, &count, n->samples))
		return;
	count = count < countof(n->samples) ? count : countof(n->samples);
	(void)nvidia_average(&row->utilization_pct, &row->utilization_peak_pct, &d->gpu_us, n->samples, count,
			     value_type, d->before_us ? d->before_us : ~0ULL);
}

static void read_utilization(struct nvidia *n, struct nvidia_device *d, struct gpu_row *row)
{
	struct nvml_utilization look;
	unsigned percent, period_us;

	if (NVIDIA_ASK(n, d, utilization, &look)) {
		row->utilization_pct = look.gpu;
		row->memory_utilization_pct = look.memory;
	}
	average(n, d, row);
	if (NVIDIA_ASK(n, d, encoder, &percent, &period_us))
		row->encoder_pct = percent;
	if (NVIDIA_ASK(n, d, decoder, &percent, &period_us))
		row->decoder_pct = percent;
}

static void read_memory(struct nvidia *n, struct nvidia_device *d, struct gpu_row *row)
{
	struct nvml_memory_v2 now = { .version = sizeof now | 2U << 24 };
	struct nvml_memory_v1 old;

	if (NVIDIA_ASK(n, d, memory_v2, &now)) {
		row->vram_total_bytes = (double)now.total;
		row->vram_used_bytes = (double)now.used;
		row->vram_reserved_bytes = (double)now.reserved;
	} else if (NVIDIA_ASK(n, d, memory_v1, &old)) {
		row->vram_total_bytes = (double)old.total;
		row->vram_used_bytes = (double)old.used;
	}
	if (row->vram_total_bytes > 0)
		row->vram_used_pct = 100 * row->vram_used_bytes / row->vram_total_bytes;
}

static void read_power(struct nvidia *n, struct nvidia_device *d, struct gpu_row *row)
{
	unsigned long long millijoules, reasons;
	unsigned value;

	if (NVIDIA_ASK(n, d, temperature, NVML_TEMPERATURE_GPU, &value))
		row->temperature_celsius = value;
	if (NVIDIA_ASK(n, d, power, &value))
		row->power_watts = value / 1e3;
	if (NVIDIA_ASK(n, d, power_limit, &value))
		row->power_limit_watts = value / 1e3;
	if (NVIDIA_ASK(n, d, energy, &millijoules))
		row->energy_joules = nvidia_gain(&d->energy, millijoules) / 1e3;
	if (NVIDIA_ASK(n, d, fan, &value))
		row->fan_pct = value;
	if (NVIDIA_ASK(n, d, throttle, &reasons)) {
		const unsigned power = NVML_THROTTLE_POWER_CAP | NVML_THROTTLE_POWER_BRAKE;
		const unsigned thermal = NVML_THROTTLE_SOFTWARE_THERMAL | NVML_THROTTLE_HARDWARE_THERMAL;

		row->throttled_power = (reasons & power) != 0;
		row->throttled_thermal = (reasons & thermal) != 0;
		row->throttled_other = (reasons & (NVML_THROTTLE_HARDWARE | NVML_THROTTLE_SYNC)) != 0 &&
				       !(reasons & (power | thermal));
	}
}

static void read_clocks(struct nvidia *n, struct nvidia_device *d, struct gpu_row *row)
{
	static const struct { int type; size_t offset; } clocks[] = {
		{ NVML_CLOCK_GRAPHICS, offsetof(struct gpu_row, frequency_hertz) },
		{ NVML_CLOCK_MEMORY, offsetof(struct gpu_row, memory_frequency_hertz) },
		{ NVML_CLOCK_VIDEO, offsetof(struct gpu_row, video_frequency_hertz) },
	};

	for (size_t i = 0; i < countof(clocks); i++) {
		unsigned megahertz;

		if (NVIDIA_ASK_KIND(n, d, clock, clocks[i].type, &megahertz)) {
			double hertz = megahertz * 1e6;

			memcpy((char *)row + clocks[i].offset, &hertz, sizeof hertz);
		}
	}
}

static void read_ecc(struct nvidia *n, struct nvidia_device *d, struct gpu_row *row)
{
	double *const errors[] = { &row->ecc_corrected, &row->ecc_uncorrected };

	for (int i = 0; i < (int)countof(errors); i++) {
		unsigned long long count;

		if (NVIDIA_ASK_KIND(n, d, ecc, i, NVML_ECC_VOLATILE, &count))
			*errors[i] = nvidia_gain(&d->ecc[i], count);
	}
}

int nvidia_read(void *state, size_t device, const struct gpu_moment *m, struct gpu_row *row)
{
	struct nvidia *n = state;
	struct nvidia_device *d = &n->at[device];

	if (!d->handle)
		return -ESTALE;
	d->lost = false;
	read_memory(n, d, row);
	if (d->whole) {
		/* Values that the driver does not report for parts it does not report for their whole either. */
		nvidia_read_part_counters(n, d, row);
		return d->lost ? -ENODEV : 0;
	}
	if (!(row->mig_mode > 0))
		read_utilization(n, d, row);
	d->use = (struct nvidia_use){ row->utilization_pct, row->encoder_pct, row->decoder_pct };
	read_power(n, d, row);
	read_clocks(n, d, row);
	read_ecc(n, d, row);
	nvidia_read_counters(n, d, m->now_ns, row);
	return d->lost ? -ENODEV : 0;
}
