/*
 * run_use.h - what one run had, used and lacked: the facts for an advice, as plain data.
 */
#ifndef RT_RUN_USE_H
#define RT_RUN_USE_H

#include "../history/digest.h"
#include "../history/past_run.h"

/*
 * X(name): a double in the unit of its name; NONE: unknown, or no such limit.  Of the tracked processes, else
 * of the machine (machine_*: always of the machine).
 *
 * cpu_wanted_cores: the mean use, and the cores for which ready threads had to wait; it does not depend on the load of
 * the machine.  cpu_had_cores: the smallest of affinity, quota and machine.  cpu_throttled_share: of the periods of the
 * quota, those in which the group was throttled, 0..1.
 * memory_peak: the highest PSS of a sample, or RSS (`pss`).  memory_rss: the highest RSS of a sample.  memory_upper:
 * the highest upper bound of PSS.  memory_process_peak: the highest RSS of any one process; counted by the kernel, so
 * no sample can miss it.  memory_group_peak: of the control group, including page cache and other members of the group,
 * if it rose in this run.  memory_limit_hits: how often the group reached its limit.  memory_swapped: the most that the
 * tree had in swap at once.  machine_swapped: all that was written to swap or read from it during the run.  gpus_had:
 * those visible to the job, else all.  gpus_used: the most in use at once.  gpus_mean: their mean use, as a number of
 * GPUs.
 */
#define RUN_USE(X) \
	X(seconds) X(samples) \
	X(cpu_mean_cores) X(cpu_p95_cores) X(cpu_peak_cores) X(cpu_wanted_cores) X(cpu_had_cores) X(cpu_machine_cores) \
	X(cpu_quota_cores) X(cpu_throttled_share) \
	X(memory_peak_bytes) X(memory_rss_bytes) \
	X(memory_upper_bytes) X(memory_process_peak_bytes) X(memory_group_peak_bytes) \
	X(memory_limit_bytes) X(memory_machine_bytes) X(memory_limit_hits) X(memory_swapped_bytes) \
	X(machine_swapped_bytes) \
	X(gpus_had) X(gpus_used) X(gpus_mean) X(gpu_memory_peak_bytes)

struct run_use {
	enum run_state state;                   /* STATE_COUNT: not part of its format */
	bool tracked;                           /* else all values are the machine's, whatever ran on it */
	bool pss;                               /* memory_peak_bytes is PSS; else RSS */
	bool peak_missed;                       /* a process ended with an unknown peak: it can have been higher */
	bool out_of_memory;                     /* it ended because of this */
#define RUN_USE_FIELD(name) double name;
	RUN_USE(RUN_USE_FIELD)
#undef RUN_USE_FIELD
};

/* Has no pointers into the digest, and cannot fail. */
void run_use_read(struct run_use *ret, const struct digest *d);
/* Makes the peaks of several runs comparable: memory_peak_bytes of all becomes RSS, if one of them has only RSS. */
void run_uses_align(struct run_use *runs, size_t n);

#endif
