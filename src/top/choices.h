/* choices.h - what the user wants to see, changed by keys and clicks.  Pure. */
#ifndef RT_CHOICES_H
#define RT_CHOICES_H

#include "keys.h"
#include "view.h"

/* OPEN: a rank of a job; BACK: to all of them. */
enum wish { WISH_NOTHING, WISH_DRAW, WISH_DRAW_ALL, WISH_LEAVE, WISH_SUSPEND, WISH_OPEN, WISH_BACK };

/* layout: that of the screen the user sees.  Changes *c, and returns what the caller is to do. */
enum wish choices_take(struct choices *c, const struct key *key, const struct layout *layout);

#endif
