/* series_store.c - transposes many series of numbers, which arrive moment by moment and are read series by series. */
#include "series_store.h"

#include <fcntl.h>

#include "../core/sample.h"

struct block { off_t at; size_t n_series, n_moments; };

struct series_store {
	int fd;
	struct block *blocks;
	size_t n_blocks;
	double *now;                            /* the current block, series by series */
	size_t n_series, room, n_moments;
	off_t end;
};

const char *series_store_folder(void)
{
	const char *folder = getenv("TMPDIR");

	return folder && *folder ? folder : "/tmp";
}

int series_store_open(struct series_store **ret)
{
	struct series_store *s = calloc(1, sizeof *s);

	if (!s)
		return -ENOMEM;
	s->fd = open(series_store_folder(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (s->fd < 0) {                        /* the filesystem does not support O_TMPFILE */
		char name[] = "/tmp/resource-tracker.XXXXXX";

		s->fd = mkostemp(name, O_CLOEXEC);
		if (s->fd >= 0)
			(void)unlink(name);
	}
	if (s->fd < 0) {
		int r = -errno;

		free(s);
		return r;
	}
	*ret = s;
	return 0;
}

void series_store_close(struct series_store *s)
{
	if (!s)
		return;
	(void)close(s->fd);
	free(s->blocks);
	free(s->now);
	free(s);
}

static int write_all(struct series_store *s, const void *bytes, size_t n)
{
	for (const char *at = bytes; n > 0;) {
		ssize_t done = pwrite(s->fd, at, n, s->end);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -errno;
		at += done;
		n -= (size_t)done;
		s->end += done;
	}
	return 0;
}

int series_store_flush(struct series_store *s)
{
	struct block block = { s->end, s->n_series, s->n_moments };
	struct block *blocks;

	if (s->n_moments == 0)
		return 0;
	blocks = reallocarray(s->blocks, s->n_blocks + 1, sizeof *blocks);
	if (!blocks)
		return -ENOMEM;
	s->blocks = blocks;
	blocks[s->n_blocks] = block;
	s->n_moments = 0;

	int r = write_all(s, s->now, s->n_series * SERIES_BLOCK * sizeof *s->now);

	s->n_blocks += r == 0;
	return r;
}

int series_store_moment(struct series_store *s)
{
	int r = s->n_moments == SERIES_BLOCK ? series_store_flush(s) : 0;

	if (r < 0)
		return r;
	for (size_t i = 0; i < s->n_series; i++)
		s->now[i * SERIES_BLOCK + s->n_moments] = NONE;
	s->n_moments++;
	return 0;
}

int series_store_set(struct series_store *s, size_t series, double value)
{
	if (series >= s->room) {
		size_t room = size_max(series + 1, s->room ? 2 * s->room : 64);
		double *now = reallocarray(s->now, room, SERIES_BLOCK * sizeof *now);

		if (!now)
			return -ENOMEM;
		s->room = room;
		s->now = now;
	}
	for (; s->n_series <= series; s->n_series++)
		for (size_t i = 0; i < SERIES_BLOCK; i++)
			s->now[s->n_series * SERIES_BLOCK + i] = NONE;
	s->now[series * SERIES_BLOCK + s->n_moments - 1] = value;
	return 0;
}

size_t series_store_blocks(const struct series_store *s)
{
	return s->n_blocks;
}

int series_store_block(const struct series_store *s, size_t block, size_t series, double *ret, size_t *ret_n)
{
	const struct block *b = &s->blocks[block];
	size_t n = b->n_moments * sizeof *ret;
	ssize_t done = 0;

	for (size_t i = 0; i < b->n_moments; i++)
		ret[i] = NONE;
	*ret_n = b->n_moments;
	if (series < b->n_series)
		done = pread(s->fd, ret, n, b->at + (off_t)(series * SERIES_BLOCK * sizeof *ret));
	return done < 0 ? -errno : series < b->n_series && (size_t)done != n ? -EIO : 0;
}
