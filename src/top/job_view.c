/* job_view.c - draws all ranks of a job. */
#include "job_view.h"

#include <stdio.h>
#include <string.h>

#include "../text/human.h"
#include "panels.h"

enum { NAMED_MOST = 4 };

static void put(struct cells *c, struct area a, struct buffer *text, const struct looks *looks, enum tint tint)
{
	buffer_char(text, '\0');
	if (!text->failed && a.rows > 0)
		(void)cells_text(c, a.row, a.column, a.columns, text->at, looks->utf8, tint);
	buffer_release(text);
}

static void draw_title(struct cells *c, struct area a, const struct job_ranks *j, const struct job_choices *choices,
		       const struct looks *looks)
{
	const char *right = choices->paused ? "paused" : "resource-tracker top";
	unsigned room = a.columns - text_columns(right) - 1;

	(void)cells_text(c, a.row, a.column, room, j->sum.title, looks->utf8, TINT_BOLD);
	(void)cells_text(c, a.row, a.column + room + 1, a.columns, right, looks->utf8,
			 choices->paused ? TINT_WARN : TINT_FAINT);
}

/* ---- how they stand ------------------------------------------------------------------------------ */

static void part(struct buffer *out, const char *what, size_t n)
{
	if (n > 0)
		buffer_format(out, "%s%s %zu", out->len > 0 ? ", " : "", what, n);
}

/* "running 5, ok 1, lost 1, no record 1 of 8 ranks on 3 nodes, for 12m 3s" */
static void draw_state(struct cells *c, struct area a, const struct job_ranks *j, const struct looks *looks)
{
	const struct job_counts *n = &j->counts;
	bool bad = n->failed + n->lost > 0, all_good = n->ok > 0 && n->ok == j->ranks.n;
	struct buffer text = { 0 };
	size_t all = j->ranks.n + j->ranks.missing;

	part(&text, "running", n->run);
	part(&text, "ok", n->ok);
	part(&text, "failed", n->failed);
	part(&text, "lost", n->lost);
	part(&text, "no record", j->ranks.missing);
	if (j->ranks.n == 0) {
		buffer_text(&text, "no record so far: they are shown as they appear");
	} else {
		buffer_format(&text, " of %zu %s%s on ", all, ranks_kind(&j->ranks, 0), all == 1 ? "" : "s");
		human_count(&text, (double)j->use.n_nodes, "node", "nodes");
		buffer_text(&text, ", for ");
		human_seconds(&text, j->sum.seconds);
	}
	part(&text, "earlier attempts", n->earlier);
	part(&text, "around them", n->around);
	part(&text, "unreadable", n->unreadable);
	put(c, a, &text, looks, bad ? TINT_BAD : all_good ? TINT_GOOD : TINT_PLAIN);
}

/* The first ranks of a standing; failed: of those that ended, the ones that did not end well. */
static void name_some(struct buffer *out, const struct job_ranks *j, const char *label, enum standing standing,
		      bool failed)
{
	size_t n = 0;

	for (size_t i = 0; i < j->ranks.n; i++) {
		const struct job_row *r = &j->row[i];

		if (r->standing != standing || (failed && strcmp(r->state, "ok") == 0))
			continue;
		if (n++ >= NAMED_MOST)
			continue;
		buffer_format(out, "%s%s %s", n > 1 ? "," : out->len > 0 ? "; " : "", n > 1 ? "" : label, r->name);
		buffer_format(out, failed ? " (%s)" : " on %s", failed ? r->state : r->node);
	}
	if (n > NAMED_MOST)
		buffer_format(out, " and %zu more", n - NAMED_MOST);
}

static void name_missing(struct buffer *out, const struct ranks *r)
{
	for (size_t i = 0; i < r->n_gaps && i < NAMED_MOST; i++) {
		const struct gap *g = &r->gaps[i];

		buffer_format(out, "%s %lld", i > 0 ? "," : out->len > 0 ? "; no record of" : "no record of", (long long)g->first);
		if (g->last > g->first)
			buffer_format(out, " to %lld", (long long)g->last);
	}
	if (r->n_gaps > NAMED_MOST)
		buffer_text(out, " ...");
}

