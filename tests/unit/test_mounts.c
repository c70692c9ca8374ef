/* test_mounts.c - /proc/self/mountinfo: the listed filesystems, their devices, and the sums. */
#include "fixture.h"

#include <stdio.h>
#include <string.h>

#include "collect/mount_device.h"
#include "collect/mounts.h"
#include "collect/space.h"

static bool etc_holds_files(void *context, const char *point)
{
	(void)context;
	return path_is_below(point, "/etc");
}

/* The listed mount points, joined by blanks; * marks those that can block. */
static const char *listed(const char *text)
{
	static char joined[1024];
	struct mounts m;
	size_t n = 0;

	assert_int_equal(mounts_parse(&m, text, strlen(text)), 0);
	mounts_select(&m, etc_holds_files, NULL);
	joined[0] = '\0';
	for (size_t i = 0; i < m.n; i++)
		n += (size_t)snprintf(joined + n, sizeof joined - n, "%s%s%s", i ? " " : "",
				      m.at[i].may_block ? "*" : "", m.at[i].point);
	mounts_release(&m);
	return joined;
}

static void fields_are_decoded(void **state)
{
	static const char text[] =
		"36 35 98:0 /mnt1 /a\\040b\\134c\\011d\\012e rw,noatime master:1 propagate_from:2 - ext3 /dev/root rw\n"
		"broken\n1 2 3:4 / /x rw\n1 2 3:x / /x rw - ext4 a b\n"
		"37 35 0:40 / /empty rw -  tmpfs  rw\n"
		"38 35 0:41 / /no\\9source\\04 rw - tmpfs";
	struct mounts m;

	(void)state;
	assert_int_equal(mounts_parse(&m, text, strlen(text)), 0);
	assert_int_equal(m.n, 3);
	assert_int_equal(m.at[0].id, 36);
	assert_int_equal(m.at[0].parent, 35);
	assert_int_equal(m.at[0].major, 98);
	assert_string_equal(m.at[0].root, "/mnt1");
	assert_string_equal(m.at[0].point, "/a b\\c\td\ne");
	assert_string_equal(m.at[0].type, "ext3");
	assert_string_equal(m.at[0].source, "/dev/root");
	assert_string_equal(m.at[1].source, "");
	assert_string_equal(m.at[2].point, "/no\\9source\\04");
	assert_string_equal(m.at[2].source, "");
	mounts_release(&m);
}

static void system_places_go_by_component(void **state)
{
	(void)state;
	assert_string_equal(listed("1 0 8:1 / / rw - ext4 a rw\n2 1 8:2 / /system rw - ext4 a rw\n"
				   "3 1 8:3 / /devel rw - ext4 a rw\n4 1 8:4 / /run2 rw - ext4 a rw\n"
				   "5 1 8:5 / /run/media rw - ext4 a rw\n6 1 8:6 / /dev rw - ext4 a rw\n"
				   "7 1 8:7 / /proc/x rw - ext4 a rw\n8 1 8:8 / /sysroot rw - ext4 a rw\n"),
			    "/ /system /devel /run2 /sysroot");
	assert_true(path_is_below("/a/b", "/a"));
	assert_true(path_is_below("/a", "/a"));
	assert_true(path_is_below("/a", "/"));
	assert_false(path_is_below("/ab", "/a"));
}

static void only_filesystems_with_data_are_listed(void **state)
{
	(void)state;
	assert_string_equal(listed("1 0 8:1 / / rw - ext4 a rw\n2 1 0:5 / /x1 rw - tmpfs a rw\n"
				   "3 1 7:3 / /snap/core rw - squashfs /dev/loop3 ro\n"
				   "4 1 11:0 / /media/cd rw - iso9660 /dev/sr0 ro\n"
				   "5 1 7:4 / /img rw - ext4 /dev/loop4 rw\n"
				   "6 1 0:31 / /pool rw - zfs pool/data rw\n"
				   "7 1 0:32 / /b rw - btrfs /dev/sdb1 rw\n"
				   "8 1 0:33 / /var/lib/docker/overlay2/x/merged rw - overlay overlay rw\n"
				   "9 1 0:34 / /var/lib/lxcfs rw - fuse.lxcfs lxcfs rw\n"
				   "10 1 0:35 / /x2 rw - nsfs nsfs rw\n11 1 0:36 / /x3 rw - cgroup2 c rw\n"),
			    "/ /b");
	/* A filesystem that is left out elsewhere is listed as the root. */
	assert_string_equal(listed("1 0 0:5 / / rw - tmpfs a rw\n"), "/");
	assert_string_equal(listed("1 0 7:0 / / rw - squashfs /dev/loop0 rw\n"), "/");
	assert_string_equal(listed("1 0 0:31 / / rw - zfs rpool/root rw\n"), "/");
	assert_string_equal(listed("1 0 0:32 / / rw - 9p none rw\n"), "*/");
}

