/*
 * load_io.c - bytes that are really written to and read from storage.
 *
 *   --write MIB --read MIB       that much written, and read back past the page cache
 *   --directory D                where (default: the working directory); must not be a tmpfs
 *   --in-child                   a child does it and ends, the parent stays
 *   --unwaited                   and it does not wait for that child (SIGCHLD is ignored)
 *   --direct                     by O_DIRECT
 *   --hold S                     all stay idle for S seconds before the end
 *
 * The file has no name, so nothing is left behind.  It is flushed before it is closed: dirty pages of a deleted file
 * never reach the disk (cancelled_write_bytes).  The truth is the bytes passed to write() and read(); `counted_*` is
 * what the kernel charged to the process.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "load.h"

enum { BLOCK = 1 << 20, FLUSH_BLOCKS = 8 };

struct load { size_t write_blocks, read_blocks; const char *directory; bool direct; };

struct shared { double counted_write_bytes, counted_read_bytes; atomic_bool done; };

static char *block_of_bytes(void)
{
	char *block = aligned_alloc(4096, BLOCK);
	uint64_t x = 1;

	if (!block)
		load_fail("out of memory");
	/* Data that a file system cannot compress. */
	for (size_t i = 0; block && i < BLOCK; i++) {
		x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		block[i] = (char)(x >> 56);
	}
	return block;
}

static void write_all(int fd, const struct load *l, const char *block)
{
	for (size_t i = 0; i < l->write_blocks; i++) {
		if (write(fd, block, BLOCK) != BLOCK)
			load_fail("write: %s", strerror(errno));
		if (i % FLUSH_BLOCKS == FLUSH_BLOCKS - 1)
			(void)sync_file_range(fd, (off64_t)(i + 1 - FLUSH_BLOCKS) * BLOCK, FLUSH_BLOCKS * BLOCK,
					      SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE |
					      SYNC_FILE_RANGE_WAIT_AFTER);
	}
	if (fsync(fd) < 0)
		load_fail("fsync: %s", strerror(errno));
}

static void read_all(int fd, const struct load *l, char *block)
{
	(void)posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	/* Read-ahead would read beyond the requested end. */
	(void)posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);
	for (size_t i = 0; i < l->read_blocks; i++)
		if (pread(fd, block, BLOCK, (off_t)(i % l->write_blocks) * BLOCK) != BLOCK)
			load_fail("read: %s", strerror(errno));
}

static int nameless_file(const char *directory, bool direct)
{
	int flags = O_CLOEXEC | (direct ? O_DIRECT : 0);
	int fd = open(directory, O_RDWR | O_TMPFILE | flags, 0600);

	/* Some file systems do not support O_TMPFILE. */
	if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR)) {
		char path[PATH_MAX];

		(void)snprintf(path, sizeof path, "%s/load-XXXXXX", directory);
		fd = mkostemp(path, flags);
		if (fd >= 0)
			(void)unlink(path);
	}
	if (fd < 0 && errno == EINVAL && direct)
		load_fail("the file system of %s refuses O_DIRECT", directory);
	if (fd < 0)
		load_fail("%s: %s", directory, strerror(errno));
	return fd;
}

static void work(const struct load *l, struct shared *s)
{
	int fd = nameless_file(l->directory, l->direct);
	char *block = block_of_bytes();

	write_all(fd, l, block);
	read_all(fd, l, block);
	(void)close(fd);
	free(block);
	s->counted_write_bytes = load_proc("self/io", "write_bytes:");
	s->counted_read_bytes = load_proc("self/io", "read_bytes:");
	atomic_store(&s->done, true);
}

static void work_in_child(const struct load *l, struct shared *s, bool unwaited)
{
	if (unwaited)
		(void)signal(SIGCHLD, SIG_IGN);

	pid_t pid = fork();

	if (pid < 0)
		load_fail("fork: %s", strerror(errno));
	if (pid == 0) {
		load_limit(false);
		work(l, s);
		_exit(0);
	}
	/* If SIGCHLD is ignored this waits for the end as well, and then fails with ECHILD. */
	(void)waitpid(pid, NULL, 0);
	if (!atomic_load(&s->done))
		load_fail("the child failed");
}

int load_io(int argc, char **argv)
{
	enum { WRITE, READ, DIRECTORY, IN_CHILD, UNWAITED, DIRECT, HOLD, TRUTH, OPTIONS };
	struct load_option o[OPTIONS] = {
		[WRITE] = { "write", "16", false }, [READ] = { "read", "0", false },
		[DIRECTORY] = { "directory", ".", false }, [IN_CHILD] = { "in-child", NULL, true },
		[UNWAITED] = { "unwaited", NULL, true }, [DIRECT] = { "direct", NULL, true },
		[HOLD] = { "hold", "0", false }, [TRUTH] = { "truth", NULL, false },
	};

	load_limit(false);
	load_options(o, OPTIONS, argc, argv);

	struct load l = {
		.write_blocks = (size_t)load_number(o[WRITE].value),
		.read_blocks = (size_t)load_number(o[READ].value),
		.directory = o[DIRECTORY].value,
		.direct = o[DIRECT].value != NULL,
	};
	struct shared *s = load_shared(sizeof *s);
	double began = load_clock(CLOCK_MONOTONIC);

	if (l.read_blocks > l.write_blocks)
		load_fail("--read is at most --write: what is read is what was written");
	if (o[IN_CHILD].value || o[UNWAITED].value)
		work_in_child(&l, s, o[UNWAITED].value != NULL);
	else
		work(&l, s);
	load_sleep(load_number(o[HOLD].value));
	load_emit(o[TRUTH].value,
		  "{\"load\": \"io\", \"write_bytes\": %zu, \"read_bytes\": %zu, \"counted_write_bytes\": %.0f, "
		  "\"counted_read_bytes\": %.0f, \"wall_seconds\": %.3f}",
		  l.write_blocks * BLOCK, l.read_blocks * BLOCK, s->counted_write_bytes, s->counted_read_bytes,
		  load_clock(CLOCK_MONOTONIC) - began);
	return 0;
}
