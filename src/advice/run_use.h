/*
 * run_use.h - what one run had, used and suffered: the facts that an advice rests on, as plain data.
 */
#ifndef RT_RUN_USE_H
#define RT_RUN_USE_H

#include "../history/digest.h"
#include "../history/past_run.h"

/*
 * X(name): a double; NONE: not known, or there was no such limit.  Of the tracked processes, else of the machine.
 *
 * wanted_cores: used on average, and those for which threads that were ready had to wait; it does not depend on how
 * busy the machine was.  had_cores: the smallest of affinity, quota and machine.  process_peak: the most that any one
 * process ever had; the kernel keeps it, so no sample can miss it.  group_peak: of the control group, page cache and
 * whoever else lives in it included, if it rose in this run.
 * memory_rss: the peak of RSS in a sample.  gpus_used: the most that were in use at once.
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
	enum run_state state;                   /* STATE_COUNT: its format does not tell */
	bool tracked;                           /* else all is the machine's, whatever ran on it */
	bool pss;                               /* memory_peak_bytes is PSS; else RSS */
	bool peak_missed;                       /* a process ended whose own peak is not known: it may have had more */
	bool out_of_memory;                     /* it ended by this */
#define RUN_USE_FIELD(name) double name;
	RUN_USE(RUN_USE_FIELD)
#undef RUN_USE_FIELD
};

void run_use_read(struct run_use *ret, const struct digest *d);
/* Peaks of several runs are of one kind: RSS, if samples of one of them tell RSS alone. */
void run_uses_align(struct run_use *runs, size_t n);

#endif
