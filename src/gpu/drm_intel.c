/*
 * drm_intel.c - reads the files of i915 and xe in sysfs:
 * Documentation/ABI/testing/sysfs-driver-intel-{i915,xe}-hwmon, sysfs-driver-intel-xe-... and the kernel's gt files.
 * The load of the whole GPU is available only by perf, with privilege; the job's own use is in fdinfo.
 */
#include "drm_sensors.h"

#include <stdio.h>
#include <string.h>

static const double MICRO = 1e-6, MILLI = 1e-3, MEGA = 1e6;

/* The same values under each driver's names. */
struct files {
	const char *frequency, *frequency_max;          /* MHz, in the card's folder */
	const char *throttled, *throttle_folder;        /* 1 if any of the reasons below holds */
	const char *power[4], *heat[4];                 /* reasons */
};

static const struct files i915_files = {
	.frequency = "gt_act_freq_mhz", .frequency_max = "gt_RP0_freq_mhz",
	.throttle_folder = "gt/gt0", .throttled = "throttle_reason_status",
	.power = { "throttle_reason_pl1", "throttle_reason_pl2", "throttle_reason_pl4", "throttle_reason_vr_tdc" },
	.heat = { "throttle_reason_thermal", "throttle_reason_prochot", "throttle_reason_vr_thermalert",
		  "throttle_reason_ratl" },
};

static const struct files xe_files = {
	.frequency = "device/tile0/gt0/freq0/act_freq", .frequency_max = "device/tile0/gt0/freq0/rp0_freq",
	.throttle_folder = "device/tile0/gt0/freq0/throttle", .throttled = "status",
	.power = { "reason_pl1", "reason_pl2", "reason_pl4", "reason_vr_tdc" },
	.heat = { "reason_thermal", "reason_prochot", "reason_vr_thermalert", "reason_ratl" },
};

static bool any(const struct source *src, const char *folder, const char *const reasons[4])
{
	for (size_t i = 0; i < 4; i++)
		if (sensor(src, folder, reasons[i], 1) > 0)
			return true;
	return false;
}

static void read_throttle(const struct source *src, const struct drm_card *card, const struct files *files,
			  struct gpu_row *row)
{
	char folder[96];

	(void)snprintf(folder, sizeof folder, "%s/%s", card->folder, files->throttle_folder);

	double throttled = sensor(src, folder, files->throttled, 1);

	if (is_none(throttled))
		return;
	row->throttled_power = throttled > 0 && any(src, folder, files->power);
	row->throttled_thermal = throttled > 0 && any(src, folder, files->heat);
	row->throttled_other = throttled > 0 && row->throttled_power < 1 && row->throttled_thermal < 1;
}

static void list_card(const struct source *src, const struct drm_card *card, const struct files *files,
		      struct gpu_row *row)
{
	double limit = sensor(src, card->monitor, "power1_max", MICRO);

	row->power_limit_watts = limit > 0 ? limit : NONE;      /* 0: no limit */
	row->frequency_max_hertz = card_sensor(src, card, files->frequency_max, MEGA);
}

static void read_card(const struct source *src, struct drm_card *card, const struct files *files, struct gpu_row *row)
{
	double joules = sensor(src, card->monitor, "energy1_input", MICRO);

	row->frequency_hertz = card_sensor(src, card, files->frequency, MEGA);
	/* xe: the package; i915 has a single temperature. */
	row->temperature_celsius = sensor(src, card->monitor, "temp2_input", MILLI);
	if (is_none(row->temperature_celsius))
		row->temperature_celsius = sensor(src, card->monitor, "temp1_input", MILLI);
	if (is_none(joules))                    /* the card's; else the package's */
		joules = sensor(src, card->monitor, "energy2_input", MICRO);
	card_take_energy(src, card, joules, &row->energy_joules, &row->power_watts);
	read_throttle(src, card, files, row);
}

static void list_i915(const struct source *src, const struct drm_card *card, struct gpu_row *row)
{
	list_card(src, card, &i915_files, row);
}

static void read_i915(const struct source *src, struct text *text, struct drm_card *card, struct gpu_row *row)
{
	(void)text;
	read_card(src, card, &i915_files, row);
}

static void list_xe(const struct source *src, const struct drm_card *card, struct gpu_row *row)
{
	list_card(src, card, &xe_files, row);
	row->vram_total_bytes = card_sensor(src, card, "device/tile0/physical_vram_size_bytes", 1);
}

static void read_xe(const struct source *src, struct text *text, struct drm_card *card, struct gpu_row *row)
{
	(void)text;
	read_card(src, card, &xe_files, row);
}

const struct drm_driver drm_i915 = { .vendor = "intel", .list = list_i915, .read = read_i915 };
const struct drm_driver drm_xe = { .vendor = "intel", .list = list_xe, .read = read_xe };
