/*
 * load_churn.c - a large process that maps and unmaps all the time, and measures waits for its mmap_lock.
 *
 *   --rss MIB                 MIB of touched memory in small pages, kept until the end
 *   --windows N --seconds S   N times S seconds of: mmap 64 KiB, touch it, munmap
 *   --faults                  also free a page of the large memory and touch it again
 *   --wait                    each window begins with a byte on stdin; the end of stdin ends the load
 *
 * One line for each window: the number of calls, of calls longer than 5 ms, of those among them that waited
 * for something other than a CPU (a voluntary switch), and the time of all such waits (wall time less that
 * on a CPU and that ready to run, from schedstat).  Only mmap_lock can be waited for, so the last two do
 * not depend on how busy the machine is.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../../src/verify/load.h"

enum { MIB = 1 << 20, SMALL = 64 * 1024, PAGE = 4096 };

static const double LONG_SECONDS = 0.005;

static char *small_pages(size_t bytes)
{
	char *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		load_fail("mmap of %zu bytes: %s", bytes, strerror(errno));
	(void)madvise(at, bytes, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < bytes; i += PAGE)
		at[i] = (char)(i >> 12 | 1);
	return at;
}

/* Seconds of wall time less those on a CPU or ready for one; use the difference of two calls. */
static double asleep(void)
{
	char text[64];
	int fd = open("/proc/self/schedstat", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
	char *delay;

	if (n <= 0)
		load_fail("/proc/self/schedstat: %s", strerror(errno));
	(void)close(fd);
	text[n] = '\0';

	double ran = strtod(text, &delay);

	return load_clock(CLOCK_MONOTONIC) - (ran + strtod(delay, NULL)) / 1e9;
}

static long waits(void)
{
	struct rusage u;

	(void)getrusage(RUSAGE_SELF, &u);
	return u.ru_nvcsw;
}

static void window(double seconds, char *large, size_t bytes, bool faults)
{
	double end = load_clock(CLOCK_MONOTONIC) + seconds, before = load_clock(CLOCK_MONOTONIC), now, longest = 0;
	unsigned long calls = 0, slow = 0, stalled = 0;
	long waited = waits();
	double slept = asleep();

	do {
		char *at = mmap(NULL, SMALL, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (at == MAP_FAILED)
			load_fail("mmap: %s", strerror(errno));
		for (size_t i = 0; i < SMALL; i += PAGE)
			at[i] = 1;
		(void)munmap(at, SMALL);
		if (faults && bytes > 0) {
			char *page = large + calls * PAGE % bytes;

			(void)madvise(page, PAGE, MADV_DONTNEED);
			*page = 1;
		}
		calls++;
		now = load_clock(CLOCK_MONOTONIC);

		long all = waits();

		slow += now - before > LONG_SECONDS;
		stalled += now - before > LONG_SECONDS && all != waited;
		waited = all;
		longest = now - before > longest ? now - before : longest;
		before = now;
	} while (now < end);
	load_emit(NULL, "{\"load\": \"churn\", \"calls\": %lu, \"over_5_ms\": %lu, \"stalls_over_5_ms\": %lu, "
		  "\"waited_ms\": %.3f, \"longest_ms\": %.3f}", calls, slow, stalled, (asleep() - slept) * 1e3, longest * 1e3);
}

int main(int argc, char **argv)
{
	enum { RSS, WINDOWS, SECONDS, FAULTS, WAIT, OPTIONS };
	struct load_option o[OPTIONS] = {
		[RSS] = { "rss", "64", false }, [WINDOWS] = { "windows", "1", false },
		[SECONDS] = { "seconds", "1", false }, [FAULTS] = { "faults", NULL, true }, [WAIT] = { "wait", NULL, true },
	};
	char byte;

	load_limit(false);
	load_options(o, OPTIONS, argc, argv);

	size_t bytes = (size_t)load_number(o[RSS].value) * MIB;
	char *large = small_pages(bytes);
	unsigned n = (unsigned)load_number(o[WINDOWS].value);

	load_emit(NULL, "{\"load\": \"churn\", \"ready\": true}");
	for (unsigned i = 0; i < n; i++) {
		if (o[WAIT].value && read(STDIN_FILENO, &byte, 1) != 1)
			break;
		window(load_number(o[SECONDS].value), large, bytes, o[FAULTS].value != NULL);
	}
	return 0;
}
