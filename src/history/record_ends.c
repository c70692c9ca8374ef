/* record_ends.c - the first and last lines of a record. */
#include "record_ends.h"

#include <string.h>
#include <sys/stat.h>

enum { CHUNK = 32 << 10, LINE_MOST = 1 << 20 };

static const char END[] = "{\"end\":", REGIONS[] = "{\"regions\":", LAST_MINUTE[] = "{\"last_minute\":";

/* Reads [from, from + n) of the file, as far as it exists. */
static ssize_t read_piece(int fd, struct buffer *piece, off_t from, size_t n)
{
	buffer_clear(piece);
	if (!buffer_reserve(piece, n))
		return -ENOMEM;

	ssize_t got = pread(fd, piece->at, n, from);

	if (got < 0)
		return -errno;
	piece->len = (size_t)got;
	return got;
}

/* 1: the line with its newline was appended. */
static int first_line(struct buffer *out, int fd, struct buffer *piece)
{
	for (size_t n = CHUNK; n <= LINE_MOST; n *= 2) {
		ssize_t got = read_piece(fd, piece, 0, n);
		const char *newline = got > 0 ? memchr(piece->at, '\n', piece->len) : NULL;

		if (got < 0)
			return (int)got;
		if (newline)
			buffer_bytes(out, piece->at, (size_t)(newline - piece->at) + 1);
		if (newline || (size_t)got < n)
			return newline != NULL;
	}
	return 0;
}

/* The start of the line that ends at `end`; NULL: not in the piece. */
static const char *line_before(const struct buffer *piece, const char *end)
{
	const char *newline = end > piece->at ? memrchr(piece->at, '\n', (size_t)(end - piece->at) - 1) : NULL;

	return newline ? newline + 1 : NULL;
}

static bool begins_with(const char *line, const char *end, const char *words)
{
	return (size_t)(end - line) > strlen(words) && memcmp(line, words, strlen(words)) == 0;
}

/* The end line, and the lines before it that are not rows. */
static int last_lines(struct buffer *out, int fd, struct buffer *piece, off_t size)
{
	for (size_t n = CHUNK; n <= LINE_MOST; n *= 2) {
		off_t from = size > (off_t)n ? size - (off_t)n : 0;
		ssize_t got = read_piece(fd, piece, from, (size_t)(size - from));

		if (got < 0)
			return (int)got;
		if (got == 0 || piece->at[piece->len - 1] != '\n')
			return 0;                       /* truncated */

		const char *end = piece->at + piece->len, *begin = line_before(piece, end), *before;

		if (!begin)
			continue;
		if (!begins_with(begin, end, END))
			return 0;
		while ((before = line_before(piece, begin)) &&
		       (begins_with(before, begin, REGIONS) || begins_with(before, begin, LAST_MINUTE)))
			begin = before;
		if (!before && from > 0 && n < LINE_MOST)
			continue;
		buffer_bytes(out, begin, (size_t)(end - begin));
		return 1;
	}
	return 0;
}

int record_ends(struct buffer *out, int fd)
{
	struct buffer piece = { 0 };
	struct stat status;
	int r = fstat(fd, &status) < 0 ? -errno : first_line(out, fd, &piece);

	if (r > 0)
		r = last_lines(out, fd, &piece, status.st_size);
	buffer_release(&piece);
	return r > 0 && out->failed ? -ENOMEM : r;
}
