/*
 * load_tree.c - a tree of many processes, ten children to each, most of them idle.
 *
 *   --processes N                in all, the first one included
 *   --busy M                     the last M of them burn --each microseconds (50) every --every
 *                                milliseconds (10); a hundred of them leave room on one core
 *   --seconds S                  time for which the whole tree exists
 *   --rows FILE                  also waits until the recorder has written a few more lines to this file
 *   --ready FD                   a line is written to this descriptor once the tree is complete
 *
 * The idle ones sleep on one word of shared memory and do not wake up before the end.  Every process
 * waits for its children, so the first one knows the exact use of all of them.
 */
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../src/verify/load.h"

enum { FAN_OUT = 10 };

struct shared { atomic_uint started, stop; };

struct load {
	size_t processes, busy;
	double seconds, each_seconds, every_seconds;
	int ready_fd;
	const char *rows;
	struct shared *shared;
};

static void sleep_until_stop(struct shared *s)
{
	while (!atomic_load(&s->stop))
		(void)syscall(SYS_futex, &s->stop, FUTEX_WAIT, 0, NULL, NULL, 0);
}

static void stop_all(struct shared *s)
{
	atomic_store(&s->stop, 1);
	(void)syscall(SYS_futex, &s->stop, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

static void live(const struct load *l, size_t i)
{
	if (i + l->busy < l->processes) {
		sleep_until_stop(l->shared);
		return;
	}
	while (!atomic_load(&l->shared->stop)) {
		load_burn(CLOCK_PROCESS_CPUTIME_ID, l->each_seconds);
		load_sleep(l->every_seconds);
	}
}

/* Starts the children of process `i` of the tree (1 + 10 i and the nine after it), which start theirs. */
static size_t grow(const struct load *l, size_t i)
{
	size_t first = FAN_OUT * i + 1;

	for (size_t child = first; child < first + FAN_OUT && child < l->processes; child++) {
		pid_t pid = fork();

		if (pid < 0)
			load_fail("fork of process %zu: %s", child, strerror(errno));
		if (pid == 0) {
			load_limit(false);
			i = child;
			first = FAN_OUT * i + 1;
			child = first - 1;
		}
	}
	return i;
}

/* Waits until all exist; if a process could not be started, the alarm ends the wait. */
static void stand(const struct load *l)
{
	while (atomic_load(&l->shared->started) < l->processes)
		load_sleep(0.001);
	if (l->ready_fd >= 0 && write(l->ready_fd, "ready\n", 6) != 6)
		load_fail("--ready: %s", strerror(errno));
	load_hold(l->seconds, l->rows);
}

int main(int argc, char **argv)
{
	enum { PROCESSES, BUSY, SECONDS, ROWS, EACH, EVERY, READY, TRUTH, OPTIONS };
	struct load_option o[OPTIONS] = {
		[PROCESSES] = { "processes", "11", false }, [BUSY] = { "busy", "0", false },
		[SECONDS] = { "seconds", "1", false }, [EACH] = { "each", "50", false },
		[EVERY] = { "every", "10", false }, [READY] = { "ready", NULL, false },
		[ROWS] = { "rows", NULL, false }, [TRUTH] = { "truth", NULL, false },
	};

	load_limit(false);
	load_options(o, OPTIONS, argc, argv);

	struct load l = {
		.processes = (size_t)load_number(o[PROCESSES].value),
		.busy = (size_t)load_number(o[BUSY].value),
		.seconds = load_number(o[SECONDS].value),
		.each_seconds = load_number(o[EACH].value) / 1e6,
		.every_seconds = load_number(o[EVERY].value) / 1e3,
		.rows = o[ROWS].value,
		.ready_fd = o[READY].value ? (int)load_number(o[READY].value) : -1,
		.shared = load_shared(sizeof *l.shared),
	};
	double began = load_clock(CLOCK_MONOTONIC);

	if (l.processes == 0 || l.busy >= l.processes)
		load_fail("--processes must be more than --busy: the first one never is busy");

	size_t i = grow(&l, 0);

	(void)atomic_fetch_add(&l.shared->started, 1);
	if (i > 0)
		live(&l, i);
	else
		stand(&l);
	if (i == 0)
		stop_all(l.shared);
	while (wait(NULL) > 0)
		;
	if (i > 0)
		_exit(0);

	double self = load_cpu_self(), waited = load_cpu_children();

	load_emit(o[TRUTH].value,
		  "{\"load\": \"tree\", \"processes\": %zu, \"busy\": %zu, \"cpu_seconds\": %.6f, "
		  "\"wall_seconds\": %.3f}",
		  l.processes, l.busy, self + waited, load_clock(CLOCK_MONOTONIC) - began);
	return 0;
}
