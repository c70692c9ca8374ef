/* companion.c - finds the programs that belong together. */
#include "companion.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>

int program_path(char *ret, size_t size)
{
	const char *name = (const char *)(uintptr_t)getauxval(AT_EXECFN);       /* the path that was executed */
	auto_free char *program = name ? realpath(name, NULL) : NULL;

	if (!program)
		return name ? -errno : -ENOENT;
	if (strlen(program) >= size)
		return -ENAMETOOLONG;
	memcpy(ret, program, strlen(program) + 1);
	return 0;
}

bool companion_path(char *ret, size_t size, const char *way, const char *name)
{
	char folder[PATH_MAX] = "";

	if (program_path(folder, sizeof folder) == 0)
		*strrchr(folder, '/') = '\0';
	(void)snprintf(ret, size, "%s/%s", folder, name);
	if (access(ret, X_OK) == 0)
		return true;

	int error = errno;

	(void)snprintf(ret, size, "%s/%s/%s", folder, way, name);
	if (access(ret, X_OK) == 0)
		return true;
	/* If the program beside us exists and cannot be run, that is the error to report. */
	if (error != ENOENT && errno == ENOENT) {
		(void)snprintf(ret, size, "%s/%s", folder, name);
		errno = error;
	}
	return false;
}
