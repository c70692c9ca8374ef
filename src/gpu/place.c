/* place.c - PCI devices in sysfs.  Documentation/ABI/testing/sysfs-devices-power */
#include "place.h"

#include <stdio.h>
#include <string.h>

/* A driver's folder in sysfs also has bind, unbind, module ...; devices are 0000:03:00.0. */
static bool is_device(const char *name)
{
	return strchr(name, ':') && name[strspn(name, "0123456789abcdef:.")] == '\0';
}

static int by_name(const void *a, const void *b)
{
	return strcmp(a, b);
}

size_t gpu_driver_devices(int sys, const char *driver, char ret[][16], size_t room)
{
	char path[64];
	size_t n = 0;

	(void)snprintf(path, sizeof path, "bus/pci/drivers/%s", driver);

	DIR *directory = sys < 0 ? NULL : source_open_folder(sys, path);

	if (!directory)
		return 0;
	for (struct dirent *e; (e = readdir(directory)) != NULL;)
		if (is_device(e->d_name) && n++ < room)
			(void)snprintf(ret[n - 1], sizeof ret[0], "%.15s", e->d_name);
	(void)closedir(directory);
	if (room > 0)
		qsort(ret, size_min(n, room), sizeof ret[0], by_name);
	return n;
}

int gpu_sleep_open(int sys, const char *place)
{
	char path[80];

	(void)snprintf(path, sizeof path, "bus/pci/devices/%s/power/runtime_status", place);
	return *place && sys >= 0 ? source_open_file(sys, path) : -1;
}

bool gpu_sleep_read(int fd)
{
	static const char suspended[] = "suspended";
	char status[16];
	ssize_t n = fd < 0 ? -1 : pread(fd, status, sizeof status, 0);

	return n >= (ssize_t)sizeof suspended - 1 && memcmp(status, suspended, sizeof suspended - 1) == 0;
}

bool gpu_sleeps(int sys, const char *place)
{
	auto_close int fd = gpu_sleep_open(sys, place);

	return gpu_sleep_read(fd);
}
