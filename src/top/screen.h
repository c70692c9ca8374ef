/* screen.h - the terminal of a view: what is drawn, when it is sent, and the keys that come. */
#ifndef RT_SCREEN_H
#define RT_SCREEN_H

#include "keys.h"
#include "looks.h"
#include "paint.h"

struct screen {                                 /* zeroed at first; a caller draws into `cells`, and sets `dirty` */
	struct looks looks;
	struct cells cells;
	struct painter painter;
	struct keys keys;
	struct buffer out;
	int64_t drawn_ns;
	bool    dirty;                          /* there is something to draw */
};

int64_t screen_now_ns(void);                    /* CLOCK_MONOTONIC */

/* Takes over the terminal.  -errno: call screen_close as well. */
int  screen_open(struct screen *s) must_use;
void screen_close(struct screen *s);

/* Whether to draw now: there is something, and room on the line, for which a user who asked is not made to wait. */
bool screen_due(struct screen *s, bool asked);
/* Sends what was drawn.  -errno: the terminal is gone, or memory is short. */
int  screen_send(struct screen *s) must_use;
void screen_draw_all(struct screen *s);         /* the next time, also what has not changed */

/*
 * Waits for a key, data of data_fd (-1: none), or the time, and handles the terminal's signals.  Returns a set of
 * TERMINAL_...; -errno: as screen_send.
 */
int  screen_wait(struct screen *s, int data_fd, int timeout_ms) must_use;
/* Reads what came into `keys`.  -EIO: the terminal is gone. */
int  screen_read_keys(struct screen *s) must_use;

#endif
