/*
 * cpu.h - the pure functions of the cpu collector, apart for tests and fuzzing: /proc/stat and /proc/loadavg
 * (Documentation/filesystems/proc.rst).
 */
#ifndef RT_COLLECT_CPU_H
#define RT_COLLECT_CPU_H

#include "../core/sample.h"

struct cpu_times {                              /* ticks since boot */
	uint64_t user, nice, system, idle, iowait, irq, softirq, steal;
};

struct cpu_counters {
	struct cpu_times all;
	uint64_t context_switches, interrupts, forks, running, blocked;
	bool has_context_switches, has_interrupts, has_forks, has_running, has_blocked;
	size_t n_cores;                         /* online: cpuN lines, also beyond CORE_MAX */
	uint16_t number[CORE_MAX];              /* N of each core: hot-unplug leaves gaps */
	struct cpu_times core[CORE_MAX];
};

/* /proc/stat.  -EBADMSG without a `cpu` line, and *ret means nothing; other lines may be missing. */
int  cpu_parse(struct cpu_counters *ret, const char *text, size_t n) must_use;
/* Amounts and shares between two readings, of cores that both have.  The ticks of all modes are the elapsed time. */
void cpu_derive(struct sample *out, const struct cpu_counters *was, const struct cpu_counters *now,
		long ticks_per_second);
/* /proc/loadavg into load_1m, load_5m, load_15m.  -EBADMSG: not such a text. */
int  cpu_parse_load(struct totals *out, const char *text, size_t n) must_use;

#endif
