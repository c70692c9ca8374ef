/*
 * source.h - everything the tracker learns about the machine comes through here.
 *
 * `--root DIR` makes the program read DIR/proc and DIR/sys instead of /proc and /sys, so a
 * captured machine is replayed by the very program that ships.  System calls about processes
 * (CPU clocks, pidfds, wait) mean the live machine, so they are used only where `live` is set.
 */
#ifndef RT_SOURCE_H
#define RT_SOURCE_H

#include <dirent.h>

#include "base.h"
#include "why.h"

struct source {
	int  root;                              /* directory descriptors, O_PATH; -1: absent */
	int  proc, sys, cgroup;                 /* cgroup: root/sys/fs/cgroup */
	bool live;                              /* the root is "/" */
	long ticks_per_second;                  /* of /proc/stat and /proc/PID/stat: USER_HZ */
	long page_bytes;
	int64_t (*monotonic_ns)(void *clock);   /* CLOCK_MONOTONIC; tests turn it by hand */
	int64_t (*wall_ns)(void *clock);        /* CLOCK_REALTIME, for people only */
	void *clock;
	const char *nvml;                       /* NVIDIA's library, as dlopen takes it; NULL: none, not live */
	bool nvml_given;                        /* somebody said where it is: it is loaded whatever else is here */
	/*
	 * A new socket to the kernel's socket diagnostics, close-on-exec and never blocking, or -errno; closes:
	 * one that is told of each TCP socket of our network namespace when it is done for.  The kernel may
	 * load its module first, once a boot.  NULL: there is none, this machine is not the live one.
	 */
	int (*socket_diag)(const struct source *s, bool closes);
	/*
	 * A new socket to the kernel's task statistics (generic netlink), with room for some 6,000 messages about
	 * ended tasks, or -errno: -EPERM who may not listen to them.  NULL: as above.
	 */
	int (*task_stats)(const struct source *s);
	/*
	 * A new descriptor, close-on-exec and never blocking, from which something can be received once an interface of
	 * our network namespace changed: its state, MTU or master; or -errno.  NULL: this machine is not the live one.
	 */
	int (*link_news)(const struct source *s);
};

/* root: "/" on a live machine.  Fails with -errno and a reason if DIR or DIR/proc cannot be opened. */
int  source_open(struct source *ret, const char *root, struct why *why) must_use;
/* The same below a directory that is open: taken for a captured one.  It is the source's then. */
int  source_open_at(struct source *ret, int root) must_use;
void source_close(struct source *s);

/*
 * A file below one of these directories, to be read.  All files of the kernel are regular ones; below --root, or
 * mounted over one of them, there may stand a FIFO or a device: opening it does not wait for a writer, and it is not
 * read.  -1 with errno; ENOTSUP: it is no regular file.
 */
int  source_open_file(int directory, const char *path) must_use;

/*
 * A buffer for one file's text at a time.  It grows to the largest file seen and stays: in the
 * steady state nothing is allocated.  The text is good until the next text_read.
 */
struct text { char *at; size_t len, size; };

/*
 * The whole file by ONE pread at 0, always 0-terminated: a second read would be answered from a
 * later instant.  -errno of pread; -EFBIG beyond 16 MiB; -ENOMEM.
 */
int  text_read(struct text *t, int fd) must_use;
/* Only the lines that are whole within its first `most` bytes, where the kernel is paid by the line; 0: all of them. */
int  text_read_lines(struct text *t, int fd, size_t most) must_use;
/* source_open_file + text_read + close, for files read once or seldom. */
int  text_read_at(struct text *t, int directory, const char *path) must_use;
void text_release(struct text *t);

/* One unsigned number alone in a file, as in sysfs.  -EBADMSG if the file holds something else. */
int  source_read_u64(uint64_t *ret, int directory, const char *path) must_use;
/* First line of a small file, trimmed of blanks at both ends.  -ENODATA if it is empty. */
int  source_read_line(char *ret, size_t size, int directory, const char *path) must_use;

/* Of the namespaces that a machine begins with: PROC_PID_INIT_INO and its like in include/linux/proc_ns.h. */
#define FIRST_PID_NAMESPACE    UINT32_C(0xEFFFFFFC)
#define FIRST_CGROUP_NAMESPACE UINT32_C(0xEFFFFFFB)

/* The number of a namespace of ours ("pid", "cgroup"), namespaces(7); 0: it cannot be told. */
uint32_t source_namespace(const struct source *s, const char *kind);

/*
 * The protocol of an open socket, "TCPv6", by its entry in an opened folder PID/fd of the live machine.
 * -errno: it is gone, or may not be seen.
 */
int source_socket_protocol(char *ret, size_t size, int folder, const char *name) must_use;

/* A folder to go through, to be closed with closedir.  NULL with errno if it cannot be opened. */
DIR *source_open_folder(int directory, const char *path);

#endif
