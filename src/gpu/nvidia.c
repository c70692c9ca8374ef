/* nvidia.c - lists NVIDIA's GPUs and their instances (MIG). */
#include "nvidia_device.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "place.h"

static int nvidia_open(void *state, const struct source *src, struct why *why)
{
	struct nvidia *n = state;
	int cuda = 0;
	int r = src->nvml ? nvml_open(&n->nvml, src->nvml, why)
			  : why_set(why, -EOPNOTSUPP, "NVIDIA GPUs are not read below --root: their driver reports only this "
				    "machine");

	if (r < 0)
		return r;
	n->src = src;
	if (n->nvml.driver_version)
		(void)n->nvml.driver_version(n->driver_version, sizeof n->driver_version);
	if (n->nvml.cuda_version && n->nvml.cuda_version(&cuda) == NVML_SUCCESS && cuda > 0)
		(void)snprintf(n->cuda_version, sizeof n->cuda_version, "%d.%d", cuda / 1000, cuda % 1000 / 10);
	return 0;
}

static void forget_devices(struct nvidia *n)
{
	for (size_t i = 0; i < n->n; i++)
		for (size_t k = 0; k < countof(n->at[i].gpm); k++)
			if (n->at[i].gpm[k] && n->nvml.gpm_free)
				(void)n->nvml.gpm_free(n->at[i].gpm[k]);
	memset(n->at, 0, sizeof n->at);
	n->n = 0;
}

static void nvidia_close(void *state)
{
	struct nvidia *n = state;

	forget_devices(n);
	nvml_close(&n->nvml);
}

/* ---- properties of a device --------------------------------------------------------------- */

static const char *architecture_name(unsigned number)
{
	static const char *const names[] = {
		[2] = "Kepler", [3] = "Maxwell", [4] = "Pascal", [5] = "Volta", [6] = "Turing", [7] = "Ampere",
		[8] = "Ada", [9] = "Hopper", [10] = "Blackwell",
	};

	return number < countof(names) && names[number] ? names[number] : "";
}

/* 00000000:65:00.0 becomes the name of its folder in sysfs, 0000:65:00.0. */
static void folder_of(char ret[16], const char *id)
{
	size_t n = strlen(id), skip = n > 12 ? n - 12 : 0;

	(void)snprintf(ret, 16, "%.12s", id + skip);
	for (char *p = ret; *p; p++)
		*p = (char)tolower((unsigned char)*p);
}

#define TEXT_CALL(n, d, call, text) \
	do { \
		if (!NVIDIA_ASK(n, d, call, text, sizeof(text))) \
			(text)[0] = '\0'; \
	} while (0)

/* Properties that both a device and an instance have. */
static void name_device(struct nvidia *n, struct nvidia_device *d, struct gpu_device *ret)
{
	struct gpu_row *row = &ret->row;
	char uuid[96] = "";

	(void)snprintf(row->vendor, sizeof row->vendor, "nvidia");
	(void)snprintf(row->driver_version, sizeof row->driver_version, "%s", n->driver_version);
	(void)snprintf(row->cuda_version, sizeof row->cuda_version, "%s", n->cuda_version);
	if (!d->handle)
		return;
	TEXT_CALL(n, d, name, row->name);
	TEXT_CALL(n, d, uuid, uuid);
	if (uuid[0])
		(void)snprintf(row->key, sizeof row->key, "%.63s", uuid);
}

static void describe(struct nvidia *n, struct nvidia_device *d, struct gpu_device *ret)
{
	struct gpu_row *row = &ret->row;
	struct nvml_pci pci;
	unsigned number, pending;

	(void)snprintf(row->key, sizeof row->key, "nvidia-%u", ret->number);
	(void)snprintf(row->host_id, sizeof row->host_id, "%u", ret->number);
	(void)snprintf(row->device_type, sizeof row->device_type, "GPU");
	row->counted_in_total = 1;
	name_device(n, d, ret);
	if (!d->handle)
		return;
	if (NVIDIA_ASK(n, d, pci, &pci)) {
		(void)snprintf(row->pci_bus_id, sizeof row->pci_bus_id, "%.23s", pci.id);
		folder_of(ret->folder, pci.id);
	}
	if (NVIDIA_ASK(n, d, minor, &number))
		(void)snprintf(ret->node[0], sizeof ret->node[0], "nvidia%u", number);
	if (NVIDIA_ASK(n, d, architecture, &number))
		(void)snprintf(row->architecture, sizeof row->architecture, "%s", architecture_name(number));
	if (NVIDIA_ASK(n, d, cores, &number))
		row->core_count = number;
	if (NVIDIA_ASK(n, d, mig_mode, &number, &pending))
		row->mig_mode = number;
	if (NVIDIA_ASK(n, d, power_limit, &number))
		row->power_limit_watts = number / 1e3;
	if (NVIDIA_ASK_KIND(n, d, clock_max, NVML_CLOCK_GRAPHICS, &number))
		row->frequency_max_hertz = number * 1e6;
	if (NVIDIA_ASK_KIND(n, d, clock_max, NVML_CLOCK_MEMORY, &number))
		row->memory_frequency_max_hertz = number * 1e6;
}

