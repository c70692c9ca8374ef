/* view.c - draws the whole view. */
#include "view.h"

#include <string.h>

#include "../text/human.h"
#include "../text/utc.h"
#include "panels.h"
#include "stalls.h"

static void draw_title(struct cells *c, struct area a, const struct model *m, const struct choices *choices,
		       const struct looks *looks)
{
	const char *right = choices->paused ? "paused" : "resource-tracker top";
	unsigned room = a.columns - text_columns(right) - 1;

	(void)cells_text(c, a.row, a.column, room, m->title, looks->utf8, TINT_BOLD);
	(void)cells_text(c, a.row, a.column + room + 1, a.columns, right, looks->utf8,
			 choices->paused ? TINT_WARN : TINT_FAINT);
}

/* How it stands, then which run it is. */
static void draw_state(struct cells *c, struct area a, const struct model *m, const struct looks *looks)
{
	bool good = strncmp(m->ended, "ended, status 0", 15) == 0;
	struct buffer state = { 0 }, run = { 0 };
	char since[UTC_SIZE];

	if (m->ended[0])
		buffer_format(&state, "%s after ", m->ended);
	else
		buffer_text(&state, "running ");
	human_seconds(&state, m->seconds);
	utc_write(since, m->start_wall_ns);
	since[10] = ' ';
	buffer_format(&run, "  since %.19s UTC", since);
	if (m->host[0])
		buffer_format(&run, " on %s", m->host);
	buffer_text(&run, ", every ");
	human_seconds(&run, m->interval_seconds);
	buffer_format(&run, ", run %s", m->id);
	if (m->lost_lines > 0)
		buffer_format(&run, ", %llu lines lost", (unsigned long long)m->lost_lines);
	buffer_char(&state, '\0');
	buffer_char(&run, '\0');
	if (!state.failed && !run.failed) {
		unsigned used = cells_text(c, a.row, a.column, a.columns, state.at, looks->utf8,
					   !m->ended[0] ? TINT_PLAIN : good ? TINT_GOOD : TINT_BAD);

		(void)cells_text(c, a.row, a.column + used, a.columns - used, run.at, looks->utf8, TINT_FAINT);
	}
	buffer_release(&state);
	buffer_release(&run);
}

/* Sorts a table, keeps its first row within it, and draws it. */
static void draw_table(struct cells *c, struct area a, enum entry_kind kind, struct entry *entry, size_t n,
		       struct choices *choices, const struct looks *looks)
{
	size_t room = a.rows > 1 ? a.rows - 1 : 0, last = n > room ? n - room : 0;

	entries_sort(entry, n, kind, choices->order[kind], choices->reversed[kind]);
	if (kind == PROCESSES && choices->tree)
		entries_tree(entry, n);
	choices->from[kind] = size_min(choices->from[kind], last);
	entries_draw(c, a, &(struct entries_view){
		.kind = kind, .entry = entry, .n = n, .from = choices->from[kind], .order = choices->order[kind],
		.reversed = choices->reversed[kind], .utf8 = looks->utf8, .chosen = choices->table == kind,
	});
}

static void draw_tables(struct cells *c, const struct layout *l, const struct model *m, struct processes_now *processes,
			struct choices *choices, const struct looks *looks)
{
	struct entry program[PROGRAM_MAX];
	const struct area *a = &l->table[PROCESSES];

	memcpy(program, m->program, sizeof program);
	draw_table(c, l->table[PROGRAMS], PROGRAMS, program, m->n_programs, choices, looks);
	if (!m->tracked && l->table[PROGRAMS].rows > 1)
		(void)cells_text(c, l->table[PROGRAMS].row + 1, l->table[PROGRAMS].column, l->table[PROGRAMS].columns,
				 "no programs: the run measures the machine; --pid PID shows those of a job", looks->utf8,
				 TINT_FAINT);
	draw_table(c, *a, PROCESSES, processes->entry, processes->n, choices, looks);
	if (processes->why && a->rows > 1)
		(void)cells_text(c, a->row + 1, a->column, a->columns, processes->why, looks->utf8, TINT_FAINT);
}

