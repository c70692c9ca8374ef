/*
 * member_files.h - the files of /proc of one member, and its CPU clock; keeps descriptors of files read often, at most
 * t->fds.max of them: beyond that a file is opened for each reading.
 */
#ifndef RT_MEMBER_FILES_H
#define RT_MEMBER_FILES_H

#include "../kernel/threads.h"
#include "tracked.h"

size_t fds_to_keep(const struct source *src, size_t taken);     /* for members; taken: descriptors open elsewhere */

/* Into t->text; children into t->list.  -ESRCH: the process is gone.  Other -errno: nothing is known, it may live. */
int  member_text(struct tracked *t, struct member *m, enum member_file file);
/* It exits or has exited; its files belong to root once its memory is gone, before it is a zombie.  Reads its stat. */
bool member_is_ending(struct tracked *t, struct member *m);
void member_close_file(struct tracked *t, struct member *m, enum member_file file);
void member_close(struct tracked *t, struct member *m);

bool member_clock(const struct tracked *t, pid_t pid, int64_t *ret_ns); /* false: the kernel does not allow it */
struct glance *member_glance(const struct tracked *t, const struct member *m);  /* valid until a member is added */

/* A file of one of its threads, 0 being the main one, into t->text.  0, or -errno. */
int  thread_text(struct tracked *t, pid_t pid, pid_t thread, const char *name);
struct proc_status thread_status(struct tracked *t, pid_t pid, pid_t thread);   /* zeros if it cannot be read */

int64_t folder_entries(const struct tracked *t, const char *path);      /* names in it that are numbers; -errno */

#endif
