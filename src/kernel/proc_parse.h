/*
 * proc_parse.h - the files of one process under /proc/PID, as text.  Pure functions.
 * Documentation/filesystems/proc.rst; of schedstat Documentation/scheduler/sched-stats.rst.
 */
#ifndef RT_PROC_PARSE_H
#define RT_PROC_PARSE_H

#include <sys/types.h>

#include "../core/scan.h"

struct proc_stat {                              /* times in clock ticks, memory in pages */
	char     comm[64];
	char     state;                         /* R S D T t Z X I */
	pid_t    parent;
	bool     ending;                        /* its first thread is exiting (PF_EXITING of linux/sched.h) */
	uint64_t minor_faults, child_minor_faults, major_faults, child_major_faults;
	uint64_t user, system, child_user, child_system;
	uint64_t threads, start, virtual_bytes, rss;
	uint64_t stack;                         /* start of its stack; 0: no memory, or not allowed */
	bool     ignores_children;              /* SIGCHLD ignored: the kernel reaps them, and keeps nothing of them */
};

struct proc_statm { uint64_t virtual, resident, shared; };      /* pages */

struct proc_io {
	uint64_t read_chars, write_chars, read_calls, write_calls, read_bytes, write_bytes;
	uint64_t cancelled_write_bytes;
};

struct proc_status {
	bool     has_memory, has_switches;      /* a zombie and a kernel thread have no memory */
	uint64_t peak_rss_bytes, swap_bytes;
	uint64_t table_bytes;                   /* page tables, with those that are kept ready under huge pages */
	uint64_t voluntary, involuntary;        /* context switches of this thread alone */
};

struct proc_schedstat { uint64_t ran_ns, delay_ns; };          /* of one thread; delay: runnable without a CPU */

struct proc_rollup {
	uint64_t rss_bytes, pss_bytes, uss_bytes;
	bool     has_parts;                     /* PSS by kind, since Linux 5.9 */
	uint64_t anonymous_pss_bytes, file_pss_bytes;   /* private memory; files and shared memory */
	uint64_t anonymous_bytes;
};

/* 0, or -EBADMSG if the text is not what the kernel writes.  A line that is missing leaves 0. */
int proc_parse_stat(struct proc_stat *ret, const char *text, size_t n);
/* From a stat as well: ticks that this thread waited for disks; 0 if the kernel does not count them. */
uint64_t proc_block_delay(const char *text, size_t n);
int proc_parse_statm(struct proc_statm *ret, const char *text, size_t n);
int proc_parse_io(struct proc_io *ret, const char *text, size_t n);
int proc_parse_status(struct proc_status *ret, const char *text, size_t n);
int proc_parse_rollup(struct proc_rollup *ret, const char *text, size_t n);
/* Private memory in huge pages, of the whole machine (meminfo). */
int proc_parse_huge(uint64_t *ret_kib, const char *text, size_t n);
int proc_parse_schedstat(struct proc_schedstat *ret, const char *text, size_t n);

/* The next pid of a children file; false at its end, and for what is not a pid. */
bool proc_next_child(struct scan *s, pid_t *ret);
/* A pid from a folder's name; false if the name is not one, and *ret means nothing. */
bool proc_pid(const char *name, pid_t *ret);
/* The program's name from cmdline: the first word without its folder, cut to fit.  "" if there is none. */
void proc_command(char *ret, size_t size, const char *text, size_t n);

#endif
