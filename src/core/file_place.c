/* file_place.c - the file that a name refers to, even if it does not exist. */
#include "file_place.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { LINKS_MOST = 40 };                       /* as the kernel's MAXSYMLINKS */

static bool place_of_status(struct file_place *ret, const struct stat *status)
{
	*ret = (struct file_place){ .device = status->st_dev, .number = status->st_ino };
	return !S_ISCHR(status->st_mode);
}

/* Replaces a link without a file at its end by its target, relative to the link's folder; false: not a link. */
static bool follow(char path[PATH_MAX])
{
	char target[PATH_MAX], *slash = strrchr(path, '/');
	ssize_t n = readlink(path, target, sizeof target - 1);
	size_t folder;

	if (n <= 0)
		return false;
	target[n] = '\0';
	folder = target[0] == '/' || !slash ? 0 : (size_t)(slash + 1 - path);
	if (folder + (size_t)n >= PATH_MAX)
		return false;
	memcpy(path + folder, target, (size_t)n + 1);
	return true;
}

bool file_place_follow(char ret[PATH_MAX], const char *given)
{
	int links = 0;

	if (snprintf(ret, PATH_MAX, "%s", given) >= PATH_MAX)
		return false;
	while (links < LINKS_MOST && follow(ret))
		links++;
	return links < LINKS_MOST;
}

bool file_place_of(struct file_place *ret, const char *given)
{
	char path[PATH_MAX], folder[PATH_MAX];
	struct stat status;

	if (stat(given, &status) == 0)
		return place_of_status(ret, &status);
	if (errno != ENOENT || !file_place_follow(path, given))
		return false;

	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	(void)snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash + 1 - path) : 1, slash ? path : ".");
	if (!*name || strlen(name) > NAME_MAX || stat(folder, &status) < 0 || !place_of_status(ret, &status))
		return false;
	memcpy(ret->name, name, strlen(name) + 1);
	return true;
}

bool file_place_of_descriptor(struct file_place *ret, int fd)
{
	struct stat status;

	return fstat(fd, &status) == 0 && (S_ISREG(status.st_mode) || S_ISBLK(status.st_mode)) &&
	       place_of_status(ret, &status);
}

bool file_place_same(const struct file_place *a, const struct file_place *b)
{
	return a->device == b->device && a->number == b->number && strcmp(a->name, b->name) == 0;
}
