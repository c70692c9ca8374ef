/*
 * drm_amd.c - reads amdgpu's files in sysfs: Documentation/gpu/amdgpu/thermal.rst and driver-misc.rst of the kernel.
 *
 * Files with a single number are preferred, since the driver converts them to one unit; gpu_metrics fills in the
 * rest.  pcie_bw is not read: reading it makes the kernel sleep for a second.
 */
#include "drm_sensors.h"

#include <stdio.h>
#include <string.h>

#include "../core/scan.h"
#include "amd_metrics.h"

static const double MICRO = 1e-6, MILLI = 1e-3, MEGA = 1e6;

static double first_known(double a, double b)
{
	return is_none(a) ? b : a;
}

static void list(const struct source *src, const struct drm_card *card, struct gpu_row *row)
{
	char path[96];

	(void)snprintf(path, sizeof path, "%s/device/product_name", card->folder);
	(void)!source_read_line(row->name, sizeof row->name, src->sys, path);
	(void)!source_read_line(row->driver_version, sizeof row->driver_version, src->sys, "module/amdgpu/version");
	row->vram_total_bytes = card_sensor(src, card, "device/mem_info_vram_total", 1);
	row->power_limit_watts = sensor(src, card->monitor, "power1_cap", MICRO);
}

static void read_metrics(const struct source *src, struct text *text, struct drm_card *card, struct gpu_row *row)
{
	struct amd_metrics m;
	char path[96];

	(void)snprintf(path, sizeof path, "%s/device/gpu_metrics", card->folder);
	if (text_read_at(text, src->sys, path) < 0 || amd_metrics_parse(&m, text->at, text->len) < 0)
		return;
	row->utilization_pct = first_known(row->utilization_pct, m.graphics_percent);
	row->memory_utilization_pct = first_known(row->memory_utilization_pct, m.memory_percent);
	row->temperature_celsius = first_known(row->temperature_celsius, m.temperature_celsius);
	row->power_watts = first_known(row->power_watts, m.power_watts);
	row->frequency_hertz = first_known(row->frequency_hertz, m.graphics_mhz * MEGA);
	row->memory_frequency_hertz = first_known(row->memory_frequency_hertz, m.memory_mhz * MEGA);
	if (m.throttle_known) {
		row->throttled_power = m.throttled_by_power;
		row->throttled_thermal = m.throttled_by_heat;
	}
	card_take_energy(src, card, m.energy_joules, &row->energy_joules, &row->power_watts);
}

/* "ue: 0" and "ce: 12": memory errors since the driver was loaded. */
static void read_errors(const struct source *src, struct text *text, struct drm_card *card, struct gpu_row *row)
{
	uint64_t corrected = 0, uncorrected = 0;
	char path[96];

	(void)snprintf(path, sizeof path, "%s/device/ras/umc_err_count", card->folder);
	if (text_read_at(text, src->sys, path) < 0)
		return;

	struct scan s = scan_of(text->at, text->len);

	if (!scan_literal(&s, "ue:") || !scan_u64(&s, &uncorrected) || !scan_next_line(&s) || !scan_literal(&s, "ce:") ||
	    !scan_u64(&s, &corrected))
		return;
	if (card->ecc_known) {
		row->ecc_corrected = gained(card->ecc_corrected, corrected);
		row->ecc_uncorrected = gained(card->ecc_uncorrected, uncorrected);
	}
	card->ecc_corrected = corrected;
	card->ecc_uncorrected = uncorrected;
	card->ecc_known = true;
}

static void read_amdgpu(const struct source *src, struct text *text, struct drm_card *card, struct gpu_row *row)
{
	const char *monitor = card->monitor;

	row->utilization_pct = card_sensor(src, card, "device/gpu_busy_percent", 1);
	row->memory_utilization_pct = card_sensor(src, card, "device/mem_busy_percent", 1);
	row->vram_used_bytes = card_sensor(src, card, "device/mem_info_vram_used", 1);
	row->host_memory_used_bytes = card_sensor(src, card, "device/mem_info_gtt_used", 1);
	/* temp1 is the edge sensor, if there is one; accelerators have only the junction sensor, temp2. */
	row->temperature_celsius = first_known(sensor(src, monitor, "temp1_input", MILLI),
					       sensor(src, monitor, "temp2_input", MILLI));
	row->power_watts = first_known(sensor(src, monitor, "power1_average", MICRO),
				       sensor(src, monitor, "power1_input", MICRO));
	row->frequency_hertz = sensor(src, monitor, "freq1_input", 1);
	row->memory_frequency_hertz = sensor(src, monitor, "freq2_input", 1);
	row->fan_pct = 100 * sensor(src, monitor, "pwm1", 1) / sensor(src, monitor, "pwm1_max", 1);
	read_metrics(src, text, card, row);
	read_errors(src, text, card, row);
}

const struct drm_driver drm_amdgpu = { .vendor = "amd", .list = list, .read = read_amdgpu };
