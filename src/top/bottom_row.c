/* bottom_row.c - the last row of a terminal, taken and given back. */
#include "bottom_row.h"

#include <unistd.h>

/* The cursor down and up again: in the last row, this scrolls the screen, and the row is free. */
static const char MAKE_ROOM[] = "\033D\033[A";
static const char BLANK_BELOW[] = "\033[J";
/* The rows that scroll.  All of them is written as numbers, too: not every terminal knows the short form. */
static void scroll_rows(struct buffer *out, unsigned rows)
{
	buffer_format(out, "\0337\033[1;%ur\0338", rows);
}

/* A terminal that is gone, or takes nothing: the next time will show. */
static void send_all(const struct bottom_row *b, struct buffer *text)
{
	const char *at = text->at;
	size_t left = text->failed ? 0 : text->len;

	while (left > 0) {
		ssize_t n = write(b->fd, at, left);

		if (n < 0 && errno != EINTR)
			break;
		at += n > 0 ? n : 0;
		left -= n > 0 ? (size_t)n : 0;
	}
	buffer_release(text);
}

static struct winsize without_it(struct winsize size)
{
	if (size.ws_ypixel > 0)
		size.ws_ypixel = (unsigned short)(size.ws_ypixel / size.ws_row * (size.ws_row - 1));
	size.ws_row--;
	return size;
}

bool bottom_row_take(struct bottom_row *b)
{
	struct winsize now = { 0 };
	struct buffer text = { 0 };

	if (ioctl(b->fd, TIOCGWINSZ, &now) < 0)
		return b->taken;
	if (b->taken && now.ws_row + 1 == b->whole.ws_row) {
		b->whole.ws_col = now.ws_col;
		return true;
	}
	if (b->taken) {
		scroll_rows(&text, now.ws_row);
		buffer_text(&text, BLANK_BELOW);        /* the row where it was before the window changed */
	}
	b->taken = now.ws_row >= BOTTOM_ROWS_LEAST && now.ws_col >= BOTTOM_COLUMNS_LEAST;
	if (b->taken) {
		struct winsize less = without_it(now);

		b->whole = now;
		buffer_text(&text, MAKE_ROOM);
		scroll_rows(&text, less.ws_row);
		(void)ioctl(b->fd, TIOCSWINSZ, &less);
	}
	send_all(b, &text);
	return b->taken;
}

void bottom_row_show(struct bottom_row *b, const char *text, size_t n)
{
	struct buffer all = { 0 };
	unsigned rows = b->whole.ws_row;

	scroll_rows(&all, rows - 1);            /* again: a program of the job can have changed them */
	buffer_format(&all, "\0337\033[%u;1H\033[0m", rows);
	buffer_bytes(&all, text, n);
	buffer_text(&all, "\033[0m\033[K\0338");
	send_all(b, &all);
}

void bottom_row_give_back(struct bottom_row *b)
{
	struct winsize now = { 0 };
	struct buffer text = { 0 };

	if (!b->taken)
		return;
	b->taken = false;
	scroll_rows(&text, b->whole.ws_row);
	buffer_format(&text, "\0337\033[%u;1H\033[2K\0338", b->whole.ws_row);
	send_all(b, &text);
	if (ioctl(b->fd, TIOCGWINSZ, &now) == 0 && now.ws_row + 1 == b->whole.ws_row)
		(void)ioctl(b->fd, TIOCSWINSZ, &b->whole);
}
