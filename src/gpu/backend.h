/*
 * backend.h - a vendor's way to its graphics processors.  One file each in src/gpu/ (more, if it is long), one line
 * each in drivers.def, and a function in driver.c that knows whether its driver is here.
 *
 *   open       finds the driver.  -ENODATA: there is nothing to find after all.  Other errors: the GPUs that are there
 *              cannot be read, so their values are missing.  A sentence in `why` is told once.
 *   list       which devices there are, in the order in which they are numbered: how many, or -errno.
 *              What `ret` points to arrives cleared.  Called again when `read` said that a device was lost, or that
 *              there are others.
 *   read       one device's values of now.
 *   processes  who uses a device, each process once: how many, or -errno.
 *   close      releases everything; safe after a failed open.
 *
 * All are called one after the other, in a process of the backend's own, or in the library in a thread (serve.h): they
 * may block for as long as the driver likes.  Nobody waits for them: a sample that comes meanwhile goes without their
 * values, which is told.  An open that takes more than a few seconds counts as failed, for good.
 *
 * What the driver cannot tell stays NONE or "": rows arrive so.  Never 0, and never a guess.
 * A device that sleeps (runtime power management) is not read: whoever calls looks at power/runtime_status before.
 */
#ifndef RT_GPU_BACKEND_H
#define RT_GPU_BACKEND_H

#include "../core/sample.h"
#include "driver.h"
#include "drm_nodes.h"

struct gpu_device {
	/*
	 * As `list` gives it: key (uuid; else the PCI address), all texts, and metrics that are FIXED.
	 * counted_in_total is 1, or 0 where its parts are devices as well.
	 */
	struct gpu_row row;
	char folder[16];                        /* "0000:03:00.0" in sys/bus/pci/devices; "": none */
	char node[GPU_NODES][GPU_NODE_SIZE];    /* whoever has one of them open uses it: "nvidia0", "dri/renderD128" */
	unsigned number;                        /* of the device; parts have that of the whole */
	bool is_part;                           /* an instance (MIG): row.parent is the key of the whole */
};

/* The tracked processes, as of the sample before; `pids` are those of src->proc. */
struct gpu_job { const pid_t *pids; size_t n; };

struct gpu_moment {                             /* when a reading happens, and for whom */
	int64_t now_ns, wall_ns;                /* CLOCK_MONOTONIC, CLOCK_REALTIME: never turned by hand */
	struct gpu_job job;
};

struct gpu_process {
	pid_t  pid;
	double utilization_pct;                 /* of the device, 0..100: its part of row.utilization_pct */
	double encoder_pct, decoder_pct;
	double vram_bytes;
};

struct gpu_backend {
	size_t state_size;                      /* of `state`, which arrives zeroed */
	int  (*open)(void *state, const struct source *src, struct why *why);
	int  (*list)(void *state, struct gpu_device *ret, size_t room);
	/*
	 * `row` is as `list` left it; fill in the LEVELs and AMOUNTs.  Amounts are what happened since the last read
	 * of this device; its first leaves them.  -ENODEV: it is gone (then its values are missing and `list` is called
	 * before the next time); -ESTALE: there are others now, likewise.
	 */
	int  (*read)(void *state, size_t device, const struct gpu_moment *m, struct gpu_row *row);
	/* Called right after the device's `read`.  -EOPNOTSUPP: the driver does not tell. */
	int  (*processes)(void *state, size_t device, const struct gpu_moment *m, struct gpu_process *ret, size_t room);
	void (*close)(void *state);
};

#define DRIVER(name, tells_all) extern const struct gpu_backend gpu_##name;
#include "drivers.def"

#endif
