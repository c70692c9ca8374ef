/*
 * backend.h - the interface of a backend: how one vendor's GPUs are found and read.  Each backend has a file in
 * src/gpu/ (more, if it is long), a line in drivers.def, and a function in driver.c that checks whether its driver is
 * present.
 *
 *   open       finds the driver.  -ENODATA: there is no GPU after all.  Other errors: the GPUs that are there cannot
 *              be read, so their values are missing.  A sentence in `why` is reported once.
 *   list       the devices, in the order in which they are numbered, at most `room`; returns how many, or -errno.
 *              The entries of `ret` are zeroed on entry.  Called again after `read` returned -ENODEV or -ESTALE.
 *   read       the current values of one device.
 *   processes  the processes that use a device, each once, at most `room`; returns how many, or -errno.
 *   close      releases everything; called after a failed open too.
 *
 * All are called one after the other, in a process of the backend's own, or in the library in a thread (serve.h):
 * they can block for any time.  The recorder does not wait for them: a sample that is taken meanwhile lacks their
 * values, and a notice reports it.  An open that takes more than a few seconds counts as failed, for good.
 *
 * Values that the driver does not report stay NONE or "", as they are on entry; never 0, and never a guess.
 * A device that sleeps (runtime power management) is not read: the caller checks power/runtime_status first.
 */
#ifndef RT_GPU_BACKEND_H
#define RT_GPU_BACKEND_H

#include "../core/sample.h"
#include "driver.h"
#include "drm_nodes.h"

struct gpu_device {
	/*
	 * Filled in by `list`: key (uuid; else the PCI address), all texts, and metrics that are FIXED.
	 * counted_in_total is 1, or 0 if its parts are devices as well.
	 */
	struct gpu_row row;
	char folder[16];                        /* "0000:03:00.0" in sys/bus/pci/devices; "": none */
	char node[GPU_NODES][GPU_NODE_SIZE];    /* a process uses the device if it has one of them open: "nvidia0",
						   "dri/renderD128" */
	unsigned number;                        /* of the device; a part has the number of the whole */
	bool is_part;                           /* an instance (MIG): row.parent is the key of the whole */
};

/* The tracked processes, as of the sample before; `pids` are those of src->proc. */
struct gpu_job { const pid_t *pids; size_t n; };

struct gpu_moment {                             /* when a reading happens, and for which job */
	int64_t now_ns, wall_ns;                /* CLOCK_MONOTONIC, CLOCK_REALTIME: always the real ones, never a
						   test's */
	struct gpu_job job;
};

struct gpu_process {
	pid_t  pid;
	double utilization_pct;                 /* of the device, 0..100: this process's part of row.utilization_pct */
	double encoder_pct, decoder_pct;
	double vram_bytes;
};

struct gpu_backend {
	size_t state_size;                      /* of `state`, which is zeroed on entry */
	int  (*open)(void *state, const struct source *src, struct why *why);
	int  (*list)(void *state, struct gpu_device *ret, size_t room);
	/*
	 * `row` is as `list` left it; fills in the LEVELs and AMOUNTs.  AMOUNTs count since the previous read of this
	 * device; its first read leaves them NONE.  -ENODEV: the device is gone (its values are missing and `list` is
	 * called before the next read); -ESTALE: the set of devices changed, likewise.
	 */
	int  (*read)(void *state, size_t device, const struct gpu_moment *m, struct gpu_row *row);
	/* Called right after the device's `read`.  -EOPNOTSUPP: the driver does not report processes. */
	int  (*processes)(void *state, size_t device, const struct gpu_moment *m, struct gpu_process *ret, size_t room);
	void (*close)(void *state);
};

#define DRIVER(name, lists_all) extern const struct gpu_backend gpu_##name;
#include "drivers.def"

#endif
