/*
 * seat.h - a limited number of seats on a machine, each held by one process until it ends, however that comes.
 *
 * A seat is the name of a UNIX socket without a file: whoever has bound it has it, among all of one network namespace.
 */
#ifndef RT_SEAT_H
#define RT_SEAT_H

#include "../core/base.h"

/* A descriptor that is closed to give the seat back; -EUSERS: all are taken; other -errno: there are none. */
int seat_take(const char *what, int seats) must_use;

#endif
