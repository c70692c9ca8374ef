/* still_running.c - whether a record without its last line is still being written. */
#include "still_running.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "../core/source.h"
#include "../kernel/proc_parse.h"

enum { FRESH_SECONDS = 150, SLACK_SECONDS = 2 };

/* The start of a process, in seconds since 1970; 0: no such process. */
static double started(const char *pid)
{
	struct source machine;
	struct text text = { 0 };
	struct proc_stat stat;
	struct timespec boot;
	double result = 0;
	char path[32];

	if (source_open(&machine, "/", NULL) < 0)
		return 0;
	(void)snprintf(path, sizeof path, "%.12s/stat", pid);
	if (text_read_at(&text, machine.proc, path) == 0 && proc_parse_stat(&stat, text.at, text.len) == 0 &&
	    stat.state != 'Z' && clock_gettime(CLOCK_BOOTTIME, &boot) == 0)
		result = (double)time(NULL) - (double)boot.tv_sec +
			 (double)stat.start / (double)machine.ticks_per_second;
	text_release(&text);
	source_close(&machine);
	return result;
}

static bool is_number(const char *text)
{
	return *text && strspn(text, "0123456789") == strlen(text) && strlen(text) < 12;
}

bool still_running(const char *id, const char *host, int64_t start_wall_ns, time_t modified)
{
	const char *dash = strrchr(id, '-');
	struct utsname here;

	if (uname(&here) == 0 && strcmp(here.nodename, host) == 0 && dash && is_number(dash + 1)) {
		double since = started(dash + 1);

		return since > 0 && since <= (double)start_wall_ns / 1e9 + SLACK_SECONDS;
	}
	return modified + FRESH_SECONDS > time(NULL);
}
