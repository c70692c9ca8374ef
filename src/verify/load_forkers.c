/*
 * load_forkers.c - many threads of one process fork at the same time.
 *
 *   --threads N                  threads, which all start at once
 *   --children N --each MS       each of them forks so many children, one after another, that burn MS milliseconds
 *
 * Each child is waited for by its thread.  The truth: `processes_started`, and `cpu_seconds` by getrusage.
 */
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "load.h"

enum { THREADS_MAX = 256 };

struct forkers {
	pthread_barrier_t begin;
	unsigned children;
	double each_seconds;
};

static void *fork_them(void *argument)
{
	struct forkers *f = argument;

	(void)pthread_barrier_wait(&f->begin);
	for (unsigned i = 0; i < f->children; i++) {
		pid_t pid = fork();

		if (pid < 0)
			load_fail("fork: %s", strerror(errno));
		if (pid == 0) {
			(void)alarm(LOAD_LIMIT_SECONDS);
			load_burn(CLOCK_PROCESS_CPUTIME_ID, f->each_seconds - load_clock(CLOCK_PROCESS_CPUTIME_ID));
			_exit(0);
		}
		if (waitpid(pid, NULL, 0) != pid)
			load_fail("waitpid: %s", strerror(errno));
	}
	return NULL;
}

int load_forkers(int argc, char **argv)
{
	enum { THREADS, CHILDREN, EACH, TRUTH, OPTIONS };
	struct load_option o[OPTIONS] = {
		[THREADS] = { "threads", "64", false }, [CHILDREN] = { "children", "8", false },
		[EACH] = { "each", "1", false }, [TRUTH] = { "truth", NULL, false },
	};
	struct forkers f;
	pthread_t threads[THREADS_MAX];

	load_limit(false);
	load_options(o, OPTIONS, argc, argv);

	unsigned n = (unsigned)load_number(o[THREADS].value);

	if (n < 1 || n > THREADS_MAX)
		load_fail("--threads is 1 to %d", THREADS_MAX);
	f.children = (unsigned)load_number(o[CHILDREN].value);
	f.each_seconds = load_number(o[EACH].value) / 1e3;
	(void)pthread_barrier_init(&f.begin, NULL, n);
	for (unsigned i = 0; i < n; i++)
		if (pthread_create(&threads[i], NULL, fork_them, &f))
			load_fail("pthread_create failed");
	for (unsigned i = 0; i < n; i++)
		(void)pthread_join(threads[i], NULL);

	double cpu = load_cpu_self() + load_cpu_children();

	load_emit(o[TRUTH].value,
		  "{\"load\": \"forkers\", \"cpu_seconds\": %.6f, \"cpu_low_seconds\": %.6f, \"cpu_high_seconds\": %.6f, "
		  "\"processes_started\": %u}", cpu, cpu, cpu, 1 + n * f.children);
	return 0;
}
