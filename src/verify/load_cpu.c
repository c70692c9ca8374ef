/*
 * load_cpu.c - CPU time, spent in all the ways in which a job can spend it.
 *
 *   --threads N --seconds S      N threads burn S seconds each
 *   --children N --each MS       N children burn MS milliseconds each, --parallel P at a time, and are
 *     --waited                   waited for (the default),
 *     --unwaited                 reaped by the kernel, since SIGCHLD is ignored,
 *     --orphaned                 orphaned by a double fork,
 *     --daemonised               and in sessions of their own as well
 *   --from-thread                a thread forks, not the main thread
 *   --name NAME                  the name (comm) of the burners
 *   --hold S                     all stay idle for S seconds before the end
 *
 * The kernel reports the use of an unwaited or orphaned child to no process, so each child writes the
 * reading of its own clock into shared memory as its last act.  The cost of its exit after that is
 * measured on waited children, the probes, and added: the truth is then
 * an interval, from the cheapest of these exits to the most expensive, or twice the median.  The cost of an exit does
 * not depend on the process that reaps the child (measured by a control group: 82 to 115 us each, in all ways), but on
 * what else the machine does (104 to 170 us beside 16 busy processes), so these exits are spread over the run.  It also
 * depends on how the child was forked and how long it ran: on a machine with slow page faults a double fork and 10 ms
 * cost 14 % more than one fork and 5 ms.  So a probe is forked as the children are, and runs as long, at most 10 ms.
 *
 * `start_seconds` is what the first process had used when the burning began, from its fork on: its parent's part before
 * the exec is in its clock, but not its program's.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "load.h"

enum { PROBES = 16 };
#define PROBE_SECONDS_MAX 0.010

enum ending { WAITED, UNWAITED, ORPHANED, DAEMONISED };

struct shared { atomic_uint done; double cpu_seconds[]; };

struct load {
	unsigned threads, children, parallel;
	double seconds, each_seconds, hold_seconds;
	double exits[PROBES];                   /* the cost of a child's exit after its last reading of the clock */
	unsigned n_exits;
	enum ending ending;
	const char *name;
	struct shared *shared;
};

static void take_name(const struct load *l)
{
	if (l->name)
		(void)prctl(PR_SET_NAME, l->name);
}

static _Noreturn void child(const struct load *l, unsigned i)
{
	double seconds = i < l->children || l->each_seconds < PROBE_SECONDS_MAX ? l->each_seconds : PROBE_SECONDS_MAX;

	load_limit(l->ending >= ORPHANED);
	take_name(l);
	/* Measured against the whole clock: the child's share of fork() is part of `each`. */
	load_burn(CLOCK_PROCESS_CPUTIME_ID, seconds - load_clock(CLOCK_PROCESS_CPUTIME_ID));
	l->shared->cpu_seconds[i] = load_clock(CLOCK_PROCESS_CPUTIME_ID);
	if (i < l->children)
		(void)atomic_fetch_add(&l->shared->done, 1);
	_exit(0);
}

/*
 * flags as for clone(2).  SIGCHLD: a child as by fork().  0: its end is no signal, so it can be waited for where
 * SIGCHLD is ignored.  CLONE_PARENT: a child of the caller's parent.
 */
static void start(const struct load *l, unsigned i, unsigned long flags)
{
	pid_t pid = (pid_t)syscall(SYS_clone, flags, NULL, NULL, NULL, NULL);

	if (pid < 0)
		load_fail("clone: %s", strerror(errno));
	if (pid == 0)
		child(l, i);
}

/* By a process in between, which ends at once. */
static void start_twice(const struct load *l, unsigned i, unsigned long flags)
{
	pid_t middle = fork();

	if (middle < 0)
		load_fail("fork: %s", strerror(errno));
	if (middle == 0) {
		if (l->ending == DAEMONISED)
			(void)setsid();
		start(l, i, flags);
		_exit(0);
	}
	if (waitpid(middle, NULL, 0) != middle)
		load_fail("waitpid: %s", strerror(errno));
}

static void wait_for_done(const struct load *l, unsigned at_least)
{
	while (atomic_load(&l->shared->done) < at_least)
		load_sleep(0.001);
}

