/*
 * load_pool.c - a pool of workers: memory that a parent touches, and processes forked later that share it.
 *
 *   --mib MIB                    the parent's memory, all of it touched, in small pages
 *   --map                        it is a shared map (MAP_SHARED), which the workers touch, not the parent
 *   --workers N                  they read all of it
 *   --write MIB                  and write to this much of it, each to a part of its own: copy-on-write
 *   --hold S                     held for S seconds before they are forked, and for S seconds by all
 *
 * The truth is `pss_bytes`, of all processes, read from the page tables (smaps_rollup) by each of itself when all
 * have touched what they touch.  From `held_from` to `held_until`, in seconds since the epoch, nothing changes.
 */
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "load.h"

enum { WORKERS_MAX = 256, PAGE = 4096 };

struct shared {
	atomic_uint ready, measured;
	double pss_bytes[WORKERS_MAX + 1];
};

struct pool {
	unsigned workers;
	size_t bytes, write_bytes;
	bool map;
	char *memory;
	struct shared *shared;
};

static void wait_until(atomic_uint *counter, unsigned value)
{
	while (atomic_load(counter) < value)
		load_sleep(0.001);
}

static void touch(const struct pool *p, unsigned i)
{
	size_t first = p->workers > 0 ? p->bytes / p->workers * i / PAGE * PAGE : 0;
	volatile char *at = p->memory;

	for (size_t k = 0; k < p->bytes; k += PAGE)
		(void)at[k];
	/* Parts that are larger than a worker's share wrap around. */
	for (size_t k = 0; k < p->write_bytes; k += PAGE)
		at[(first + k) % p->bytes] = (char)(i + 1);
}

static void measure(const struct pool *p, unsigned i)
{
	(void)atomic_fetch_add(&p->shared->ready, 1);
	wait_until(&p->shared->ready, p->workers + 1);
	p->shared->pss_bytes[i] = load_proc("self/smaps_rollup", "Pss:") * 1024;
	(void)atomic_fetch_add(&p->shared->measured, 1);
	wait_until(&p->shared->measured, p->workers + 1);
}

static pid_t start(const struct pool *p, unsigned i)
{
	pid_t pid = fork();

	if (pid < 0)
		load_fail("fork: %s", strerror(errno));
	if (pid == 0) {
		load_limit(false);
		touch(p, i);
		measure(p, i);
		for (;;)
			(void)pause();
	}
	return pid;
}

int load_pool(int argc, char **argv)
{
	enum { MIB, MAP, WORKERS, WRITE, HOLD, TRUTH, OPTIONS };
	struct load_option o[OPTIONS] = {
		[MIB] = { "mib", "64", false }, [MAP] = { "map", NULL, true }, [WORKERS] = { "workers", "2", false },
		[WRITE] = { "write", "0", false }, [HOLD] = { "hold", "1", false }, [TRUTH] = { "truth", NULL, false },
	};

	load_limit(false);
	load_options(o, OPTIONS, argc, argv);

	struct pool p = {
		.workers = (unsigned)load_number(o[WORKERS].value),
		.bytes = (size_t)load_number(o[MIB].value) << 20,
		.write_bytes = (size_t)load_number(o[WRITE].value) << 20,
		.map = o[MAP].value != NULL,
		.shared = load_shared(sizeof *p.shared),
	};
	double hold_seconds = load_number(o[HOLD].value), pss = 0;
	pid_t pids[WORKERS_MAX + 1] = { 0 };

	if (p.workers > WORKERS_MAX)
		load_fail("--workers is at most %d", WORKERS_MAX);
	p.memory = p.map ? load_shared(p.bytes) : load_touched(p.bytes);
	load_sleep(hold_seconds);
	for (unsigned i = 0; i < p.workers; i++)
		pids[i] = start(&p, i);
	measure(&p, p.workers);

	double held_from = load_clock(CLOCK_REALTIME);

	load_sleep(hold_seconds);

	double held_until = load_clock(CLOCK_REALTIME);

	for (unsigned i = 0; i <= p.workers; i++)
		pss += p.shared->pss_bytes[i];
	load_emit(o[TRUTH].value, "{\"load\": \"pool\", \"pss_bytes\": %.0f, \"held_from\": %.6f, \"held_until\": %.6f, "
		  "\"processes\": %u}", pss, held_from, held_until, p.workers + 1);
	for (unsigned i = 0; i < p.workers; i++) {
		(void)kill(pids[i], SIGKILL);
		(void)waitpid(pids[i], NULL, 0);
	}
	return 0;
}
