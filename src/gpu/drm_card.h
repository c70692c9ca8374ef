/*
 * drm_card.h - a GPU of the kernel's DRM drivers (amdgpu, i915, xe, nouveau, panfrost ...): sysfs describes the device,
 * fdinfo shows its users.
 *
 *     drm.c            the backend: which cards there are      drm_amd.c, drm_intel.c   files of each driver
 *     drm_sensors.c    files with one number, hwmon            drm_clients.c            use by each process of the job
 *     drm_fdinfo.c, amd_metrics.c                              parsers of these files
 *
 * They are one backend because one folder of a process lists all its open GPUs, of all drivers.
 */
#ifndef RT_DRM_CARD_H
#define RT_DRM_CARD_H

#include "backend.h"
#include "drm_fdinfo.h"

struct drm_card {
	char folder[32];                        /* in sys: "class/drm/card0" */
	char place[16];                         /* PCI address, as fdinfo has it; "": not on PCI */
	char driver[DRM_NAME_SIZE];
	char monitor[64];                       /* in sys: the card's hwmon; "": none */
	const struct drm_driver *reader;        /* NULL: only its users can be read */
	struct { double joules; int64_t at_ns; } energy;        /* at the last read; NONE: not read yet */
	uint64_t ecc_corrected, ecc_uncorrected;
	bool     ecc_known;
	uint32_t scan;                          /* number of the last scan that its users were reported from */
};

/* The reader of one driver's files.  `row` as for struct gpu_backend; text: scratch. */
struct drm_driver {
	const char *vendor;
	void (*list)(const struct source *src, const struct drm_card *card, struct gpu_row *row);
	void (*read)(const struct source *src, struct text *text, struct drm_card *card, struct gpu_row *row);
};

#define DRM_DRIVER(name) extern const struct drm_driver drm_##name;
#include "drivers.def"

#endif
