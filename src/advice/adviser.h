/*
 * adviser.h - makes an advice of what a job's runs used: facts in, words and amounts out.
 *
 *	struct run_use use;
 *	struct advice a;
 *
 *	run_use_read(&use, &digest);
 *	advise(&a, &use, 1);
 *	for (enum advised i = 0; i < ADVISED_COUNT; i++)
 *		if (a.of[i].why[0])
 *			... advised[i].name, a.of[i].value, a.of[i].why
 */
#ifndef RT_ADVISER_H
#define RT_ADVISER_H

#include "advice.h"
#include "run_use.h"

/*
 * runs: newest first, at least one.
 *
 * CPU: what 95 % of the time needed, and what threads that were ready waited for, up to what the run had, less a tenth
 * of a core.  Memory: the highest peak of any kind, with what was swapped out, and 20 %.  Time: the longest run that
 * succeeded, and half as much again, or a quarter from five runs on.  After an end for want of memory, or where the CPU
 * quota held the run back, the true need is not known: more than there was is advised as the next try, which is said.
 */
void advise(struct advice *ret, const struct run_use *runs, size_t n);

#endif
