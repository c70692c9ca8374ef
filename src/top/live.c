/* live.c - the loop of the view of one run. */
#include "live.h"

#include <string.h>

#include "../analysis/confinement.h"
#include "choices.h"
#include "followed.h"
#include "terminal.h"

/* How long the view waits for a file to grow, for its own looks, for the rest of a key, and when nothing will come. */
enum { FILE_MS = 250, LOOK_MS = 1000, KEY_MS = 50, OVER_MS = 60000 };

struct view {
	struct screen *screen;
	struct follow follow;
	struct model shown;                     /* as it was when it was paused */
	struct choices choices;
	int64_t looked_ns;
	bool    behind;                         /* `shown` is older than what was read */
	bool    leave, back;
};

/* asked: by the user. */
static int draw(struct view *v, bool asked)
{
	struct processes_now processes = follow_processes(&v->follow);

	if (!screen_due(v->screen, asked))
		return 0;
	view_draw(&v->screen->cells, &v->shown, &processes, &v->choices, &v->screen->looks);
	return screen_send(v->screen);
}

static int take_keys(struct view *v, bool idle)
{
	const struct cells *cells = &v->screen->cells;
	struct key key;

	while (!v->leave && !v->back && keys_next(&v->screen->keys, idle, &key)) {
		struct layout layout = layout_of(cells->rows, cells->columns, v->shown.total.gpu_total_count > 0,
						 v->choices.table);

		switch (choices_take(&v->choices, &key, &layout)) {
		case WISH_LEAVE:
			v->leave = true;
			break;
		case WISH_SUSPEND:
			terminal_suspend();
			break;
		case WISH_DRAW_ALL:
			screen_draw_all(v->screen);
			break;
		case WISH_DRAW:
			v->screen->dirty = true;
			break;
		case WISH_BACK:
			v->back = true;
			break;
		case WISH_OPEN:
		case WISH_NOTHING:
			break;
		}
	}
	return draw(v, true);
}

/* What came, and what is looked at; paused, the record is read on, but what is shown stays. */
static bool step(struct view *v)
{
	bool more, came = follow_read(&v->follow, &more);
	int64_t now = screen_now_ns();

	v->behind = v->behind || came;
	if (v->choices.paused)
		return more;
	if (v->behind || now - v->looked_ns >= LOOK_MS * INT64_C(1000000)) {
		v->looked_ns = now;
		if (follow_look(&v->follow) || v->behind) {
			v->shown = v->follow.model;
			v->screen->dirty = true;
			v->behind = false;
		}
	}
	return more;
}

static int timeout_ms(const struct view *v, const struct target *t, bool more)
{
	if (more)
		return 0;
	if (v->screen->keys.len > 0)
		return KEY_MS;
	if (v->follow.over)
		return v->screen->dirty ? FILE_MS : OVER_MS;
	return t->feed >= 0 && !v->screen->dirty ? LOOK_MS : FILE_MS;
}

/* A recorder of ours that could not begin: its sentence is shown instead. */
static bool never_began(const struct view *v, const struct target *t)
{
	return t->recorder > 0 && v->follow.over && !t->began;
}

static int run(struct view *v, struct target *t)
{
	int r = 0;

	while (r == 0 && !v->leave && !v->back) {
		bool more = step(v);

		t->began = t->began || v->follow.model.n > 0 || record_reader_facts(t->reader)->has_end;
		if (never_began(v, t) || (t->with_run && v->follow.over))
			break;
		r = draw(v, false);
		if (r < 0)
			break;

		int events = screen_wait(v->screen, v->follow.over ? -1 : t->feed, timeout_ms(v, t, more));

		r = events < 0 ? events : 0;
		if (r == 0 && (events & TERMINAL_KEYS))
			r = screen_read_keys(v->screen);
		if (r == 0 && ((events & TERMINAL_KEYS) || (events == 0 && v->screen->keys.len > 0)))
			r = take_keys(v, events == 0);
	}
	return r;
}

/* Returns whether the run is one of this machine that goes on. */
static bool begin(struct view *v, struct screen *screen, struct target *t)
{
	bool here;

	*v = (struct view){ .screen = screen };
	here = follow_begin(&v->follow, t->reader, t->recorder, t->root, true);
	v->follow.model.ours = t->recorder > 0 && !t->has_job;
	v->shown = v->follow.model;
	screen->dirty = true;
	return here;
}

static struct view view;                                /* large */

int live_show(struct target *t, bool *ret_over)
{
	struct screen screen = { .dirty = true };
	int r;

	/* A record of unknown origin; of a run that goes on here, the recorder's files in /proc are read. */
	if (!begin(&view, &screen, t))
		(void)confine(&(struct confinement){ .place = NULL });
	r = screen_open(&screen);
	if (r == 0)
		r = run(&view, t);
	screen_close(&screen);
	*ret_over = view.follow.over;
	follow_end(&view.follow);
	return r;
}

int live_show_rank(struct screen *s, struct target *t, bool *ret_leave)
{
	int r;

	(void)begin(&view, s, t);
	view.choices.of_job = true;
	screen_draw_all(s);
	r = run(&view, t);
	*ret_leave = view.leave;
	follow_end(&view.follow);
	return r;
}
