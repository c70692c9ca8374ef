/* owners.c - which processes have the device file of a GPU open. */
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

static bool is_number(const struct dirent *e) { return e->d_name[0] >= '0' && e->d_name[0] <= '9'; }

static DIR *open_fd(const struct source *src, const char *of)
{
	char path[GPU_PROCESS_PATH + 4];

	(void)snprintf(path, sizeof path, "%s/fd", of);
	return source_open_folder(src->proc, path);
}

static bool is_empty(DIR *folder)
{
	const struct dirent *e;

	while ((e = readdir(folder)) != NULL && !is_number(e))
		;
	rewinddir(folder);
	return !e;
}

DIR *gpu_open_descriptors(const struct source *src, pid_t pid, char ret_of[GPU_PROCESS_PATH])
{
	char path[GPU_PROCESS_PATH];

	(void)snprintf(ret_of, GPU_PROCESS_PATH, "%d", (int)pid);

	DIR *folder = open_fd(src, ret_of), *of_thread = NULL;
	int error = errno;

	/* The folder of a main thread that has ended is empty, or readable by root only. */
	if (folder && !is_empty(folder))
		return folder;
	(void)snprintf(path, sizeof path, "%d/task", (int)pid);

	DIR *threads = source_open_folder(src->proc, path);

	for (struct dirent *e; threads && !of_thread && (e = readdir(threads)) != NULL;) {
		if (!is_number(e) || strcmp(e->d_name, ret_of) == 0)
			continue;
		(void)snprintf(path, sizeof path, "%d/task/%.10s", (int)pid, e->d_name);
		of_thread = open_fd(src, path);
		if (!of_thread && errno != ENOENT && errno != ESRCH)    /* the other threads are denied, too */
			break;
	}
	if (threads)
		(void)closedir(threads);
	if (!of_thread) {
		errno = error;
		return folder;
	}
	if (folder)
		(void)closedir(folder);
	memcpy(ret_of, path, GPU_PROCESS_PATH);
	return of_thread;
}

static void look_at(bool ret[], const struct gpu_device *devices, size_t n, const struct source *src, pid_t pid)
{
	char of[GPU_PROCESS_PATH], link[64];
	DIR *folder = gpu_open_descriptors(src, pid, of);

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
