/*
 * load_mmap.c - how long a job waits in mmap and munmap, which both wait while another process reads its memory map.
 *
 *   --rss MIB                    so much memory in small pages, which makes such a read slow
 *   --seconds S                  for so long: map, touch and unmap 64 KiB, again and again
 *
 * The truth is `rounds`, and `longest_seconds`, the longest of them.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "load.h"

enum { PIECE = 64 * 1024 };

int load_mmap(int argc, char **argv)
{
	enum { RSS, SECONDS, TRUTH, OPTIONS };
	struct load_option o[OPTIONS] = {
		[RSS] = { "rss", "256", false }, [SECONDS] = { "seconds", "1", false },
		[TRUTH] = { "truth", NULL, false },
	};

	load_limit(false);
	load_options(o, OPTIONS, argc, argv);
	(void)load_touched((size_t)load_number(o[RSS].value) << 20);

	double end = load_clock(CLOCK_MONOTONIC) + load_number(o[SECONDS].value), longest = 0;
	double began = load_clock(CLOCK_MONOTONIC), last = began, now = began;
	uint64_t rounds = 0;

	for (; now < end; rounds++) {
		char *at = load_touched(PIECE);

		(void)munmap(at, PIECE);
		now = load_clock(CLOCK_MONOTONIC);
		longest = now - last > longest ? now - last : longest;
		last = now;
	}
	load_emit(o[TRUTH].value,
		  "{\"load\": \"mmap\", \"rounds\": %ju, \"longest_seconds\": %.6f, \"wall_seconds\": %.6f}",
		  (uintmax_t)rounds, longest, now - began);
	return 0;
}
