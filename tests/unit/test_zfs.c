/* test_zfs.c - pools of ZFS: the output of zpool, kstats, and rows. */
#include "fixture.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "collect/zfs.h"

static void a_list_of_pools_is_parsed(void **state)
{
	static const char text[] =
		"tank\t1099511627776\t500000000000\t599511627776\nfaulted\t-\t-\t-\n\n"
		"rpool\t1000\t400\t600\nthird\t1\t1\t1\n";
	static const char blanks[] = "my pool\t1000\t400\t600\ntank 2\t9\t5\t4\n";
	struct pool_space pools[2];

	(void)state;
	assert_int_equal(zpool_parse_list(pools, 2, text, strlen(text)), 2);
	assert_string_equal(pools[0].name, "tank");
	assert_int_equal(pools[0].size, 1099511627776);
	assert_int_equal(pools[0].allocated, 500000000000);
	assert_int_equal(pools[0].free, 599511627776);
	assert_string_equal(pools[1].name, "rpool");
	assert_int_equal(zpool_parse_list(pools, 2, "", 0), 0);
	assert_int_equal(zpool_parse_list(pools, 2, blanks, strlen(blanks)), 2);
	assert_string_equal(pools[0].name, "my pool");
	assert_int_equal(pools[0].size, 1000);
	assert_string_equal(pools[1].name, "tank 2");
	assert_int_equal(pools[1].free, 4);
}

static bool parses(struct pool_io *ret, const char *text)
{
	return zpool_parse_io(ret, text, strlen(text));
}

static void a_kstat_must_have_all_four(void **state)
{
	static const char text[] = "h\nwrites 4 1\nnwritten 4 2\nreads 4 3\n";
	struct pool_io io = { 0 };

	(void)state;
	assert_false(zpool_parse_io(&io, text, strlen(text)));
	assert_false(parses(&io, "h\nnread nwritten reads writes\n1 2 3"));
	assert_false(parses(&io, "h\nnread nwritten reads writes"));
	assert_true(parses(&io, "h\nnread nwritten reads writes\n1 2 3 4"));
	assert_int_equal(io.read_bytes, 1);
	assert_int_equal(io.write_bytes, 2);
	assert_int_equal(io.reads, 3);
	assert_int_equal(io.writes, 4);
}

static void pools_are_rows_that_do_not_count(void **state)
{
	struct fixture f;
	const struct disk_row *rpool, *tank;

	(void)state;
	fixture_open(&f, "zfs");
	fixture_begin(&f, &collector_disk);
	assert_int_equal(f.sample.n_disk, 2);
	assert_none(f.sample.disk[0].read_bytes);
	fixture_advance(&f, 1, 1);
	assert_int_equal(f.sample.n_disk, 2);
	rpool = &f.sample.disk[strcmp(f.sample.disk[0].key, "zfs:rpool") != 0];
	tank = &f.sample.disk[rpool == &f.sample.disk[0]];
	assert_string_equal(rpool->key, "zfs:rpool");
	assert_string_equal(tank->key, "zfs:tank");
	assert_near(rpool->read_bytes, 100);
	assert_near(rpool->write_bytes, 200);
	assert_near(tank->read_bytes, 1000);            /* the other dataset's counter fell */
	assert_near(tank->write_bytes, 550);
	assert_near(tank->reads, 11);
	assert_near(tank->read_bytes_total, 3100);
	assert_near(tank->counted_in_total, 0);
	assert_none(tank->capacity_bytes);
	/* Without zpool the root is still listed, its datasets are not. */
	assert_int_equal(f.sample.n_mount, 1);
	assert_string_equal(f.sample.mount[0].key, "/");
	fixture_close(&f);
}

/* A zpool of the test, first on PATH. */
static void put_zpool(struct fixture *f, const char *script)
{
	char path[512];

	fixture_write(f, "bin/zpool", script);
	(void)snprintf(path, sizeof path, "%s/bin/zpool", f->root);
	assert_int_equal(chmod(path, 0755), 0);
	(void)snprintf(path, sizeof path, "%s/bin:/usr/bin:/bin", f->root);
	assert_int_equal(setenv("PATH", path, 1), 0);
	if (access("/usr/sbin/zpool", F_OK) == 0 || access("/sbin/zpool", F_OK) == 0 ||
	    access("/usr/bin/zpool", F_OK) == 0 || access("/usr/local/sbin/zpool", F_OK) == 0)
		skip();
}

