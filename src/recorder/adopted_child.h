/*
 * adopted_child.h - a recorder around a child that was forked before it began, such as a task of Slurm (spank/).
 *
 * The first argument is --adopted-child=PID,FD.  FD is the write end of a pipe; the child waits until it reads a byte
 * from the pipe, or FD is closed.  This process ends as the child does, by the same signal if one killed it; and
 * whatever goes wrong here, it releases the child and waits for it.
 */
#ifndef RT_ADOPTED_CHILD_H
#define RT_ADOPTED_CHILD_H

#include "../options/options.h"
#include "child.h"

/* Whether the first argument is this one; it is taken out. */
bool adopted_child_read(struct adopted_child *ret, int *argc, char **argv);

/* The same as child_prepare, for a child that is there. */
void adopted_child_prepare(struct child *ret, struct adopted_child *adopted);

/*
 * After the recorder: if the child is still there it was not recorded, so it is released and waited for.  Returns the
 * child's status, or `recorded`, if the recorder reaped it; or ends by the signal that the child ended by.
 */
int  adopted_child_finish(struct adopted_child *adopted, int recorded);

#endif
