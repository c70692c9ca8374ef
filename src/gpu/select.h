/*
 * select.h - selection of GPUs: by the user (--gpus), and by the variables that drivers obey.  Pure.
 *
 * --gpus is a list of numbers (0), parts (0:1), names of devices (uuid or PCI address, or a prefix of one: GPU-8f2a),
 * or the word none.
 */
#ifndef RT_GPU_SELECT_H
#define RT_GPU_SELECT_H

#include "../core/scan.h"
#include "backend.h"

/* Whether the list selects this device; selecting a whole selects all its parts. */
bool gpu_selected(const char *list, const struct gpu_device *d);
/* Which items of the list match a device: bit i is the i-th item, of the first 64. */
uint64_t gpu_select_matched(const char *list, const struct gpu_device *devices, size_t n);
/* Writes the other items as text, cut to fit: 'x', 'y'; returns how many were written. */
size_t gpu_select_unmatched(char *ret, size_t size, const char *list, uint64_t matched);

/*
 * The variables in an environment (NUL between the entries, as in /proc/PID/environ) that restrict a job to some
 * GPUs.
 */
struct gpu_visible {
	struct gpu_visible_list {
		const char *vendor;             /* of the GPUs concerned */
		const char *by;                 /* "CUDA_VISIBLE_DEVICES" */
		char list[512];
		bool in_place_order;            /* its numbers follow PCI addresses: CUDA_DEVICE_ORDER=PCI_BUS_ID */
	} of[4];                                /* vendors, once each */
	size_t n;
};
void gpu_visible_parse(struct gpu_visible *ret, const char *environment, size_t n);     /* leaves out too long lists */
/*
 * By device: 1 visible, 0 not, NONE unknown: CUDA numbers the fastest first, which differs from the order of
 * addresses if the devices differ, and does not count other vendors' devices.  A device that no variable concerns is
 * visible.  Returns the variable that concerns one of the devices; NULL: there is none.
 */
const char *gpu_visible_match(double ret[], const struct gpu_visible *v, const struct gpu_device *devices, size_t n);

#endif
