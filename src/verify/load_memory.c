/*
 * load_memory.c - resident memory of a known size: pages touched, small pages, private or shared.
 *
 *   --rss MIB --hold S           MIB of touched memory, held for S seconds
 *   --rows FILE                  and until the recorder has written a few more lines to this file
 *   --share N                    N children that share those pages by fork and do not write to them
 *   --spike MIB --spike-ms MS    in the middle of the hold, MIB more for MS milliseconds
 *   --after FILE                 the spike comes at the beginning of the hold instead, once a recorder that attaches
 *                                to this process has written a sample to this file
 *
 * The truth while it is held: `rss_bytes` counts a shared page once for each process, `pss_bytes`
 * once in all, and `peak_rss_bytes` is the peak of the first process.  All are read from the page
 * tables (smaps_rollup) by the processes themselves.  From `held_from` to `held_until`, in seconds since the epoch,
 * none of it changes.
 */
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "load.h"

enum { SHARE_MAX = 100 };

struct process { double rss_bytes, pss_bytes; };

struct shared {
	atomic_uint ready, measured;
	struct process processes[SHARE_MAX + 1];
};

static void wait_until(atomic_uint *counter, unsigned value)
{
	while (atomic_load(counter) < value)
		load_sleep(0.001);
}

/* Reads its own values once all `n` processes exist: before that, PSS is still falling. */
static void measure(struct shared *s, unsigned i, unsigned n)
{
	(void)atomic_fetch_add(&s->ready, 1);
	wait_until(&s->ready, n);
	s->processes[i].rss_bytes = load_proc("self/smaps_rollup", "Rss:") * 1024;
	s->processes[i].pss_bytes = load_proc("self/smaps_rollup", "Pss:") * 1024;
	(void)atomic_fetch_add(&s->measured, 1);
	wait_until(&s->measured, n);
}

enum { HEADER_AND_SAMPLE = 2 };                 /* lines of a CSV that holds a sample */

/* Returns the peak of this process meanwhile. */
static double hold(double seconds, const char *rows, const char *after, double spike_seconds, size_t spike_bytes)
{
	double before = after ? 0 : seconds / 2, spike_end;

	if (after)
		load_await(after, HEADER_AND_SAMPLE);
	load_sleep(before);
	spike_end = load_clock(CLOCK_MONOTONIC) + spike_seconds;

	char *spike = spike_bytes > 0 ? load_touched(spike_bytes) : NULL;
	double most = load_proc("self/smaps_rollup", "Rss:") * 1024;

	if (spike) {
		load_sleep_until(spike_end);
		(void)munmap(spike, spike_bytes);
	}
	load_hold(seconds - before, rows);
	return most;
}

int load_memory(int argc, char **argv)
{
	enum { RSS, HOLD, ROWS, SHARE, SPIKE, SPIKE_MS, AFTER, TRUTH, OPTIONS };
	struct load_option o[OPTIONS] = {
		[RSS] = { "rss", "64", false }, [HOLD] = { "hold", "1", false }, [SHARE] = { "share", "0", false },
		[SPIKE] = { "spike", "0", false }, [SPIKE_MS] = { "spike-ms", "50", false },
		[ROWS] = { "rows", NULL, false }, [AFTER] = { "after", NULL, false }, [TRUTH] = { "truth", NULL, false },
	};

	load_options(o, OPTIONS, argc, argv);

	double seconds = load_number(o[HOLD].value);
	size_t mib = 1024 * 1024, bytes = (size_t)load_number(o[RSS].value) * mib;
	unsigned children = (unsigned)load_number(o[SHARE].value);
	pid_t pids[SHARE_MAX + 1];
	struct shared *s = load_shared(sizeof *s);
	double began = load_clock(CLOCK_MONOTONIC);

	load_limit(false);
	if (children > SHARE_MAX)
		load_fail("--share is at most %d", SHARE_MAX);
	(void)load_touched(bytes);
	for (unsigned i = 1; i <= children; i++) {
		pid_t pid = fork();

		if (pid < 0)
			load_fail("fork: %s", strerror(errno));
		if (pid == 0) {
			load_limit(false);
			measure(s, i, children + 1);
			for (;;)
				(void)pause();
		}
		pids[i] = pid;
	}
	measure(s, 0, children + 1);

	size_t spike_bytes = (size_t)load_number(o[SPIKE].value) * mib;
	double held_from = load_clock(CLOCK_REALTIME);
	double spike_seconds = load_number(o[SPIKE_MS].value) / 1e3;
	double most = hold(seconds, o[ROWS].value, o[AFTER].value, spike_seconds, spike_bytes);
	double held_until = load_clock(CLOCK_REALTIME);
	double rss = 0, pss = 0;

	for (unsigned i = 0; i <= children; i++) {
		rss += s->processes[i].rss_bytes;
		pss += s->processes[i].pss_bytes;
	}
	load_emit(o[TRUTH].value,
		  "{\"load\": \"memory\", \"rss_bytes\": %.0f, \"pss_bytes\": %.0f, \"peak_rss_bytes\": %.0f, "
		  "\"held_from\": %.6f, \"held_until\": %.6f, \"processes\": %u, \"wall_seconds\": %.3f}",
		  rss, pss, most, held_from, held_until, children + 1, load_clock(CLOCK_MONOTONIC) - began);
	for (unsigned i = 1; i <= children; i++) {
		(void)kill(pids[i], SIGKILL);
		(void)waitpid(pids[i], NULL, 0);
	}
	return 0;
}
