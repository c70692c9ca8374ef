/* regions.c - a job that names its parts: resource-tracker -- ./regions */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "resource_tracker_regions.h"

static double seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void burn(double how_long)
{
	double end = seconds(CLOCK_THREAD_CPUTIME_ID) + how_long;

	while (seconds(CLOCK_THREAD_CPUTIME_ID) < end)
		;
}

static void load_data(void)
{
	RT_FUNCTION();
	struct timespec slow_disk = { .tv_nsec = 50 * 1000 * 1000 };

	nanosleep(&slow_disk, NULL);
}

int main(void)
{
	enum { TABLE = 300 << 20 };
	char *table = malloc(TABLE);

	if (!table)
		return 1;
	load_data();
	RT_REGION("fill the table")
		memset(table, 1, TABLE);
	RT_REGION("train") {
		for (int epoch = 1; epoch <= 3; epoch++) {
			char name[32];

			snprintf(name, sizeof name, "epoch %d", epoch);
			rt_region_mark(name);
			RT_REGION("epoch") {
				RT_REGION("forward") { burn(0.02); }
				RT_REGION("backward") { burn(0.04); }
			}
			rt_region_value("loss", 1.0 / epoch);
		}
	}
	free(table);
	return 0;
}
