/* keys.c - the bytes of a terminal as keys: ECMA-48 sequences as xterm and the Linux console send them. */
#include "keys.h"

#include <string.h>

#include "../core/scan.h"

char *keys_room(struct keys *k, size_t *ret_room)
{
	if (k->len == sizeof k->at)
		k->len = 0;
	*ret_room = sizeof k->at - k->len;
	return k->at + k->len;
}

static void drop(struct keys *k, size_t n)
{
	memmove(k->at, k->at + n, k->len - n);
	k->len -= n;
}

/* ESC [ or ESC O, then a text that ends a key. */
static const struct { const char *text; int code; } named[] = {
	{ "A", KEY_UP }, { "B", KEY_DOWN }, { "C", KEY_RIGHT }, { "D", KEY_LEFT }, { "H", KEY_HOME }, { "F", KEY_END },
	{ "1~", KEY_HOME }, { "7~", KEY_HOME }, { "4~", KEY_END }, { "8~", KEY_END }, { "5~", KEY_PAGE_UP },
	{ "6~", KEY_PAGE_DOWN }, { "P", KEY_F1 }, { "11~", KEY_F1 }, { "[A", KEY_F1 }, { "21~", KEY_F10 },
};

/* "<BUTTON;COLUMN;ROW" and M (pressed) or m (released): mode 1006 of xterm. */
static struct key mouse(const char *text, size_t n)
{
	enum { LEFT = 0, WHEEL_UP = 64, WHEEL_DOWN = 65 };
	struct scan s = scan_of(text + 1, n - 1);
	struct key key = { .code = KEY_OTHER };
	uint64_t button, column, row;

	if (!scan_u64(&s, &button) || !scan_literal(&s, ";") || !scan_u64(&s, &column) || !scan_literal(&s, ";") ||
	    !scan_u64(&s, &row) || !scan_literal(&s, "M") || column < 1 || row < 1 || column > 10000 || row > 10000)
		return key;
	key.row = (unsigned)row - 1;
	key.column = (unsigned)column - 1;
	key.code = button == LEFT ? KEY_CLICK : button == WHEEL_UP ? KEY_WHEEL_UP :
		   button == WHEEL_DOWN ? KEY_WHEEL_DOWN : KEY_OTHER;
	return key;
}

/* The length of a control sequence without its ESC; 0: it is not whole yet. */
static size_t sequence_length(const char *at, size_t len)
{
	size_t n = 1;

	if (len > 1 && at[0] == '[' && at[1] == '[')    /* the function keys of the Linux console */
		return len > 2 ? 3 : 0;
	while (n < len && (at[n] == '<' || at[n] == ';' || at[n] == '?' || (at[n] >= '0' && at[n] <= '9')))
		n++;
	return n < len ? n + 1 : 0;
}

static struct key sequence(const char *at, size_t n)
{
	if (n > 1 && at[0] == '<')
		return mouse(at, n);
	for (size_t i = 0; i < countof(named); i++)
		if (word_is((struct word){ at, n }, named[i].text))
			return (struct key){ .code = named[i].code };
	return (struct key){ .code = KEY_OTHER };
}

bool keys_next(struct keys *k, bool idle, struct key *ret)
{
	size_t n = 1;

	if (k->len == 0)
		return false;
	*ret = (struct key){ .code = (unsigned char)k->at[0] };
	if (k->at[0] == KEY_ESCAPE && k->len > 1 && (k->at[1] == '[' || k->at[1] == 'O')) {
		n = sequence_length(k->at + 1, k->len - 1);
		if (n > 0)
			*ret = sequence(k->at + 2, n - 1);
		else if (!idle)
			return false;
		else
			ret->code = KEY_OTHER;
		n = n > 0 ? n + 1 : k->len;
	} else if (k->at[0] == KEY_ESCAPE && k->len == 1 && !idle)
		return false;
	drop(k, n);
	return true;
}
