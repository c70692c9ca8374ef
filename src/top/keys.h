/* keys.h - the bytes of a terminal as keys and clicks.  Pure. */
#ifndef RT_KEYS_H
#define RT_KEYS_H

#include "../core/base.h"

/* A printable key is itself, ^A is 1; the others are: */
enum {
	KEY_NONE = 0, KEY_UP = 256, KEY_DOWN, KEY_LEFT, KEY_RIGHT, KEY_PAGE_UP, KEY_PAGE_DOWN, KEY_HOME, KEY_END,
	KEY_F1, KEY_F10, KEY_CLICK, KEY_WHEEL_UP, KEY_WHEEL_DOWN, KEY_OTHER,
	KEY_CONTROL_C = 3, KEY_TAB = 9, KEY_CONTROL_L = 12, KEY_ENTER = 13, KEY_CONTROL_Z = 26, KEY_ESCAPE = 27,
	KEY_BACKSPACE = 127,
};

struct key { int code; unsigned row, column; };         /* of a click: where, from 0 on */

/* Bytes that were read and are no whole key yet; zeroed at first. */
struct keys { char at[64]; size_t len; };

/* Room for more bytes, at least 1: what is longer than any key is dropped.  Then keys_came with their number. */
char *keys_room(struct keys *k, size_t *ret_room);
static inline void keys_came(struct keys *k, size_t n) { k->len += n; }

/*
 * The next key; false: there is none yet, and *ret means nothing.  idle: nothing follows for now, so that an ESC is the
 * key of this name and not the beginning of another.
 */
bool keys_next(struct keys *k, bool idle, struct key *ret);

#endif
