/*
 * adviser.h - computes an advice from the use of a job's runs: facts in, words and amounts out.
 *
 *  struct run_use use;
 *  struct advice a;
 *
 *  run_use_read(&use, &digest);
 *  advise(&a, &use, 1);
 *  for (enum advised i = 0; i < ADVISED_COUNT; i++)
 *   if (a.of[i].why[0])
 *    ... advised[i].name, a.of[i].value, a.of[i].why
 */
#ifndef RT_ADVISER_H
#define RT_ADVISER_H

#include "advice.h"
#include "run_use.h"

/*
 * runs: newest first, at least one.
 *
 * CPU: the cores needed 95 % of the time, and those that ready threads waited for, up to what the run had, less a
 * tenth of a core.  Memory: the highest peak of any kind, with swapped memory, and 20 %.  Time: the longest run that
 * succeeded, and half as much again, or a quarter from five runs on.  If a run ended out of memory, or the CPU quota
 * throttled it, the true need is unknown: more than the run had is advised as the next try, and the advice states it.
 * It cannot fail: what is unknown is NONE.
 */
void advise(struct advice *ret, const struct run_use *runs, size_t n);

#endif
