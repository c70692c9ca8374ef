/*
 * socket_budget.h - how much CPU time may be spent on looking for sockets: 1 % of the time that goes by.
 *
 * CPU time of this thread, for on a busy machine the clock on the wall counts what others use.  Where there is not time
 * for both, finding new sockets must not starve counting those that are known: half of it is kept for that.
 */
#ifndef RT_SOCKET_BUDGET_H
#define RT_SOCKET_BUDGET_H

#include "../core/base.h"

struct socket_budget {
	int64_t left_ns;                        /* that may be spent; below 0 after what took longer */
	int64_t reserve_ns;                     /* of it, not on finding new ones */
	int64_t filled_ns, mark_ns;             /* when it was filled; our CPU time when it was taken from last */
};

struct socket_budget socket_budget_open(void);
/* At a look: now_ns of CLOCK_MONOTONIC; slowdown as in governor.h.  Returns the seconds since the last one. */
double socket_budget_fill(struct socket_budget *b, int64_t now_ns, unsigned slowdown, bool some_known);
/* The last look may take longer. */
void socket_budget_raise(struct socket_budget *b);
/* Takes what was used since the last call. */
void socket_budget_spend(struct socket_budget *b);

#endif
