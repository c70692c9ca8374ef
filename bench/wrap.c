/*
 * wrap.c - how long a command takes, plain and under a wrapper, alternately: medians of wall time.
 *
 *   bench_wrap ROUNDS PAUSE_MS -- PLAIN ARGUMENTS... -- WRAPPED ARGUMENTS...
 *
 * PAUSE_MS: before each of them.  The kernel switches perf off a second after its last event, and waits some 10 ms
 * when it switches it on again.
 *
 * Prints {"plain_us": median, "wrapped_us": median}.  stdin, stdout and stderr are /dev/null.
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

int main(int argc, char **argv)
{
	size_t rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
	long pause_ms = argc > 2 ? strtol(argv[2], NULL, 10) : 0;
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), second = 4;

	while (second < argc && strcmp(argv[second], "--") != 0)
		second++;
	if (rounds == 0 || pause_ms < 0 || argc < 7 || second + 1 >= argc)
		measure_fail("bench_wrap", "ROUNDS PAUSE_MS -- PLAIN... -- WRAPPED...");
	argv[second] = NULL;

	double *plain = calloc(rounds, sizeof *plain), *wrapped = calloc(rounds, sizeof *wrapped);

	if (!plain || !wrapped)
		measure_fail("calloc", strerror(errno));
	for (size_t i = 0; i < rounds; i++) {
		plain[i] = once(argv + 4, null, pause_ms);
		wrapped[i] = once(argv + second + 1, null, pause_ms);
	}
	qsort(plain, rounds, sizeof *plain, by_value);
	qsort(wrapped, rounds, sizeof *wrapped, by_value);
	(void)printf("{\"plain_us\": %.1f, \"wrapped_us\": %.1f}\n", plain[rounds / 2], wrapped[rounds / 2]);
	free(plain);
	free(wrapped);
	return 0;
}
