/* config_file.c - the locations of config files, and which of them are accepted. */
#include "config_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "config.h"

#define FILE_NAME "resource-tracker.toml"

static const char site_path[] = "/etc/" FILE_NAME;

static const char *variable(char *const *environment, const char *name)
{
	size_t n = strlen(name);

	for (; environment && *environment; environment++)
		if (strncmp(*environment, name, n) == 0 && (*environment)[n] == '=')
			return *environment + n + 1;
	return "";
}

bool config_file_path(char *ret, size_t size, enum config_place place, const char *named, char *const *environment)
{
	const char *config = variable(environment, "XDG_CONFIG_HOME"), *home = variable(environment, "HOME");
	int n = -1;

	switch (place) {
	case CONFIG_SITE:
		n = snprintf(ret, size, "%s", site_path);
		break;
	case CONFIG_USER:                       /* the XDG specification requires to ignore relative paths */
		if (config[0] == '/')
			n = snprintf(ret, size, "%s/" FILE_NAME, config);
		else if (home[0] == '/')
			n = snprintf(ret, size, "%s/.config/" FILE_NAME, home);
		break;
	case CONFIG_FOLDER:
		n = snprintf(ret, size, FILE_NAME);
		break;
	case CONFIG_NAMED:
		n = snprintf(ret, size, "%s", named);
		break;
	}
	return n >= 0 && (size_t)n < size;
}

/* Only root may configure all users. */
static bool is_trusted(uid_t owner, enum config_place place)
{
	return owner == 0 || (place != CONFIG_SITE && owner == geteuid());
}

static int judge(const struct stat *status, enum config_place place, struct why *reason)
{
	if (place == CONFIG_NAMED)
		return 0;
	if (!S_ISREG(status->st_mode))
		return why_set(reason, -EINVAL, "it is not a regular file");
	if (!is_trusted(status->st_uid, place))
		return why_set(reason, -EPERM, "it belongs to another user (number %lld)", (long long)status->st_uid);
	if (status->st_mode & (S_IWGRP | S_IWOTH))
		return why_set(reason, -EPERM, "others can write it; chmod go-w changes that");
	return 0;
}

/* The folder of the user's file: in another user's folder, a link could lead to any file of ours. */
static int judge_folder(const char *path, struct why *reason)
{
	auto_free char *folder = strndup(path, (size_t)(strrchr(path, '/') - path));
	struct stat status;

	if (folder && stat(folder, &status) == 0 && is_trusted(status.st_uid, CONFIG_USER))
		return 0;
	return why_set(reason, -EPERM, "its folder belongs to another user");
}

static int open_file(enum config_place place, const char *path, struct why *reason)
{
	int flags = O_RDONLY | O_CLOEXEC | (place == CONFIG_NAMED ? 0 : O_NONBLOCK | O_NOCTTY) |
		    (place == CONFIG_FOLDER ? O_NOFOLLOW : 0);
	int fd = open(path, flags);
	struct stat status;

	if (fd >= 0)
		return fd;
	/* If the home cannot be searched, it is unknown whether the file exists. */
	if (errno == ENOTDIR || (errno == EACCES && place != CONFIG_NAMED && lstat(path, &status) < 0))
		errno = place == CONFIG_NAMED ? errno : ENOENT;
	if (errno == ELOOP && place == CONFIG_FOLDER)
		return why_set(reason, -ELOOP, "it is a symbolic link");
	return why_set(reason, -errno, "%s", strerror(errno));
}

/* One byte more than allowed, to detect files that are too large. */
static int slurp(int fd, char **ret, size_t *ret_n)
{
	char *text = malloc(CONFIG_BYTES_MAX + 1);
	size_t n = 0;
	ssize_t got = 1;

	if (!text)
		return -ENOMEM;
	while (got > 0 && n <= CONFIG_BYTES_MAX) {
		got = read(fd, text + n, CONFIG_BYTES_MAX + 1 - n);
		if (got < 0 && errno == EINTR)
			got = 1;
		else if (got > 0)
			n += (size_t)got;
	}
	if (got < 0) {
		int error = errno;

		free(text);
		return -error;
	}
	*ret = text;
	*ret_n = n;
	return 0;
}

int config_file_read(char **ret, size_t *ret_n, enum config_place place, const char *path, struct why *reason)
{
	auto_close int fd = open_file(place, path, reason);
	struct stat status;

	if (fd < 0)
		return fd;

	int r = place == CONFIG_USER ? judge_folder(path, reason) : 0;

	if (r == 0)
		r = fstat(fd, &status) < 0 ? why_set(reason, -errno, "%s", strerror(errno)) : judge(&status, place, reason);
	if (r < 0)
		return r;
	r = slurp(fd, ret, ret_n);
	return r < 0 ? why_set(reason, r, "%s", strerror(-r)) : 0;
}
