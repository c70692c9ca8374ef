/*
 * amd_metrics.h - the table in amdgpu's sysfs file `gpu_metrics`, as any bytes.
 *
 * A header (size, format, content revision), then fields whose places differ by revision: struct
 * gpu_metrics_v1_0 to v3_0 in the kernel's drivers/gpu/drm/amd/include/kgd_pp_interface.h.  Format 1 is of
 * discrete GPUs, 2 and 3 are of APUs, which tell in hundredths and thousandths.  All bits set: the chip does
 * not measure it.
 */
#ifndef RT_GPU_AMD_METRICS_H
#define RT_GPU_AMD_METRICS_H

#include "../core/base.h"

/* NONE: not told, or in a unit that differs by chip and cannot be known from the table. */
struct amd_metrics {
	double graphics_percent;                /* of the time: shaders; media: encoders and decoders */
	double memory_percent, media_percent;
	double temperature_celsius;             /* its hottest spot; of an APU, of its graphics */
	double power_watts;                     /* of the whole socket; of an APU with its CPU cores */
	double energy_joules;                   /* since the driver was loaded */
	double graphics_mhz, memory_mhz;        /* now */
	double fan_rpm;
	double link_lanes, link_gigatransfers;  /* PCIe; per second */
	bool   throttle_known, throttled_by_power, throttled_by_heat;
};

/* 0; -EBADMSG: not such a table, or cut short; -ENOTSUP: a revision that is not known here. */
int amd_metrics_parse(struct amd_metrics *ret, const void *table, size_t n) must_use;

#endif
