/* place.h - PCI devices in sysfs: which a driver has, and whether one sleeps. */
#ifndef RT_GPU_PLACE_H
#define RT_GPU_PLACE_H

#include "../core/source.h"

/*
 * The places (0000:03:00.0) of the devices that a driver is bound to, in their order, by which drivers number them:
 * at most `room` of them; how many there are.  sys: a descriptor of /sys, or -1.
 */
size_t gpu_driver_devices(int sys, const char *driver, char ret[][16], size_t room);

/* Whether runtime power management has suspended it: a look at it would wake it.  False where nothing says so. */
bool gpu_sleeps(int sys, const char *place);

/* The same by a kept descriptor of its power/runtime_status; -1 from open: it has none. */
int  gpu_sleep_open(int sys, const char *place);
bool gpu_sleep_read(int fd);

#endif
