/* ending_space.c - whether a filesystem that the command worked on is full. */
#include "ending.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>

#include "../collect/mounts.h"
#include "../core/fields.h"

enum { ROOM_BYTES = 64 << 10 };                 /* a filesystem with less free space is full */

/* By mount number, not by path: walking a path can hang on a file server.  proc_pid_fdinfo(5) */
static bool mount_id(uint64_t *ret, const struct source *src, struct text *text, int fd)
{
	static const struct field fields[] = { FIELD("mnt_id:") };
	char path[32];

	(void)snprintf(path, sizeof path, "self/fdinfo/%d", fd);
	return text_read_at(text, src->proc, path) == 0 && fields_parse(ret, fields, 1, text->at, text->len);
}

static bool is_full(int fd)
{
	struct statvfs v;

	if (fstatvfs(fd, &v) < 0 || v.f_blocks == 0 || (v.f_flag & ST_RDONLY))
		return false;

	uint64_t room = (geteuid() == 0 ? v.f_bfree : v.f_bavail) * (v.f_frsize ? v.f_frsize : v.f_bsize);

	return room < ROOM_BYTES || (v.f_files > 0 && v.f_ffree == 0);
}

/* The mount, if it is in memory or on a local device; NULL for others: a server or a process behind them can block. */
static const struct mount *safe_mount(const struct mounts *mounts, uint64_t id)
{
	for (size_t i = 0; i < mounts->n; i++) {
		const struct mount *m = &mounts->at[i];

		if (m->id == id)
			return mount_classify(m->type, m->source, m->major, false) == MOUNT_REMOTE ? NULL : m;
	}
	return NULL;
}

bool ending_full_filesystem(char *ret, size_t size, const struct source *src)
{
	auto_close int folder = open(".", O_PATH | O_CLOEXEC);
	const int places[] = { folder, STDOUT_FILENO, STDERR_FILENO };
	struct text text = { 0 };
	struct mounts mounts;
	bool full = false;

	if (!src->live || text_read_at(&text, src->proc, "self/mountinfo") < 0) {
		text_release(&text);
		return false;
	}
	if (mounts_parse(&mounts, text.at, text.len) < 0)
		mounts.n = 0;
	for (size_t i = 0; i < countof(places) && !full; i++) {
		uint64_t id;
		const struct mount *m = places[i] >= 0 && mount_id(&id, src, &text, places[i])
						? safe_mount(&mounts, id) : NULL;

		full = m && is_full(places[i]);
		if (full)
			(void)snprintf(ret, size, "%s", m->point);
	}
	mounts_release(&mounts);
	text_release(&text);
	return full;
}
