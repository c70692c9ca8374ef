/*
 * load_leaderless.c - a process without its main thread, which has ended, while another thread computes and holds
 * memory.
 *
 *   --rss MIB                    touched memory, in small pages
 *   --seconds S                  of CPU that the other thread burns
 *   --hold S                     for which it sleeps then
 *
 * In /proc such a process is a zombie with threads: its own files have no values, those of the thread do.
 * The truth: `cpu_seconds` of the process, and `pss_bytes` and `peak_rss_bytes` by the thread's own smaps_rollup.
 * From `held_from` to `held_until`, in seconds since the epoch, its memory does not change.
 */
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "load.h"

enum { RSS, SECONDS, HOLD, TRUTH, OPTIONS };

static pthread_t leader;

static void *go_on(void *argument)
{
	const struct load_option *o = argument;

	if (pthread_join(leader, NULL))
		load_fail("pthread_join failed");

	size_t bytes = (size_t)load_number(o[RSS].value) << 20;
	char *memory = load_touched(bytes);
	double pss = load_proc("thread-self/smaps_rollup", "Pss:") * 1024;
	double most = load_proc("thread-self/smaps_rollup", "Rss:") * 1024;
	double held_from = load_clock(CLOCK_REALTIME);

	load_burn(CLOCK_THREAD_CPUTIME_ID, load_number(o[SECONDS].value));
	load_sleep(load_number(o[HOLD].value));

	double held_until = load_clock(CLOCK_REALTIME);

	/* Otherwise its exit would cost CPU time that none of its own clocks can measure. */
	(void)munmap(memory, bytes);

	double cpu = load_cpu_self();

	load_emit(o[TRUTH].value,
		  "{\"load\": \"leaderless\", \"cpu_seconds\": %.6f, \"cpu_low_seconds\": %.6f, \"cpu_high_seconds\": %.6f, "
		  "\"pss_bytes\": %.0f, \"peak_rss_bytes\": %.0f, \"held_from\": %.6f, \"held_until\": %.6f}",
		  cpu, cpu, cpu, pss, most, held_from, held_until);
	_exit(0);
}

int load_leaderless(int argc, char **argv)
{
	static struct load_option o[OPTIONS] = {
		[RSS] = { "rss", "100", false }, [SECONDS] = { "seconds", "0.5", false }, [HOLD] = { "hold", "1", false },
		[TRUTH] = { "truth", NULL, false },
	};
	pthread_t thread;

	load_limit(false);
	load_options(o, OPTIONS, argc, argv);
	leader = pthread_self();
	if (pthread_create(&thread, NULL, go_on, o))
		load_fail("pthread_create failed");
	pthread_exit(NULL);
}
