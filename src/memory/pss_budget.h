/*
 * pss_budget.h - when smaps_rollup may be read: what a reading will take, and what has been saved for it.
 *
 * A reading walks all page tables of a process, and meanwhile the process's own mmap, munmap, mprotect
 * and thread creation wait (mmap_lock, dropped only between mappings: smaps_rollup in fs/proc/task_mmu.c).
 * So readings together take at most a hundredth of the time, and no single one that is expected to take
 * long disturbs a process that runs.  Pure; times in ns.
 */
#ifndef RT_PSS_BUDGET_H
#define RT_PSS_BUDGET_H

#include "../core/base.h"

enum {
	PSS_READ_NS  = 5 * 1000 * 1000,         /* expected of one reading of a process that runs */
	PSS_SLEEP_NS = 100 * 1000 * 1000,       /* the same of one that sleeps: it may wake up */
};

/* As the budget allows; whatever it costs; not at all. */
enum pss_policy { PSS_AUTO, PSS_ALWAYS, PSS_NEVER };

struct pss_budget {
	int64_t saved_ns;                       /* what may be spent; below 0 after a reading that took longer */
	int64_t filled_ns;                      /* when it was filled */
	int64_t pass_ns;                        /* what is left of it for this pass */
	bool    spent;                          /* something was read in this pass */
};

/* At the beginning of the run: the time before the first reading counts as well. */
struct pss_budget pss_budget_open(int64_t now_ns);
/* Once in each pass.  slowdown: 1, or how many times less is earned (governor.h). */
void pss_budget_fill(struct pss_budget *b, int64_t now_ns, unsigned slowdown);
bool pss_budget_allows(const struct pss_budget *b, int64_t expected_ns, bool asleep);
void pss_budget_spend(struct pss_budget *b, int64_t ns);

/* What a reading has to walk through. */
struct pss_size {
	int64_t pages;                          /* mapped one by one; a huge page costs a hundredth of its small ones */
	int64_t tables;                         /* pages of page tables (VmPTE), be they full or empty */
	double  factor;                         /* how much dearer the last reading was than this said; 0: no reading */
};

int64_t pss_expected_ns(const struct pss_size *s);
/* The factor after a reading.  A single slow one counts half: we may have waited for a CPU. */
double  pss_factor(const struct pss_size *s, int64_t took_ns);

#endif
