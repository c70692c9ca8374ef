/* test_sideband.c - rings of the kernel's own records: of the machine, or of one process. */
#include "fixture.h"

#include <sched.h>
#include <string.h>
#include <sys/wait.h>

#include "kernel/seat.h"
#include "kernel/sideband.h"

enum { CPUS = 8 };

static int cpu[CPUS];
static size_t n_cpus;

/* The seats of a network namespace of our own; who may not have one may not listen to the machine either. */
static int find_cpus(void **state)
{
	cpu_set_t set;

	(void)state;
	(void)unshare(CLONE_NEWNET);
	assert_int_equal(sched_getaffinity(0, sizeof set, &set), 0);
	for (size_t i = 0; i < CPU_SETSIZE && n_cpus < CPUS; i++)
		if (CPU_ISSET(i, &set))
			cpu[n_cpus++] = (int)i;
	/* Only there does the child run. */
	CPU_ZERO(&set);
	for (size_t i = 0; i < n_cpus; i++)
		CPU_SET((size_t)cpu[i], &set);
	return sched_setaffinity(0, sizeof set, &set);
}

/* A process that waits at a pipe, and then becomes `true`. */
struct child { pid_t pid; int gate; };

static struct child child_start(void)
{
	int gate[2];
	char go;

	assert_int_equal(pipe(gate), 0);

	struct child c = { fork(), gate[1] };

	assert_true(c.pid >= 0);
	if (c.pid == 0) {
		(void)alarm(60);
		if (read(gate[0], &go, 1) == 1)
			(void)execlp("true", "true", (char *)NULL);
		_exit(1);
	}
	assert_int_equal(close(gate[0]), 0);
	return c;
}

static void child_run(struct child c)
{
	assert_int_equal(write(c.gate, "g", 1), 1);
	assert_int_equal(close(c.gate), 0);
	assert_int_equal(waitpid(c.pid, NULL, 0), c.pid);
}

/* Its records, of each ring: a name by exec, then its end. */
static void assert_told(struct sideband *s, pid_t pid, unsigned rings)
{
	struct sideband_record r;
	unsigned named = 0, ended = 0;
	uint64_t last_ns = 0;

	sideband_begin(s);
	while (sideband_next(s, &r)) {
		assert_true(r.time_ns >= last_ns);
		assert_int_not_equal(r.kind, SIDEBAND_LOST);
		last_ns = r.time_ns;
		if (r.pid != pid)
			continue;
		if (r.kind == SIDEBAND_NAME && r.exec && strcmp(r.name, "true") == 0)
			named++;
		if (r.kind == SIDEBAND_EXIT) {
			assert_int_equal(named, rings);
			ended++;
		}
	}
	assert_int_equal(named, rings);
	assert_int_equal(ended, rings);
	assert_false(sideband_next(s, &r));
}

static struct sideband *open_or_skip(struct child c, const int *cpus, size_t n)
{
	struct sideband *s = NULL;

	if (sideband_open(&s, c.pid, cpus, n, 0, NULL) < 0) {
		child_run(c);
		skip();
	}
	return s;
}

static void a_process_is_told(void **state)
{
	struct child c = child_start();
	struct sideband *s = open_or_skip(c, cpu, n_cpus);

	(void)state;
	child_run(c);
	assert_told(s, c.pid, 1);
	sideband_close(s);
}

static void where_all_seats_are_taken_the_process_alone_is_listened_to(void **state)
{
	int seat[SIDEBAND_WIDE_RECORDERS_MAX];
	struct child other = child_start(), c = child_start();
	struct sideband_record r;

	(void)state;
	for (size_t i = 0; i < countof(seat); i++)
		seat[i] = seat_take("resource-tracker-perf", SIDEBAND_WIDE_RECORDERS_MAX);

	struct sideband *s = open_or_skip(c, cpu, n_cpus);

	assert_false(sideband_is_wide(s));
	child_run(other);
	sideband_begin(s);
	assert_false(sideband_next(s, &r));
	child_run(c);
	assert_told(s, c.pid, 1);
	sideband_close(s);
	for (size_t i = 0; i < countof(seat); i++)
		close_p(&seat[i]);
}

/* As many rings as there can be, here all for one CPU. */
static void a_machine_with_many_cpus(void **state)
{
	int same[SIDEBAND_CPUS_MAX + 1];
	struct child c = child_start();
	struct sideband *s = NULL;
	struct why why = { "" };
	cpu_set_t set;

	(void)state;
	for (size_t i = 0; i < countof(same); i++)
		same[i] = cpu[0];
	CPU_ZERO(&set);
	CPU_SET((size_t)cpu[0], &set);
	assert_int_equal(sched_setaffinity(c.pid, sizeof set, &set), 0);
	assert_int_equal(sideband_open(&s, c.pid, same, countof(same), 0, &why), -E2BIG);
	assert_non_null(strstr(why.text, "129 CPUs"));

	int r = sideband_open(&s, c.pid, same, SIDEBAND_CPUS_MAX, 0, &why);

	child_run(c);
	if (r < 0) {                            /* inherited events are not for so many */
		assert_non_null(strstr(why.text, "128 CPUs are online: inherited events"));
		skip();
	}
	assert_true(sideband_is_wide(s));
	assert_told(s, c.pid, SIDEBAND_CPUS_MAX);
	sideband_close(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_process_is_told),
		cmocka_unit_test(where_all_seats_are_taken_the_process_alone_is_listened_to),
		cmocka_unit_test(a_machine_with_many_cpus),
	};
	return cmocka_run_group_tests(tests, find_cpus, NULL);
}