static void describe_part(struct nvidia *n, struct nvidia_device *d, struct gpu_device *ret,
			  const struct gpu_device *whole, unsigned i)
{
	struct gpu_row *row = &ret->row;
	struct nvml_attributes attributes;

	*ret = (struct gpu_device){ .row = whole->row, .number = whole->number, .is_part = true };
	memcpy(ret->folder, whole->folder, sizeof ret->folder);
	memcpy(ret->node, whole->node, sizeof ret->node);
	(void)snprintf(row->parent, sizeof row->parent, "%s", whole->row.key);
	(void)snprintf(row->key, sizeof row->key, "%.40s/%u", whole->row.key, i);
	(void)snprintf(row->host_id, sizeof row->host_id, "%.10s:%u", whole->row.host_id, i);
	(void)snprintf(row->device_type, sizeof row->device_type, "MIG");
	name_device(n, d, ret);
	if (!row->name[0])
		memcpy(row->name, whole->row.name, sizeof row->name);
	row->core_count = row->mig_mode = row->power_limit_watts = NONE;
	row->counted_in_total = 1;
	/* Cores are known only for a whole device; a part reports its multiprocessors. */
	if (NVIDIA_ASK(n, d, attributes, &attributes) && attributes.memory_mib > 0)
		row->vram_total_bytes = (double)attributes.memory_mib * 1048576.0;
}

/* Lists the instances of a device, right after it; returns how many. */
static size_t list_parts(struct nvidia *n, size_t at, struct gpu_device *ret, size_t room)
{
	struct nvidia_device *whole = &n->at[at];
	unsigned most = 0;
	size_t parts = 0;

	if (!(ret[at].row.mig_mode > 0) || !NVIDIA_ASK(n, whole, mig_max, &most))
		return 0;
	for (unsigned i = 0; i < most && at + 1 + parts < room; i++) {
		struct nvidia_device *d = &n->at[at + 1 + parts];
		nvml_device handle;

		/* Slots can be empty. */
		if (!NVIDIA_ASK(n, whole, mig_by_index, i, &handle))
			continue;
		*d = (struct nvidia_device){ .handle = handle, .whole = whole->handle, .alone = true };
		d->gpu_instance = UINT32_MAX;
		(void)NVIDIA_ASK(n, d, gpu_instance, &d->gpu_instance);
		for (size_t k = at + 1; k < at + 1 + parts; k++)
			if (n->at[k].gpu_instance == d->gpu_instance)
				n->at[k].alone = d->alone = false;
		describe_part(n, d, &ret[at + 1 + parts], &ret[at], i);
		parts++;
	}
	if (parts > 0)
		ret[at].row.counted_in_total = 0;
	return parts;
}

/* ---- the list ------------------------------------------------------------------------------ */

static void add(struct nvidia *n, struct gpu_device *ret, size_t room, nvml_device handle, unsigned number,
		const char *folder)
{
	size_t at = n->n;

	if (at == room)
		return;
	ret[at].number = number;
	n->at[at] = (struct nvidia_device){ .handle = handle };
	describe(n, &n->at[at], &ret[at]);
	if (!handle && folder)
		(void)snprintf(ret[at].row.key, sizeof ret[at].row.key, "%s", folder);
	if (folder)
		(void)snprintf(ret[at].folder, sizeof ret[at].folder, "%s", folder);
	n->n++;
	n->n += list_parts(n, at, ret, room);
}

/* By number; a device that is there but has no handle gets a row without values, unless access is denied. */
static int list_by_number(struct nvidia *n, struct gpu_device *ret, size_t room)
{
	unsigned count = 0;
	nvml_return r = n->nvml.count(&count);

	if (r != NVML_SUCCESS)
		return r == NVML_NO_PERMISSION ? -EACCES : -EIO;
	for (unsigned i = 0; i < count; i++) {
		nvml_device handle = NULL;

		r = n->nvml.by_index(i, &handle);
		if (r != NVML_NO_PERMISSION)
			add(n, ret, room, r == NVML_SUCCESS ? handle : NULL, i, NULL);
	}
	return (int)n->n;
}

/* Getting a device's handle wakes it.  So if one sleeps, handles are requested one by one, by PCI address. */
static int nvidia_list(void *state, struct gpu_device *ret, size_t room)
{
	struct nvidia *n = state;
	char folders[GPU_MAX][16];
	size_t count = size_min(gpu_driver_devices(n->src->sys, "nvidia", folders, GPU_MAX), GPU_MAX);
	bool any_sleeps = false;

	forget_devices(n);
	room = size_min(room, GPU_MAX);
	for (size_t i = 0; i < count; i++)
		any_sleeps = any_sleeps || gpu_sleeps(n->src->sys, folders[i]);
	if (!any_sleeps || !n->nvml.by_pci)
		return list_by_number(n, ret, room);
	for (size_t i = 0; i < count; i++) {
		nvml_device handle = NULL;

		if (!gpu_sleeps(n->src->sys, folders[i]) && n->nvml.by_pci(folders[i], &handle) != NVML_SUCCESS)
			handle = NULL;
		add(n, ret, room, handle, (unsigned)i, folders[i]);
	}
	return (int)n->n;
}

const struct gpu_backend gpu_nvidia = {
	.state_size = sizeof(struct nvidia),
	.open = nvidia_open,
	.list = nvidia_list,
	.read = nvidia_read,
	.processes = nvidia_processes,
	.close = nvidia_close,
};
