/* test_disk.c - /proc/diskstats and /sys/block. */
#include "fixture.h"

#include <string.h>

#include "collect/diskstats.h"

static const struct disk_row *row(const struct fixture *f, const char *key)
{
	for (size_t i = 0; i < f->sample.n_disk; i++)
		if (strcmp(f->sample.disk[i].key, key) == 0)
			return &f->sample.disk[i];
	fail_msg("no row %s", key);
	return &f->sample.disk[0];
}

static void incomplete_lines_are_skipped(void **state)
{
	static const char text[] =
		"8 1 sda1 1 2 3 4\n\n8 0\n7 0 loop3 1 1 1 1 1 1 1 1 1 1 1\n1 0 ram7 1 1 1 1 1 1 1 1 1 1 1\n"
		"8 0 a-name-longer-than-the-kernel-ever-makes 1 1 1 1 1 1 1 1 1 1 1\n"
		"9 9 loopy 1 2 3 4 5 6 7 8 9 10 11";
	struct scan s = scan_of(text, strlen(text));
	struct disk_line line;

	(void)state;
	assert_true(disk_next(&s, &line));
	assert_string_equal(line.name, "loopy");
	assert_int_equal(line.counters.reads, 1);
	assert_int_equal(line.counters.read_sectors, 3);
	assert_int_equal(line.counters.writes, 5);
	assert_int_equal(line.counters.write_sectors, 7);
	assert_int_equal(line.counters.busy_ms, 10);
	assert_int_equal(line.counters.weighted_ms, 11);
	assert_false(disk_next(&s, &line));
}

static void a_multipath_path_belongs_to_its_head(void **state)
{
	char head[DISK_NAME_SIZE];

	(void)state;
	assert_true(disk_path_head(head, "nvme12c3n4"));
	assert_string_equal(head, "nvme12n4");
	assert_false(disk_path_head(head, "nvme0n1"));
	assert_false(disk_path_head(head, "nvme0c0n1p1"));
	assert_false(disk_path_head(head, "sdc0n1"));
}

static void a_sector_is_512_bytes_on_4k_drives(void **state)
{
	struct fixture f;

	(void)state;
	fixture_open(&f, "disk-4kn");
	fixture_begin(&f, &collector_disk);
	assert_none(row(&f, "nvme0n1")->read_bytes);
	assert_none(f.sample.total.disk_total_read_bytes);
	assert_near(row(&f, "nvme0n1")->read_bytes_total, 8000 * 512);
	assert_near(row(&f, "nvme0n1")->capacity_bytes, 3750748848.0 * 512);
	assert_string_equal(row(&f, "nvme0n1")->model, "INTEL SSDPE2KX020T8");
	assert_string_equal(row(&f, "nvme0n1")->device_type, "nvme");

	fixture_advance(&f, 1, 2);
	assert_near(row(&f, "nvme0n1")->read_bytes, 8000 * 512);
	assert_near(row(&f, "nvme0n1")->write_bytes, 1600 * 512);
	assert_near(row(&f, "nvme0n1")->reads, 100);
	assert_near(row(&f, "nvme0n1")->writes, 100);
	assert_near(row(&f, "nvme0n1")->busy_pct, 50);
	assert_near(row(&f, "nvme0n1")->queue_length, 1.5);
	assert_near(f.sample.total.disk_total_read_bytes, 8000 * 512);
	assert_near(f.sample.total.disk_total_write_bytes, 1600 * 512);
	fixture_close(&f);
}