/* What is wrong with which of them; else what all of them wait for. */
static void draw_names(struct cells *c, struct area a, const struct job_ranks *j, const struct looks *looks)
{
	struct buffer text = { 0 };
	enum tint tint = TINT_BAD;

	buffer_text(&text, j->why.text);
	name_some(&text, j, "lost", MEMBER_LOST, false);
	name_some(&text, j, "failed", MEMBER_ENDED, true);
	name_missing(&text, &j->ranks);
	if (text.len == 0 && j->counts.run > 0 && !is_none(j->waiting)) {
		buffer_text(&text, "waiting for a CPU or a disk: ");
		human_cores(&text, j->waiting);
		buffer_text(&text, " threads");
		tint = TINT_FAINT;
	}
	put(c, a, &text, looks, tint);
}

/* ---- the rest -------------------------------------------------------------------------------------- */

static void draw_keys(struct cells *c, struct area a, const struct job_choices *choices, const struct looks *looks)
{
	struct buffer text = { 0 };

	if (choices->number[0])
		buffer_format(&text, "rank %s_  enter opens it  backspace", choices->number);
	else
		buffer_format(&text, "q leave  enter or number: one rank  ? help  space %s  sort: r n c m w a s",
			      choices->paused ? "go on" : "pause");
	put(c, a, &text, looks, TINT_FAINT);
}

static void draw_help(struct cells *c, unsigned from, const struct looks *looks)
{
	static const char *const lines[] = {
		"  q, F10, ^C         leave; the job goes on",
		"  up, down, page up, page down, home, end   mark a rank",
		"  enter              opens the marked rank; backspace returns",
		"  a number           opens the rank of this number",
		"  r n c m w a s      sort by rank, node, CPU, memory, waiting, age,",
		"                     state; the same key again reverses the order",
		"  space              pause; the job is not paused",
		"  ? h F1             this help; any key closes it",
		"",
		"  WAIT: threads that wait for a CPU or a disk, over about 10 s.",
		"  AGE: since the record has grown.  lost: the recorder is gone.",
		"  LIMIT: the share of the memory limit above the rank, or of the",
		"  machine.  REGION: open now; (the last one) of another machine.",
	};

	for (unsigned i = 0; i < countof(lines); i++)
		(void)cells_text(c, from + i, 0, c->columns, lines[i], looks->utf8, TINT_PLAIN);
}

static void place_mark(struct job_choices *choices, const struct job_ranks *j, unsigned rows)
{
	size_t room = rows > 1 ? rows - 1 : 1, n = j->ranks.n;

	choices->marked = 0;
	for (size_t i = 0; choices->mark[0] && i < n; i++)
		if (strcmp(j->ranks.at[j->row[i].rank].path, choices->mark) == 0)
			choices->marked = i;
	if (choices->from > choices->marked)
		choices->from = choices->marked;
	if (choices->marked >= choices->from + room)
		choices->from = choices->marked - room + 1;
	choices->from = size_min(choices->from, n > room ? n - room : 0);
}

void job_view_draw(struct cells *c, struct job_ranks *j, struct job_choices *choices, const struct looks *looks)
{
	struct layout l = layout_of_job(c->rows, c->columns);

	cells_clear(c);
	if (!l.fits) {
		(void)cells_text(c, 0, 0, c->columns, "too small: 40x10", looks->utf8, TINT_WARN);
		return;
	}
	draw_title(c, l.title, j, choices, looks);
	job_table_sort(j->row, j->ranks.n, choices->order, choices->reversed);
	draw_state(c, l.state, j, looks);
	place_mark(choices, j, l.table[0].rows);
	if (choices->help) {
		draw_help(c, 3, looks);
		return;
	}
	for (size_t i = 0; i < COURSE_COUNT; i++)
		if (l.panel[i].rows > 0)
			panel_draw(c, l.panel[i], &j->sum, (enum course)i, looks);
	draw_names(c, l.warnings, j, looks);
	job_table_draw(c, l.table[0], &(struct job_table){
		.row = j->row, .n = j->ranks.n, .from = choices->from, .marked = choices->marked,
		.order = choices->order, .reversed = choices->reversed, .utf8 = looks->utf8,
	});
	draw_keys(c, l.keys, choices, looks);
}
