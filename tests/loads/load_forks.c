/*
 * load_forks.c - a storm of short children, at a steady rate.
 *
 *   --rate N --seconds S         N children a second for S seconds, each waited for at once
 *   --each US                    CPU time of a child, in microseconds
 *   --block N                    a line after every N of them, with their time
 */
#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../src/verify/load.h"

int main(int argc, char **argv)
{
	enum { RATE, SECONDS, EACH, BLOCK, TRUTH, OPTIONS };
	struct load_option o[OPTIONS] = {
		[RATE] = { "rate", "100", false }, [SECONDS] = { "seconds", "1", false },
		[EACH] = { "each", "0", false }, [BLOCK] = { "block", "0", false }, [TRUTH] = { "truth", NULL, false },
	};

	load_limit(false);
	load_options(o, OPTIONS, argc, argv);

	double rate = load_number(o[RATE].value), each = load_number(o[EACH].value) / 1e6;
	unsigned forks = (unsigned)(rate * load_number(o[SECONDS].value));
	unsigned block = (unsigned)load_number(o[BLOCK].value);
	double began = load_clock(CLOCK_MONOTONIC), block_began = began;

	for (unsigned i = 0; i < forks; i++) {
		/* A machine that cannot keep the rate does not catch up: it just takes longer. */
		load_sleep_until(began + i / rate);

		pid_t pid = fork();

		if (pid < 0)
			load_fail("fork: %s", strerror(errno));
		if (pid == 0) {
			if (each > 0)
				load_burn(CLOCK_PROCESS_CPUTIME_ID, each);
			_exit(0);
		}
		(void)waitpid(pid, NULL, 0);
		if (block > 0 && (i + 1) % block == 0) {
			double now = load_clock(CLOCK_MONOTONIC);

			load_emit(NULL, "{\"load\": \"forks\", \"block_seconds\": %.6f}", now - block_began);
			block_began = now;
		}
	}

	double self = load_cpu_self(), waited = load_cpu_children();

	load_emit(o[TRUTH].value,
		  "{\"load\": \"forks\", \"forks\": %u, \"cpu_seconds\": %.6f, \"waited_seconds\": %.6f, "
		  "\"wall_seconds\": %.3f}",
		  forks, self + waited, waited, load_clock(CLOCK_MONOTONIC) - began);
	return 0;
}
