/*
 * drm_fdinfo.h - parser of /proc/PID/fdinfo/N of an open GPU; accepts any bytes.
 *
 * The keys are those of the kernel's Documentation/gpu/drm-usage-stats.rst, common to all DRM drivers: amdgpu, i915,
 * xe, nouveau, msm, panfrost, v3d ...  An open file is a client; inherited and passed descriptors are the same
 * client, which counts once (by driver, device and client id).
 */
#ifndef RT_GPU_DRM_FDINFO_H
#define RT_GPU_DRM_FDINFO_H

#include "../core/base.h"

enum { DRM_ENGINES_MAX = 12, DRM_NAME_SIZE = 16 };

/* Time since the client was opened; a driver reports nanoseconds, or busy cycles and total cycles (xe). */
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
	bool     has_memory;                    /* the driver reports memory at all */
	uint64_t device_bytes;                  /* resident in the GPU's own memory */
	uint64_t system_bytes;                  /* resident in the machine's memory */
	struct drm_engine engine[DRM_ENGINES_MAX];
	size_t   n_engines;
};

/* 0; -ENODATA: not a descriptor of a GPU.  Engines beyond the array are left out. */
int drm_fdinfo_parse(struct drm_client *ret, const char *text, size_t n) must_use;

/*
 * The busy part of the time between two readings of one client, in seconds; a step back counts as 0.  NONE: not
 * reported.
 */
double drm_engine_busy_seconds(const struct drm_engine *was, const struct drm_engine *now, double seconds);

#endif
