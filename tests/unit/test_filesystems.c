/* test_filesystems.c - rows of mounts and sums of space over time, with and without a filesystem that hangs. */
#include "fixture.h"

#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>

#include "collect/filesystems.h"

static const char local_and_remote[] =
	"1 0 8:1 / / rw - ext4 /dev/sda1 rw\n2 1 0:50 / /home rw - nfs4 srv:/home rw\n"
	"3 1 0:51 / /work rw - nfs4 srv2:/work rw\n";

static sem_t gate;
static atomic_int asked_root, asked_home, asked_work;
static atomic_bool home_hangs, hanging;

static int ask(struct space *ret, bool live, int root, const char *point, unsigned major, unsigned minor)
{
	(void)live;
	(void)root;
	(void)major;
	*ret = (struct space){ .block_bytes = 1000, .blocks = 100 + minor, .free = 60, .available = 50 };
	if (strcmp(point, "/home") == 0) {
		if (home_hangs) {
			hanging = true;
			(void)sem_wait(&gate);
		}
		asked_home++;
	} else if (strcmp(point, "/work") == 0) {
		asked_work++;
	} else if (strcmp(point, "/") == 0) {
		asked_root++;
	} else {
		return -ENOENT;
	}
	return 0;
}

struct machine {
	struct fixture f;
	struct filesystems filesystems;
	struct worker *worker;
};

static void open_machine(struct machine *m, const char *mountinfo)
{
	memset(m, 0, sizeof *m);
	fixture_open(&m->f, "disk-stack");
	fixture_write(&m->f, "proc/self/mountinfo", mountinfo);
	filesystems_start(&m->filesystems, &m->f.source);
	m->filesystems.ask = ask;
	asked_root = asked_home = asked_work = 0;
	home_hangs = false;
	hanging = false;
	assert_int_equal(sem_init(&gate, 0, 0), 0);
}

static void close_machine(struct machine *m)
{
	filesystems_stop(&m->filesystems, worker_close(m->worker, 10) < 0);
	fixture_close(&m->f);
}

static void read_after(struct machine *m, double seconds)
{
	struct tick tick = { .src = &m->f.source, .text = &m->f.text, .out = &m->f.sample, .why = &m->f.why };

	m->f.now_ns += (int64_t)(seconds * 1e9);
	m->f.why.text[0] = '\0';
	sample_clear(&m->f.sample);
	m->f.sample.monotonic_ns = m->f.now_ns;
	filesystems_read(&m->filesystems, &tick, &m->worker);
}

static void wait_for_worker(struct machine *m)
{
	wait_until(!worker_busy(m->worker, m->filesystems.space_schedule));
}

static void wait_until_it_hangs(void)
{
	wait_until(hanging);
}

static void local_filesystems_are_read_once_a_second(void **state)
{
	static struct machine m;

	(void)state;
	open_machine(&m, "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n");
	read_after(&m, 0);
	assert_int_equal(m.f.sample.n_mount, 1);
	assert_string_equal(m.f.sample.mount[0].key, "/");
	assert_string_equal(m.f.sample.mount[0].device, "sda");
	assert_string_equal(m.f.sample.mount[0].filesystem, "ext4");
	assert_near(m.f.sample.mount[0].total_bytes, 101000);
	assert_near(m.f.sample.mount[0].used_bytes, 41000);
	assert_near(m.f.sample.mount[0].available_bytes, 50000);
	assert_near(m.f.sample.total.disk_total_space_used_bytes, 51000);
	for (int i = 0; i < 20; i++)
		read_after(&m, 0.1);
	assert_near(m.f.sample.mount[0].total_bytes, 101000);
	/* A captured list counts as changed each time it is due to be read: both have the same period. */
	assert_in_range(asked_root, 3, 4);
	assert_null(m.worker);                    /* no filesystem here can block */
	close_machine(&m);
}

static void remote_filesystems_are_read_in_the_worker(void **state)
{
	static struct machine m;

	(void)state;
	open_machine(&m, local_and_remote);
	read_after(&m, 0);
	assert_int_equal(m.f.sample.n_mount, 3);
	assert_string_equal(m.f.sample.mount[1].device, "srv:/home");
	wait_for_worker(&m);
	read_after(&m, 1);
	assert_near(m.f.sample.mount[1].total_bytes, 150000);
	assert_near(m.f.sample.mount[2].total_bytes, 151000);
	assert_near(m.f.sample.total.disk_total_space_total_bytes, 101000 + 150000 + 151000);
	read_after(&m, 5);
	assert_int_equal(asked_home, 1);
	read_after(&m, 5);                      /* 10 s after the first time */
	wait_for_worker(&m);
	assert_int_equal(asked_home, 2);
	close_machine(&m);
}

