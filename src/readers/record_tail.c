/* record_tail.c - the newest lines of a record that grows. */
#include "record_tail.h"

#include <string.h>
#include <sys/stat.h>

#include "../core/json_read.h"
#include "../core/scan.h"

enum { COMPARED = 256, FIRST = 16 << 10, PIECE = 64 << 10, LINE_MOST = 1 << 20 };
enum { ROW_VALUES = 4 };                        /* the item of a row that has a value for each column */

/* Reads [from, from + n), as far as it exists. */
static int read_piece(struct buffer *piece, int fd, off_t from, size_t n)
{
	buffer_clear(piece);
	if (!buffer_reserve(piece, n))
		return -ENOMEM;
	while (piece->len < n) {
		ssize_t got = pread(fd, piece->at + piece->len, n - piece->len, from + (off_t)piece->len);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (got == 0)
			break;
		piece->len += (size_t)got;
	}
	return 0;
}

/* ---- lines ------------------------------------------------------------------------------- */

/* The next whole line, without its newline; false: there is none. */
static bool next_line(const struct buffer *piece, size_t *at, struct word *ret)
{
	const char *begin = piece->at + *at;
	const char *end = *at < piece->len ? memchr(begin, '\n', piece->len - *at) : NULL;

	if (!end)
		return false;
	*ret = (struct word){ begin, (size_t)(end - begin) };
	*at += ret->len + 1;
	return true;
}

static bool begins_with(struct word line, const char *text)
{
	return line.len > strlen(text) && memcmp(line.at, text, strlen(text)) == 0;
}

static bool is_columns(struct word line)
{
	return begins_with(line, "{\"columns\":");
}

/* How many values a row has, or how many columns a line of them; 0: it is neither. */
static size_t width_of(struct word line)
{
	struct json_value v, part = { 0 };

	if (is_columns(line))
		return json_parse(&v, line.at, line.len) == 0 && json_find(v, "columns", &part) ? json_count(part) : 0;
	if (!begins_with(line, "[\"") || json_parse_first(&v, line.at, line.len, ROW_VALUES + 1) < 0)
		return 0;

	struct json_walk w = json_walk(v);

	for (size_t i = 0; i <= ROW_VALUES; i++)
		if (!json_next(&w, NULL, &part))
			return 0;
	return json_count(part);
}

/* ---- the columns of a row ---------------------------------------------------------------- */

static void set_columns(struct record_tail *t, struct word line)
{
	t->head.len = t->header;
	buffer_bytes(&t->head, line.at, line.len);
	buffer_char(&t->head, '\n');
}

static size_t known_width(const struct record_tail *t)
{
	return t->head.len > t->header
		? width_of((struct word){ t->head.at + t->header, t->head.len - t->header - 1 }) : 0;
}

/*
 * Looks at the lines from `at` on, the first of which is whole if `whole`.  1: their columns of this width became those
 * of t; 0: there are none, and *ret_width is that of the first row; -errno.
 */
static int probe(struct record_tail *t, struct buffer *piece, int fd, off_t at, bool whole, size_t width,
		 size_t *ret_width)
{
	int r = read_piece(piece, fd, at, PIECE);
	struct word line;
	size_t from = 0;

	*ret_width = 0;
	if (r < 0 || (!whole && !next_line(piece, &from, &line)))
		return r;
	while (next_line(piece, &from, &line)) {
		if (is_columns(line) && width_of(line) == width) {
			set_columns(t, line);
			return 1;
		}
		if (*ret_width == 0 && !is_columns(line))
			*ret_width = width_of(line);
	}
	return 0;
}

/*
 * Columns are only ever added, so those of a row are the ones of its width, and rows before them are narrower: they are
 * found by halving what is between the header and the row.  As probe.
 */
static int find_columns(struct record_tail *t, struct buffer *piece, int fd, off_t before, size_t width)
{
	off_t low = (off_t)t->header, high = before;
	size_t found;
	int r = probe(t, piece, fd, low, true, width, &found);

	while (r == 0 && high - low > PIECE / 2) {
		off_t middle = low + (high - low) / 2;

		r = probe(t, piece, fd, middle, false, width, &found);
		if (found == width)
			high = middle;
		else
			low = middle;
	}
	return r != 0 ? r : probe(t, piece, fd, low, false, width, &found);
}

/* ---- reading ------------------------------------------------------------------------------ */