/* What had no CPU for the two seconds that it is given is asked again. */
static int run_in_time(char *text, size_t size, pid_t *left)
{
	int n;

	do
		n = zpool_run(text, size, left);
	while (n == -ETIMEDOUT || n == -EBUSY);
	return n;
}

static void zpool_is_run_without_a_shell(void **state)
{
	struct fixture f;
	char text[256];
	pid_t left = 0;

	(void)state;
	fixture_open(&f, "zfs");
	put_zpool(&f, "#!/bin/sh\necho \"$# $1 $2 $3 $4\"\necho noise >&2\n");

	int n = run_in_time(text, sizeof text, &left);

	assert_int_equal(n, 39);
	assert_memory_equal(text, "4 list -Hp -o name,size,allocated,free\n", 39);
	assert_int_equal(run_in_time(text, 5, &left), -EFBIG);
	fixture_close(&f);
}

static void a_zpool_that_hangs_is_killed(void **state)
{
	struct fixture f;
	char text[256];
	pid_t left = 0;

	(void)state;
	fixture_open(&f, "zfs");
	put_zpool(&f, "#!/bin/sh\nexec sleep 3600\n");
	assert_int_equal(zpool_run(text, sizeof text, &left), -ETIMEDOUT);
	wait_until(left == 0 || waitpid(left, NULL, WNOHANG) == left);  /* it had no CPU to end */
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);               /* and no process of it is left */
	fixture_close(&f);
}

/* A pool that does not answer blocks each zpool in the kernel, and one more every ten seconds. */
static void no_second_zpool_runs_beside_one_that_cannot_be_killed(void **state)
{
	struct fixture f;
	char text[256];
	pid_t there = fork(), left = there;

	(void)state;
	if (there == 0) {
		(void)pause();
		_exit(0);
	}
	fixture_open(&f, "zfs");
	put_zpool(&f, "#!/bin/sh\necho tank\n");
	assert_int_equal(zpool_run(text, sizeof text, &left), -EBUSY);
	assert_int_equal(left, there);
	assert_int_equal(kill(there, SIGKILL), 0);
	assert_int_equal(waitpid(there, NULL, 0), there);
	assert_int_equal(run_in_time(text, sizeof text, &left), 5);
	wait_until(left == 0 || waitpid(left, NULL, WNOHANG) == left);
	fixture_close(&f);
}

static void space_comes_from_zpool_and_counts(void **state)
{
	static struct zfs z;
	struct fixture f;
	struct worker *worker = NULL;

	(void)state;
	fixture_open(&f, "zfs");
	put_zpool(&f, "#!/bin/sh\nprintf 'tank\\t1000\\t300\\t650\\n'\n");
	zfs_start(&z, &f.source);
	z.live = true;                          /* as if this were the machine */

	struct tick tick = { .src = &f.source, .text = &f.text, .out = &f.sample, .why = &f.why };

	for (f.sample.n_mount = 0; f.sample.n_mount == 0;) {
		sample_clear(&f.sample);
		f.why.text[0] = '\0';                          /* what had no CPU to answer is asked again */
		f.sample.monotonic_ns = f.now_ns += 10 * NS_PER_SECOND;
		zfs_read(&z, &tick, &worker);
		assert_non_null(worker);
		wait_until(!worker_busy(worker, z.job));
	}
	assert_string_equal(f.why.text, "");
	assert_int_equal(f.sample.n_mount, 1);
	assert_string_equal(f.sample.mount[0].key, "zfs:tank");
	assert_string_equal(f.sample.mount[0].device, "zfs:tank");
	assert_string_equal(f.sample.mount[0].filesystem, "zfs");
	assert_near(f.sample.mount[0].total_bytes, 1000);
	assert_near(f.sample.mount[0].used_bytes, 300);
	assert_near(f.sample.mount[0].available_bytes, 650);
	assert_near(f.sample.total.disk_total_space_used_bytes, 350);
	zfs_stop(&z, worker_close(worker, 10) < 0);
	fixture_close(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list_of_pools_is_parsed),
		cmocka_unit_test(a_kstat_must_have_all_four),
		cmocka_unit_test(pools_are_rows_that_do_not_count),
		cmocka_unit_test(zpool_is_run_without_a_shell),
		cmocka_unit_test(a_zpool_that_hangs_is_killed),
		cmocka_unit_test(no_second_zpool_runs_beside_one_that_cannot_be_killed),
		cmocka_unit_test(space_comes_from_zpool_and_counts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
