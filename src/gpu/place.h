/* place.h - PCI devices in sysfs: those of a driver, and whether one sleeps. */
#ifndef RT_GPU_PLACE_H
#define RT_GPU_PLACE_H

#include "../core/source.h"

/*
 * The addresses (0000:03:00.0) of the devices that a driver is bound to, in the order in which drivers number them:
 * at most `room`; returns how many there are, which can be more.  sys: a descriptor of /sys, or -1.
 */
size_t gpu_driver_devices(int sys, const char *driver, char ret[][16], size_t room);

/* Whether runtime power management has suspended the device: reading it would wake it.  False if unknown. */
bool gpu_sleeps(int sys, const char *place);

/* The same with a descriptor of its power/runtime_status, which the caller closes; -1: there is none, it is awake. */
int  gpu_sleep_open(int sys, const char *place);
bool gpu_sleep_read(int fd);

#endif
