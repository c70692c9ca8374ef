/*
 * load_build.c - a build: short processes of several programs, two at a time, as make -j2 starts them.
 *
 *   --directory D                the programs are links to this one there
 *   --scale X                    so many times as many processes as in `programs` below
 *
 * It waits for each process with wait4, which returns the use of each program.  The truth: `programs`, CPU seconds by
 * name, `cpu_seconds` of all of them and this process, `processes_started`.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../core/base.h"
#include "load.h"

enum { BESIDE = 2, JOBS_MAX = 10000 };

static struct program { const char *name, *seconds; unsigned count; double cpu_seconds; } programs[] = {
	{ "preprocessor", "0.0006", 160, 0 }, { "archiver", "0.001", 60, 0 }, { "assembler", "0.002", 60, 0 },
	{ "linker", "0.008", 20, 0 }, { "compiler", "0.020", 15, 0 },
};

struct job { pid_t pid; struct program *program; };

static void make_links(const char *directory)
{
	char self[PATH_MAX], link[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

	if (n < 0)
		load_fail("/proc/self/exe: %s", strerror(errno));
	self[n > 0 ? n : 0] = '\0';
	for (size_t i = 0; i < countof(programs); i++) {
		(void)snprintf(link, sizeof link, "%s/%s", directory, programs[i].name);
		if (symlink(self, link) < 0)
			load_fail("%s: %s", link, strerror(errno));
	}
}

static pid_t start(const struct program *p, const char *directory, const posix_spawn_file_actions_t *silent)
{
	static char *const empty[] = { NULL };
	char path[PATH_MAX];
	const char *const words[] = { p->name, "load", "cpu", "--seconds", p->seconds, NULL };
	pid_t pid;

	(void)snprintf(path, sizeof path, "%s/%s", directory, p->name);

	int error = posix_spawn(&pid, path, silent, NULL, (char *const *)(uintptr_t)words, empty);

	if (error)
		load_fail("%s: %s", path, strerror(error));
	return pid;
}

static void reap(struct job running[BESIDE])
{
	struct rusage u;
	pid_t pid = wait4(-1, NULL, 0, &u);

	for (size_t i = 0; i < BESIDE; i++)
		if (running[i].program && running[i].pid == pid) {
			running[i].program->cpu_seconds += (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
							   (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-6;
			running[i].program = NULL;
			return;
		}
	load_fail("wait4: %s", strerror(errno));
}

static struct job *a_place(struct job running[BESIDE])
{
	for (size_t i = 0; i < BESIDE; i++)
		if (!running[i].program)
			return &running[i];
	return NULL;
}

/* The programs in mixed order, the same in each run. */
static size_t mix(struct program *jobs[JOBS_MAX], double scale)
{
	uint64_t x = 1;
	size_t n = 0;

	for (size_t i = 0; i < countof(programs); i++)
		for (unsigned k = 0; k < scale * programs[i].count && n < JOBS_MAX; k++)
			jobs[n++] = &programs[i];
	for (size_t i = n; i > 1; i--) {
		x = x * UINT64_C(6364136223846793005) + 1442695040888963407;

		size_t other = (size_t)(x >> 33) % i;
		struct program *p = jobs[other];

		jobs[other] = jobs[i - 1];
		jobs[i - 1] = p;
	}
	return n;
}

int load_build(int argc, char **argv)
{
	enum { DIRECTORY, SCALE, TRUTH, OPTIONS };
	struct load_option o[OPTIONS] = {
		[DIRECTORY] = { "directory", ".", false }, [SCALE] = { "scale", "1", false }, [TRUTH] = { "truth", NULL, false },
	};
	static struct program *jobs[JOBS_MAX];
	struct job running[BESIDE] = { { 0 } };
	posix_spawn_file_actions_t silent;
	char text[512];
	int used = 0;

	load_limit(false);
	load_options(o, OPTIONS, argc, argv);
	make_links(o[DIRECTORY].value);
	if (posix_spawn_file_actions_init(&silent) ||
	    posix_spawn_file_actions_addopen(&silent, STDOUT_FILENO, "/dev/null", O_WRONLY, 0))
		load_fail("posix_spawn_file_actions failed");

	size_t n = mix(jobs, load_number(o[SCALE].value));

	for (size_t i = 0; i < n; i++) {
		struct job *at;

		while (!(at = a_place(running)))
			reap(running);
		*at = (struct job){ start(jobs[i], o[DIRECTORY].value, &silent), jobs[i] };
	}
	for (size_t i = 0; i < size_min(n, BESIDE); i++)
		reap(running);

	double cpu = load_cpu_self() + load_cpu_children();

	for (size_t i = 0; i < countof(programs); i++)
		used += snprintf(text + used, sizeof text - (size_t)used, "%s\"%s\": %.6f", i > 0 ? ", " : "",
				 programs[i].name, programs[i].cpu_seconds);
	load_emit(o[TRUTH].value,
		  "{\"load\": \"build\", \"programs\": {%s}, \"cpu_seconds\": %.6f, \"cpu_low_seconds\": %.6f, "
		  "\"cpu_high_seconds\": %.6f, \"processes_started\": %zu}", text, cpu, cpu, cpu, 1 + n);
	return 0;
}