static void a_hanging_filesystem_goes_missing_and_comes_back(void **state)
{
	static struct machine m;

	(void)state;
	open_machine(&m, local_and_remote);
	read_after(&m, 0);
	wait_for_worker(&m);
	read_after(&m, 1);
	home_hangs = true;
	read_after(&m, 10);                     /* asks again */
	wait_until_it_hangs();
	read_after(&m, 1);
	assert_near(m.f.sample.mount[1].total_bytes, 150000);
	read_after(&m, 4);
	assert_string_equal(m.f.why.text, "");
	read_after(&m, 2);
	assert_string_equal(m.f.why.text, "/home does not answer: its space is missing until it does");
	assert_int_equal(m.f.sample.n_mount, 3);
	assert_none(m.f.sample.mount[1].total_bytes);
	assert_near(m.f.sample.mount[2].total_bytes, 151000);   /* the last answer is recent enough */
	assert_near(m.f.sample.mount[0].total_bytes, 101000);
	assert_near(m.f.sample.total.disk_total_space_total_bytes, 101000 + 151000);
	read_after(&m, 2);
	assert_string_equal(m.f.why.text, "");                  /* reported once */
	read_after(&m, 30);
	assert_none(m.f.sample.mount[2].total_bytes);

	/* The list changes meanwhile; then the server answers. */
	fixture_write(&m.f, "proc/self/mountinfo", "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n"
						   "3 1 0:51 / /work rw - nfs4 srv2:/work rw\n");
	read_after(&m, 2);
	assert_int_equal(m.f.sample.n_mount, 2);
	home_hangs = false;
	assert_int_equal(sem_post(&gate), 0);
	wait_for_worker(&m);
	read_after(&m, 1);
	assert_near(m.f.sample.mount[1].total_bytes, 151000);
	close_machine(&m);
}

static void a_new_filesystem_is_read_at_once(void **state)
{
	static struct machine m;

	(void)state;
	open_machine(&m, "3 1 0:51 / /work rw - nfs4 srv2:/work rw\n");
	read_after(&m, 0);
	wait_for_worker(&m);
	read_after(&m, 1);
	fixture_write(&m.f, "proc/self/mountinfo", local_and_remote);
	read_after(&m, 1);
	wait_for_worker(&m);
	read_after(&m, 1);
	assert_near(m.f.sample.mount[1].total_bytes, 150000);
	close_machine(&m);
}

static void a_filesystem_that_hangs_forever_does_not_block(void **state)
{
	static struct machine m;
	static struct space_schedule *left;            /* lost on purpose; static, so that a leak checker finds it */

	(void)state;
	open_machine(&m, local_and_remote);
	home_hangs = true;
	read_after(&m, 0);
	wait_until_it_hangs();

	bool lost = worker_close(m.worker, 0.02) < 0;

	assert_true(lost);
	left = m.filesystems.space_schedule;
	filesystems_stop(&m.filesystems, lost);
	/* Only a test can end the call that hangs: the memory it works on must still exist. */
	assert_int_equal(sem_post(&gate), 0);
	wait_until(asked_work != 0);
	assert_non_null(left);
	fixture_close(&m.f);
}

static void another_root_is_read_if_its_filesystem_is_the_same(void **state)
{
	struct fixture f;
	struct stat status;
	char text[256];

	(void)state;
	fixture_open(&f, "disk-stack");
	assert_int_equal(stat(f.root, &status), 0);
	(void)snprintf(text, sizeof text, "1 0 %u:%u / / rw - xfs /dev/x rw\n2 1 250:99 / /proc2 rw - ext4 /dev/y rw\n",
		       major(status.st_dev), minor(status.st_dev));
	/* Its filesystem must be a listed one, independent of this machine's temporary directory. */
	fixture_write(&f, "proc/self/mountinfo", text);
	fixture_write(&f, "proc2/x", "");
	fixture_begin(&f, &collector_disk);
	if (major(status.st_dev) == 0)
		skip();
	assert_int_equal(f.sample.n_mount, 2);
	assert_true(f.sample.mount[0].total_bytes > 0);
	assert_none(f.sample.mount[1].total_bytes);     /* a directory there, but on another filesystem */
	assert_string_equal(f.sample.mount[1].device, "/dev/y");
	fixture_close(&f);
}

static void a_btrfs_belongs_to_its_named_disk(void **state)
{
	static struct machine m;

	(void)state;
	open_machine(&m, "1 0 0:30 / / rw - btrfs /dev/mapper/root rw\n2 1 0:31 / /a rw - btrfs /dev/sda1 rw\n"
			 "3 1 252:0 / /b rw - xfs /dev/mapper/root rw\n4 1 0:32 / /c rw - btrfs /dev/nowhere rw\n");
	fixture_write(&m.f, "sys/block/dm-0/dm/name", "root\n");
	read_after(&m, 0);
	assert_int_equal(m.f.sample.n_mount, 4);
	assert_string_equal(m.f.sample.mount[0].device, "dm-0");
	assert_string_equal(m.f.sample.mount[1].device, "sda");
	assert_string_equal(m.f.sample.mount[2].device, "dm-0");
	assert_string_equal(m.f.sample.mount[3].device, "/dev/nowhere");
	close_machine(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(local_filesystems_are_read_once_a_second),
		cmocka_unit_test(remote_filesystems_are_read_in_the_worker),
		cmocka_unit_test(a_hanging_filesystem_goes_missing_and_comes_back),
		cmocka_unit_test(a_new_filesystem_is_read_at_once),
		cmocka_unit_test(a_filesystem_that_hangs_forever_does_not_block),
		cmocka_unit_test(another_root_is_read_if_its_filesystem_is_the_same),
		cmocka_unit_test(a_btrfs_belongs_to_its_named_disk),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
