/* become.c - exec of a command, found along PATH. */
#include "become.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>

#include "../core/base.h"

/* Runs an executable file of unknown format as a script of sh, as shells do. */
static int become_shell(const char *file, char *const *argv, char *const *environment)
{
	static char shell[] = "/bin/sh";
	size_t n = 0;

	while (argv[n])
		n++;

	/* sh FILE ARGUMENTS... NULL */
	const char **words = mmap(NULL, (n + 2) * sizeof *words, PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (words == MAP_FAILED)
		return -errno;
	words[0] = shell;
	words[1] = file;
	for (size_t i = 1; i < n; i++)
		words[i + 1] = argv[i];
	(void)execve(shell, (char *const *)(const void *)words, environment);
	return -errno;
}

static int become_file(const char *file, char *const *argv, char *const *environment)
{
	(void)execve(file, argv, environment);
	return errno == ENOEXEC ? become_shell(file, argv, environment) : -errno;
}

/* Joins a folder of PATH ("": the working directory) and the command's name.  false: the path is too long. */
static bool join_path(char *ret, size_t size, const char *folder, size_t n, const char *name)
{
	size_t length = strlen(name);

	if (n == 0) {
		folder = ".";
		n = 1;
	}
	if (n + 1 + length >= size)
		return false;
	memcpy(ret, folder, n);
	ret[n] = '/';
	memcpy(ret + n + 1, name, length + 1);
	return true;
}

int become(char *const *argv, char *const *environment)
{
	const char *path = getenv("PATH");
	bool denied = false;
	char file[PATH_MAX];

	if (!argv[0][0])
		return -ENOENT;
	if (strchr(argv[0], '/'))
		return become_file(argv[0], argv, environment);
	if (!path)
		path = "/bin:/usr/bin";
	for (size_t n; path; path = path[n] ? path + n + 1 : NULL) {
		n = strcspn(path, ":");
		if (!join_path(file, sizeof file, path, n, argv[0]))
			continue;

		int e = become_file(file, argv, environment);

		if (e == -EACCES)
			denied = denied || faccessat(AT_FDCWD, file, F_OK, AT_EACCESS) == 0;
		else if (e != -ENOENT && e != -ENOTDIR && e != -ESTALE && e != -ENODEV && e != -ETIMEDOUT)
			return e;
	}
	return denied ? -EACCES : -ENOENT;
}
