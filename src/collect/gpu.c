/* gpu.c - whether the machine has graphics processors.  They are not read yet: 0 where there are none. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "../core/collector.h"

/* A driver's folder in sysfs also holds bind, unbind, module ...; devices are 0000:03:00.0. */
static bool looks_like_device(const char *name)
{
	return strchr(name, ':') && name[strspn(name, "0123456789abcdef:.")] == '\0';
}

static bool drives_a_device(int sys, const char *driver)
{
	char path[64];
	bool any = false;

	(void)snprintf(path, sizeof path, "bus/pci/drivers/%s", driver);

	DIR *directory = source_open_folder(sys, path);

	if (!directory)
		return false;
	for (struct dirent *e; !any && (e = readdir(directory)) != NULL;)
		any = looks_like_device(e->d_name);
	(void)closedir(directory);
	return any;
}

static const char *driver_in_use(const struct source *src)
{
	static const char *const drivers[] = { "nvidia", "nouveau", "amdgpu", "i915", "xe" };
	struct stat status;

	/* Containers often see this folder and not the sysfs of the device. */
	if (fstatat(src->proc, "driver/nvidia", &status, 0) == 0)
		return "nvidia";
	for (size_t i = 0; src->sys >= 0 && i < countof(drivers); i++)
		if (drives_a_device(src->sys, drivers[i]))
			return drivers[i];
	return NULL;
}

static int gpu_start(void *state, const struct setup *setup, struct why *why)
{
	const char *driver = driver_in_use(setup->src);

	(void)state;
	if (!driver)
		return 0;
	return why_set(why, -EOPNOTSUPP, "GPUs (driver %s) are not read by this version; their values are missing",
		       driver);
}

static int gpu_read(void *state, struct tick *tick)
{
	struct totals *out = &tick->out->total;

	(void)state;
	out->gpu_total_utilization_gpus = 0;
	out->gpu_total_vram_used_bytes = 0;
	out->gpu_total_utilized = 0;
	return 0;
}

static void gpu_stop(void *state)
{
	(void)state;
}

const struct collector collector_gpu = {
	.name = "gpu",
	.state_size = 1,
	.start = gpu_start,
	.read = gpu_read,
	.stop = gpu_stop,
};
