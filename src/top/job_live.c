/* job_live.c - the loop of the view of all ranks of a job. */
#include "job_live.h"

#include <stdio.h>
#include <string.h>

#include "../analysis/confinement.h"
#include "job_choices.h"
#include "live.h"
#include "terminal.h"

/* How long the view waits for files to be due, for new sums, and for the rest of a key. */
enum { FILES_MS = 250, SUMS_MS = 1000, KEY_MS = 50 };

struct job_live {
	struct screen screen;
	struct job_files files;
	struct job_ranks ranks;
	struct job_choices choices;
	int64_t summed_ns;                      /* 0: never */
	bool    leave, confined, more;
};

static int sum(struct job_live *l)
{
	int64_t now = screen_now_ns();
	bool first = l->summed_ns == 0 && l->files.complete;
	int r;

	if (l->choices.paused || (!first && now - l->summed_ns < SUMS_MS * INT64_C(1000000)))
		return 0;
	r = job_ranks_read(&l->ranks, &l->files);
	l->summed_ns = now;
	l->screen.dirty = true;
	return r;
}

/* asked: by the user. */
static int draw(struct job_live *l, bool asked)
{
	if (!screen_due(&l->screen, asked))
		return 0;
	job_view_draw(&l->screen.cells, &l->ranks, &l->choices, &l->screen.looks);
	return screen_send(&l->screen);
}

/* One that cannot be opened any more is not shown. */
static int open_rank(struct job_live *l)
{
	char path[PATH_MAX];
	const struct job_member *m = job_files_find(&l->files, l->choices.mark);
	struct target target = TARGET_NONE;
	struct why unused = { "" };
	int r = 0;

	if (m && snprintf(path, sizeof path, "%s/%s", l->files.place.path, m->name) < (int)sizeof path &&
	    target_rank(&target, path, m->standing == MEMBER_RUNS, &unused) == 0)
		r = live_show_rank(&l->screen, &target, &l->leave);
	(void)target_close(&target, false);
	screen_draw_all(&l->screen);
	return r;
}

static int take_keys(struct job_live *l, bool idle)
{
	struct key key;
	int r = 0;

	while (r == 0 && !l->leave && keys_next(&l->screen.keys, idle, &key)) {
		struct layout layout = layout_of_job(l->screen.cells.rows, l->screen.cells.columns);

		switch (job_choices_take(&l->choices, &key, &l->ranks, &layout)) {
		case WISH_LEAVE:
			l->leave = true;
			break;
		case WISH_SUSPEND:
			terminal_suspend();
			break;
		case WISH_DRAW_ALL:
			screen_draw_all(&l->screen);
			break;
		case WISH_OPEN:
			r = open_rank(l);
			break;
		case WISH_DRAW:
			l->screen.dirty = true;
			break;
		case WISH_BACK:
		case WISH_NOTHING:
			break;
		}
	}
	return r < 0 || l->leave ? r : draw(l, true);
}

/* Records of unknown origin; where one is of a run of this machine, the recorder's files in /proc are read. */
static void confine_once(struct job_live *l)
{
	if (l->confined || !l->files.complete || l->files.n == 0)
		return;
	l->confined = true;
	if (job_files_any_here(&l->files))
		return;
	job_files_forget_machine(&l->files);
	(void)confine(&(struct confinement){ .place = l->files.place.path });
}

static int step(struct job_live *l)
{
	int r = job_files_step(&l->files, &l->more);

	confine_once(l);
	if (r == 0)
		r = sum(l);
	return r < 0 ? r : draw(l, false);
}

static int run(struct job_live *l)
{
	int r = 0;

	while (r == 0 && !l->leave) {
		r = step(l);
		if (r < 0)
			break;

		int events = screen_wait(&l->screen, -1, l->more ? 0 : l->screen.keys.len > 0 ? KEY_MS : FILES_MS);

		r = events < 0 ? events : 0;
		if (r == 0 && (events & TERMINAL_KEYS))
			r = screen_read_keys(&l->screen);
		if (r == 0 && ((events & TERMINAL_KEYS) || (events == 0 && l->screen.keys.len > 0)))
			r = take_keys(l, events == 0);
	}
	return r;
}

int job_live_show(const char *folder, const struct selection *selection, struct why *why)
{
	static struct job_live l;                       /* large */
	int r = job_files_open(&l.files, folder, selection, why);

	if (r == 0) {
		r = screen_open(&l.screen);
		if (r == 0)
			r = run(&l);
		screen_close(&l.screen);
		if (r < 0 && r != -EIO)
			(void)why_set(why, r, "the terminal: %s", strerror(-r));
	}
	job_ranks_release(&l.ranks);
	job_files_close(&l.files);
	return r;
}
