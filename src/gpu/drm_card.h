/*
 * drm_card.h - GPUs of the kernel's own drivers (amdgpu, i915, xe, nouveau, panfrost ...): sysfs for the device, fdinfo
 * for who uses it.
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
	const char *name, *vendor;
	void (*list)(const struct source *src, const struct drm_card *card, struct gpu_row *row);
	void (*read)(const struct source *src, struct text *text, struct drm_card *card, struct gpu_row *row);
};

extern const struct drm_driver drm_amdgpu, drm_i915, drm_xe;

/* ---- drm_sensors.c: NONE where there is no such file, or no number in it ------------------- */

/* The number in sys/<folder>/<file>, times unit. */
double sensor(const struct source *src, const char *folder, const char *file, double unit);
/* The same of a file beside the card's device: "device/gpu_busy_percent". */
double card_sensor(const struct source *src, const struct drm_card *card, const char *file, double unit);
/* The hwmon of that name under the card; ret is "" if there is none. */
void card_find_monitor(char *ret, size_t size, const struct source *src, const struct drm_card *card, const char *name);
/* What a counter of energy gained, and the mean power since; the first call of a card leaves both. */
void card_take_energy(const struct source *src, struct drm_card *card, double joules, double *ret_joules,
		      double *ret_watts);

/* ---- drm_clients.c: who uses what ---------------------------------------------------------- */

struct drm_use {                                /* a client: an open GPU, counted once whoever holds it */
	struct drm_client client;               /* at the last scan */
	pid_t    pid;                           /* that was found to hold it first */
	uint32_t scan;                          /* in which it was seen last */
	double   work_pct, encoder_pct, decoder_pct;    /* since the scan before; NONE: not told */
};

struct drm_uses {
	struct drm_use *at;
	size_t   n, room;
	uint32_t scan;                          /* number of the last; 0: none was */
	int64_t  at_ns;
	size_t   cursor;                        /* where the search for new users goes on */
	bool     denied;                        /* nobody's descriptors could be read */
};

/* One look at the job's descriptors.  -ENOMEM; -EACCES: none could be read. */
int  drm_uses_scan(struct drm_uses *u, const struct source *src, struct text *text, const struct gpu_job *job) must_use;
/* The users of one card in the last scan, each process once: how many. */
int  drm_uses_of(const struct drm_uses *u, const struct drm_card *card, struct gpu_process *ret, size_t room);
void drm_uses_release(struct drm_uses *u);

#endif
