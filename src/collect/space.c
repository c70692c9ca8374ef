/* space.c - the space of a filesystem, and the sums. */
#include "space.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>

static void take(struct space *ret, const struct statvfs *v)
{
	*ret = (struct space){
		.block_bytes = v->f_frsize ? v->f_frsize : v->f_bsize,
		.blocks = v->f_blocks, .free = v->f_bfree, .available = v->f_bavail,
		.files = v->f_files, .id = v->f_fsid,
	};
}

int space_ask(struct space *ret, bool live, int root, const char *point, unsigned major, unsigned minor)
{
	struct statvfs v;
	struct stat status;

	if (live) {
		if (statvfs(point, &v) < 0)
			return -errno;
		take(ret, &v);
		return 0;
	}

	auto_close int fd = openat(root, point[1] ? point + 1 : ".", O_PATH | O_CLOEXEC);

	if (fd < 0 || fstat(fd, &status) < 0)
		return -errno;
	if (major(status.st_dev) != major || minor(status.st_dev) != minor)
		return -ESTALE;
	if (fstatvfs(fd, &v) < 0)
		return -errno;
	take(ret, &v);
	return 0;
}

static double bytes(const struct space *s, uint64_t blocks)
{
	return (double)blocks * (double)s->block_bytes;
}

/* More blocks free than exist: seen on network filesystems with quotas. */
static uint64_t not_more(uint64_t part, uint64_t whole)
{
	return part < whole ? part : whole;
}

void space_fill(struct mount_row *row, const struct space *space)
{
	row->total_bytes = bytes(space, space->blocks);
	row->used_bytes = bytes(space, space->blocks - not_more(space->free, space->blocks));
	row->available_bytes = bytes(space, not_more(space->available, space->blocks));
	row->used_pct = space->blocks > 0 ? 100 * row->used_bytes / row->total_bytes : NONE;
}

bool space_is_same(const struct space *a, const struct space *b)
{
	uint64_t apart = a->free > b->free ? a->free - b->free : b->free - a->free;

	return a->block_bytes == b->block_bytes && a->blocks == b->blocks && a->files == b->files &&
	       apart <= a->blocks / 4096;
}

/* server:/a and server:/b: the name before the path. */
static bool is_one_server(const char *a, const char *b)
{
	const char *path = strstr(a, ":/");
	size_t n = path ? (size_t)(path - a) + 1 : 0;

	return n > 0 && strncmp(a, b, n) == 0;
}

/* a is the one that represents both. */
static bool stands_for(const struct space_share *a, const struct space_share *b)
{
	if (!a->known || !space_is_same(&a->space, &b->space))
		return false;
	if (b->is_file || b->class == MOUNT_OVERLAY)
		return !a->is_file && a->class != MOUNT_REMOTE;
	return false;
}

static bool is_counted(const struct space_share *shares, size_t n, size_t i)
{
	const struct space_share *s = &shares[i];
	const double pebibyte = 1125899906842624.0;

	if (!s->known || (s->is_fuse && bytes(&s->space, s->space.blocks) >= pebibyte))
		return false;
	for (size_t j = 0; j < n; j++) {
		if (j != i && stands_for(&shares[j], s))
			return false;
		if (j < i && shares[j].known && s->class == MOUNT_REMOTE && shares[j].class == MOUNT_REMOTE &&
		    is_one_server(s->source, shares[j].source) &&
		    space_is_same(&shares[j].space, &s->space))
			return false;
	}
	return true;
}

void space_total(struct totals *out, struct space_share *shares, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct space *s = &shares[i].space;

		shares[i].counted = is_counted(shares, n, i);
		if (!shares[i].counted)
			continue;

		double total = bytes(s, s->blocks), available = bytes(s, not_more(s->available, s->blocks));

		out->disk_total_space_total_bytes = add_known(out->disk_total_space_total_bytes, total);
		out->disk_total_space_free_bytes = add_known(out->disk_total_space_free_bytes, available);
		out->disk_total_space_used_bytes = add_known(out->disk_total_space_used_bytes, total - available);
	}
}
