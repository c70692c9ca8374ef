/* load_nothing.c - does nothing but report when it started, and when it was about to exit. */
#include "load.h"

int load_nothing(int argc, char **argv)
{
	double began = load_clock(CLOCK_MONOTONIC);
	struct load_option truth = { "truth", NULL, false };

	load_options(&truth, 1, argc, argv);
	load_emit(truth.value, "{\"load\": \"nothing\", \"began\": %.6f, \"ended\": %.6f}", began,
		  load_clock(CLOCK_MONOTONIC));
	return 0;
}
