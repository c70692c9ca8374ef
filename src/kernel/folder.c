/* folder.c - the names in a folder of /proc, without the allocation of opendir. */
#include "folder.h"

#include "proc_parse.h"

const char *folder_next(struct folder *f)
{
	if (f->at >= f->len) {
		ssize_t len = getdents64(f->fd, (void *)f->buffer, sizeof f->buffer);

		if (len <= 0)
			return NULL;
		f->at = 0;
		f->len = (size_t)len;
	}

	const struct dirent64 *e = (const void *)(f->buffer + f->at);

	f->at += e->d_reclen;
	return e->d_name;
}

bool folder_next_number(struct folder *f, pid_t *ret)
{
	for (const char *name; (name = folder_next(f)) != NULL;)
		if (proc_pid(name, ret))
			return true;
	return false;
}