static void each_filesystem_stands_once(void **state)
{
	(void)state;
	/* A bind mount with a longer path, one that comes first, a second mount of the same filesystem. */
	assert_string_equal(listed("9 1 8:2 /d /srv/data/bound rw - ext4 b rw\n1 0 8:1 / / rw - ext4 a rw\n"
				   "2 1 8:1 /home /home rw - ext4 a rw\n3 1 8:2 / /data rw - ext4 b rw\n"
				   "4 1 8:2 / /mnt2 rw - ext4 b rw\n"),
			    "/ /data");
}

static void covered_mounts_are_not_listed(void **state)
{
	(void)state;
	assert_string_equal(listed("1 1 0:2 / / rw - rootfs rootfs rw\n27 1 8:1 / / rw - ext4 a rw\n"
				   "30 27 8:2 / /data rw - ext4 b rw\n31 30 8:3 / /data rw - xfs c rw\n"
				   "32 27 8:4 / /mnt/a rw - ext4 d rw\n33 32 8:5 / /mnt/a/b rw - ext4 e rw\n"
				   "34 27 0:40 / /mnt rw - tmpfs t rw\n35 34 8:6 / /mnt/c rw - ext4 f rw\n"),
			    "/ /data /mnt/c");
	/* A cycle of parents is malformed, but must end. */
	(void)listed("1 2 8:1 / /a rw - ext4 a rw\n2 1 8:2 / /b rw - ext4 a rw\n");
}

static void a_container_shows_its_overlay(void **state)
{
	(void)state;
	assert_string_equal(listed("1 0 0:50 / / rw - overlay overlay rw\n"
				   "2 1 259:1 /c/resolv.conf /etc/resolv.conf rw - ext4 /dev/nvme0n1p1 rw\n"
				   "3 1 259:1 /c/hosts /etc/hosts rw - ext4 /dev/nvme0n1p1 rw\n"),
			    "/ /etc/hosts");
	/* A directory of the same filesystem stands for it, though its path is longer. */
	assert_string_equal(listed("1 0 0:50 / / rw - overlay overlay rw\n"
				   "3 1 259:1 /c/hosts /etc/hosts rw - ext4 /dev/nvme0n1p1 rw\n"
				   "4 1 259:1 /v /var/lib/volume rw - ext4 /dev/nvme0n1p1 rw\n"),
			    "/ /var/lib/volume");
}

static void filesystems_that_can_block_are_marked(void **state)
{
	(void)state;
	assert_string_equal(listed("1 0 8:1 / / rw - ext4 a rw\n2 1 0:50 / /home rw - nfs4 srv:/home rw\n"
				   "3 2 8:2 / /home/u/scratch rw - ext4 b rw\n4 1 8:3 / /homes rw - ext4 c rw\n"
				   "5 1 0:51 / /auto rw - autofs systemd-1 rw\n6 5 8:4 / /auto/x rw - ext4 d rw\n"
				   "7 1 0:52 / /new rw - newfs server:/x rw\n8 1 0:53 / /s rw - smb3 //nas/s rw\n"
				   "9 1 8:5 / /win rw - fuseblk /dev/sdc1 rw\n10 1 0:54 / /l rw - fuse.sshfs h: rw\n"),
			    "/ */home */home/u/scratch /homes */auto/x */new */s */win */l");
	assert_true(mount_is_fuse("fuse.s3fs"));
	assert_false(mount_is_fuse("fuseblk"));
}

