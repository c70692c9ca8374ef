/*
 * record_address.c - the path of the future record, for the command's environment.
 *
 * The command waits meanwhile, and the folder can be on a file server that hangs.  So the path follows from names
 * alone, without access to any file or folder; whether the record can be created there is seen later.
 */
#include <stdio.h>
#include <string.h>

#include "destinations.h"
#include "record_name.h"
#include "runs_directory.h"

static bool ends_in(const char *path, const char *end)
{
	size_t n = strlen(path), m = strlen(end);

	return n >= m && strcmp(path + n - m, end) == 0;
}

static bool is_folder(const char *path)
{
	return ends_in(path, "/") || ends_in(path, "/.") || ends_in(path, "/..") || strcmp(path, ".") == 0 ||
	       strcmp(path, "..") == 0;
}

/* A relative path begins with the working directory; getcwd(2) needs no access to it. */
static bool write_start(char *ret, size_t size, const char *path, size_t *ret_n)
{
	*ret_n = 0;
	if (path[0] == '/')
		return true;
	if (!getcwd(ret, size))
		return false;
	*ret_n = strlen(ret);
	if (*ret_n + 1 >= size)
		return false;
	ret[(*ret_n)++] = '/';
	return true;
}

bool record_address(char *ret, size_t size, const struct options *o, const struct run *run, const char *host)
{
	char name[128], usual[sizeof ((struct record_place *)0)->path];
	const char *place = o->record ? o->record : usual;
	bool folder = !o->record || is_folder(place);
	struct why ignored;
	size_t n;

	if (o->record ? strcmp(o->record, "none") == 0 || !(folder || ends_in(place, ".jsonl"))
		      : runs_directory(usual, sizeof usual, &ignored) < 0)
		return false;
	if (!write_start(ret, size, place, &n))
		return false;
	record_name(name, sizeof name, run, host);

	/* At most as long as the path in struct record_place. */
	size_t room = size_min(size - n, sizeof usual);

	return (folder ? record_path(ret + n, room, place, name) : snprintf(ret + n, room, "%s", place)) < (int)room;
}
