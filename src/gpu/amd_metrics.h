/*
 * amd_metrics.h - parser of the table in amdgpu's sysfs file `gpu_metrics`; accepts any bytes.
 *
 * A header (size, format, content revision) is followed by fields at offsets that differ by revision: struct
 * gpu_metrics_v1_0 to v3_0 in the kernel's drivers/gpu/drm/amd/include/kgd_pp_interface.h.  Format 1 is used by
 * discrete GPUs, 2 and 3 by APUs, in hundredths and thousandths.  All bits set: the chip does not measure the value.
 */
#ifndef RT_GPU_AMD_METRICS_H
#define RT_GPU_AMD_METRICS_H

#include "../core/base.h"

/* NONE: not reported, or in a unit that depends on the chip and cannot be derived from the table. */
struct amd_metrics {
	double graphics_percent;                /* of the time: shaders; media: encoders and decoders */
	double memory_percent, media_percent;
	double temperature_celsius;             /* the hottest spot; on an APU, its graphics */
	double power_watts;                     /* the whole socket; on an APU including its CPU cores */
	double energy_joules;                   /* since the driver was loaded */
	double graphics_mhz, memory_mhz;        /* now */
	double fan_rpm;
	double link_lanes, link_gigatransfers;  /* PCIe; per second */
	bool   throttle_known, throttled_by_power, throttled_by_heat;
};

/* 0; -EBADMSG: not such a table, or truncated; -ENOTSUP: a revision that is not supported here. */
int amd_metrics_parse(struct amd_metrics *ret, const void *table, size_t n) must_use;

#endif