static void a_partition_is_on_its_disk(void **state)
{
	char label[DEVICE_LABEL_SIZE];

	(void)state;
	assert_true(mount_device_of_link(label, "../../devices/pci0/virtio1/block/vda/vda1", true));
	assert_string_equal(label, "vda");
	assert_true(mount_device_of_link(label, "../../devices/virtual/block/dm-3", false));
	assert_string_equal(label, "dm-3");
	assert_true(mount_device_of_link(label, "../../block/cciss!c0d0/cciss!c0d0p1", true));
	assert_string_equal(label, "cciss/c0d0");
	assert_false(mount_device_of_link(label, "vda1", true));
	assert_false(mount_device_of_link(label, "", false));
	assert_false(mount_device_of_link(label, "a/", false));
}

static struct space_share share(enum mount_class class, uint64_t blocks, uint64_t free, const char *source)
{
	return (struct space_share){
		.space = { .block_bytes = 4096, .blocks = blocks, .free = free, .available = free - 50, .files = 7 },
		.class = class, .known = true, .source = source,
	};
}

static void a_row_equals_df(void **state)
{
	struct mount_row row;
	struct space s = { .block_bytes = 4096, .blocks = 1000, .free = 300, .available = 250 };

	(void)state;
	space_fill(&row, &s);
	assert_near(row.total_bytes, 4096000);
	assert_near(row.used_bytes, 700 * 4096);
	assert_near(row.available_bytes, 250 * 4096);
	assert_near(row.used_pct, 70);
	s.free = s.available = 2000;                    /* a quota that was lowered */
	space_fill(&row, &s);
	assert_near(row.used_bytes, 0);
	assert_near(row.available_bytes, 4096000);
}

static void sums_count_each_filesystem_once(void **state)
{
	static struct sample out;
	struct space_share s[] = {
		share(MOUNT_OVERLAY, 100000, 5001, "overlay"),
		share(MOUNT_DEVICE, 100000, 5000, "/dev/vda1"),         /* below the overlay */
		share(MOUNT_DEVICE, 100000, 5000, "/dev/vdb1"),         /* another of the same size */
		share(MOUNT_REMOTE, 70000, 600, "srv:/a"),
		share(MOUNT_REMOTE, 70000, 601, "srv:/b"),              /* the same disk of the server */
		share(MOUNT_REMOTE, 70000, 600, "srv2:/b"),
		share(MOUNT_REMOTE, UINT64_C(1) << 38, 999, "bucket"),  /* an object store */
		share(MOUNT_DEVICE, 4444, 444, "unknown"),
	};

	(void)state;
	s[6].is_fuse = true;
	s[7].known = false;
	sample_clear(&out);
	space_total(&out.total, s, 0);
	assert_none(out.total.disk_total_space_total_bytes);
	space_total(&out.total, s, countof(s));
	assert_near(out.total.disk_total_space_total_bytes, (2 * 100000 + 2 * 70000) * 4096.0);
	assert_near(out.total.disk_total_space_free_bytes, (2 * 4950 + 550 + 550) * 4096.0);
	assert_near(out.total.disk_total_space_used_bytes, (2 * 95050 + 2 * 69450) * 4096.0);
	assert_false(s[0].counted);
	assert_true(s[1].counted);
	assert_false(s[4].counted);

	/* In a container only the overlay and single files show the disk. */
	s[1].is_file = true;
	sample_clear(&out);
	space_total(&out.total, s, 2);
	assert_true(s[0].counted);
	assert_false(s[1].counted);
	assert_near(out.total.disk_total_space_free_bytes, 4951 * 4096.0);
	s[0].space.blocks = 99999;                      /* its upper directory is on another disk */
	sample_clear(&out);
	space_total(&out.total, s, 2);
	assert_true(s[0].counted);
	assert_true(s[1].counted);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_are_decoded),
		cmocka_unit_test(system_places_go_by_component),
		cmocka_unit_test(only_filesystems_with_data_are_listed),
		cmocka_unit_test(each_filesystem_stands_once),
		cmocka_unit_test(covered_mounts_are_not_listed),
		cmocka_unit_test(a_container_shows_its_overlay),
		cmocka_unit_test(filesystems_that_can_block_are_marked),
		cmocka_unit_test(a_partition_is_on_its_disk),
		cmocka_unit_test(a_row_equals_df),
		cmocka_unit_test(sums_count_each_filesystem_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
