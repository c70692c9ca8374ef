/* screen.c - the terminal of a view. */
#include "screen.h"

#include <string.h>
#include <time.h>

#include "../summary/summary.h"
#include "terminal.h"

int64_t screen_now_ns(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * NS_PER_SECOND + t.tv_nsec;
}

static void look_at_the_terminal(struct screen *s)
{
	struct summary_style style = summary_style(STDOUT_FILENO);
	const char *terminal = getenv("TERM");

	s->looks.utf8 = style.utf8;
	/* The Linux console has no braille in its font. */
	s->looks.signs = !style.utf8 ? SIGNS_ASCII : terminal && strcmp(terminal, "linux") == 0 ? SIGNS_BLOCKS : SIGNS_BRAILLE;
	s->painter.colour = style.color;
	s->painter.inks = terminal && strcmp(terminal, "dumb") != 0;
}

static int resize(struct screen *s)
{
	unsigned rows, columns;

	terminal_size(&rows, &columns);
	screen_draw_all(s);
	return cells_resize(&s->cells, rows, columns);
}

int screen_open(struct screen *s)
{
	int r;

	look_at_the_terminal(s);
	s->drawn_ns = screen_now_ns();
	r = terminal_open();
	return r < 0 ? r : resize(s);
}

void screen_close(struct screen *s)
{
	terminal_close();
	paint_forget(&s->painter);
	cells_release(&s->cells);
	buffer_release(&s->out);
}

bool screen_due(struct screen *s, bool asked)
{
	int64_t now = screen_now_ns();
	bool may = paint_may(&s->painter, (double)(now - s->drawn_ns) / 1e9);

	s->drawn_ns = now;
	return s->dirty && (may || asked);
}

int screen_send(struct screen *s)
{
	int r;

	buffer_clear(&s->out);
	r = paint(&s->out, &s->painter, &s->cells);
	s->dirty = false;
	return r < 0 ? r : terminal_write(s->out.at, s->out.len);
}

void screen_draw_all(struct screen *s)
{
	paint_forget(&s->painter);
	s->dirty = true;
}

int screen_wait(struct screen *s, int data_fd, int timeout_ms)
{
	int events = terminal_wait(data_fd, timeout_ms), r = 0;

	if (events & TERMINAL_STOP)
		terminal_suspend();
	if (events & TERMINAL_CONTINUED)
		terminal_resume();
	if (events & TERMINAL_SIZE)
		r = resize(s);
	return r < 0 ? r : events;
}

int screen_read_keys(struct screen *s)
{
	size_t room;
	char *at = keys_room(&s->keys, &room);
	ssize_t n = terminal_read(at, room);

	if (n == 0 || (n < 0 && n != -EAGAIN))
		return n == 0 ? -EIO : (int)n;
	keys_came(&s->keys, n > 0 ? (size_t)n : 0);
	return 0;
}
