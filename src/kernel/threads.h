/*
 * threads.h - the threads of a process, each with files of its own in /proc/PID/task/TID.
 *
 * Some files of /proc/PID itself describe the main thread only.  It can exit before the others (pthread_exit), and is a
 * zombie until they have exited: then its memory reads as 0 and its descriptors as none (exit_mm, exit_files in
 * kernel/exit.c), although the process has both.  The files of any living thread show them.
 */
#ifndef RT_THREADS_H
#define RT_THREADS_H

#include "../core/source.h"
#include "proc_parse.h"

enum { PROC_PATH = 64 };

/* "PID/name", or "PID/task/THREAD/name"; thread: 0 for the process. */
void proc_path(char ret[PROC_PATH], pid_t pid, pid_t thread, const char *name);

/* In a sample of 1 in 2^shift threads: by its number alone, so the same ones are read again; shift: below 32. */
bool thread_is_sampled(pid_t thread, unsigned shift);

bool proc_leader_is_gone(const struct proc_stat *of_process);  /* its main thread has exited, and others live */

/*
 * A living thread other than the main thread, with its stat; 0: none was found.  proc: a descriptor of /proc; text:
 * scratch.
 */
pid_t living_thread(int proc, pid_t pid, struct text *text, struct proc_stat *ret);

/* A whole children file, however long; else as text_read. */
int text_read_list(struct text *text, int fd) must_use;

#endif
