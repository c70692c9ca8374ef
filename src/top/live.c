/* live.c - the loop of the view. */
#include "live.h"

#include <string.h>
#include <time.h>

#include "../analysis/confinement.h"
#include "../summary/summary.h"
#include "choices.h"
#include "followed.h"
#include "paint.h"
#include "terminal.h"

/* How long the view waits for a file to grow, for its own looks, for the rest of a key, and when nothing will come. */
enum { FILE_MS = 250, LOOK_MS = 1000, KEY_MS = 50, OVER_MS = 60000 };

struct view {
	struct follow follow;
	struct model shown;                     /* as it was when it was paused */
	struct choices choices;
	struct looks looks;
	struct cells cells;
	struct painter painter;
	struct keys keys;
	struct buffer out;
	int64_t drawn_ns, looked_ns;
	bool    behind;                         /* `shown` is older than what was read */
	bool    dirty, leave;
};

static int64_t now_ns(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * NS_PER_SECOND + t.tv_nsec;
}

static void look_at_the_terminal(struct view *v)
{
	struct summary_style style = summary_style(STDOUT_FILENO);
	const char *terminal = getenv("TERM");

	v->looks.utf8 = style.utf8;
	/* The Linux console has no braille in its font. */
	v->looks.signs = !style.utf8 ? SIGNS_ASCII : terminal && strcmp(terminal, "linux") == 0 ? SIGNS_BLOCKS : SIGNS_BRAILLE;
	v->painter.colour = style.color;
	v->painter.inks = terminal && strcmp(terminal, "dumb") != 0;
}

static int resize(struct view *v)
{
	unsigned rows, columns;

	terminal_size(&rows, &columns);
	paint_forget(&v->painter);
	v->dirty = true;
	return cells_resize(&v->cells, rows, columns);
}

/* asked: by the user, who is not made to wait for the line. */
static int draw(struct view *v, bool asked)
{
	struct processes_now processes = follow_processes(&v->follow);
	int64_t now = now_ns();
	bool may = paint_may(&v->painter, (double)(now - v->drawn_ns) / 1e9);
	int r;

	v->drawn_ns = now;
	if (!v->dirty || (!may && !asked))
		return 0;
	view_draw(&v->cells, &v->shown, &processes, &v->choices, &v->looks);
	buffer_clear(&v->out);
	r = paint(&v->out, &v->painter, &v->cells);
	v->dirty = false;
	return r < 0 ? r : terminal_write(v->out.at, v->out.len);
}

static int take_keys(struct view *v, bool idle)
{
	struct key key;

	while (!v->leave && keys_next(&v->keys, idle, &key)) {
		struct layout layout = layout_of(v->cells.rows, v->cells.columns, v->shown.total.gpu_total_count > 0,
						 v->choices.table);

		switch (choices_take(&v->choices, &key, &layout)) {
		case WISH_LEAVE:
			v->leave = true;
			break;
		case WISH_SUSPEND:
			terminal_suspend();
			break;
		case WISH_DRAW_ALL:
			paint_forget(&v->painter);
			v->dirty = true;
			break;
		case WISH_DRAW:
			v->dirty = true;
			break;
		case WISH_NOTHING:
			break;
		}
	}
	return draw(v, true);
}

static int read_keys(struct view *v)
{
	size_t room;
	char *at = keys_room(&v->keys, &room);
	ssize_t n = terminal_read(at, room);

	if (n == 0 || (n < 0 && n != -EAGAIN))
		return n == 0 ? -EIO : (int)n;
	keys_came(&v->keys, n > 0 ? (size_t)n : 0);
	return take_keys(v, false);
}

/* What came, and what is looked at; paused, the record is read on, but what is shown stays. */
static bool step(struct view *v)
{
	bool more, came = follow_read(&v->follow, &more);
	int64_t now = now_ns();

	v->behind = v->behind || came;
	if (v->choices.paused)
		return more;
	if (v->behind || now - v->looked_ns >= LOOK_MS * INT64_C(1000000)) {
		v->looked_ns = now;
		if (follow_look(&v->follow) || v->behind) {
			v->shown = v->follow.model;
			v->dirty = true;
			v->behind = false;
		}
	}
	return more;
}

static int timeout_ms(const struct view *v, const struct target *t, bool more)
{
	if (more)
		return 0;
	if (v->keys.len > 0)
		return KEY_MS;
	if (v->follow.over)
		return v->dirty ? FILE_MS : OVER_MS;
	return t->feed >= 0 && !v->dirty ? LOOK_MS : FILE_MS;
}

/* A recorder of ours that could not begin: its sentence is shown instead. */
static bool never_began(const struct view *v, const struct target *t)
{
	return t->recorder > 0 && v->follow.over && !t->began;
}

static int run(struct view *v, struct target *t)
{
	int r = resize(v);

	while (r == 0 && !v->leave) {
		bool more = step(v);

		t->began = t->began || v->follow.model.n > 0 || record_reader_facts(t->reader)->has_end;
		if (never_began(v, t) || (t->with_run && v->follow.over))
			break;
		r = draw(v, false);
		if (r < 0)
			break;

		int events = terminal_wait(v->follow.over ? -1 : t->feed, timeout_ms(v, t, more));

		if (events & TERMINAL_STOP)
			terminal_suspend();
		if (events & TERMINAL_CONTINUED)
			terminal_resume();
		if (events & TERMINAL_SIZE)
			r = resize(v);
		if (r == 0 && (events & TERMINAL_KEYS))
			r = read_keys(v);
		else if (r == 0 && events == 0 && v->keys.len > 0)
			r = take_keys(v, true);
	}
	return r;
}

int live_show(struct target *t, bool *ret_over)
{
	static struct view v;                           /* large */
	int r;

	/* A record of unknown origin; of a run that goes on here, the recorder's files in /proc are read. */
	if (!follow_begin(&v.follow, t->reader, t->recorder, t->root, true))
		(void)confine(&(struct confinement){ .place = NULL });
	look_at_the_terminal(&v);
	v.follow.model.ours = t->recorder > 0 && !t->has_job;
	v.shown = v.follow.model;
	v.drawn_ns = now_ns();
	r = terminal_open();
	if (r == 0)
		r = run(&v, t);
	terminal_close();
	*ret_over = v.follow.over;
	follow_end(&v.follow);
	paint_forget(&v.painter);
	cells_release(&v.cells);
	buffer_release(&v.out);
	return r;
}
