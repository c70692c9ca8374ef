/* member_files.h - the files of /proc of one member, and its CPU clock: descriptors are kept of those read often. */
#ifndef RT_MEMBER_FILES_H
#define RT_MEMBER_FILES_H

#include "../kernel/threads.h"
#include "tracked.h"

size_t fds_to_keep(const struct source *src, size_t taken);     /* of members, where so many others are open */

/* Into t->text; children into t->list.  -ESRCH: the process is gone.  Other errors: nothing is known, it may live. */
int  member_text(struct tracked *t, struct member *m, enum member_file file);
/* Or has ended: from when its memory is gone, before it is a zombie, its files belong to root.  Reads its stat anew. */
bool member_is_ending(struct tracked *t, struct member *m);
void member_close_file(struct tracked *t, struct member *m, enum member_file file);
void member_close(struct tracked *t, struct member *m);

bool member_clock(const struct tracked *t, pid_t pid, int64_t *ret_ns); /* false: the kernel does not let us read it */
struct glance *member_glance(const struct tracked *t, const struct member *m);

/* Files of one of its threads, 0 being the main one.  Zeros if it cannot be read. */
int  thread_text(struct tracked *t, pid_t pid, pid_t thread, const char *name);
struct proc_status thread_status(struct tracked *t, pid_t pid, pid_t thread);

int64_t folder_entries(const struct tracked *t, const char *path);      /* numbers among its names; -errno */

#endif
