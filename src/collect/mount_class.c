/* mount_class.c - classifies types of filesystems. */
#include "mount_class.h"

#include <string.h>

#include "../core/base.h"

enum { LOOP_MAJOR = 7 };                        /* Documentation/admin-guide/devices.txt */

static bool among(const char *type, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(type, list[i]) == 0)
			return true;
	return false;
}

/* statfs on these can wait for another machine, or for a process. */
static bool is_remote_type(const char *type)
{
	static const char *const types[] = {
		"nfs", "nfs4", "cifs", "smb3", "smbfs", "ncpfs", "afs", "coda", "ceph", "lustre", "gpfs",
		"mmfs", "beegfs", "beegfs_nodev", "orangefs", "pvfs2", "panfs", "wekafs", "glusterfs",
		"gfs2", "ocfs2", "9p", "virtiofs", "vboxsf", "vmhgfs", "prl_fs", "drvfs", "fuse", "fuseblk",
		"autofs",
	};

	return among(type, types, countof(types)) || strncmp(type, "fuse.", 5) == 0;
}

static bool is_image(const char *type)
{
	static const char *const types[] = { "squashfs", "iso9660", "udf", "erofs", "cramfs", "romfs" };

	return among(type, types, countof(types));
}

/* FUSE filesystems that show the space of another one, or none. */
static bool shows_others(const char *type)
{
	static const char *const types[] = {
		"fuse.lxcfs", "fuse.gvfsd-fuse", "fuse.portal", "fuse.snapfuse", "fuse.squashfuse",
		"fuse.squashfuse_ll", "fuse.vmware-vmblock", "fuse.bindfs", "fuse.encfs", "fuse.gocryptfs",
		"fuse.fuse-overlayfs", "fuse.archivemount", "fuse.rofiles-fuse", "fuse.revokefs-fuse",
	};

	return among(type, types, countof(types));
}

bool mount_is_fuse(const char *type)
{
	return strcmp(type, "fuse") == 0 || strncmp(type, "fuse.", 5) == 0;
}

static bool is_overlay(const char *type)
{
	static const char *const types[] = { "overlay", "overlayfs", "aufs", "unionfs" };

	return among(type, types, countof(types));
}

static bool is_memory(const char *type)
{
	static const char *const types[] = { "tmpfs", "ramfs", "rootfs" };

	return among(type, types, countof(types));
}

enum mount_class mount_classify(const char *type, const char *source, unsigned major, bool is_root)
{
	static const char *const local[] = { "btrfs", "bcachefs", "ubifs", "jffs2", "yaffs2" };

	if (strcmp(type, "autofs") == 0)
		return MOUNT_NONE;
	if (strcmp(type, "zfs") == 0)
		return is_root ? MOUNT_LOCAL : MOUNT_NONE;
	if (is_overlay(type))
		return is_root ? MOUNT_OVERLAY : MOUNT_NONE;
	if (is_memory(type))
		return is_root ? MOUNT_LOCAL : MOUNT_NONE;
	if (!is_root && (is_image(type) || shows_others(type) || major == LOOP_MAJOR))
		return MOUNT_NONE;
	if (is_remote_type(type))
		return MOUNT_REMOTE;
	if (major != 0)
		return MOUNT_DEVICE;
	if (among(type, local, countof(local)))
		return MOUNT_LOCAL;
	/* An unknown type with a server in its source: "host:/export", "//host/share". */
	return strstr(source, ":/") || strncmp(source, "//", 2) == 0 ? MOUNT_REMOTE : MOUNT_NONE;
}
