/*
 * wrapper.c - the floor of a wrapper: it makes the recorder's calls to the kernel, and ignores the results.
 *
 *   bench_wrapper LEAF RECORD COMMAND ARGUMENTS...
 *
 * LEAF: the folder of a control group of version 2 in which one is made for the command; "none".  RECORD: the folder
 * in which a file is made; "none".  The command waits to exec until events, rings and its baseline are there; the
 * zombie's files are read before it is reaped; then lines of the usual length are written, and a summary to stderr.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure.h"

enum { REGIONS_BYTES = 8 << 20, RING_PAGES = 17, CPUS_MAX = 16 };

static char text[16384];                        /* bytes read, and bytes to write */

static int checked(int r, const char *what)
{
	if (r < 0)
		measure_fail(what, strerror(errno));
	return r;
}

static void read_at(int directory, const char *path)
{
	int fd = openat(directory, path, O_RDONLY | O_CLOEXEC);

	if (fd >= 0 && pread(fd, text, sizeof text, 0) < 0 && errno != EACCES)
		measure_fail(path, strerror(errno));
	(void)close(fd);
}

static void read_of(int proc, pid_t pid, const char *file)
{
	char path[64];

	(void)snprintf(path, sizeof path, "%d/%s", (int)pid, file);
	read_at(proc, path);
}

struct leaf { int above, folder, usage; char name[64]; };

static struct leaf leaf_make(const char *above)
{
	struct leaf l = { -1, -1, -1, "" };

	if (strcmp(above, "none") == 0)
		return l;
	(void)snprintf(l.name, sizeof l.name, "bench-wrapper-%d", (int)getpid());
	l.above = checked(open(above, O_RDONLY | O_DIRECTORY | O_CLOEXEC), above);
	(void)checked(mkdirat(l.above, l.name, 0755), "mkdir");
	l.folder = checked(openat(l.above, l.name, O_RDONLY | O_DIRECTORY | O_CLOEXEC), l.name);
	l.usage = checked(openat(l.folder, "cpu.stat", O_RDONLY | O_CLOEXEC), "cpu.stat");
	return l;
}

static pid_t start(const struct leaf *leaf, char **command, int ret_go[2])
{
	struct clone_args args = { .exit_signal = SIGCHLD };
	int failed[2];

	if (leaf->folder >= 0) {
		args.flags = CLONE_INTO_CGROUP;
		args.cgroup = (unsigned)leaf->folder;
	}
	(void)checked(pipe2(ret_go, O_CLOEXEC), "pipe");
	(void)checked(pipe2(failed, O_CLOEXEC), "pipe");

	pid_t pid = (pid_t)checked((int)syscall(SYS_clone3, &args, sizeof args), "clone3");

	if (pid > 0)
		return pid;

	char word;
	sigset_t none;

	(void)!read(ret_go[0], &word, 1);
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	(void)execv(command[0], command);
	_exit(127);
}

enum event { TASKS, CLOCK, CLOCK_RING };

