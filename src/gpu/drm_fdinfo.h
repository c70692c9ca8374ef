/*
 * drm_fdinfo.h - what /proc/PID/fdinfo/N says of an open GPU, as any bytes.
 *
 * The keys are those of the kernel's Documentation/gpu/drm-usage-stats.rst, common to all DRM drivers: amdgpu,
 * i915, xe, nouveau, msm, panfrost, v3d ...  An opened file is a client; descriptors that were inherited or passed
 * on are the same client, which counts once (driver, device, client id).
 */
#ifndef RT_GPU_DRM_FDINFO_H
#define RT_GPU_DRM_FDINFO_H

#include "../core/base.h"

enum { DRM_ENGINES_MAX = 12, DRM_NAME_SIZE = 16 };

/* Time since the client was opened; a driver tells nanoseconds, or cycles beside those that passed (xe). */
struct drm_engine {
	char     name[DRM_NAME_SIZE];           /* "gfx", "render", "rcs", "compute" ... */
	bool     has_ns, has_cycles;
	uint64_t busy_ns;                       /* summed over `capacity` engines of the kind */
	uint64_t cycles, total_cycles;
	unsigned capacity;
};

struct drm_client {
	char     driver[DRM_NAME_SIZE];
	char     device[DRM_NAME_SIZE];         /* PCI address; "": not on PCI */
	uint64_t id;
	bool     has_id;
	bool     has_memory;                    /* it tells of memory at all */
	uint64_t device_bytes;                  /* resident in the GPU's own memory */
	uint64_t system_bytes;                  /* resident in the machine's */
	struct drm_engine engine[DRM_ENGINES_MAX];
	size_t   n_engines;
};

/* 0; -ENODATA: not a descriptor of a GPU.  Engines beyond the room are left out. */
int drm_fdinfo_parse(struct drm_client *ret, const char *text, size_t n) must_use;

/* Of the time between two readings of one client, a step back counting as none; NONE: it does not tell. */
double drm_engine_busy_seconds(const struct drm_engine *was, const struct drm_engine *now, double seconds);

#endif
