/*
 * floor.c - the kernel's part of a sample and nothing else: the minimum cost of any sampler.
 *
 *   bench_floor --what system            every file of a sample of the machine
 *   bench_floor --what clocks            the CPU clock of each process of a tree
 *   bench_floor --what files             stat, statm and io of each process of a tree
 *     --tree load_tree --processes N --busy M, or --below PID --processes N: the tree below the process PID
 *   --samples N --warm N --hz H --phase-ms MS     0 Hz: a tight loop
 *
 * Descriptors are kept, each file is one pread, nothing is parsed.  Files that a sample reads every few seconds only
 * (limits, identities, its own size) are left out, as is the pressure of a root group, which is the machine's.
 */
#include <errno.h>
#include <fcntl.h>
#include <mntent.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "measure.h"

enum { FDS_MAX = 64, MOUNTS_MAX = 64, VMSTAT_MARGIN = 256 };

struct machine {
	struct { int fd; size_t bytes; } files[FDS_MAX];
	char   mounts[MOUNTS_MAX][256];         /* paths: an open descriptor would prevent an unmount */
	int    mountinfo, proc;
	size_t n_files, n_mounts;
};

static char text[256 * 1024];

static void keep(struct machine *m, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	/* Some groups have files that cannot be read at all: io.pressure of the root, memory.peak of old kernels. */
	if (fd >= 0 && pread(fd, text, sizeof text, 0) >= 0 && m->n_files < FDS_MAX) {
		m->files[m->n_files].bytes = sizeof text;
		m->files[m->n_files++].fd = fd;
	} else if (fd >= 0) {
		(void)close(fd);
	}
}

/* The kernel produces vmstat line by line, and the lines after oom_kill are not needed. */
static void keep_vmstat(struct machine *m)
{
	size_t before = m->n_files;

	keep(m, "/proc/vmstat");

	const char *last = m->n_files > before ? strstr(text, "\noom_kill ") : NULL;

	if (last)
		m->files[before].bytes = (size_t)(last - text) + VMSTAT_MARGIN;
}

static void keep_group(struct machine *m, const char *mount, const char *group, const char *const *names)
{
	char path[512];

	for (; *names; names++) {
		(void)snprintf(path, sizeof path, "%s%s/%s", mount, group, *names);
		keep(m, path);
	}
}

/* The whole of version 2, or the part beside version 1, in which cpuacct is more exact about the root's CPU time. */
static void keep_v2(struct machine *m, const char *group)
{
	static const char *const cpu[] = { "cpu.stat", NULL };
	static const char *const others[] = { "memory.current", "memory.peak", "memory.events.local",
		"pids.current", "pids.events", NULL };
	static const char *const pressure[] = { "cpu.pressure", "memory.pressure", "io.pressure", NULL };
	bool alone = access("/sys/fs/cgroup/cgroup.controllers", F_OK) == 0;
	const char *mount = alone ? "/sys/fs/cgroup" : "/sys/fs/cgroup/unified";
	struct stat status;
	bool is_root = !*group && stat(mount, &status) == 0 && status.st_ino == 1;

	if (alone || !is_root)
		keep_group(m, mount, group, cpu);
	keep_group(m, mount, group, others);
	if (!is_root)
		keep_group(m, mount, group, pressure);
}

/* Opens the changing files of the own control group, for a line "7:cpu,cpuacct:/path" of /proc/self/cgroup. */
static void keep_line(struct machine *m, const char *controllers, const char *group)
{
	static const char *const memory[] = { "memory.usage_in_bytes", "memory.max_usage_in_bytes",
		"memory.oom_control", "memory.failcnt", NULL };
	static const char *const cpuacct[] = { "cpuacct.usage", "cpuacct.stat", NULL };
	static const char *const cpu[] = { "cpu.stat", NULL };
	static const char *const pids[] = { "pids.current", "pids.events", NULL };

	if (!*controllers)
		keep_v2(m, group);
	if (strstr(controllers, "memory"))
		keep_group(m, "/sys/fs/cgroup/memory", group, memory);
	if (strstr(controllers, "pids"))
		keep_group(m, "/sys/fs/cgroup/pids", group, pids);
	if (strstr(controllers, "cpuacct"))
		keep_group(m, "/sys/fs/cgroup/cpuacct", group, cpuacct);
	if (strncmp(controllers, "cpu", 3) == 0 && (controllers[3] == '\0' || controllers[3] == ','))
		keep_group(m, "/sys/fs/cgroup/cpu", group, cpu);
}

static void keep_cgroup(struct machine *m)
{
	FILE *f = fopen("/proc/self/cgroup", "re");
	char line[512];

	while (f && fgets(line, sizeof line, f)) {
		char *controllers = strchr(line, ':');
		char *group = controllers ? strchr(controllers + 1, ':') : NULL;

		line[strcspn(line, "\n")] = '\0';
		if (!group)
			continue;
		*group = '\0';
		keep_line(m, controllers + 1, strcmp(group + 1, "/") == 0 ? "" : group + 1);
	}
	if (f)
		(void)fclose(f);
}

