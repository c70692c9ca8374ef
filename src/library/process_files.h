/* process_files.h - the files of one process of this machine, read on request.  Functions return 0 or -errno. */
#ifndef RT_LIBRARY_PROCESS_FILES_H
#define RT_LIBRARY_PROCESS_FILES_H

#include "../core/source.h"
#include "../kernel/proc_parse.h"

struct process_files { struct source source; struct text text; };

int  process_files_open(struct process_files *ret) must_use;    /* after an error it is not to be closed */
void process_files_close(struct process_files *f);

/*
 * -ESRCH: gone, or (rollup) without memory, as a zombie or a kernel thread is: its statm is 0.  -EINVAL: pid below 1.
 * -EACCES: permission denied.
 */
int  process_files_stat(struct process_files *f, pid_t pid, struct proc_stat *ret) must_use;
int  process_files_statm(struct process_files *f, pid_t pid, struct proc_statm *ret) must_use;
int  process_files_rollup(struct process_files *f, pid_t pid, struct proc_rollup *ret) must_use;
int  process_files_io(struct process_files *f, pid_t pid, struct proc_io *ret) must_use;

struct pids { pid_t *at; size_t n, size; };     /* zeroed: empty; the owner frees `at` */

int  pids_add(struct pids *p, pid_t pid) must_use;              /* -ENOMEM: as it was */
/*
 * Adds the children of all threads of `pid`, and theirs if `recursive`; each once.  -ESRCH if it is gone.  After an
 * error some may have been added.
 */
int  process_files_children(struct process_files *f, pid_t pid, bool recursive, struct pids *ret) must_use;

#endif