static void stacked_devices_count_once(void **state)
{
	static const char *const keys[] = {
		"cciss/c0d0", "dm-0", "md0", "nvme0n1", "sda", "sdb", "sdc", "zram0",
	};
	struct fixture f;

	(void)state;
	fixture_open(&f, "disk-stack");
	fixture_begin(&f, &collector_disk);
	assert_int_equal(f.sample.n_disk, 8);
	assert_string_equal(row(&f, "sda")->model, "WDC WD4000");
	assert_string_equal(row(&f, "sda")->vendor, "ATA");
	assert_string_equal(row(&f, "sda")->serial, "naa.50014ee2b1c2d3e4");
	assert_string_equal(row(&f, "sda")->device_type, "hdd");
	assert_string_equal(row(&f, "nvme0n1")->serial, "S5XANA0R");
	assert_string_equal(row(&f, "cciss/c0d0")->model, "LOGICAL VOLUME");
	assert_string_equal(row(&f, "dm-0")->model, "");
	assert_none(row(&f, "sr0")->capacity_bytes);            /* no medium */
	assert_near(row(&f, "sda")->counted_in_total, 1);
	assert_near(row(&f, "md0")->counted_in_total, 0);
	assert_near(row(&f, "dm-0")->counted_in_total, 0);
	assert_near(row(&f, "zram0")->counted_in_total, 0);

	/* sr0 goes, sdc comes, sdb's counters fall, dm-0's milliseconds wrap. */
	fixture_advance(&f, 1, 5);
	assert_int_equal(f.sample.n_disk, countof(keys));
	for (size_t i = 0; i < countof(keys); i++)
		assert_string_equal(f.sample.disk[i].key, keys[i]);
	assert_near(row(&f, "sda")->read_bytes, 2000 * 512);
	assert_near(row(&f, "sda")->busy_pct, 10);
	assert_near(row(&f, "sdb")->write_bytes, 0);
	assert_near(row(&f, "sdb")->writes, 0);
	assert_near(row(&f, "sdb")->busy_pct, 100);
	assert_near(row(&f, "sdc")->read_bytes, 56 * 512);      /* its whole count is of this interval */
	assert_string_equal(row(&f, "sdc")->model, "Flash Disk");
	assert_near(row(&f, "dm-0")->busy_pct, 20);
	assert_near(row(&f, "dm-0")->queue_length, 0.8);
	/* The head of the multipath device has no counts on this kernel. */
	assert_near(row(&f, "nvme0n1")->read_bytes, 600 * 512);
	assert_near(row(&f, "nvme0n1")->write_bytes, 200 * 512);
	assert_near(f.sample.total.disk_total_read_bytes, (2000 + 1000 + 56 + 600) * 512);
	assert_near(f.sample.total.disk_total_write_bytes, (4000 + 0 + 8 + 200) * 512);
	fixture_close(&f);
}

static void a_replaced_device_is_read_again(void **state)
{
	struct fixture f;

	(void)state;
	fixture_open(&f, "disk-4kn");
	fixture_begin(&f, &collector_disk);
	fixture_write(&f, "sys/block/nvme0n1/device/model", "OTHER\n");
	fixture_advance(&f, 1, 1);
	assert_string_equal(row(&f, "nvme0n1")->model, "INTEL SSDPE2KX020T8");
	fixture_write(&f, "sys/block/nvme0n1/device/model", "OTHER\n");
	fixture_write(&f, "proc/diskstats", "259 0 nvme0n1 1 0 8 0 0 0 0 0 0 0 0\n");
	f.now_ns += NS_PER_SECOND;
	assert_int_equal(fixture_read(&f), 0);
	assert_string_equal(row(&f, "nvme0n1")->model, "OTHER");
	assert_near(row(&f, "nvme0n1")->read_bytes, 0);
	fixture_close(&f);
}

static void a_stack_built_later_is_noticed(void **state)
{
	struct fixture f;

	(void)state;
	fixture_open(&f, "disk-stack");
	fixture_write(&f, "sys/block/md0/slaves/sda", NULL);
	fixture_write(&f, "sys/block/md0/slaves/sdb", NULL);
	fixture_begin(&f, &collector_disk);
	assert_near(row(&f, "md0")->counted_in_total, 1);
	fixture_advance(&f, 0, 11);
	assert_near(row(&f, "md0")->counted_in_total, 0);
	fixture_close(&f);
}