/* Each filesystem with a device, once. */
static void keep_mounts(struct machine *m)
{
	FILE *f = setmntent("/proc/mounts", "re");
	dev_t devices[MOUNTS_MAX];
	struct mntent *entry;
	struct stat status;

	while (f && (entry = getmntent(f)) && m->n_mounts < MOUNTS_MAX) {
		size_t i = 0;

		if (strncmp(entry->mnt_fsname, "/dev/", 5) != 0 || stat(entry->mnt_dir, &status) < 0)
			continue;
		while (i < m->n_mounts && devices[i] != status.st_dev)
			i++;
		if (i < m->n_mounts)
			continue;
		devices[i] = status.st_dev;
		(void)snprintf(m->mounts[m->n_mounts++], sizeof m->mounts[0], "%s", entry->mnt_dir);
	}
	if (f)
		(void)endmntent(f);
}

static void open_machine(struct machine *m)
{
	static const char *const paths[] = {
		"/proc/stat", "/proc/loadavg", "/proc/meminfo", "/proc/diskstats", "/proc/net/dev",
		"/proc/pressure/cpu", "/proc/pressure/memory", "/proc/pressure/io",
	};

	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
		keep(m, paths[i]);
	keep_vmstat(m);
	keep_cgroup(m);
	keep_mounts(m);
	m->mountinfo = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);
	m->proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static void read_machine(void *context)
{
	const struct machine *m = context;
	struct pollfd changed = { .fd = m->mountinfo, .events = POLLPRI };
	struct statvfs space;
	struct stat status;
	struct timespec used;

	for (size_t i = 0; i < m->n_files; i++)
		(void)!pread(m->files[i].fd, text, m->files[i].bytes, 0);
	(void)poll(&changed, 1, 0);             /* have the mounts changed? */
	for (size_t i = 0; i < m->n_mounts; i++)
		(void)statvfs(m->mounts[i], &space);
	(void)fstat(m->proc, &status);          /* the number of processes: links of /proc */
	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);   /* the cost of this process */
}

struct members { clockid_t *clocks; int (*fds)[3]; size_t n; };

static void open_members(struct members *m, const struct bench_tree *t, int files)
{
	static const char *const names[] = { "stat", "statm", "io" };
	struct rlimit limit;
	char path[64];

	(void)getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = limit.rlim_max;
	(void)setrlimit(RLIMIT_NOFILE, &limit);
	m->n = t->n;
	m->clocks = calloc(t->n, sizeof *m->clocks);
	m->fds = calloc(t->n, sizeof *m->fds);
	if (!m->clocks || !m->fds)
		measure_fail("calloc", strerror(errno));
	for (size_t i = 0; i < t->n; i++) {
		if (clock_getcpuclockid(t->pids[i], &m->clocks[i]))
			measure_fail("clock_getcpuclockid", "failed");
		for (int k = 0; files && k < 3; k++) {
			(void)snprintf(path, sizeof path, "/proc/%d/%s", (int)t->pids[i], names[k]);
			m->fds[i][k] = open(path, O_RDONLY | O_CLOEXEC);
			if (m->fds[i][k] < 0)
				measure_fail(path, strerror(errno));
		}
	}
}

static void read_clocks(void *context)
{
	const struct members *m = context;
	struct timespec t;

	for (size_t i = 0; i < m->n; i++)
		(void)clock_gettime(m->clocks[i], &t);
}

static void read_files(void *context)
{
	const struct members *m = context;

	for (size_t i = 0; i < m->n; i++)
		for (int k = 0; k < 3; k++)
			(void)!pread(m->fds[i][k], text, sizeof text, 0);
}

static pid_t hold_tree(int argc, char **argv, size_t processes)
{
	struct held h = tree_hold(measure_option(argc, argv, "--tree", "load_tree"), processes,
				  measure_number(argc, argv, "--busy", 0));

	tree_release(&h);
	return h.pid;
}

int main(int argc, char **argv)
{
	const char *what = measure_option(argc, argv, "--what", "system");
	struct measure measure = {
		.samples = measure_number(argc, argv, "--samples", 1000),
		.warm = measure_number(argc, argv, "--warm", 3),
		.hz = (double)measure_number(argc, argv, "--hz", 0),
		.phase_seconds = (double)measure_number(argc, argv, "--phase-ms", 0) / 1e3,
	};
	struct machine machine = { 0 };
	struct members members = { 0 };
	struct bench_tree tree = { 0 };

	if (strcmp(what, "system") == 0) {
		open_machine(&machine);
		measure.call = read_machine;
		measure.context = &machine;
	} else {
		size_t processes = measure_number(argc, argv, "--processes", 100);
		pid_t other = (pid_t)measure_number(argc, argv, "--below", 0);

		tree = tree_members(other > 0 ? tree_root_below(other) : hold_tree(argc, argv, processes), processes);

		open_members(&members, &tree, strcmp(what, "files") == 0);
		measure.call = strcmp(what, "files") == 0 ? read_files : read_clocks;
		measure.context = &members;
	}
	measure_run(&measure);
	/* Files of ended processes are read faster than those of living ones. */
	for (size_t i = 0; i < tree.n; i++)
		if (kill(tree.pids[i], 0) < 0)
			measure_fail("the tree", "ended before its last reading");
	return 0;
}
