/* test_sideband.c - rings of the kernel's records of a process and its descendants. */
#include "fixture.h"

#include <sched.h>
#include <string.h>
#include <sys/wait.h>

#include "kernel/perf_clock.h"
#include "patience.h"

enum { CPUS = 8 };

static int cpu[CPUS];
static size_t n_cpus;

static int find_cpus(void **state)
{
	cpu_set_t set;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof set, &set), 0);
	for (size_t i = 0; i < CPU_SETSIZE && n_cpus < CPUS; i++)
		if (CPU_ISSET(i, &set))
			cpu[n_cpus++] = (int)i;
	/* The child runs only there. */
	CPU_ZERO(&set);
	for (size_t i = 0; i < n_cpus; i++)
		CPU_SET((size_t)cpu[i], &set);
	return sched_setaffinity(0, sizeof set, &set);
}

/*
 * A process that waits at a pipe, and then execs this program.  _Fork() runs no handlers: ThreadSanitizer's handler of
 * fork() starts a thread in the child, which has records of its own.
 */
struct child { pid_t pid; int gate; };

static struct child child_of(const char *shell_command)
{
	int gate[2];
	char go;

	assert_int_equal(pipe(gate), 0);

	struct child c = { _Fork(), gate[1] };

	assert_true(c.pid >= 0);
	if (c.pid == 0) {
		(void)alarm(ENOUGH_SECONDS);
		if (read(gate[0], &go, 1) == 1)
			(void)execlp("sh", "sh", "-c", shell_command, (char *)NULL);
		_exit(1);
	}
	assert_int_equal(close(gate[0]), 0);
	return c;
}

static struct child child_start(void)
{
	return child_of("exec true");
}

static void child_run(struct child c)
{
	assert_int_equal(write(c.gate, "g", 1), 1);
	assert_int_equal(close(c.gate), 0);
	assert_int_equal(waitpid(c.pid, NULL, 0), c.pid);
}

/* Its records in each ring: a name by exec, then its exit. */
static void assert_reported(struct sideband *s, pid_t pid, unsigned rings)
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

static void a_process_is_reported(void **state)
{
	struct child c = child_start();
	struct sideband *s = open_or_skip(c, cpu, n_cpus);

	(void)state;
	child_run(c);
	assert_reported(s, c.pid, 1);
	sideband_close(s);
}

/*
 * All but one task: the kernel passes the clock from task to task as it switches.  Beside counters on all CPUs, with
 * which they must not be mixed.
 */
static void cpu_time_of_tasks_is_reported_at_their_exits(void **state)
{
	enum { CHILDREN = 50 };
	struct child c = child_of("i=0; while [ $i -lt 50 ]; do /bin/true; i=$((i+1)); done");
	struct perf_clock clock = PERF_CLOCK_CLOSED;
	struct sideband_record r;
	uint64_t all_ns, reported_ns = 0, counts[PERF_COUNTS];
	size_t reported = 0, ended = 0;
	int refused = perf_clock_open(&clock, c.pid);
	struct sideband *s = open_or_skip(c, cpu, n_cpus);

	(void)state;
	assert_int_equal(refused, 0);
	assert_int_equal(perf_clock_begin(&clock, c.pid, s), 0);
	child_run(c);
	assert_int_equal(perf_clock_read(&clock, counts), 0);
	assert_int_equal(sideband_cpu_time(s, &all_ns), 0);
	assert_int_equal(counts[PERF_CLOCK_NS], all_ns);
	sideband_begin(s);
	while (sideband_next(s, &r)) {
		reported += r.kind == SIDEBAND_CPU_TIME;
		reported_ns += r.kind == SIDEBAND_CPU_TIME ? r.cpu_ns : 0;
		ended += r.kind == SIDEBAND_EXIT;
	}
	assert_int_equal(ended, CHILDREN + 1);
	assert_int_equal(reported, CHILDREN);
	assert_true(reported_ns > all_ns / 4 * 3 && reported_ns < all_ns);
	/* One for each page at most, and each takes some time. */
	assert_true(counts[PERF_FAULTS] > 10 * CHILDREN && counts[PERF_FAULTS] < all_ns / 100);
	perf_clock_close(&clock);
	sideband_close(s);
}

/*
 * Tasks that begin and end on all CPUs at once: with CPU times written into the rings of CPUs, a ring stopped
 * after some thousand of them.
 */
static void tasks_on_all_cpus_at_once_are_reported(void **state)
{
	enum { STARTED = 4 * (4000 + 1) };
	struct child c = child_of("for a in 1 2 3 4; do { i=0; while [ $i -lt 4000 ]; do (:); i=$((i+1)); done; } & done; wait");
	struct sideband *s = open_or_skip(c, cpu, n_cpus);
	struct sideband_record r;
	uint64_t records = 0, lost = 0;

	(void)state;
	assert_int_equal(write(c.gate, "g", 1), 1);
	assert_int_equal(close(c.gate), 0);
	for (bool over = false; !over;) {
		over = waitpid(c.pid, NULL, WNOHANG) == c.pid;
		for (sideband_begin(s); sideband_next(s, &r); lost += r.lost)
			records += r.kind != SIDEBAND_LOST;
		pause_ms(1);
	}
	/* A fork, an exit and a CPU time of each; an exec and an exit of the first.  This process possibly had no CPU
	 * for long. */
	assert_int_equal(records + lost, 3 * STARTED + 2);
	sideband_close(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_process_is_reported),
		cmocka_unit_test(cpu_time_of_tasks_is_reported_at_their_exits),
		cmocka_unit_test(tasks_on_all_cpus_at_once_are_reported),
	};
	return cmocka_run_group_tests(tests, find_cpus, NULL);
}
