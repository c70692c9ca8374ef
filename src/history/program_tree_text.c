/* program_tree_text.c - which program started which, as a table with a line for each branch. */
#include "digest.h"

#include <string.h>

#include "../text/human.h"
#include "../text/shown.h"
#include "../text/text_table.h"

enum { CELLS = 5, INDENT_MOST = 20 };           /* levels; deeper ones are not indented further */

/* The branches as they are shown: each below its parent, siblings by CPU time with all below them. */
struct shown_tree {
	const struct program_tree *tree;
	double with_below[BRANCH_MAX];          /* CPU seconds; NONE: unknown */
	size_t place[BRANCH_MAX], depth[BRANCH_MAX], n;
};

static void sum_up(struct shown_tree *s)
{
	for (size_t i = 0; i < s->tree->n; i++)
		s->with_below[i] = s->tree->at[i].cpu_seconds;
	for (size_t i = s->tree->n; i-- > 0;) {
		int parent = s->tree->at[i].parent;

		if (parent >= 0)
			s->with_below[parent] = add_known(s->with_below[parent], s->with_below[i]);
	}
}

/* The next child of a parent: the largest that is not shown yet; -1: none. */
static int next_child(const struct shown_tree *s, int parent, const bool *done)
{
	int best = -1;

	for (size_t i = 0; i < s->tree->n; i++)
		if (!done[i] && s->tree->at[i].parent == parent &&
		    (best < 0 || add_known(s->with_below[i], 0) > add_known(s->with_below[best], 0)))
			best = (int)i;
	return best;
}

static void show_below(struct shown_tree *s, int top, bool *done)
{
	size_t depth = top == PARENT_UNKNOWN ? 1 : 0;
	int at = top;

	for (;;) {
		int child = next_child(s, at, done);

		if (child < 0 && at == top)
			return;
		if (child < 0) {
			at = s->tree->at[at].parent;
			depth--;
			continue;
		}
		done[child] = true;
		s->depth[s->n] = depth++;
		s->place[s->n++] = (size_t)child;
		at = child;
	}
}

static void name_cell(char *cell, const struct program_branch *b, size_t depth)
{
	struct buffer text = { 0 };

	for (size_t i = 0; i < size_min(depth, INDENT_MOST); i++)
		buffer_text(&text, "  ");
	if (depth > INDENT_MOST)
		buffer_format(&text, "(level %zu) ", depth + 1);
	if (b->branches > 1)
		buffer_format(&text, "others (%u branches)", b->branches);
	else if (b->name[0])
		human_word(&text, b->name, strlen(b->name), true);
	else
		buffer_text(&text, "(no name)");
	text_table_put(cell, &text);
	buffer_release(&text);
}

static void cpu_time(struct buffer *out, double seconds)
{
	if (seconds == 0)
		buffer_char(out, '0');
	else
		human_duration(out, seconds);
}

static void row(struct text_row *ret, const struct shown_tree *s, size_t i)
{
	const struct program_branch *b = &s->tree->at[s->place[i]];
	double with_below = s->with_below[s->place[i]];
	struct buffer text = { 0 };

	name_cell(ret->cell[0], b, s->depth[i]);
	if (!is_none(b->processes))
		buffer_format(&text, "%.0f", b->processes);
	text_table_put(ret->cell[1], &text);
	cpu_time(&text, b->cpu_seconds);
	text_table_put(ret->cell[2], &text);
	cpu_time(&text, with_below);
	text_table_put(ret->cell[3], &text);
	if (!is_none(b->largest_bytes))
		human_bytes(&text, b->largest_bytes);
	else
		buffer_text(&text, "not seen");
	text_table_put(ret->cell[4], &text);
	buffer_release(&text);
}

static bool any_unknown(const struct program_tree *tree)
{
	for (size_t i = 0; i < tree->n; i++)
		if (tree->at[i].parent == PARENT_UNKNOWN)
			return true;
	return false;
}

void digest_programs(struct buffer *out, const struct digest *d)
{
	static const struct text_row titles = {
		{ "PROGRAM", "PROCESSES", "CPU TIME", "WITH BELOW", "LARGEST PROCESS" },
	};
	static const struct text_row unknown = { { "(parent unknown)" } };
	const struct program_tree *tree = d->facts->programs;
	struct shown_tree *s = calloc(1, sizeof *s);
	struct text_row *rows = calloc(BRANCH_MAX + 2, sizeof *rows);
	bool done[BRANCH_MAX] = { false };
	size_t n = 0, i = 0;

	if (!tree || tree->n == 0) {
		buffer_text(out, "This recording does not contain which program started which.\n");
	} else if (!s || !rows) {
		buffer_text(out, "out of memory\n");
	} else {
		s->tree = tree;
		sum_up(s);
		show_below(s, PARENT_NONE, done);
		rows[n++] = titles;
		for (; i < s->n; i++)
			row(&rows[n++], s, i);
		if (any_unknown(tree))
			rows[n++] = unknown;
		show_below(s, PARENT_UNKNOWN, done);
		for (; i < s->n; i++)
			row(&rows[n++], s, i);
		text_table_write(out, rows, n, CELLS, 1);
		if (tree->full)
			buffer_text(out, "There were more branches than are kept: some programs are shown without the one that started them.\n");
	}
	free(s);
	free(rows);
}
