/*
 * run_use.h - what one run had, used and lacked: the facts for an advice, as plain data.
 */
#ifndef RT_RUN_USE_H
#define RT_RUN_USE_H

#include "../history/digest.h"
#include "../history/past_run.h"

/*
 * X(name): a double; NONE: unknown, or there was no such limit.  Of the tracked processes, else of the machine.
 *
 * wanted_cores: the mean use, and the cores for which ready threads had to wait; it does not depend on the load of
 * the machine.  had_cores: the smallest of affinity, quota and machine.  process_peak: the highest of any one
 * process; counted by the kernel, so no sample can miss it.  group_peak: of the control group, including page cache
 * and other members of the group, if it rose in this run.
 * memory_rss: the peak of RSS in a sample.  gpus_used: the most in use at once.
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

void run_use_read(struct run_use *ret, const struct digest *d);
/* Makes the peaks of several runs comparable: all RSS, if samples of one of them have only RSS. */
void run_uses_align(struct run_use *runs, size_t n);

#endif
