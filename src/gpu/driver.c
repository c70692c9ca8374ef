/* driver.c - how the presence of each driver is detected. */
#include "driver.h"

#include <string.h>
#include <sys/stat.h>

#include "drm_nodes.h"
#include "place.h"

static bool exists(int directory, const char *path)
{
	struct stat status;

	return directory >= 0 && fstatat(directory, path, &status, 0) == 0;
}

/* Containers often have /proc/driver/nvidia, or the driver's device file, but not the GPU's folder in sysfs. */
static bool nvidia_present(const struct source *src)
{
	return src->nvml_given || exists(src->proc, "driver/nvidia") || exists(src->root, "dev/nvidiactl") ||
	       gpu_driver_devices(src->sys, "nvidia", NULL, 0) > 0;
}

static const struct gpu_driver drivers[] = {
#define DRIVER(name, lists_all) { #name, lists_all, name##_present },
#include "drivers.def"
};

size_t gpu_drivers_present(const struct gpu_driver *ret[], size_t room, const struct source *src)
{
	size_t n = 0;

	for (size_t i = 0; i < countof(drivers) && n < room; i++)
		if (drivers[i].present(src))
			ret[n++] = &drivers[i];
	return n;
}

const struct gpu_driver *gpu_driver_named(const char *name)
{
	for (size_t i = 0; i < countof(drivers); i++)
		if (strcmp(drivers[i].name, name) == 0)
			return &drivers[i];
	return NULL;
}
