/*
 * source.h - all information about the machine is read through this file.
 *
 * `--root DIR` makes the program read DIR/proc and DIR/sys instead of /proc and /sys, so the shipped program itself
 * replays a captured machine.  System calls about processes (CPU clocks, pidfds, wait) refer to the live machine, so
 * they are used only if `live` is set.
 */
#ifndef RT_SOURCE_H
#define RT_SOURCE_H

#include <dirent.h>

#include "base.h"
#include "why.h"

/* One source is read by many threads: after source_open it does not change. */
struct source {
	int  root;                              /* directory descriptors, O_PATH; -1: absent */
	int  proc, sys, cgroup;                 /* cgroup: root/sys/fs/cgroup */
	bool live;                              /* the root is "/" */
	long ticks_per_second;                  /* of /proc/stat and /proc/PID/stat: USER_HZ */
	long page_bytes;
	int64_t (*monotonic_ns)(void *clock);   /* CLOCK_MONOTONIC; tests set it */
	int64_t (*wall_ns)(void *clock);        /* CLOCK_REALTIME, for display only */
	void *clock;
	const char *nvml;                       /* NVIDIA's library, as dlopen takes it; NULL: none, not live */
	bool nvml_given;                        /* its path was given: it is loaded in any case */
	/*
	 * A new socket to the kernel's socket diagnostics, close-on-exec and never blocking, or -errno; closes: it
	 * receives a report of each TCP socket of our network namespace at its close.  The kernel may load its module
	 * first, once a boot.  NULL: this machine is not the live one.
	 */
	int (*socket_diag)(const struct source *s, bool closes);
	/*
	 * A new socket to the kernel's task statistics (generic netlink), with room for some 6,000 messages about
	 * exited tasks, or -errno.  Requires CAP_NET_ADMIN, else -EPERM.  NULL: as above.
	 */
	int (*task_stats)(const struct source *s);
	/*
	 * A new descriptor, close-on-exec and never blocking, that becomes readable when an interface of our network
	 * namespace changes: its state, MTU or master; or -errno.  NULL: this machine is not the live one.
	 */
	int (*link_news)(const struct source *s);
};

/* root: "/" on a live machine.  Fails with -errno and a sentence if DIR or DIR/proc cannot be opened. */
int  source_open(struct source *ret, const char *root, struct why *why) must_use;
/* The same below an open directory, which counts as a captured machine; the source owns it after success. */
int  source_open_at(struct source *ret, int root) must_use;
void source_close(struct source *s);

/*
 * Opens a file below one of these directories for reading.  All files of the kernel are regular ones.  Below --root, or
 * mounted over one of them, there may be a FIFO or a device: opening it does not wait for a writer, and it is not read.
 * -1 with errno; ENOTSUP: not a regular file.
 */
int  source_open_file(int directory, const char *path) must_use;

/*
 * A buffer for one file's text at a time, zeroed at first.  It grows to the largest file so far and stays: in the
 * steady state nothing is allocated.  The text is valid until the next text_read; after an error it means nothing.
 */
struct text { char *at; size_t len, size; };

/*
 * The whole file by ONE pread at 0, always 0-terminated: a second read would return a later state.  -errno of pread;
 * -EFBIG beyond 16 MiB; -ENOMEM.
 */
int  text_read(struct text *t, int fd) must_use;
/* Only the whole lines within its first `most` bytes, if each line costs the kernel time; 0, or at first: all lines. */
int  text_read_lines(struct text *t, int fd, size_t most) must_use;
/* source_open_file + text_read + close, for files read once or seldom. */
int  text_read_at(struct text *t, int directory, const char *path) must_use;
void text_release(struct text *t);              /* t is zeroed */

/* One unsigned number alone in a file, as in sysfs.  -EBADMSG if the file holds something else. */
int  source_read_u64(uint64_t *ret, int directory, const char *path) must_use;
/* First line of a small file (255 bytes), trimmed of blanks at both ends, cut to fit.  -ENODATA if it is empty. */
int  source_read_line(char *ret, size_t size, int directory, const char *path) must_use;

/* The initial namespaces of a machine: PROC_PID_INIT_INO and others in include/linux/proc_ns.h. */
#define FIRST_PID_NAMESPACE    UINT32_C(0xEFFFFFFC)
#define FIRST_CGROUP_NAMESPACE UINT32_C(0xEFFFFFFB)

/* The number of one of our namespaces ("pid", "cgroup"), namespaces(7); 0: unknown. */
uint32_t source_namespace(const struct source *s, const char *kind);

/*
 * The protocol of an open socket, "TCPv6", by its entry in an opened folder PID/fd of the live machine.  -errno: it is
 * gone, or access is denied; -ERANGE: `size` is too small.
 */
int source_socket_protocol(char *ret, size_t size, int folder, const char *name) must_use;

/* Opens a folder to read its names; to be closed with closedir.  NULL with errno if it cannot be opened. */
DIR *source_open_folder(int directory, const char *path);

#endif
