/*
 * drm_card.h - a GPU of the kernel's own drivers (amdgpu, i915, xe, nouveau, panfrost ...): sysfs for the device,
 * fdinfo for who uses it.
 *
 *     drm.c            the backend: which cards there are      drm_amd.c, drm_intel.c   what each driver tells
 *     drm_sensors.c    files with one number, hwmon            drm_clients.c            who of the job uses what
 *     drm_fdinfo.c, amd_metrics.c                              what those files say, as any bytes
 *
 * They are one backend because a process tells of all its open GPUs in one folder, whoever made them.
 */
#ifndef RT_DRM_CARD_H
#define RT_DRM_CARD_H

#include "backend.h"
#include "drm_fdinfo.h"

struct drm_card {
	char folder[32];                        /* in sys: "class/drm/card0" */
	char place[16];                         /* PCI address, as fdinfo has it; "": not on PCI */
	char driver[DRM_NAME_SIZE];
	char monitor[64];                       /* in sys: its hwmon; "": none */
	const struct drm_driver *reader;        /* NULL: only who uses it is known */
	struct { double joules; int64_t at_ns; } energy;        /* at the last read; NONE: not read yet */
	uint64_t ecc_corrected, ecc_uncorrected;
	bool     ecc_known;
	uint32_t scan;                          /* the last one that its users were told of */
};

/* What one driver's files tell.  `row` as for struct gpu_backend. */
struct drm_driver {
	const char *vendor;
	void (*list)(const struct source *src, const struct drm_card *card, struct gpu_row *row);
	void (*read)(const struct source *src, struct text *text, struct drm_card *card, struct gpu_row *row);
};

#define DRM_DRIVER(name) extern const struct drm_driver drm_##name;
#include "drivers.def"

#endif
