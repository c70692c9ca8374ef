/* load.c - functions that the load programs share. */
#include "load.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../core/scan.h"

void load_fail(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	(void)vfprintf(stderr, format, arguments);
	va_end(arguments);
	(void)fputc('\n', stderr);
	_exit(2);
}

static struct load_option *option_of(struct load_option *options, size_t n, const char *word)
{
	for (size_t i = 0; i < n; i++)
		if (strncmp(word, "--", 2) == 0 && strcmp(word + 2, options[i].name) == 0)
			return &options[i];
	load_fail("there is no option '%s'", word);
}

void load_options(struct load_option *options, size_t n, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		struct load_option *o = option_of(options, n, argv[i]);

		if (o->flag)
			o->value = "1";
		else if (++i < argc)
			o->value = argv[i];
		else
			load_fail("--%s wants a value", o->name);
	}
}

double load_number(const char *text)
{
	struct scan s = scan_of(text, text ? strlen(text) : 0);
	double value = 0;

	if (text && (!scan_decimal(&s, &value) || s.at != s.end))
		load_fail("'%s' is not a number", text);
	return value;
}

void load_limit(bool orphan)
{
	(void)alarm(LOAD_LIMIT_SECONDS);
	if (!orphan)
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
}

double load_clock(clockid_t id)
{
	struct timespec t;

	if (clock_gettime(id, &t) < 0)
		load_fail("clock_gettime: %s", strerror(errno));
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void load_sleep_until(double monotonic_seconds)
{
	struct timespec t = { .tv_sec = (time_t)monotonic_seconds };

	t.tv_nsec = (long)((monotonic_seconds - (double)t.tv_sec) * 1e9);
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
		;
}

void load_sleep(double seconds)
{
	load_sleep_until(load_clock(CLOCK_MONOTONIC) + seconds);
}

static unsigned lines_of(const char *path)
{
	char text[65536];
	unsigned lines = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return 0;
	for (ssize_t n; (n = read(fd, text, sizeof text)) > 0;)
		for (ssize_t i = 0; i < n; i++)
			lines += text[i] == '\n';
	(void)close(fd);
	return lines;
}

void load_await(const char *rows, unsigned lines)
{
	while (lines_of(rows) < lines)
		load_sleep(0.01);
}

void load_hold(double seconds, const char *rows)
{
	unsigned enough = rows ? lines_of(rows) + LOAD_ROWS : 0;

	load_sleep(seconds);
	if (rows)
		load_await(rows, enough);
}

void load_burn(clockid_t id, double seconds)
{
	double end = load_clock(id) + seconds;
	volatile uint64_t x = 1;

	/* About 10 us of arithmetic between two reads of the clock, each of which is a system call. */
	while (load_clock(id) < end)
		for (int i = 0; i < 8000; i++)
			x = x * UINT64_C(6364136223846793005) + 1;
}

void *load_shared(size_t bytes)
{
	void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		load_fail("mmap of %zu bytes: %s", bytes, strerror(errno));
	return at;
}

char *load_touched(size_t bytes)
{
	char *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		load_fail("mmap of %zu bytes: %s", bytes, strerror(errno));
	/* Huge pages, if the kernel has some free, would make memory resident in steps of 2 MiB. */
	(void)madvise(at, bytes, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < bytes; i += 4096)
		at[i] = (char)(i >> 12 | 1);
	return at;
}

static double cpu_of(int who)
{
	struct rusage u;

	(void)getrusage(who, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
	       (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-6;
}

double load_cpu_self(void)
{
	return cpu_of(RUSAGE_SELF);
}

double load_cpu_children(void)
{
	return cpu_of(RUSAGE_CHILDREN);
}

double load_switches(void)
{
	struct rusage self, children;

	(void)getrusage(RUSAGE_SELF, &self);
	(void)getrusage(RUSAGE_CHILDREN, &children);
	return (double)(self.ru_nvcsw + self.ru_nivcsw + children.ru_nvcsw + children.ru_nivcsw);
}

double load_proc(const char *file, const char *key)
{
	char path[64], text[8192];

	(void)snprintf(path, sizeof path, "/proc/%s", file);

	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);

	if (n < 0)
		load_fail("%s: %s", path, strerror(errno));
	(void)close(fd);
	text[n > 0 ? n : 0] = '\0';
	for (char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';

		struct scan s = scan_of(line, strlen(line));
		double value;

		if (scan_literal(&s, key) && scan_decimal(&s, &value))
			return value;
	}
	load_fail("%s has no %s", path, key);
}

void load_emit(const char *path, const char *format, ...)
{
	char line[1024];
	va_list arguments;

	va_start(arguments, format);
	int n = vsnprintf(line, sizeof line - 1, format, arguments);
	va_end(arguments);

	int fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644) : STDOUT_FILENO;

	line[n++] = '\n';
	if (fd < 0 || write(fd, line, (size_t)n) != n)
		load_fail("%s: %s", path ? path : "stdout", strerror(errno));
	if (path)
		(void)close(fd);
}
