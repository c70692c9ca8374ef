/*
 * load_cpu.c - CPU time, burnt in all the ways in which a job may spend it.
 *
 *   --threads N --seconds S      N threads burn S seconds each
 *   --children N --each MS       N children burn MS milliseconds each, --parallel P at a time, and are
 *     --waited                   waited for (the default),
 *     --unwaited                 reaped by the kernel, since SIGCHLD is ignored,
 *     --daemonised               orphaned by a double fork, in sessions of their own
 *   --from-thread                a thread forks, not the main thread
 *   --name NAME                  the name (comm) of the burners
 *   --hold S                     all stay idle for S seconds before the end
 *
 * Nobody learns from the kernel what an unwaited or orphaned child used, so each child writes the
 * reading of its own clock into shared memory as its last act.  What its exit costs after that is
 * measured on a few waited children and added.
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
#include <sys/wait.h>
#include <unistd.h>

#include "load.h"

enum { PROBES = 8, LIMIT_SECONDS = 300 };

enum ending { WAITED, UNWAITED, DAEMONISED };

struct shared { atomic_uint done; double cpu_seconds[]; };

struct load {
	unsigned threads, children, parallel;
	double seconds, each_seconds, hold_seconds, exit_seconds;
	enum ending ending;
	const char *name;
	struct shared *shared;
};

static void take_name(const struct load *l)
{
	if (l->name)
		(void)prctl(PR_SET_NAME, l->name);
}

static _Noreturn void child(const struct load *l, unsigned i, double seconds)
{
	load_limit(LIMIT_SECONDS, l->ending == DAEMONISED);
	take_name(l);
	/* Against its whole clock: what fork() cost the child is part of `each`. */
	load_burn(CLOCK_PROCESS_CPUTIME_ID, seconds - load_clock(CLOCK_PROCESS_CPUTIME_ID));
	l->shared->cpu_seconds[i] = load_clock(CLOCK_PROCESS_CPUTIME_ID);
	(void)atomic_fetch_add(&l->shared->done, 1);
	_exit(0);
}

static pid_t start(const struct load *l, unsigned i, double seconds)
{
	pid_t pid = fork();

	if (pid < 0)
		load_fail("fork: %s", strerror(errno));
	if (pid == 0)
		child(l, i, seconds);
	return pid;
}

static void start_daemon(const struct load *l, unsigned i)
{
	pid_t middle = fork();

	if (middle < 0)
		load_fail("fork: %s", strerror(errno));
	if (middle == 0) {
		(void)setsid();
		(void)start(l, i, l->each_seconds);
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

/* What a child's exit costs after its last look at the clock, on average. */
static double measure_exit(struct load *l)
{
	double before = load_cpu_children(), own = 0;

	for (unsigned i = 0; i < PROBES; i++) {
		pid_t pid = start(l, i, 0.0005);

		if (waitpid(pid, NULL, 0) != pid)
			load_fail("waitpid: %s", strerror(errno));
		own += l->shared->cpu_seconds[i];
	}
	atomic_store(&l->shared->done, 0);
	return (load_cpu_children() - before - own) / PROBES;
}

static void *run_children(void *argument)
{
	const struct load *l = argument;
	unsigned running = 0;

	for (unsigned i = 0; i < l->children; i++) {
		if (l->ending == WAITED && running == l->parallel) {
			(void)wait(NULL);
			running--;
		} else if (l->ending != WAITED && i >= l->parallel) {
			wait_for_done(l, i + 1 - l->parallel);
		}
		if (l->ending == DAEMONISED)
			start_daemon(l, i);
		else
			(void)start(l, i, l->each_seconds);
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
	pthread_t threads[256];

	if (l->threads > 256)
		load_fail("at most 256 threads");
	for (unsigned i = 1; i < l->threads; i++)
		if (pthread_create(&threads[i], NULL, run_thread, l))
			load_fail("pthread_create failed");
	(void)run_thread(l);
	for (unsigned i = 1; i < l->threads; i++)
		(void)pthread_join(threads[i], NULL);
}

static double run_all(struct load *l, bool from_thread)
{
	if (l->children == 0) {
		run_threads(l);
		return 0;
	}
	if (l->ending != WAITED)
		l->exit_seconds = measure_exit(l);
	if (l->ending == UNWAITED)
		(void)signal(SIGCHLD, SIG_IGN);
	if (from_thread) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, run_children, l))
			load_fail("pthread_create failed");
		(void)pthread_join(thread, NULL);
	} else {
		(void)run_children(l);
	}

	double unseen = 0;                      /* by getrusage: its children were not waited for */

	if (l->ending != WAITED)
		for (unsigned i = 0; i < l->children; i++)
			unseen += l->shared->cpu_seconds[i] + l->exit_seconds;
	return unseen;
}

int main(int argc, char **argv)
{
	enum { THREADS, SECONDS, CHILDREN, EACH, PARALLEL, HOLD, IS_WAITED, IS_UNWAITED, IS_DAEMONISED,
	       FROM_THREAD, NAME, TRUTH, OPTIONS };
	struct load_option o[OPTIONS] = {
		[THREADS] = { "threads", "1", false }, [SECONDS] = { "seconds", "1", false },
		[CHILDREN] = { "children", "0", false }, [EACH] = { "each", "5", false },
		[PARALLEL] = { "parallel", "1", false }, [HOLD] = { "hold", "0", false },
		[IS_WAITED] = { "waited", NULL, true }, [IS_UNWAITED] = { "unwaited", NULL, true },
		[IS_DAEMONISED] = { "daemonised", NULL, true }, [FROM_THREAD] = { "from-thread", NULL, true },
		[NAME] = { "name", NULL, false }, [TRUTH] = { "truth", NULL, false },
	};

	load_limit(LIMIT_SECONDS, false);
	load_options(o, OPTIONS, argc, argv);

	struct load l = {
		.threads = (unsigned)load_number(o[THREADS].value),
		.children = (unsigned)load_number(o[CHILDREN].value),
		.parallel = (unsigned)load_number(o[PARALLEL].value),
		.seconds = load_number(o[SECONDS].value),
		.each_seconds = load_number(o[EACH].value) / 1e3,
		.hold_seconds = load_number(o[HOLD].value),
		.ending = o[IS_DAEMONISED].value ? DAEMONISED : o[IS_UNWAITED].value ? UNWAITED : WAITED,
		.name = o[NAME].value,
	};
	double began = load_clock(CLOCK_MONOTONIC);

	if (l.parallel == 0)
		load_fail("--parallel must be at least 1");
	l.shared = load_shared(sizeof *l.shared + (l.children + PROBES) * sizeof(double));

	double unseen = run_all(&l, o[FROM_THREAD].value != NULL);

	load_sleep(l.hold_seconds);

	double self = load_cpu_self(), waited = load_cpu_children();

	load_tell(o[TRUTH].value,
		  "{\"load\": \"cpu\", \"cpu_seconds\": %.6f, \"own_seconds\": %.6f, \"waited_seconds\": %.6f, "
		  "\"unseen_seconds\": %.6f, \"exit_seconds\": %.6f, \"children\": %u, \"wall_seconds\": %.3f}",
		  self + waited + unseen, self, waited, unseen, l.exit_seconds, l.children,
		  load_clock(CLOCK_MONOTONIC) - began);
	return 0;
}