static void a_stack_is_read_when_active_or_after_a_minute(void **state)
{
	static const char *const works[] = { "9 0 md0 1 0 8 0 0 0 0 0 0 0 0\n", "9 0 md0 2 0 16 0 0 0 0 0 0 0 0\n" };
	struct fixture f;

	(void)state;
	fixture_open(&f, "disk-stack");
	fixture_write(&f, "proc/diskstats", works[0]);
	assert_int_equal(fixture_start(&f, &collector_disk), 0);
	for (int i = 0; i < 2; i++, f.now_ns += 10 * NS_PER_SECOND)
		assert_int_equal(fixture_read(&f), 0);
	fixture_write(&f, "sys/block/md0/size", "16\n");
	for (int i = 0; i < 6; i++, f.now_ns += 10 * NS_PER_SECOND) {
		assert_int_equal(fixture_read(&f), 0);
		assert_true((row(&f, "md0")->capacity_bytes == 16 * 512) == (i == 5));
	}
	fixture_write(&f, "sys/block/md0/size", "32\n");
	fixture_write(&f, "proc/diskstats", works[1]);
	assert_int_equal(fixture_read(&f), 0);
	assert_near(row(&f, "md0")->capacity_bytes, 32 * 512);
	fixture_close(&f);
}

static void a_machine_without_disks_has_none(void **state)
{
	struct fixture f;

	(void)state;
	fixture_open(&f, "net-container");
	assert_int_equal(fixture_start(&f, &collector_disk), -ENODATA);
	fixture_close(&f);
}

static void without_sysfs_there_are_filesystems_only(void **state)
{
	struct fixture f;

	(void)state;
	fixture_open(&f, "net-container");
	fixture_write(&f, "proc/diskstats", "8 0 sda 1 0 8 0 0 0 0 0 0 0 0\n");
	assert_int_equal(fixture_start(&f, &collector_disk), -ENODATA);
	f.collector->stop(f.state);
	free(f.state);
	fixture_write(&f, "proc/self/mountinfo", "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n");
	fixture_begin(&f, &collector_disk);
	assert_int_equal(f.sample.n_disk, 0);
	assert_int_equal(f.sample.n_mount, 1);
	assert_none(f.sample.total.disk_total_read_bytes);
	fixture_close(&f);
}

static void a_hurried_baseline_loses_nothing(void **state)
{
	struct fixture f;

	(void)state;
	fixture_open(&f, "disk-4kn");
	assert_int_equal(fixture_start(&f, &collector_disk), 0);
	f.brief = true;
	assert_int_equal(fixture_read(&f), 0);
	assert_int_equal(f.sample.n_disk, 0);           /* nothing moved, so nothing was read */

	/* If the end is hurried too, I/O is counted, though the names are not known. */
	fixture_advance(&f, 1, 2);
	assert_near(row(&f, "nvme0n1")->read_bytes, 8000 * 512);
	assert_string_equal(row(&f, "nvme0n1")->model, "");
	assert_near(f.sample.total.disk_total_read_bytes, 8000 * 512);
	assert_near(f.sample.total.disk_total_write_bytes, 1600 * 512);

	f.brief = false;
	f.now_ns += NS_PER_SECOND;
	assert_int_equal(fixture_read(&f), 0);
	assert_string_equal(row(&f, "nvme0n1")->model, "INTEL SSDPE2KX020T8");
	assert_near(f.sample.total.disk_total_read_bytes, 0);
	fixture_close(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(incomplete_lines_are_skipped),
		cmocka_unit_test(a_multipath_path_belongs_to_its_head),
		cmocka_unit_test(a_sector_is_512_bytes_on_4k_drives),
		cmocka_unit_test(a_hurried_baseline_loses_nothing),
		cmocka_unit_test(stacked_devices_count_once),
		cmocka_unit_test(a_replaced_device_is_read_again),
		cmocka_unit_test(a_stack_built_later_is_noticed),
		cmocka_unit_test(a_stack_is_read_when_active_or_after_a_minute),
		cmocka_unit_test(a_machine_without_disks_has_none),
		cmocka_unit_test(without_sysfs_there_are_filesystems_only),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
