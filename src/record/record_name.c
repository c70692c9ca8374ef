/* record_name.c - the name of a new record: start time, host and pid; and its path. */
#include "record_name.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../text/utc.h"

void record_name(char *ret, size_t size, const struct run *run, const char *host)
{
	int64_t wall_ns = run->named_wall_ns ? run->named_wall_ns : run->start_wall_ns;
	struct timespec now = { .tv_sec = (time_t)(wall_ns / NS_PER_SECOND) };
	char name[65], utc[UTC_SIZE];
	size_t n = 0, u = 0;

	if (now.tv_sec == 0)                    /* the run has not begun */
		(void)clock_gettime(CLOCK_REALTIME, &now);
	utc_write(utc, (int64_t)now.tv_sec * NS_PER_SECOND);
	for (const char *p = utc; *p && *p != '.'; p++)
		if (*p != '-' && *p != ':')
			utc[u++] = *p;
	utc[u] = '\0';
	for (; host[n] && n + 1 < sizeof name; n++) {
		bool plain = (host[n] >= 'a' && host[n] <= 'z') || (host[n] >= 'A' && host[n] <= 'Z') ||
			     (host[n] >= '0' && host[n] <= '9') || (host[n] == '.' && n > 0) || host[n] == '_';

		name[n] = plain ? host[n] : '-';
	}
	name[n] = '\0';
	(void)snprintf(ret, size, "%sZ-%s-%d.jsonl", utc, n > 0 ? name : "host", (int)getpid());
}

int record_path(char *ret, size_t size, const char *folder, const char *name)
{
	size_t n = strlen(folder);

	return snprintf(ret, size, "%s%s%s", folder, n > 0 && folder[n - 1] == '/' ? "" : "/", name);
}
