/* test_processes.c - the processes of a run, from a /proc made by the test. */
#include "fixture.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "top/processes.h"

static char root[] = "/tmp/test_processes-XXXXXX";

static void write_file(const char *name, const char *text)
{
	char path[128];
	FILE *f;

	(void)snprintf(path, sizeof path, "%s/proc/%s", root, name);
	f = fopen(path, "w");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

/* ticks: of CPU time in user mode.  disk: bytes read. */
static void put(int pid, int parent, const char *name, unsigned start, unsigned ticks, unsigned disk)
{
	char path[128], text[512];

	(void)snprintf(path, sizeof path, "%s/proc/%d", root, pid);
	(void)mkdir(path, 0700);
	(void)snprintf(path, sizeof path, "%d/stat", pid);
	(void)snprintf(text, sizeof text, "%d (%s) S %d %d %d 0 -1 4194304 0 0 0 0 %u 0 0 0 20 0 3 0 %u 4096000 25 "
		       "18446744073709551615 0 0 0 0 0 0 0 0 0 0 0 0 17 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n",
		       pid, name, parent, pid, pid, ticks, start);
	write_file(path, text);
	(void)snprintf(path, sizeof path, "%d/io", pid);
	(void)snprintf(text, sizeof text, "rchar: 0\nwchar: 0\nsyscr: 0\nsyscw: 0\nread_bytes: %u\nwrite_bytes: 0\n"
		       "cancelled_write_bytes: 0\n", disk);
	write_file(path, text);
}

static int begin(void **state)
{
	char path[128];

	(void)state;
	(void)snprintf(root, sizeof root, "/tmp/test_processes-XXXXXX");
	assert_non_null(mkdtemp(root));
	(void)snprintf(path, sizeof path, "%s/proc", root);
	assert_int_equal(mkdir(path, 0700), 0);
	put(1, 0, "init", 1, 0, 0);
	put(50, 1, "recorder", 90, 0, 0);               /* the recorder */
	put(51, 50, "viewer", 95, 0, 0);                /* a program beside the run: older than the command */
	put(52, 50, "resource-tracke", 130, 0, 0);      /* one of ours */
	put(60, 50, "sh", 100, 10, 0);                  /* the command */
	put(61, 60, "a b) c", 110, 20, 100);            /* a name with blanks and parentheses */
	put(62, 61, "deep", 120, 30, 0);
	put(70, 50, "orphan", 140, 5, 0);               /* adopted */
	put(71, 70, "below", 150, 5, 0);
	put(80, 1, "other", 200, 99, 0);
	return 0;
}

static int end(void **state)
{
	char command[128];

	(void)state;
	(void)snprintf(command, sizeof command, "rm -rf %s", root);
	assert_int_equal(system(command), 0);
	return 0;
}

static const struct entry *entry_of(const struct processes *p, pid_t pid)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->entry[i].pid == pid)
			return &p->entry[i];
	return NULL;
}

/* The same, which has to be there; by value. */
static struct entry known(const struct processes *p, pid_t pid)
{
	const struct entry *e = entry_of(p, pid);

	assert_non_null(e);
	return e ? *e : (struct entry){ .pid = 0 };
}

static void the_members_of_a_run(void **state)
{
	static const pid_t members[] = { 60, 61, 62, 70, 71 };
	pid_t command = 60;
	struct processes p;

	(void)state;
	assert_int_equal(processes_open(&p, root, &(struct kin){ &command, 1, 50 }, NULL), 0);
	assert_true(processes_due(&p));
	assert_int_equal(processes_read(&p), 0);
	assert_false(processes_due(&p));
	assert_int_equal(p.n, countof(members));
	for (size_t i = 0; i < countof(members); i++)
		assert_non_null(entry_of(&p, members[i]));
	assert_string_equal(known(&p, 61).name, "a b) c");
	assert_true(is_none(known(&p, 61).cores));
	assert_true(known(&p, 61).count == 3);
	assert_true(known(&p, 61).bytes == 25.0 * (double)p.machine.page_bytes);
	processes_close(&p);
}

static void attached_to_it_adopts_none(void **state)
{
	pid_t roots[] = { 61, 80 };
	struct processes p;

	(void)state;
	assert_int_equal(processes_open(&p, root, &(struct kin){ roots, 2, 0 }, NULL), 0);
	assert_int_equal(processes_read(&p), 0);
	assert_int_equal(p.n, 3);
	assert_non_null(entry_of(&p, 80));
	processes_close(&p);
}

static void use_is_that_since_the_last_reading(void **state)
{
	pid_t command = 60;
	struct processes p;
	double seconds, cores;

	(void)state;
	assert_int_equal(processes_open(&p, root, &(struct kin){ &command, 1, 50 }, NULL), 0);
	assert_int_equal(processes_read(&p), 0);
	put(61, 60, "a", 110, 20 + 50, 100 + 4096);
	put(62, 61, "new", 500, 31, 0);                 /* the same pid, another process */

	int64_t was = p.read_ns;

	assert_int_equal(processes_read(&p), 0);
	seconds = (double)(p.read_ns - was) / 1e9;
	cores = 50.0 / (double)p.machine.ticks_per_second / seconds;
	assert_true(known(&p, 61).cores > 0.999 * cores && known(&p, 61).cores < 1.001 * cores);
	assert_true(known(&p, 61).disk_bytes_per_second > 4095 / seconds);
	assert_true(is_none(known(&p, 62).cores));
	processes_close(&p);
}

/* The command has ended, its pid belongs to another process now, and what it left behind is still the run's. */
static void a_pid_can_be_used_again(void **state)
{
	pid_t command = 60;
	struct processes p;

	(void)state;
	assert_int_equal(processes_open(&p, root, &(struct kin){ &command, 1, 50 }, NULL), 0);
	assert_int_equal(processes_read(&p), 0);
	put(60, 1, "stranger", 900, 0, 0);
	put(61, 50, "a", 110, 20, 0);
	assert_int_equal(processes_read(&p), 0);
	assert_null(entry_of(&p, 60));
	assert_non_null(entry_of(&p, 61));
	assert_non_null(entry_of(&p, 71));
	processes_close(&p);
}

/* Parents in a circle, as two readings of a fast machine can make them. */
static void a_circle_ends(void **state)
{
	pid_t command = 60;
	struct processes p;

	(void)state;
	put(201, 202, "x", 300, 0, 0);
	put(202, 201, "y", 300, 0, 0);
	put(203, 203, "z", 300, 0, 0);
	assert_int_equal(processes_open(&p, root, &(struct kin){ &command, 1, 50 }, NULL), 0);
	assert_int_equal(processes_read(&p), 0);
	assert_int_equal(p.n, 5);
	processes_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_members_of_a_run, begin, end),
		cmocka_unit_test_setup_teardown(attached_to_it_adopts_none, begin, end),
		cmocka_unit_test_setup_teardown(use_is_that_since_the_last_reading, begin, end),
		cmocka_unit_test_setup_teardown(a_pid_can_be_used_again, begin, end),
		cmocka_unit_test_setup_teardown(a_circle_ends, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
