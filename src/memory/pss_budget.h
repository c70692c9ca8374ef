/*
 * pss_budget.h - the budget for reading smaps_rollup: the expected time of a reading, and the time saved for it.
 *
 * A reading walks all page tables of a process.  Meanwhile the process's own mmap, munmap, mprotect and thread creation
 * wait (mmap_lock, dropped only between mappings: smaps_rollup in fs/proc/task_mmu.c).  So all readings together take
 * at most a hundredth of the time, and no reading that is expected to be long disturbs a running process.  Pure; times
 * in ns of CLOCK_MONOTONIC.
 *
 * In each pass pss.c calls pss_budget_fill once; before a reading pss_budget_allows; after it pss_budget_spend.  The
 * budget is for PSS_AUTO; the caller itself obeys PSS_ALWAYS and PSS_NEVER.
 */
#ifndef RT_PSS_BUDGET_H
#define RT_PSS_BUDGET_H

#include "../core/base.h"

enum {
	PSS_READ_NS  = 5 * 1000 * 1000,         /* expected time of one reading of a running process, at most */
	PSS_SLEEP_NS = 100 * 1000 * 1000,       /* the same for a sleeping process, which may wake up */
};

/* Within the budget; at any cost; never. */
enum pss_policy { PSS_AUTO, PSS_ALWAYS, PSS_NEVER };

struct pss_budget {
	int64_t saved_ns;                       /* time that may be spent; below 0 after a reading that took longer */
	int64_t filled_ns;                      /* when it was last filled */
	int64_t pass_ns;                        /* time left for this pass */
	bool    spent;                          /* something was read in this pass */
};

/* At the beginning of the run: the time before the first reading counts as well. */
struct pss_budget pss_budget_open(int64_t now_ns);
/* Once in each pass.  slowdown: 1, or the divisor of the earnings (governor.h). */
void pss_budget_fill(struct pss_budget *b, int64_t now_ns, unsigned slowdown);
/* Whether a reading of that length may be made now; asleep: its process is. */
bool pss_budget_allows(const struct pss_budget *b, int64_t expected_ns, bool asleep);
void pss_budget_spend(struct pss_budget *b, int64_t ns);        /* as long as the reading took */

/* The size of a reading. */
struct pss_size {
	int64_t pages;                          /* mapped one by one; a huge page costs a hundredth of its small ones */
	int64_t tables;                         /* pages of page tables (VmPTE), full or empty */
	double  factor;                         /* last reading's time over its modelled time; 0: no reading */
};

int64_t pss_expected_ns(const struct pss_size *s);
/* The factor after a reading.  A single slow one counts half: we may have waited for a CPU. */
double  pss_factor(const struct pss_size *s, int64_t took_ns);

#endif
