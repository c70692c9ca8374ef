/* rt_lines.c - the last sample as a line, into the caller's memory or to a file descriptor. */
#include <string.h>

#include "rt_tracker.h"

ssize_t write_all(int fd, const char *bytes, size_t n)
{
	for (size_t done = 0; done < n;) {
		ssize_t w = write(fd, bytes + done, n - done);

		if (w < 0 && errno != EINTR)
			return -errno;
		if (w > 0)
			done += (size_t)w;
	}
	return (ssize_t)n;
}

static bool layout_of(enum rt_csv csv, enum csv_layout *ret)
{
	static const enum csv_layout layouts[] = {
		[RT_CSV_SYSTEM] = CSV_SYSTEM, [RT_CSV_COMBINED] = CSV_COMBINED, [RT_CSV_PROCESS] = CSV_PROCESS,
	};

	if ((size_t)csv >= countof(layouts))
		return false;
	*ret = layouts[csv];
	return true;
}

static ssize_t give(const struct buffer *line, char *ret, size_t size)
{
	if (line->failed)
		return -ENOMEM;
	if (size > 0) {
		size_t n = size_min(line->len, size - 1);

		memcpy(ret, line->at, n);
		ret[n] = '\0';
	}
	return (ssize_t)line->len;
}

static ssize_t print(const struct buffer *line, int fd)
{
	return line->failed ? -ENOMEM : write_all(fd, line->at, line->len);
}

/* Few trackers are asked for JSON, and to spell all of its keys takes longer than to read a short record. */
static int make_json(struct rt_tracker *t)
{
	if (!t->writer && sample_writer_open(&t->writer) < 0)
		return -ENOMEM;
	buffer_clear(&t->line);
	sample_write_json(t->writer, &t->line, t->sample, &t->run);
	return 0;
}

static int make_csv(struct rt_tracker *t, enum rt_csv csv)
{
	enum csv_layout layout;

	if (!layout_of(csv, &layout))
		return -EINVAL;
	buffer_clear(&t->line);
	sample_write_csv(&t->line, t->sample, &t->run, layout);
	return 0;
}

ssize_t rt_write_json(struct rt_tracker *t, char *ret, size_t size)
{
	int r = make_json(t);

	return r < 0 ? r : give(&t->line, ret, size);
}

ssize_t rt_print_json(struct rt_tracker *t, int fd)
{
	int r = make_json(t);

	return r < 0 ? r : print(&t->line, fd);
}

ssize_t rt_write_csv(struct rt_tracker *t, enum rt_csv csv, char *ret, size_t size)
{
	int r = make_csv(t, csv);

	return r < 0 ? r : give(&t->line, ret, size);
}

ssize_t rt_print_csv(struct rt_tracker *t, enum rt_csv csv, int fd)
{
	int r = make_csv(t, csv);

	return r < 0 ? r : print(&t->line, fd);
}

static ssize_t header(enum rt_csv csv, char *ret, size_t size, int fd)
{
	enum csv_layout layout;
	struct buffer line = { 0 };

	if (!layout_of(csv, &layout))
		return -EINVAL;
	sample_write_csv_header(&line, layout);

	ssize_t n = fd < 0 ? give(&line, ret, size) : print(&line, fd);

	buffer_release(&line);
	return n;
}

ssize_t rt_write_csv_header(enum rt_csv csv, char *ret, size_t size)
{
	return header(csv, ret, size, -1);
}

ssize_t rt_print_csv_header(enum rt_csv csv, int fd)
{
	return fd < 0 ? -EBADF : header(csv, NULL, 0, fd);
}
