/* mount_device.c - from a device number or a name in /dev to the whole disk. */
#include "mount_device.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "../core/source.h"

bool mount_device_of_link(char ret[DEVICE_LABEL_SIZE], const char *link, bool is_partition)
{
	const char *end = link + strlen(link);

	for (int back = is_partition ? 1 : 0; back >= 0; back--) {
		const char *first = end;

		while (first > link && first[-1] != '/')
			first--;
		if (first == end)
			return false;
		if (back == 0) {
			(void)word_copy((struct word){ first, (size_t)(end - first) }, ret, DEVICE_LABEL_SIZE);
			/* names in sysfs have no slash: cciss!c0d0 */
			for (char *p = ret; *p; p++)
				if (*p == '!')
					*p = '/';
			return true;
		}
		end = first > link ? first - 1 : first;
	}
	return false;
}

static bool from_link(char ret[DEVICE_LABEL_SIZE], int sys, const char *path)
{
	char link[512], partition[sizeof "/partition" + 128];
	ssize_t n = readlinkat(sys, path, link, sizeof link - 1);

	if (n <= 0)
		return false;
	link[n] = '\0';
	(void)snprintf(partition, sizeof partition, "%s/partition", path);
	return mount_device_of_link(ret, link, faccessat(sys, partition, F_OK, 0) == 0);
}

/* Finds the mapping called `name`: the block/dm-N with this dm/name. */
static bool from_mapping(char ret[DEVICE_LABEL_SIZE], int sys, const char *name)
{
	DIR *directory = source_open_folder(sys, "block");
	bool found = false;

	if (!directory)
		return false;
	for (struct dirent *e; !found && (e = readdir(directory)) != NULL;) {
		char path[300], line[128];

		if (strncmp(e->d_name, "dm-", 3) != 0)
			continue;
		(void)snprintf(path, sizeof path, "%s/dm/name", e->d_name);
		found = source_read_line(line, sizeof line, dirfd(directory), path) == 0 && strcmp(line, name) == 0;
		if (found)
			(void)snprintf(ret, DEVICE_LABEL_SIZE, "%.*s", DEVICE_LABEL_SIZE - 1, e->d_name);
	}
	(void)closedir(directory);
	return found;
}

/* btrfs has an anonymous device number, so the device is found by the name it was mounted with. */
static bool from_source(char ret[DEVICE_LABEL_SIZE], int sys, const char *source)
{
	char path[128];
	int n = (int)strcspn(source, ":");              /* bcachefs: /dev/sda:/dev/sdb */

	if (strncmp(source, "/dev/mapper/", strlen("/dev/mapper/")) == 0)
		return from_mapping(ret, sys, source + strlen("/dev/mapper/"));
	if (strncmp(source, "/dev/", strlen("/dev/")) != 0)
		return false;
	(void)snprintf(path, sizeof path, "class/block/%.*s", n - (int)strlen("/dev/"), source + strlen("/dev/"));
	return from_link(ret, sys, path);
}

void mount_device(char ret[DEVICE_LABEL_SIZE], int sys, const struct mount *m)
{
	char path[64];

	(void)snprintf(path, sizeof path, "dev/block/%u:%u", m->major, m->minor);
	if (m->major != 0 && from_link(ret, sys, path))
		return;
	if (m->class == MOUNT_LOCAL && from_source(ret, sys, m->source))
		return;
	(void)word_copy((struct word){ m->source, strlen(m->source) }, ret, DEVICE_LABEL_SIZE);
}
