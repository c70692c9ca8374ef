/* record_source.c - a record's lines out of a file or memory. */
#include "record_source.h"

#include <string.h>

enum { CHUNK = 64 << 10, LINE_MAX_BYTES = 16 << 20 };

/* Moves what is left to the front and reads on; 0 at the end of the file. */
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
	do
		n = read(s->fd, s->at + s->len, s->size - s->len);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	s->ended = n == 0;
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

void record_source_release(struct record_source *s)
{
	if (s->fd > STDIN_FILENO)
		(void)close(s->fd);
	if (!s->borrowed)
		free(s->at);
}