/* A probe is started as the children are, burns as long, and can be waited for. */
static void measure_exits(struct load *l, unsigned until)
{
	for (; l->n_exits < until; l->n_exits++) {
		load_sleep(0.001);              /* caches as cold as after wait_for_done */
		if (l->ending >= ORPHANED)
			start_twice(l, l->children, CLONE_PARENT);
		else
			start(l, l->children, l->ending == UNWAITED ? 0 : SIGCHLD);

		double before = load_cpu_children();

		if (waitpid(-1, NULL, __WALL) < 0)
			load_fail("waitpid: %s", strerror(errno));
		l->exits[l->n_exits] = load_cpu_children() - before - l->shared->cpu_seconds[l->children];
	}
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void *run_children(void *argument)
{
	struct load *l = argument;
	unsigned running = 0;

	for (unsigned i = 0; i < l->children; i++) {
		if (l->ending != WAITED)
			measure_exits(l, PROBES * i / l->children);
		if (l->ending == WAITED && running == l->parallel) {
			(void)wait(NULL);
			running--;
		} else if (l->ending != WAITED && i >= l->parallel) {
			wait_for_done(l, i + 1 - l->parallel);
		}
		if (l->ending >= ORPHANED)
			start_twice(l, i, SIGCHLD);
		else
			start(l, i, SIGCHLD);
		running++;
	}
	if (l->ending == WAITED)
		while (running-- > 0)
			(void)wait(NULL);
	wait_for_done(l, l->children);
	return NULL;
}

static void *run_thread(void *argument)
{
	const struct load *l = argument;

	take_name(l);
	load_burn(CLOCK_THREAD_CPUTIME_ID, l->seconds);
	return NULL;
}

static void run_threads(struct load *l)
{
	pthread_t threads[256] = { 0 };

	if (l->threads > 256)
		load_fail("at most 256 threads");
	for (unsigned i = 1; i < l->threads; i++)
		if (pthread_create(&threads[i], NULL, run_thread, l))
			load_fail("pthread_create failed");
	(void)run_thread(l);
	for (unsigned i = 1; i < l->threads; i++)
		(void)pthread_join(threads[i], NULL);
}

static void run_all(struct load *l, bool from_thread)
{
	pthread_t thread;

	if (l->children == 0) {
		run_threads(l);
		return;
	}
	if (l->ending == UNWAITED)
		(void)signal(SIGCHLD, SIG_IGN);
	if (!from_thread)
		(void)run_children(l);
	else if (pthread_create(&thread, NULL, run_children, l) || pthread_join(thread, NULL))
		load_fail("pthread_create failed");
	if (l->ending == UNWAITED) {
		/* If SIGCHLD is ignored this waits for the end of all children, and then fails with ECHILD. */
		while (wait(NULL) > 0)
			;
		(void)signal(SIGCHLD, SIG_DFL);
	}
	measure_exits(l, PROBES);
	qsort(l->exits, PROBES, sizeof l->exits[0], by_size);
}

int load_cpu(int argc, char **argv)
{
	enum { THREADS, SECONDS, CHILDREN, EACH, PARALLEL, HOLD, IS_WAITED, IS_UNWAITED, IS_ORPHANED,
	       IS_DAEMONISED, FROM_THREAD, NAME, TRUTH, OPTIONS };
	struct load_option o[OPTIONS] = {
		[THREADS] = { "threads", "1", false }, [SECONDS] = { "seconds", "1", false },
		[CHILDREN] = { "children", "0", false }, [EACH] = { "each", "5", false },
		[PARALLEL] = { "parallel", "1", false }, [HOLD] = { "hold", "0", false },
		[IS_WAITED] = { "waited", NULL, true }, [IS_UNWAITED] = { "unwaited", NULL, true },
		[IS_ORPHANED] = { "orphaned", NULL, true }, [IS_DAEMONISED] = { "daemonised", NULL, true },
		[FROM_THREAD] = { "from-thread", NULL, true }, [NAME] = { "name", NULL, false }, [TRUTH] = { "truth", NULL, false },
	};

	load_limit(false);
	load_options(o, OPTIONS, argc, argv);

	struct load l = {
		.threads = (unsigned)load_number(o[THREADS].value),
		.children = (unsigned)load_number(o[CHILDREN].value),
		.parallel = (unsigned)load_number(o[PARALLEL].value),
		.seconds = load_number(o[SECONDS].value),
		.each_seconds = load_number(o[EACH].value) / 1e3,
		.hold_seconds = load_number(o[HOLD].value),
		.ending = o[IS_DAEMONISED].value ? DAEMONISED : o[IS_ORPHANED].value ? ORPHANED
			: o[IS_UNWAITED].value ? UNWAITED : WAITED,
		.name = o[NAME].value,
	};
	double began = load_clock(CLOCK_MONOTONIC), start = load_cpu_self();

	if (l.parallel == 0)
		load_fail("--parallel must be at least 1");
	l.shared = load_shared(sizeof *l.shared + (l.children + 1) * sizeof(double));

	run_all(&l, o[FROM_THREAD].value != NULL);
	load_sleep(l.hold_seconds);

	double own = load_cpu_self(), waited = load_cpu_children(), clocks = 0, exits = 0;
	double unwaited = l.ending == WAITED ? 0 : l.children;

	for (unsigned i = 0; i < l.children; i++)
		clocks += l.shared->cpu_seconds[i];
	for (unsigned i = 0; i < PROBES; i++)
		exits += l.exits[i] / PROBES;

	/* The first process and the probes; each orphan also has an intermediate parent. */
	unsigned started = 1 + (l.children > 0 ? PROBES + l.children : 0) * (l.ending >= ORPHANED ? 2u : 1u);
	double costliest = l.exits[PROBES - 1], twice = 2 * l.exits[PROBES / 2];
	double low = l.exits[0], high = costliest < twice ? costliest : twice;
	double seen = own + waited + (l.ending == WAITED ? 0 : clocks);

	load_emit(o[TRUTH].value,
		  "{\"load\": \"cpu\", \"cpu_seconds\": %.6f, \"cpu_low_seconds\": %.6f, \"cpu_high_seconds\": %.6f, "
		  "\"own_seconds\": %.6f, \"waited_seconds\": %.6f, \"unseen_seconds\": %.6f, \"clock_seconds\": %.6f, "
		  "\"exit_seconds\": %.6f, \"exit_low_seconds\": %.6f, \"exit_high_seconds\": %.6f, "
		  "\"start_seconds\": %.6f, \"children\": %u, \"processes_started\": %u, \"wall_seconds\": %.3f}",
		  seen + unwaited * exits, seen + unwaited * low, seen + unwaited * high, own, waited,
		  l.ending == WAITED ? 0 : clocks + unwaited * exits, clocks, exits, low, high, start, l.children,
		  started, load_clock(CLOCK_MONOTONIC) - began);
	return 0;
}
