/* open_regions.c - the regions that are open now, from the shared memory of a recorder. */
#include "open_regions.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

/* Any process can have a memfd of that name: only one that cannot be truncated is mapped, which would be SIGBUS. */
static const struct rt_region_channel *map(int fd)
{
	int seals = fd < 0 ? -1 : fcntl(fd, F_GET_SEALS);
	struct stat status;
	void *at;

	if (seals < 0 || !(seals & F_SEAL_SHRINK) || fstat(fd, &status) < 0 ||
	    status.st_size != (off_t)sizeof(struct rt_region_channel))
		return NULL;
	at = mmap(NULL, sizeof(struct rt_region_channel), PROT_READ, MAP_SHARED, fd, 0);
	return at == MAP_FAILED ? NULL : at;
}

int open_regions_attach(const struct rt_region_channel **ret, const struct source *machine, pid_t recorder)
{
	static const char wanted[] = "/memfd:" RT_REGION_MEMFD;
	char path[64], link[64];

	(void)snprintf(path, sizeof path, "%d/fd", (int)recorder);

	DIR *folder = source_open_folder(machine->proc, path);
	const struct rt_region_channel *c = NULL;

	if (!folder)
		return -errno;
	for (struct dirent *e; !c && (e = readdir(folder)) != NULL;) {
		ssize_t n = readlinkat(dirfd(folder), e->d_name, link, sizeof link);

		/* The kernel adds " (deleted)". */
		if (n < (ssize_t)sizeof wanted || memcmp(link, wanted, sizeof wanted - 1) != 0 ||
		    link[sizeof wanted - 1] != ' ')
			continue;

		auto_close int fd = source_open_file(dirfd(folder), e->d_name);

		c = map(fd);
	}
	(void)closedir(folder);
	if (!c)
		return -ENOENT;
	*ret = c;
	return 0;
}

void open_regions_detach(const struct rt_region_channel *c)
{
	if (c)
		(void)munmap((void *)(uintptr_t)c, sizeof *c);
}

/* Now, by the clock of the channel; false: this machine does not have it. */
static bool now_ticks(uint64_t *ret, const struct rt_region_channel *c)
{
	struct timespec t;

	if (c->cpu_counter) {
#if defined(__x86_64__)
		*ret = __builtin_ia32_rdtsc();
		return true;
#else
		return false;
#endif
	}
	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	*ret = (uint64_t)t.tv_sec * NS_PER_SECOND + (uint64_t)t.tv_nsec;
	return true;
}

size_t open_regions_now(struct open_region *ret, size_t room, const struct rt_region_channel *c)
{
	double ns_per_tick = c->cpu_counter ? (double)c->ns_per_tick / 4294967296.0 : 1;
	uint32_t lanes = channel_lanes(c);
	size_t n = 0;
	uint64_t now;

	if (__atomic_load_n(&c->magic, __ATOMIC_ACQUIRE) != RT_REGION_MAGIC || !now_ticks(&now, c))
		return 0;
	for (uint32_t lane = 0; lane < lanes; lane++) {
		struct channel_open open[RT_REGION_DEPTH];
		size_t depth = channel_owner(c, lane) == 0 ? 0 : channel_open(open, c, lane);

		for (size_t i = 0; i < depth; i++) {
			char path[REGION_PATH_SIZE];
			double seconds = open[i].begin < now ? (double)(now - open[i].begin) * ns_per_tick / 1e9 : 0;
			size_t at = 0;

			if (open[i].recursed)
				continue;
			channel_path(path, c, open[i].path);
			while (at < size_min(n, room) && strcmp(ret[at].path, path) != 0)
				at++;
			if (at < size_min(n, room)) {
				ret[at].seconds = double_max(ret[at].seconds, seconds);
				ret[at].entries++;
			} else if (n++ < room) {
				ret[at].seconds = seconds;
				ret[at].entries = 1;
				memcpy(ret[at].path, path, sizeof path);
			}
		}
	}
	return n;
}
