/*
 * socket_budget.h - the CPU time that may be spent on sockets: 1 % of the elapsed time.
 *
 * It is CPU time of this thread, because elapsed time on a busy machine includes the use of others.  If it is too
 * little for both, finding new sockets must not starve counting known ones: half of it is reserved for counting.
 */
#ifndef RT_SOCKET_BUDGET_H
#define RT_SOCKET_BUDGET_H

#include "../core/base.h"

struct socket_budget {
	int64_t left_ns;                        /* time that may be spent; below 0 after work that took longer */
	int64_t reserve_ns;                     /* part of it that is not for finding new sockets */
	int64_t filled_ns, mark_ns;             /* when it was filled; our CPU time at the last spending */
};

struct socket_budget socket_budget_open(void);
/*
 * At a poll: now_ns of CLOCK_MONOTONIC; slowdown, at least 1, as in governor.h.  Returns the seconds since the last
 * one, 0 at the first.
 */
double socket_budget_fill(struct socket_budget *b, int64_t now_ns, unsigned slowdown, bool some_known);
/* The last poll may take longer. */
void socket_budget_raise(struct socket_budget *b);
/* Subtracts the CPU time used since the last call. */
void socket_budget_spend(struct socket_budget *b);

#endif
