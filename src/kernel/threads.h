/*
 * threads.h - the threads of a process, each with files of its own in /proc/PID/task/TID.
 *
 * Those of /proc/PID itself are in part the main thread's alone.  It may end before the others (pthread_exit), and is
 * a zombie until they have: then its memory reads as 0 and its descriptors as none (exit_mm, exit_files in
 * kernel/exit.c), although the process has both.  Any thread that lives tells of them.
 */
#ifndef RT_THREADS_H
#define RT_THREADS_H

#include "../core/source.h"
#include "proc_parse.h"

enum { PROC_PATH = 64 };

/* "PID/name", or "PID/task/THREAD/name"; thread: 0 for the process. */
void proc_path(char ret[PROC_PATH], pid_t pid, pid_t thread, const char *name);

/* Of a sample of 1 in 2^shift threads: by its number alone, so the same ones are looked at again; shift: below 32. */
bool thread_is_sampled(pid_t thread, unsigned shift);

bool proc_leader_is_gone(const struct proc_stat *of_process);  /* its main thread has ended, and others live */

/* One that lives, not the main thread, with its own stat; 0: none is found. */
pid_t living_thread(int proc, pid_t pid, struct text *text, struct proc_stat *ret);

/* A whole children file, however long.  -errno. */
int text_read_list(struct text *text, int fd) must_use;

#endif
