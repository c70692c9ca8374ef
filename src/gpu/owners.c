/* owners.c - who has the device file of a GPU open. */
#include "owners.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

bool gpu_pids_are_ours(const struct source *src)
{
	uint32_t number = source_namespace(src, "pid");

	return number == 0 || number == FIRST_PID_NAMESPACE;
}

static void mark(bool ret[], const struct gpu_device *devices, size_t n, const char *node)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < GPU_NODES; k++)
			if (devices[i].node[k][0] && strcmp(devices[i].node[k], node) == 0)
				ret[i] = true;
}

static void look_at(bool ret[], const struct gpu_device *devices, size_t n, const struct source *src, pid_t pid)
{
	char path[32], link[64];

	(void)snprintf(path, sizeof path, "%d/fd", (int)pid);

	DIR *folder = source_open_folder(src->proc, path);

	if (!folder)
		return;
	for (struct dirent *e; (e = readdir(folder)) != NULL;) {
		ssize_t length = readlinkat(dirfd(folder), e->d_name, link, sizeof link - 1);

		if (length < 6 || memcmp(link, "/dev/", 5) != 0)
			continue;
		link[length] = '\0';
		mark(ret, devices, n, link + 5);
	}
	(void)closedir(folder);
}

void gpu_find_holders(bool ret[], const struct gpu_device *devices, size_t n, const struct source *src,
		      const pid_t *job, size_t n_job)
{
	memset(ret, 0, n * sizeof *ret);
	for (size_t i = 0; i < n_job; i++)
		look_at(ret, devices, n, src, job[i]);
}