/* 1: the header is there; 0: not yet. */
static int read_header(struct record_tail *t, struct buffer *piece, int fd)
{
	for (size_t n = FIRST; n <= LINE_MOST; n *= 4) {
		int r = read_piece(piece, fd, 0, n);
		struct word line;
		size_t from = 0;

		if (r < 0)
			return r;
		if (next_line(piece, &from, &line)) {
			buffer_bytes(&t->head, piece->at, from);
			t->header = t->head.failed ? 0 : from;
			t->next = (off_t)from;
			return t->head.failed ? -ENOMEM : 1;
		}
		if (piece->len < n)
			return 0;
	}
	return -EBADMSG;
}

/* The whole lines of the piece: from *ret_first on; its length is cut.  false: there are none. */
static bool whole_lines(struct buffer *piece, bool cut, size_t *ret_first)
{
	const char *last = piece->len > 0 ? memrchr(piece->at, '\n', piece->len) : NULL;
	struct word line;

	*ret_first = 0;
	if (!last)
		return false;
	piece->len = (size_t)(last - piece->at) + 1;
	return !cut || (next_line(piece, ret_first, &line) && *ret_first < piece->len);
}

/* The width of the first row whose columns are not among the lines before it; 0: there is none. */
static size_t foreign_width(const struct buffer *piece, size_t from)
{
	struct word line;
	size_t width = 0;

	while (width == 0 && next_line(piece, &from, &line)) {
		if (is_columns(line))
			return 0;
		width = width_of(line);
	}
	return width;
}

static void note_columns(struct record_tail *t, const struct buffer *piece, size_t from, bool *ret_end)
{
	struct word line = { NULL, 0 };

	while (next_line(piece, &from, &line))
		if (is_columns(line))
			set_columns(t, line);
	*ret_end = line.at && begins_with(line, "{\"end\":");
}

/* Appends the lines, which begin at `begin` of the file, after their columns. */
static int give_lines(struct record_tail *t, struct buffer *out, const struct buffer *piece, size_t first, off_t begin,
		      bool *ret_end)
{
	buffer_bytes(out, t->head.at, t->head.len);
	buffer_bytes(out, piece->at + first, piece->len - first);
	note_columns(t, piece, first, ret_end);
	t->next = begin + (off_t)piece->len;
	return out->failed || t->head.failed ? -ENOMEM : 1;
}

static int read_lines(struct record_tail *t, struct buffer *out, struct buffer *piece, bool *ret_end, int fd,
		      off_t size)
{
	bool cut = size - t->next > PIECE;
	off_t begin = cut ? size - PIECE : t->next;
	struct buffer spare = { 0 };
	size_t first, width;
	int r = read_piece(piece, fd, begin, (size_t)(size - begin));

	if (r < 0)
		return r;
	*ret_end = cut && piece->len > 0 && piece->at[piece->len - 1] == '\n';
	if (!whole_lines(piece, cut, &first))
		return 0;
	width = cut ? foreign_width(piece, first) : 0;
	r = width == 0 || width == known_width(t) ? 1 : find_columns(t, &spare, fd, begin + (off_t)first, width);
	buffer_release(&spare);
	return r > 0 ? give_lines(t, out, piece, first, begin, ret_end) : r;
}

/* Whether the file was written anew: a header has the time and the process of its recorder. */
static bool is_another(const struct record_tail *t, int fd)
{
	char begin[COMPARED];
	size_t n = size_min(t->header, sizeof begin);

	return n > 0 && (pread(fd, begin, n, 0) != (ssize_t)n || memcmp(begin, t->head.at, n) != 0);
}

int record_tail_read(struct record_tail *t, struct buffer *out, bool *ret_end, int fd)
{
	struct buffer piece = { 0 };
	struct stat status;
	int r;

	*ret_end = false;
	if (fstat(fd, &status) < 0)
		return -errno;
	if (status.st_size == t->next)
		return 0;
	if (status.st_size < t->next || is_another(t, fd))
		record_tail_release(t);

	bool begun = t->header > 0;

	r = begun ? 1 : read_header(t, &piece, fd);
	if (r > 0)
		r = status.st_size > t->next ? read_lines(t, out, &piece, ret_end, fd, status.st_size) : 0;
	if (r == 0 && !begun && t->header > 0) {
		buffer_bytes(out, t->head.at, t->header);
		r = out->failed ? -ENOMEM : 1;
	}
	buffer_release(&piece);
	return r;
}

void record_tail_release(struct record_tail *t)
{
	buffer_release(&t->head);
	*t = (struct record_tail){ .header = 0 };
}
