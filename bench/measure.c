/* measure.c - CPU time of one call, and the tree that is measured. */
#include "measure.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum { BATCH = 20, GETS_UP_SECONDS = 60, LOOKS_PER_SECOND = 20 };

_Noreturn void measure_fail(const char *what, const char *detail)
{
	(void)fprintf(stderr, "%s: %s\n", what, detail);
	exit(2);
}

static double clock_us(clockid_t id)
{
	struct timespec t;

	(void)clock_gettime(id, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static void sleep_until_us(double us)
{
	struct timespec t = { .tv_sec = (time_t)(us / 1e6) };

	t.tv_nsec = (long)((us - (double)t.tv_sec * 1e6) * 1e3);
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
		;
}

static long rss_kib(void)
{
	char text[64] = "";
	int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
	char *second = n > 0 ? strchr(text, ' ') : NULL;

	(void)close(fd);
	return second ? strtol(second, NULL, 10) * (sysconf(_SC_PAGESIZE) / 1024) : -1;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double run_tight(const struct measure *m, long *early_kib)
{
	size_t batches = (m->samples + BATCH - 1) / BATCH;
	double *us = calloc(batches, sizeof *us);

	if (!us)
		measure_fail("calloc", strerror(errno));
	for (size_t i = 0; i < m->warm; i++)
		m->call(m->context);
	for (size_t i = 0; i < batches; i++) {
		double began = clock_us(CLOCK_PROCESS_CPUTIME_ID);

		for (int k = 0; k < BATCH; k++)
			m->call(m->context);
		us[i] = (clock_us(CLOCK_PROCESS_CPUTIME_ID) - began) / BATCH;
		if (i == batches / 10)
			*early_kib = rss_kib();
	}
	qsort(us, batches, sizeof *us, by_value);

	double median = us[batches / 2];

	free(us);
	return median;
}

static double run_paced(const struct measure *m, long *early_kib)
{
	double step = 1e6 / m->hz;
	/* All runs begin at a multiple of the step, so that their phases refer to one clock. */
	double next = (double)((uint64_t)(clock_us(CLOCK_MONOTONIC) / step) + 1) * step;
	double first = next + m->phase_seconds * 1e6, began = 0;

	for (size_t i = 0; i < m->warm + m->samples; i++) {
		if (i == m->warm)
			began = clock_us(CLOCK_PROCESS_CPUTIME_ID);
		sleep_until_us(first + (double)i * step);
		m->call(m->context);
		if (i == m->warm + m->samples / 10)
			*early_kib = rss_kib();
	}
	return (clock_us(CLOCK_PROCESS_CPUTIME_ID) - began) / (double)m->samples;
}

void measure_run(const struct measure *m)
{
	long early = -1;
	double us = m->hz > 0 ? run_paced(m, &early) : run_tight(m, &early);

	(void)printf("{\"us_per_sample\": %.3f, \"samples\": %zu, \"rss_kib_early\": %ld, \"rss_kib\": %ld}\n",
		     us, m->samples, early, rss_kib());
}

const char *measure_option(int argc, char **argv, const char *name, const char *otherwise)
{
	for (int i = 1; i + 1 < argc; i++)
		if (strcmp(argv[i], name) == 0)
			return argv[i + 1];
	return otherwise;
}

size_t measure_number(int argc, char **argv, const char *name, size_t otherwise)
{
	const char *text = measure_option(argc, argv, name, NULL);
	char *end;

	if (!text)
		return otherwise;

	size_t value = strtoul(text, &end, 10);

	if (*end || end == text)
		measure_fail(name, "not a number");
	return value;
}

struct held tree_hold(const char *load_tree, size_t processes, size_t busy)
{
	int go[2], ready[2];
	char n[32], m[32], fd[32];

	if (pipe2(go, O_CLOEXEC) < 0 || pipe2(ready, O_CLOEXEC) < 0)
		measure_fail("pipe", strerror(errno));
	(void)snprintf(n, sizeof n, "%zu", processes);
	(void)snprintf(m, sizeof m, "%zu", busy);
	(void)snprintf(fd, sizeof fd, "%d", ready[1]);

	pid_t pid = fork();

	if (pid < 0)
		measure_fail("fork", strerror(errno));
	if (pid == 0) {
		char c;

		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		(void)close(go[1]);
		if (read(go[0], &c, 1) != 1)
			_exit(2);
		(void)fcntl(ready[1], F_SETFD, 0);
		(void)execl(load_tree, load_tree, "--processes", n, "--busy", m, "--seconds", "600", "--truth",
			    "/dev/null", "--ready", fd, (char *)NULL);
		measure_fail(load_tree, strerror(errno));
	}
	(void)close(go[0]);
	(void)close(ready[1]);
	return (struct held){ .pid = pid, .release = go[1], .ready = ready[0] };
}

void tree_release(struct held *h)
{
	char line[16];

	if (write(h->release, "x", 1) != 1 || read(h->ready, line, sizeof line) <= 0)
		measure_fail("load_tree", "did not get up");
	(void)close(h->release);
	(void)close(h->ready);
	h->release = h->ready = -1;
}

static void add_children(struct bench_tree *t, size_t room, pid_t pid)
{
	char path[64], text[4096];

	(void)snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid, (int)pid);

	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
	char *at = text, *end;

	(void)close(fd);
	text[n > 0 ? n : 0] = '\0';
	for (long child; child = strtol(at, &end, 10), end != at && t->n < room; at = end)
		t->pids[t->n++] = (pid_t)child;
}

static bool find_members(struct bench_tree *t, size_t room)
{
	for (size_t i = 0; i < t->n; i++)
		add_children(t, room, t->pids[i]);
	return t->n == room;
}

static void pause_between_looks(void)
{
	(void)nanosleep(&(struct timespec){ .tv_nsec = 1000000000 / LOOKS_PER_SECOND }, NULL);
}

struct bench_tree tree_members(pid_t root, size_t processes)
{
	struct bench_tree t = { .pids = calloc(processes, sizeof *t.pids) };

	if (!t.pids)
		measure_fail("calloc", strerror(errno));
	for (int i = 0; i < GETS_UP_SECONDS * LOOKS_PER_SECOND; i++) {
		t.pids[0] = root;
		t.n = 1;
		if (find_members(&t, processes))
			return t;
		pause_between_looks();
	}
	measure_fail("load_tree", "its processes were not all found");
}

pid_t tree_root_below(pid_t parent)
{
	pid_t found[1];
	struct bench_tree t = { .pids = found };

	for (int i = 0; i < GETS_UP_SECONDS * LOOKS_PER_SECOND; i++) {
		add_children(&t, 1, parent);
		if (t.n == 1)
			return found[0];
		pause_between_looks();
	}
	measure_fail("load_tree", "was not started");
}
