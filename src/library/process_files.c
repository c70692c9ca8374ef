/* process_files.c - opens, reads and parses one file of a process. */
#include "process_files.h"

#include <stdio.h>

int process_files_open(struct process_files *ret)
{
	*ret = (struct process_files){ 0 };
	return source_open(&ret->source, "/", NULL);
}

void process_files_close(struct process_files *f)
{
	text_release(&f->text);
	source_close(&f->source);
}

static int read_file(struct process_files *f, pid_t pid, const char *name)
{
	char path[64];

	if (pid < 1)
		return -EINVAL;
	(void)snprintf(path, sizeof path, "%d/%s", (int)pid, name);

	int r = text_read_at(&f->text, f->source.proc, path);

	return r == -ENOENT ? -ESRCH : r;
}

int process_files_stat(struct process_files *f, pid_t pid, struct proc_stat *ret)
{
	int r = read_file(f, pid, "stat");

	return r < 0 ? r : proc_parse_stat(ret, f->text.at, f->text.len);
}

int process_files_statm(struct process_files *f, pid_t pid, struct proc_statm *ret)
{
	int r = read_file(f, pid, "statm");

	return r < 0 ? r : proc_parse_statm(ret, f->text.at, f->text.len);
}

int process_files_rollup(struct process_files *f, pid_t pid, struct proc_rollup *ret)
{
	int r = read_file(f, pid, "smaps_rollup");

	return r < 0 ? r : proc_parse_rollup(ret, f->text.at, f->text.len);
}

int process_files_io(struct process_files *f, pid_t pid, struct proc_io *ret)
{
	int r = read_file(f, pid, "io");

	return r < 0 ? r : proc_parse_io(ret, f->text.at, f->text.len);
}
