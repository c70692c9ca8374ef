/*
 * wrap.c - wall time of commands, run in turn: medians.
 *
 *   bench_wrap ROUNDS PAUSE_MS -- COMMAND ARGUMENTS... [-- COMMAND ARGUMENTS...]
 *
 * PAUSE_MS: a pause before each of them.  The kernel switches perf off a second after its last event, and waits
 * some 10 ms when it switches it on again.
 *
 * Prints a list of the medians in us.  stdin, stdout and stderr are /dev/null.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "measure.h"

static double now_us(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static double once(char **command, int null, long pause_ms)
{
	int status;

	(void)nanosleep(&(struct timespec){ pause_ms / 1000, pause_ms % 1000 * 1000000 }, NULL);

	double began = now_us();
	pid_t pid = fork();

	if (pid < 0)
		measure_fail("fork", strerror(errno));
	if (pid == 0) {
		(void)dup2(null, 0);
		(void)dup2(null, 1);
		(void)dup2(null, 2);
		(void)execv(command[0], command);
		_exit(127);
	}
	if (waitpid(pid, &status, 0) != pid || status != 0)
		measure_fail(command[0], "did not end with 0");
	return now_us() - began;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The words of the next command, up to "--" or the end; advances *at. */
static char **next_command(int argc, char **argv, int *at)
{
	char **command = argv + *at;

	while (*at < argc && strcmp(argv[*at], "--") != 0)
		++*at;
	argv[(*at)++] = NULL;
	return command;
}

int main(int argc, char **argv)
{
	enum { COMMANDS_MAX = 4 };
	size_t rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 0, n = 0;
	long pause_ms = argc > 2 ? strtol(argv[2], NULL, 10) : 0;
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	char **command[COMMANDS_MAX];
	double *took[COMMANDS_MAX];

	for (int at = 4; at < argc && n < COMMANDS_MAX; n++)
		command[n] = next_command(argc, argv, &at);
	if (rounds == 0 || pause_ms < 0 || n == 0)
		measure_fail("bench_wrap", "ROUNDS PAUSE_MS -- COMMAND... [-- COMMAND...]");
	for (size_t k = 0; k < n; k++)
		if (!(took[k] = calloc(rounds, sizeof *took[k])))
			measure_fail("calloc", strerror(errno));
	for (size_t i = 0; i < rounds; i++)
		for (size_t k = 0; k < n; k++)
			took[k][i] = once(command[k], null, pause_ms);
	for (size_t k = 0; k < n; k++) {
		qsort(took[k], rounds, sizeof *took[k], by_value);
		(void)printf("%s%.1f", k > 0 ? ", " : "[", took[k][rounds / 2]);
		free(took[k]);
	}
	(void)printf("]\n");
	return 0;
}
