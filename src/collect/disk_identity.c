/* disk_identity.c - identifies a block device from sysfs, which never waits for the device. */
#include "disk_identity.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "../core/source.h"

static bool has_entries(int at, const char *path)
{
	DIR *directory = source_open_folder(at, path);
	bool any = false;

	if (!directory)
		return false;
	for (struct dirent *e; !any && (e = readdir(directory)) != NULL;)
		any = e->d_name[0] != '.';
	(void)closedir(directory);
	return any;
}

static bool starts_with_number(const char *name, const char *prefix)
{
	size_t n = strlen(prefix);

	return strncmp(name, prefix, n) == 0 && name[n] >= '0' && name[n] <= '9';
}

/*
 * Drivers that stack on other devices without linking them as slaves, and zram, with its data in memory.  zd: volumes
 * of ZFS.
 */
static bool stacked_by_name(const char *name)
{
	static const char *const prefixes[] = { "zram", "bcache", "drbd", "zd" };

	for (size_t i = 0; i < countof(prefixes); i++)
		if (starts_with_number(name, prefixes[i]))
			return true;
	return false;
}

static void read_size(struct disk_identity *d, int directory, const char *name)
{
	uint64_t sectors;

	d->capacity_bytes = source_read_u64(&sectors, directory, "size") == 0 && sectors > 0 ?
			    (double)sectors * 512 : NONE;
	d->stacked = stacked_by_name(name) || has_entries(directory, "slaves");
}

static void read_type(struct disk_identity *d, int directory, const char *name)
{
	uint64_t rotational;
	const char *type = "";

	if (strncmp(name, "nvme", 4) == 0)
		type = "nvme";
	else if (source_read_u64(&rotational, directory, "queue/rotational") == 0)
		type = rotational ? "hdd" : "ssd";
	(void)snprintf(d->device_type, sizeof d->device_type, "%s", type);
}

/* The folder of cciss/c0d0 is cciss!c0d0: names in sysfs have no slash. */
static int open_device(int sys, const char *name)
{
	char path[sizeof "block/" + DISK_NAME_SIZE];

	(void)snprintf(path, sizeof path, "block/%s", name);
	for (char *p = path + strlen("block/"); *p; p++)
		if (*p == '/')
			*p = '!';
	return openat(sys, path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static void read_shape(struct disk_identity *d, int directory, const char *name)
{
	uint64_t hidden;

	d->is_virtual = faccessat(directory, "device", F_OK, 0) < 0;
	d->hidden = source_read_u64(&hidden, directory, "hidden") == 0 && hidden;
	read_size(d, directory, name);
}

int disk_identify_brief(struct disk_identity *ret, int sys, const char *name)
{
	auto_close int directory = open_device(sys, name);

	if (directory < 0)
		return -ENOENT;
	memset(ret, 0, sizeof *ret);
	read_shape(ret, directory, name);
	return 0;
}

int disk_identify(struct disk_identity *ret, int sys, const char *name)
{
	auto_close int directory = open_device(sys, name);

	if (directory < 0)
		return -ENOENT;
	memset(ret, 0, sizeof *ret);
	(void)!source_read_line(ret->model, sizeof ret->model, directory, "device/model");
	(void)!source_read_line(ret->vendor, sizeof ret->vendor, directory, "device/vendor");
	/* virtio has the serial number beside the queue; SCSI has only the world-wide id. */
	if (source_read_line(ret->serial, sizeof ret->serial, directory, "device/serial") < 0 &&
	    source_read_line(ret->serial, sizeof ret->serial, directory, "serial") < 0)
		(void)!source_read_line(ret->serial, sizeof ret->serial, directory, "device/wwid");
	read_type(ret, directory, name);
	read_shape(ret, directory, name);
	return 0;
}

void disk_identify_again(struct disk_identity *identity, int sys, const char *name)
{
	auto_close int directory = open_device(sys, name);

	if (directory >= 0)
		read_size(identity, directory, name);
}