enum { KEYS_COLUMNS = 90 };                      /* in fewer columns the keys of a table with a tree are closer */

static void draw_keys(struct cells *c, struct area a, const struct model *m, const struct processes_now *processes,
		      const struct choices *choices, const struct looks *looks)
{
	bool seen = choices->table == PROCESSES || a.columns >= COLUMNS_WIDE;
	struct buffer text = { 0 };

	if (choices->of_job)
		buffer_text(&text, "backspace all ranks  ");
	buffer_format(&text, "q leave%s  ", choices->of_job || m->ended[0] ? "" : m->ours ? " and end the run" : ", the run goes on");
	if (seen && processes->n > 0 && processes->every_seconds > 1.5)
		buffer_format(&text, "(%zu processes, read every %.0f s)  ", processes->n, processes->every_seconds);
	buffer_format(&text, "? help  space %s  tab %s  ", choices->paused ? "go on" : "pause",
		      choices->table == PROGRAMS ? "processes" : "programs");
	if (seen)
		buffer_format(&text, "t %s  ", choices->tree ? "list" : "tree");
	buffer_text(&text, seen && a.columns < KEYS_COLUMNS ? "sort cmdnp" : "sort: c m d n p");
	buffer_char(&text, '\0');
	if (!text.failed)
		(void)cells_text(c, a.row, a.column, a.columns, text.at, looks->utf8, TINT_FAINT);
	buffer_release(&text);
}

static void draw_help(struct cells *c, unsigned from, const struct looks *looks)
{
	static const char *const lines[] = {
		"  q, F10, ^C       leave; the job goes on",
		"  tab, left, right programs or processes",
		"  c m d n p        sort by CPU, memory, disk, name, number or pid;",
		"                   the same key again reverses the order",
		"  t                processes below the one that started them, or as a list",
		"  up, down, page up, page down, home, end   move through the table",
		"  space            pause; the run is not paused",
		"  backspace        all ranks again, where one of a job is shown",
		"  mouse            a click on a title sorts by it, the wheel moves",
		"  ^L               draws the screen again",
		"  ? h F1           this help; any key closes it",
		"",
		"  Numbers in ( to ) are bounds: the true value is between them.",
		"  CPU is in cores: 1.00 is one CPU all of the time.",
	};

	for (unsigned i = 0; i < countof(lines); i++) {
		for (unsigned column = 0; column < c->columns; column++)
			cells_put(c, from + i, column, ' ', TINT_PLAIN);
		(void)cells_text(c, from + i, 0, c->columns, lines[i], looks->utf8, TINT_PLAIN);
	}
}

void view_draw(struct cells *c, const struct model *m, struct processes_now *processes, struct choices *choices,
	       const struct looks *looks)
{
	struct layout l = layout_of(c->rows, c->columns, m->total.gpu_total_count > 0, choices->table);

	cells_clear(c);
	if (!l.fits) {
		(void)cells_text(c, 0, 0, c->columns, "too small: 40x10", looks->utf8, TINT_WARN);
		return;
	}
	draw_title(c, l.title, m, choices, looks);
	draw_state(c, l.state, m, looks);
	if (choices->help) {
		draw_help(c, 3 + (unsigned)(c->rows > 20), looks);
		return;
	}
	for (size_t i = 0; i < COURSE_COUNT; i++)
		if (l.panel[i].rows > 0)
			panel_draw(c, l.panel[i], m, (enum course)i, looks);
	warnings_draw(c, l.warnings, m, looks);
	regions_draw(c, l.regions, m, looks);
	draw_tables(c, &l, m, processes, choices, looks);
	draw_keys(c, l.keys, m, processes, choices, looks);
}
