/*
 * select.h - which GPUs are meant: by people (--gpus), and by the variables that drivers heed.  Pure.
 *
 * --gpus is a list of numbers (0), parts (0:1), names of devices (uuid or place, or the beginning of one: GPU-8f2a),
 * or the word none.
 */
#ifndef RT_GPU_SELECT_H
#define RT_GPU_SELECT_H

#include "../core/scan.h"
#include "backend.h"

/* Whether the list has this device; a whole is meant with all its parts. */
bool gpu_selected(const char *list, const struct gpu_device *d);
/* By which items of the list a device is meant: bit i is the i-th, of the first 64. */
uint64_t gpu_select_matched(const char *list, const struct gpu_device *devices, size_t n);
/* The other items, as text: 'x', 'y'; returns how many. */
size_t gpu_select_unmatched(char *ret, size_t size, const char *list, uint64_t matched);

/* What in an environment (NUL between the entries, as in /proc/PID/environ) says which GPUs a job may use. */
struct gpu_visible {
	struct gpu_visible_list {
		const char *vendor;             /* of the GPUs that it is about */
		const char *by;                 /* "CUDA_VISIBLE_DEVICES" */
		char list[512];
		bool in_place_order;            /* its numbers are those of places: CUDA_DEVICE_ORDER=PCI_BUS_ID */
	} of[4];                                /* vendors, once each */
	size_t n;
};
void gpu_visible_parse(struct gpu_visible *ret, const char *environment, size_t n);
/*
 * By device: 1 visible, 0 not, NONE where nobody can tell: CUDA numbers the fastest first, which is another order than
 * that of places if the devices differ; and devices of other vendors are not counted.  What no variable is about is
 * visible.  Returns the variable that is about one of the devices; NULL: there is none.
 */
const char *gpu_visible_match(double ret[], const struct gpu_visible *v, const struct gpu_device *devices, size_t n);

#endif
