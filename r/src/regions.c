/* regions.c - lines of regions (docs/reference/regions.md): each with this process's time, CPU time and pid, by one write. */
#include "binding.h"

#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { LINE_SIZE = 1024 };

static int line_of(char *line, const char *words)
{
	struct timespec now, used;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);

	int n = snprintf(line, LINE_SIZE, "t=%lld.%09ld tid=%d cpu=%lld.%09ld %s", (long long)now.tv_sec, now.tv_nsec,
			 (int)getpid(), (long long)used.tv_sec, used.tv_nsec, words);

	n = n < LINE_SIZE - 1 ? n : LINE_SIZE - 2;
	for (int i = 0; i < n; i++)
		if (line[i] == '\n' || line[i] == '\r')
			line[i] = ' ';
	line[n] = '\n';
	return n + 1;
}

SEXP write_region(SEXP path, SEXP words)
{
	char line[LINE_SIZE];
	int file = open(Rf_translateChar(STRING_ELT(path, 0)), O_WRONLY | O_APPEND | O_NONBLOCK | O_CLOEXEC), written = 0;

	if (file >= 0) {
		int n = line_of(line, Rf_translateCharUTF8(STRING_ELT(words, 0)));

		written = write(file, line, (size_t)n) == n;
		(void)close(file);
	}
	return Rf_ScalarLogical(written);
}
