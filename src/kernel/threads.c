/* threads.c - the threads of a process, each with files of its own in /proc/PID/task/TID. */
#include "threads.h"

#include <fcntl.h>
#include <stdio.h>

#include "folder.h"

void proc_path(char ret[PROC_PATH], pid_t pid, pid_t thread, const char *name)
{
	if (thread)
		(void)snprintf(ret, PROC_PATH, "%d/task/%d/%s", (int)pid, (int)thread, name);
	else
		(void)snprintf(ret, PROC_PATH, "%d/%s", (int)pid, name);
}

bool thread_is_sampled(pid_t thread, unsigned shift)
{
	/* Fibonacci hashing: consecutive numbers are spread evenly. */
	return shift == 0 || (uint32_t)thread * UINT32_C(2654435769) >> (32 - shift) == 0;
}

bool proc_leader_is_gone(const struct proc_stat *of_process)
{
	return of_process->state == 'Z' && of_process->threads > 1;
}

pid_t living_thread(int proc, pid_t pid, struct text *text, struct proc_stat *ret)
{
	char path[PROC_PATH];
	struct proc_stat stat;
	pid_t thread;

	proc_path(path, pid, 0, "task");

	auto_close int task = openat(proc, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct folder threads = { .fd = task };

	while (task >= 0 && folder_next_number(&threads, &thread)) {
		proc_path(path, pid, thread, "stat");
		if (thread == pid || text_read_at(text, proc, path) < 0 ||
		    proc_parse_stat(&stat, text->at, text->len) < 0 || stat.ending || stat.state == 'Z' ||
		    stat.state == 'X')
			continue;
		*ret = stat;
		return thread;
	}
	return 0;
}

/*
 * A children file of more than a page comes in pieces: the kernel fills one page for each read.  text_read takes the
 * first piece for the whole file.
 */
int text_read_list(struct text *text, int fd)
{
	enum { PIECE = 2048, ROOM = 8192 };
	int r = text_read(text, fd);

	for (size_t piece = text->len; r == 0 && piece >= PIECE;) {
		if (text->size - text->len < ROOM) {
			char *at = realloc(text->at, 2 * text->size);

			if (!at)
				return -ENOMEM;
			text->at = at;
			text->size *= 2;
		}

		ssize_t n = pread(fd, text->at + text->len, text->size - 1 - text->len, (off_t)text->len);

		if (n < 0)
			return -errno;
		piece = (size_t)n;
		text->len += piece;
		text->at[text->len] = '\0';
	}
	return r;
}
