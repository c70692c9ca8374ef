/* line_file.c - the file that RESOURCE_TRACKER_REGIONS names. */
#include "line_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "../core/limits.h"

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U                 /* since Linux 6.3 */
#endif

enum {
	CHUNK = 16 << 10,                       /* a longer line is invalid */
	PASS_MAX = 4 << 20,                     /* bytes read per call, so that a flood does not delay samples */
	CREDIT_SECONDS = 20,                    /* a burst can make up for a pause of this length */
	BYTES_OF_LINE = 256,                    /* reading so many bytes costs as much as a line does */
};

int line_file_open(struct line_file *f)
{
	static const char name[] = "resource-tracker-region-lines";

	*f = (struct line_file){ .fd = -1, .watch = -1 };
	f->fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_NOEXEC_SEAL);
	if (f->fd < 0 && errno == EINVAL)
		f->fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (f->fd >= 0 && fcntl(f->fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL) < 0)
		close_p(&f->fd);
	return f->fd < 0 ? -errno : 0;
}

void line_file_close(struct line_file *f)
{
	close_p(&f->fd);
	close_p(&f->watch);
}

void line_file_watch(struct line_file *f)
{
	char path[64];

	if (f->fd < 0)
		return;
	if (f->watch < 0)
		f->watch = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	line_file_address(path, sizeof path, f);
	if (f->watch >= 0)
		(void)inotify_add_watch(f->watch, path, IN_MODIFY | IN_ONESHOT);
}

bool line_file_changed(struct line_file *f)
{
	char events[1024];
	bool any = false;

	while (f->watch >= 0 && read(f->watch, events, sizeof events) > 0)
		any = true;
	return any;
}

void line_file_address(char *ret, size_t size, const struct line_file *f)
{
	(void)snprintf(ret, size, "/proc/%d/fd/%d", (int)getpid(), f->fd);
}

static void earn(struct line_file *f, int64_t now_ns)
{
	double most = CREDIT_SECONDS * f->lines_per_second;

	if (f->credit_ns == 0)
		f->credit = most;
	else
		f->credit += f->lines_per_second * (double)(now_ns - f->credit_ns) / 1e9;
	f->credit = double_min(f->credit, most);
	f->credit_ns = now_ns;
}

/* Skips all bytes up to `size`, and forgets the open regions: their ends can be in these bytes. */
static void give_up(struct line_file *f, struct region_lines *to, uint64_t size)
{
	char before = '\0';

	f->lost_bytes += size - f->next;
	f->next = size;
	f->part = pread(f->fd, &before, 1, (off_t)size - 1) != 1 || before != '\n';
	region_lines_gap(to);
}

static size_t take_lines(struct line_file *f, struct region_lines *to, const char *text, size_t n, bool all)
{
	size_t done = 0;

	for (const char *end; done < n; done = (size_t)(end - text) + 1) {
		end = memchr(text + done, '\n', n - done);
		if (!end && !all)
			break;
		if (!end)
			end = text + n;
		if (!f->part)
			region_line(to, text + done, (size_t)(end - text) - done);
		f->part = false;
		f->credit--;
	}
	if (done == 0 && n == CHUNK) {          /* a line longer than the chunk */
		f->part = true;
		to->wrong++;
		done = n;
	}
	return size_min(done, n);
}

void line_file_read(struct line_file *f, struct region_lines *to, bool last)
{
	char text[CHUNK];
	struct stat s;
	uint64_t before = f->next & ~UINT64_C(4095), after;

	if (f->fd < 0 || fstat(f->fd, &s) < 0 || (uint64_t)s.st_size <= f->next)
		return;
	earn(f, to->now_ns);
	if ((uint64_t)s.st_size - f->next > REGION_LINES_BYTES_MAX)
		give_up(f, to, (uint64_t)s.st_size);
	for (size_t pass = 0; pass < PASS_MAX && (f->credit > 0 || f->lines_per_second <= 0);) {
		ssize_t n = pread(f->fd, text, sizeof text, (off_t)f->next);

		region_lines_clock(to);

		size_t done = n > 0 ? take_lines(f, to, text, (size_t)n, last && (size_t)n < sizeof text) : 0;

		if (done == 0)
			break;
		f->next += done;
		f->credit -= (double)done / BYTES_OF_LINE;
		pass += done;
	}
	if (f->lines_per_second > 0 && f->credit <= 0 && (uint64_t)s.st_size > f->next)
		give_up(f, to, (uint64_t)s.st_size);
	after = f->next & ~UINT64_C(4095);
	if (after > before)
		(void)fallocate(f->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)before,
				(off_t)(after - before));
}
