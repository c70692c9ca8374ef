/* record_body.c - records as the bytes of an object. */
#include "record_body.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "../history/past_run.h"
#include "../text/shown.h"
#include "gzip.h"

/* A record has at most 64 MiB; one of these in memory is no burden. */
static const off_t RECORD_MOST = 1 << 30;

static int check_over(const char *path, struct why *why)
{
	struct arena arena = { 0 };
	struct past_run run;
	int r = past_run_read(&run, &arena, path);

	if (r < 0)
		r = why_set(why, r, "out of memory");
	else if (run.state == STATE_UNREADABLE)
		r = why_set(why, -EBADMSG, "%s", run.problem);
	else if (run.state == STATE_RUNNING)
		r = why_set(why, -EBUSY, "%s: the run still goes on; its record is uploaded when it is over", show_path(path).text);
	arena_release(&arena);
	return r;
}

static int read_whole(struct buffer *out, int fd)
{
	struct stat about;
	ssize_t n;

	if (fd < 0 || fstat(fd, &about) < 0)
		return -errno;
	if (!S_ISREG(about.st_mode))
		return -EINVAL;
	if (about.st_size > RECORD_MOST)
		return -EFBIG;
	do {
		if (!buffer_reserve(out, 64 << 10))
			return -ENOMEM;
		n = read(fd, out->at + out->len, out->size - out->len);
		if (n < 0 && errno != EINTR)
			return -errno;
		out->len += n > 0 ? (size_t)n : 0;
	} while (n != 0 && out->len <= (size_t)RECORD_MOST);
	return n == 0 ? 0 : -EFBIG;
}

int record_body_read(struct buffer *out, const char *path, struct why *why)
{
	auto_close int fd = -1;
	struct buffer text = { 0 };
	int r = check_over(path, why);

	if (r < 0)
		return r;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	r = read_whole(&text, fd);
	if (r == 0)
		gzip_write(out, text.at, text.len);
	buffer_release(&text);
	if (r == 0 && out->failed)
		r = -ENOMEM;
	return r < 0 ? why_set(why, r, "%s: %s", show_path(path).text, strerror(-r)) : 0;
}
