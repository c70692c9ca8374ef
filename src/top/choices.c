/* choices.c - keys and clicks change what is shown. */
#include "choices.h"

enum { WHEEL_ROWS = 3 };

static void order_by(struct choices *c, enum entry_kind kind, enum order order)
{
	c->reversed[kind] = c->order[kind] == order && !c->reversed[kind];
	c->order[kind] = order;
	c->from[kind] = 0;
}

/* Rows down; negative: up.  The end is limited when it is drawn. */
static void move(struct choices *c, enum entry_kind kind, long rows)
{
	size_t *from = &c->from[kind];

	*from = rows < 0 && *from < (size_t)-rows ? 0 : *from + (size_t)rows;
}

static bool contains(const struct area *a, const struct key *key)
{
	return key->row >= a->row && key->row < a->row + a->rows && key->column >= a->column &&
	       key->column < a->column + a->columns;
}

static enum wish take_mouse(struct choices *c, const struct key *key, const struct layout *layout)
{
	for (size_t i = 0; i < countof(layout->table); i++) {
		const struct area *a = &layout->table[i];
		enum entry_kind kind = (enum entry_kind)i;

		if (!contains(a, key))
			continue;
		c->table = kind;
		if (key->code != KEY_CLICK)
			move(c, kind, key->code == KEY_WHEEL_UP ? -WHEEL_ROWS : WHEEL_ROWS);
		else if (key->row == a->row) {
			int order = entries_order_at(*a, kind, key->column);

			if (order >= 0)
				order_by(c, kind, (enum order)order);
		}
		return WISH_DRAW;
	}
	return WISH_NOTHING;
}

enum wish choices_take(struct choices *c, const struct key *key, const struct layout *layout)
{
	unsigned rows = layout->table[c->table].rows;
	long page = rows > 2 ? (long)rows - 1 : 1;
	int order = key->code < 128 ? order_of_key((char)key->code) : -1;

	if (key->code == 'q' || key->code == 'Q' || key->code == KEY_F10 || key->code == KEY_CONTROL_C)
		return WISH_LEAVE;
	if (key->code == KEY_CONTROL_Z)
		return WISH_SUSPEND;
	if (c->help) {
		c->help = false;
		return WISH_DRAW;
	}
	if (key->code == KEY_BACKSPACE || key->code == '\b')
		return c->of_job ? WISH_BACK : WISH_NOTHING;
	if (order >= 0) {
		order_by(c, c->table, (enum order)order);
		return WISH_DRAW;
	}
	switch (key->code) {
	case '?': case 'h': case KEY_F1: c->help = true; break;
	case 't':
		c->tree = !c->tree;
		c->table = PROCESSES;
		c->from[PROCESSES] = 0;
		break;
	case ' ': c->paused = !c->paused; break;
	case KEY_TAB: case KEY_LEFT: case KEY_RIGHT: c->table = c->table == PROGRAMS ? PROCESSES : PROGRAMS; break;
	case KEY_UP: move(c, c->table, -1); break;
	case KEY_DOWN: move(c, c->table, 1); break;
	case KEY_PAGE_UP: move(c, c->table, -page); break;
	case KEY_PAGE_DOWN: move(c, c->table, page); break;
	case KEY_HOME: c->from[c->table] = 0; break;
	case KEY_END: c->from[c->table] = SIZE_MAX / 2; break;
	case KEY_CONTROL_L: return WISH_DRAW_ALL;
	case KEY_CLICK: case KEY_WHEEL_UP: case KEY_WHEEL_DOWN: return take_mouse(c, key, layout);
	default: return WISH_NOTHING;
	}
	return WISH_DRAW;
}
