/* process_files.c - opens, reads and parses one file of a process. */
#include "process_files.h"

#include "../kernel/threads.h"

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

static int read_thread_file(struct process_files *f, pid_t pid, pid_t thread, const char *name)
{
	char path[PROC_PATH];

	if (pid < 1)
		return -EINVAL;
	proc_path(path, pid, thread, name);

	int r = text_read_at(&f->text, f->source.proc, path);

	return r == -ENOENT ? -ESRCH : r;
}

static int read_file(struct process_files *f, pid_t pid, const char *name)
{
	return read_thread_file(f, pid, 0, name);
}

/* The thread with the memory's files: if the main thread has ended, another one.  0: the main thread. */
static pid_t memory_thread_of(struct process_files *f, pid_t pid)
{
	struct proc_stat of_process, of_thread;

	return process_files_stat(f, pid, &of_process) == 0 && proc_leader_is_gone(&of_process)
	       ? living_thread(f->source.proc, pid, &f->text, &of_thread) : 0;
}

int process_files_stat(struct process_files *f, pid_t pid, struct proc_stat *ret)
{
	int r = read_file(f, pid, "stat");

	return r < 0 ? r : proc_parse_stat(ret, f->text.at, f->text.len);
}

int process_files_statm(struct process_files *f, pid_t pid, struct proc_statm *ret)
{
	struct proc_statm statm;
	pid_t speaker;
	int r = read_file(f, pid, "statm");

	r = r < 0 ? r : proc_parse_statm(&statm, f->text.at, f->text.len);
	if (r == 0 && statm.virtual == 0 && (speaker = memory_thread_of(f, pid)) > 0) {
		r = read_thread_file(f, pid, speaker, "statm");
		r = r < 0 ? r : proc_parse_statm(&statm, f->text.at, f->text.len);
	}
	if (r == 0)
		*ret = statm;
	return r;
}

int process_files_rollup(struct process_files *f, pid_t pid, struct proc_rollup *ret)
{
	int r = read_file(f, pid, "smaps_rollup");
	pid_t speaker = r < 0 ? memory_thread_of(f, pid) : 0;

	if (speaker > 0)
		r = read_thread_file(f, pid, speaker, "smaps_rollup");
	return r < 0 ? r : proc_parse_rollup(ret, f->text.at, f->text.len);
}

int process_files_io(struct process_files *f, pid_t pid, struct proc_io *ret)
{
	int r = read_file(f, pid, "io");

	return r < 0 ? r : proc_parse_io(ret, f->text.at, f->text.len);
}
