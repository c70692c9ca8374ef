/* record_source.c - reads lines from a file or memory. */
#include "record_source.h"

#include <poll.h>
#include <string.h>
#include <sys/stat.h>

#include "../core/output_file.h"

enum { CHUNK = 64 << 10, LINE_MAX_BYTES = 16 << 20, LOOK_MS = 100 };

/* Whether the file was truncated since: the offset is behind its end. */
static bool is_written_anew(int fd)
{
	struct stat status;

	return fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && lseek(fd, 0, SEEK_CUR) > status.st_size;
}

/* Number of bytes; 0 at the end; -errno; -EAGAIN: no more yet. */
static ssize_t read_more(const struct record_source *s, char *at, size_t n)
{
	struct pollfd come = { .fd = s->fd, .events = POLLIN };
	ssize_t r;

	if (s->follow && poll(&come, 1, 0) == 0)
		return -EAGAIN;

	/* Before the read, so that nothing written before the writer's end is missed. */
	bool held = s->follow && (s->goes_on || output_file_is_held(s->fd));

	do
		r = read(s->fd, at, n);
	while (r < 0 && errno == EINTR);
	if (r < 0)
		return -errno;
	return r == 0 && held && !is_written_anew(s->fd) ? -EAGAIN : r;
}

/* Also at the end of the file: a record can be kept long after it was read. */
static void close_file(struct record_source *s)
{
	if (s->fd > STDIN_FILENO)
		close_p(&s->fd);
}

/* Moves the unread bytes to the front and reads more.  1, 0 at the end of the file, -errno. */
static int fill(struct record_source *s)
{
	ssize_t n;

	if (s->ended || s->borrowed)
		return 0;
	if (s->next > 0) {
		memmove(s->at, s->at + s->next, s->len - s->next);
		s->len -= s->next;
		s->bytes += s->next;
		s->next = 0;
	}
	if (s->len > LINE_MAX_BYTES)
		return -EFBIG;
	if (s->size - s->len < CHUNK) {
		size_t size = s->size ? 2 * s->size : 2 * CHUNK;
		char *at = realloc(s->at, size);

		if (!at)
			return -ENOMEM;
		s->at = at;
		s->size = size;
	}
	n = read_more(s, s->at + s->len, s->size - s->len);
	if (n < 0)
		return (int)n;
	s->ended = n == 0;
	if (s->ended)
		close_file(s);
	s->len += (size_t)n;
	return n > 0;
}

int record_source_line(struct record_source *s, struct word *ret)
{
	size_t looked = s->next;

	for (;;) {
		const char *newline = s->len > looked ? memchr(s->at + looked, '\n', s->len - looked) : NULL;

		if (newline) {
			*ret = (struct word){ s->at + s->next, (size_t)(newline - s->at) - s->next };
			s->next += ret->len + 1;
			s->whole = true;
			s->line++;
			return 1;
		}

		size_t pending = s->len - s->next;
		int r = fill(s);

		if (r < 0)
			return r;
		looked = s->next + pending;
		if (r > 0)
			continue;
		if (pending == 0)
			return 0;
		*ret = (struct word){ s->at + s->next, pending };
		s->next = s->len;
		s->whole = false;
		s->line++;
		return 1;
	}
}

void record_source_wait(const struct record_source *s, int timeout_ms)
{
	struct pollfd come = { .fd = s->fd, .events = POLLIN };
	struct stat status;
	bool file = fstat(s->fd, &status) == 0 && S_ISREG(status.st_mode);

	/* A regular file is always readable, so poll() only waits. */
	(void)poll(&come, file ? 0 : 1, file && (timeout_ms < 0 || timeout_ms > LOOK_MS) ? LOOK_MS : timeout_ms);
}

void record_source_release(struct record_source *s)
{
	close_file(s);
	if (!s->borrowed)
		free(s->at);
}
