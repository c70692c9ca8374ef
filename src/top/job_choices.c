/* job_choices.c - keys and clicks change which ranks are shown. */
#include "job_choices.h"

#include <stdio.h>
#include <string.h>

enum { WHEEL_ROWS = 3 };

static void order_by(struct job_choices *c, enum job_order order)
{
	c->reversed = c->order == order && !c->reversed;
	c->order = order;
	c->from = 0;
	c->mark[0] = '\0';
}

static void mark(struct job_choices *c, const struct job_ranks *j, size_t row)
{
	if (j->ranks.n == 0)
		return;
	row = size_min(row, j->ranks.n - 1);
	c->marked = row;
	(void)snprintf(c->mark, sizeof c->mark, "%s", j->ranks.at[j->row[row].rank].path);
}

static void move(struct job_choices *c, const struct job_ranks *j, long rows)
{
	mark(c, j, rows < 0 && c->marked < (size_t)-rows ? 0 : c->marked + (size_t)rows);
}

static enum wish take_mouse(struct job_choices *c, const struct key *key, const struct job_ranks *j,
			    const struct area *a)
{
	if (key->code != KEY_CLICK) {
		move(c, j, key->code == KEY_WHEEL_UP ? -WHEEL_ROWS : WHEEL_ROWS);
		return WISH_DRAW;
	}
	if (key->row < a->row || key->row >= a->row + a->rows)
		return WISH_NOTHING;
	if (key->row > a->row) {
		mark(c, j, c->from + key->row - a->row - 1);
		return WISH_DRAW;
	}

	int order = job_table_order_at(*a, key->column);

	if (order >= 0)
		order_by(c, (enum job_order)order);
	return WISH_DRAW;
}

/* ---- a rank by its number ---------------------------------------------------------------------- */

/* The rows with a name that begins with the number; *ret_exact: the one that it is, SIZE_MAX: none. */
static size_t matches(const struct job_choices *c, const struct job_ranks *j, size_t *ret_exact)
{
	size_t n = 0;

	*ret_exact = SIZE_MAX;
	for (size_t i = 0; i < j->ranks.n; i++) {
		n += strncmp(j->row[i].name, c->number, strlen(c->number)) == 0;
		if (strcmp(j->row[i].name, c->number) == 0)
			*ret_exact = i;
	}
	return n;
}

static enum wish open_number(struct job_choices *c, const struct job_ranks *j, size_t row)
{
	c->number[0] = '\0';
	mark(c, j, row);
	return WISH_OPEN;
}

/* A number that no other one begins with is opened at once. */
static enum wish take_digit(struct job_choices *c, char digit, const struct job_ranks *j)
{
	size_t n = strlen(c->number), row;

	if (n + 1 < sizeof c->number) {
		c->number[n] = digit;
		c->number[n + 1] = '\0';
	}
	return matches(c, j, &row) == 1 && row != SIZE_MAX ? open_number(c, j, row) : WISH_DRAW;
}

static enum wish take_enter(struct job_choices *c, const struct job_ranks *j)
{
	size_t row;

	if (!c->number[0]) {
		mark(c, j, c->marked);
		return c->mark[0] ? WISH_OPEN : WISH_NOTHING;
	}
	(void)matches(c, j, &row);
	return row != SIZE_MAX ? open_number(c, j, row) : WISH_NOTHING;
}

static enum wish erase(struct job_choices *c, bool all)
{
	size_t n = strlen(c->number);

	c->number[n > 0 && !all ? n - 1 : 0] = '\0';
	return WISH_DRAW;
}

static enum wish take_key(struct job_choices *c, int code, const struct job_ranks *j, long page)
{
	switch (code) {
	case '?':
	case 'h':
	case KEY_F1:
		c->help = true;
		break;
	case ' ':
		c->paused = !c->paused;
		break;
	case KEY_ENTER:
	case '\n':
		return take_enter(c, j);
	case KEY_BACKSPACE:
	case '\b':
		return erase(c, false);
	case KEY_ESCAPE:
		return erase(c, true);
	case KEY_CONTROL_L:
		return WISH_DRAW_ALL;
	case KEY_UP: move(c, j, -1); break;
	case KEY_DOWN: move(c, j, 1); break;
	case KEY_PAGE_UP: move(c, j, -page); break;
	case KEY_PAGE_DOWN: move(c, j, page); break;
	case KEY_HOME: mark(c, j, 0); break;
	case KEY_END: mark(c, j, SIZE_MAX); break;
	default: return WISH_NOTHING;
	}
	return WISH_DRAW;
}

enum wish job_choices_take(struct job_choices *c, const struct key *key, const struct job_ranks *j,
			   const struct layout *layout)
{
	const struct area *a = &layout->table[0];
	int order = key->code < 128 ? job_order_of_key((char)key->code) : -1;

	if (key->code == 'q' || key->code == 'Q' || key->code == KEY_F10 || key->code == KEY_CONTROL_C)
		return WISH_LEAVE;
	if (key->code == KEY_CONTROL_Z)
		return WISH_SUSPEND;
	if (c->help) {
		c->help = false;
		return WISH_DRAW;
	}
	if (order >= 0) {
		order_by(c, (enum job_order)order);
		return WISH_DRAW;
	}
	if ((key->code >= '0' && key->code <= '9') || (key->code == '.' && c->number[0]))
		return take_digit(c, (char)key->code, j);
	if (key->code == KEY_CLICK || key->code == KEY_WHEEL_UP || key->code == KEY_WHEEL_DOWN)
		return take_mouse(c, key, j, a);
	return take_key(c, key->code, j, a->rows > 2 ? (long)a->rows - 1 : 1);
}
