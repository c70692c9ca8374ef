/* zpool.c - parses the texts about ZFS pools, and runs the program that prints one of them. */
#include "zpool.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

enum { LIMIT_MS = 2000, LIMIT_TO_END_MS = 200 };

size_t zpool_parse_list(struct pool_space *ret, size_t max, const char *text, size_t n)
{
	struct scan s = scan_of(text, n);
	size_t pools = 0;

	while (s.at < s.end && pools < max) {
		struct pool_space p;
		struct word name;

		/* Up to the tab: a pool's name can contain blanks. */
		if (scan_until(&s, '\t', &name) && word_copy(name, p.name, sizeof p.name) && scan_u64(&s, &p.size) &&
		    scan_u64(&s, &p.allocated) && scan_u64(&s, &p.free))
			ret[pools++] = p;
		(void)scan_next_line(&s);
	}
	return pools;
}

/*
 * A line of numbers, a line of names, a line with the values.  The first names are nread nwritten reads writes
 * (sys/kstat.h: kstat_io_t).
 */
static bool parse_old(struct pool_io *ret, struct scan *s)
{
	struct pool_io io;

	if (!scan_next_line(s) || !scan_u64(s, &io.read_bytes) || !scan_u64(s, &io.write_bytes) ||
	    !scan_u64(s, &io.reads) || !scan_u64(s, &io.writes))
		return false;
	*ret = io;
	return true;
}

bool zpool_parse_io(struct pool_io *ret, const char *text, size_t n)
{
	struct scan s = scan_of(text, n);
	struct pool_io io = { 0 };
	unsigned found = 0;

	do {
		struct word name;
		uint64_t type, value;

		if (!scan_word(&s, &name))
			continue;
		if (word_is(name, "nread")) {
			struct scan ahead = s;
			struct word next;

			if (scan_word(&ahead, &next) && word_is(next, "nwritten"))
				return parse_old(ret, &s);
		}

		uint64_t *to = word_is(name, "nread")    ? &io.read_bytes :
			       word_is(name, "reads")    ? &io.reads :
			       word_is(name, "nwritten") ? &io.write_bytes :
			       word_is(name, "writes")   ? &io.writes : NULL;

		if (to && scan_u64(&s, &type) && scan_u64(&s, &value)) {
			*to = value;
			found++;
		}
	} while (scan_next_line(&s));
	if (found != 4)
		return false;
	*ret = io;
	return true;
}

static int64_t now_ms(void)
{
	struct timespec t = { 0 };

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static int spawn(pid_t *ret, int output)
{
	static const char *const places[] = {
		"/usr/sbin/zpool", "/sbin/zpool", "/usr/local/sbin/zpool", "/usr/bin/zpool", "/bin/zpool",
	};
	char *const arguments[] = {
		(char[]){ "zpool" }, (char[]){ "list" }, (char[]){ "-Hp" }, (char[]){ "-o" },
		(char[]){ "name,size,allocated,free" }, NULL,
	};
	char *const environment[] = { (char[]){ "LC_ALL=C" }, NULL };
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t all, none;
	int e = ENOENT;

	if (posix_spawn_file_actions_init(&files) != 0)
		return -ENOMEM;
	if (posix_spawnattr_init(&attributes) != 0) {
		(void)posix_spawn_file_actions_destroy(&files);
		return -ENOMEM;
	}
	/* Our threads block all signals, and the job may have been started with some ignored. */
	(void)sigfillset(&all);
	(void)sigemptyset(&none);
	(void)posix_spawnattr_setsigdefault(&attributes, &all);
	(void)posix_spawnattr_setsigmask(&attributes, &none);
	(void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
	(void)posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	(void)posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
	(void)posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	for (size_t i = 0; e == ENOENT && i < countof(places); i++)
		e = posix_spawn(ret, places[i], &files, &attributes, arguments, environment);
	if (e == ENOENT)
		e = posix_spawnp(ret, "zpool", &files, &attributes, arguments, environment);
	(void)posix_spawnattr_destroy(&attributes);
	(void)posix_spawn_file_actions_destroy(&files);
	return -e;
}

/* Until it closes its output; -ETIMEDOUT after the limit. */
static int read_all(char *ret, size_t size, int fd)
{
	int64_t until = now_ms() + LIMIT_MS;
	size_t n = 0;

	for (;;) {
		struct pollfd p = { .fd = fd, .events = POLLIN };
		int64_t left = until - now_ms();

		if (left <= 0 || n == size)
			return left <= 0 ? -ETIMEDOUT : -EFBIG;
		if (poll(&p, 1, (int)left) <= 0)
			continue;

		ssize_t more = read(fd, ret + n, size - n);

		if (more == 0)
			return (int)n;
		if (more > 0)
			n += (size_t)more;
		else if (errno != EINTR)
			return -errno;
	}
}

/* Reaps the process if it has ended; until then its pid is not reused. */
static bool has_ended(pid_t pid)
{
	siginfo_t info = { 0 };

	return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG) < 0 || info.si_pid == pid;
}

/* Waits a little: a process that sleeps in the kernel, for a pool that does not answer, cannot even be killed. */
static bool end(pid_t pid, bool kill_it)
{
	for (int ms = 0; ms < LIMIT_TO_END_MS; ms++) {
		if (has_ended(pid))
			return true;
		if (kill_it)
			(void)kill(pid, SIGKILL);
		kill_it = false;
		(void)nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	}
	return false;
}

int zpool_run(char *ret, size_t size, pid_t *left_behind)
{
	int ends[2];
	pid_t pid;

	if (*left_behind && !has_ended(*left_behind))
		return -EBUSY;
	*left_behind = 0;
	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;

	auto_close int output = ends[0];
	int r = spawn(&pid, ends[1]);

	close_p(&ends[1]);
	if (r < 0)
		return r;
	r = read_all(ret, size, output);
	if (!end(pid, r < 0))
		*left_behind = pid;
	return r;
}