/* As in kernel/sideband.c: forks, names and exits on a CPU; CPU times, and the ring that receives them. */
static int open_event(enum event e, pid_t pid, int cpu)
{
	struct perf_event_attr attr = {
		.size = sizeof attr, .type = PERF_TYPE_SOFTWARE,
		.config = e == CLOCK ? PERF_COUNT_SW_TASK_CLOCK : PERF_COUNT_SW_DUMMY,
		.exclude_kernel = 1, .task = e == TASKS, .comm = e == TASKS,
		.inherit = e != CLOCK_RING, .inherit_stat = e == CLOCK, .disabled = 1,
		.enable_on_exec = e != CLOCK_RING, .remove_on_exec = e == CLOCK_RING,
	};

	return (int)syscall(SYS_perf_event_open, &attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static bool map_ring(int fd)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	return fd >= 0 && mmap(NULL, RING_PAGES * page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) != MAP_FAILED;
}

static void signal_when_half_full(int fd)
{
	(void)fcntl(fd, F_SETOWN, getpid());
	(void)fcntl(fd, F_SETSIG, SIGRTMAX);
	(void)fcntl(fd, F_SETFL, O_ASYNC);
}

static void open_rings(pid_t pid)
{
	int ring = open_event(CLOCK_RING, pid, -1);

	if (!map_ring(ring))
		return;                                 /* not permitted: the recorder goes without as well */

	int clock = open_event(CLOCK, pid, -1);

	(void)ioctl(clock, PERF_EVENT_IOC_SET_OUTPUT, ring);
	signal_when_half_full(clock);
	for (int cpu = 0; cpu < (int)sysconf(_SC_NPROCESSORS_ONLN) && cpu < CPUS_MAX; cpu++) {
		int fd = open_event(TASKS, pid, cpu);

		if (!map_ring(fd))
			return;
		signal_when_half_full(fd);
	}
}

static void offer_regions(void)
{
	int channel = checked(memfd_create("bench-channel", MFD_CLOEXEC), "memfd_create");
	int lines = checked(memfd_create("bench-lines", MFD_CLOEXEC), "memfd_create");

	(void)lines;
	(void)checked(ftruncate(channel, REGIONS_BYTES), "ftruncate");

	char *at = mmap(NULL, REGIONS_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, channel, 0);

	if (at == MAP_FAILED)
		measure_fail("mmap", strerror(errno));
	*at = 1;
}

static int make_record(const char *folder)
{
	char path[4096];

	if (strcmp(folder, "none") == 0)
		return -1;
	(void)snprintf(path, sizeof path, "%s/bench-wrapper-%d", folder, (int)getpid());
	return checked(open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600), path);
}

static void write_lines(int record)
{
	static const size_t lengths[] = { 2885, 160, 70, 4449, 110, 301, 2553 };

	for (size_t i = 0; record >= 0 && i < sizeof lengths / sizeof *lengths; i++)
		(void)!write(record, text, lengths[i]);
}

int main(int argc, char **argv)
{
	struct epoll_event event = { .events = EPOLLIN };
	struct signalfd_siginfo signal;
	struct rusage usage;
	sigset_t all;
	siginfo_t info;
	int go[2], status;

	if (argc < 4)
		measure_fail("bench_wrapper", "LEAF RECORD COMMAND ARGUMENTS...");
	(void)sigfillset(&all);
	(void)sigprocmask(SIG_BLOCK, &all, NULL);

	int signals = checked(signalfd(-1, &all, SFD_CLOEXEC), "signalfd");
	int epoll = checked(epoll_create1(EPOLL_CLOEXEC), "epoll");
	int timer = checked(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC), "timerfd");
	int proc = checked(open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC), "/proc");

	(void)timer;
	(void)epoll_ctl(epoll, EPOLL_CTL_ADD, signals, &event);
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	read_at(proc, "self/cgroup");

	struct leaf leaf = leaf_make(argv[1]);

	offer_regions();

	pid_t pid = start(&leaf, argv + 3, go);

	open_rings(pid);
	read_of(proc, pid, "stat");
	read_of(proc, pid, "statm");
	read_of(proc, pid, "io");
	(void)!write(go[1], "g", 1);

	int record = make_record(argv[2]);

	(void)epoll_wait(epoll, &event, 1, -1);
	(void)!read(signals, &signal, sizeof signal);
	(void)waitid(P_ALL, 0, &info, WEXITED | WNOWAIT);
	read_of(proc, pid, "stat");
	read_of(proc, pid, "io");
	read_of(proc, pid, "schedstat");
	read_of(proc, pid, "status");
	(void)checked(wait4(pid, &status, 0, &usage), "wait4");
	if (leaf.usage >= 0) {
		(void)!pread(leaf.usage, text, sizeof text, 0);
		(void)checked(unlinkat(leaf.above, leaf.name, AT_REMOVEDIR), "rmdir");
	}
	write_lines(record);
	if (record >= 0)
		(void)!write(STDERR_FILENO, text, 831);
	_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 125);
}
