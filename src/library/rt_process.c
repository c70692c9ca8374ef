/* rt_process.c - queries about one process. */
#include <string.h>

#include "process_files.h"
#include "rt_tracker.h"

ssize_t rt_process_children(pid_t pid, int recursive, pid_t *ret, size_t room)
{
	struct process_files files;
	struct pids pids = { 0 };
	int r = pid < 1 ? -EINVAL : process_files_open(&files);

	if (r < 0)
		return r;
	r = process_files_children(&files, pid, recursive != 0, &pids);
	if (r == 0 && pids.n > 0 && room > 0)
		memcpy(ret, pids.at, size_min(pids.n, room) * sizeof *ret);
	free(pids.at);
	process_files_close(&files);
	return r < 0 ? r : (ssize_t)pids.n;
}

int rt_process_rss_bytes(pid_t pid, uint64_t *ret)
{
	struct process_files files;
	struct proc_statm statm;
	int r = process_files_open(&files);

	if (r < 0)
		return r;
	r = process_files_statm(&files, pid, &statm);
	if (r == 0)
		*ret = statm.resident * (uint64_t)files.source.page_bytes;
	process_files_close(&files);
	return r;
}

int rt_process_pss_bytes(pid_t pid, uint64_t *ret)
{
	struct process_files files;
	struct proc_rollup rollup;
	int r = process_files_open(&files);

	if (r < 0)
		return r;
	r = process_files_rollup(&files, pid, &rollup);
	if (r == 0)
		*ret = rollup.pss_bytes;
	process_files_close(&files);
	return r;
}

int rt_process_cpu_seconds(pid_t pid, int with_reaped_children, double *ret_user, double *ret_system)
{
	struct process_files files;
	struct proc_stat stat;
	int r = process_files_open(&files);

	if (r < 0)
		return r;
	r = process_files_stat(&files, pid, &stat);
	if (r == 0) {
		double hz = (double)files.source.ticks_per_second;

		*ret_user = (double)(stat.user + (with_reaped_children ? stat.child_user : 0)) / hz;
		*ret_system = (double)(stat.system + (with_reaped_children ? stat.child_system : 0)) / hz;
	}
	process_files_close(&files);
	return r;
}

int rt_process_io(pid_t pid, struct rt_process_io *ret)
{
	struct process_files files;
	struct proc_io io = { 0 };
	int r = ret->size < sizeof ret->size ? -EINVAL : process_files_open(&files);

	if (r < 0)
		return r;
	r = process_files_io(&files, pid, &io);
	process_files_close(&files);

	const struct rt_process_io found = {
		.size = ret->size,
		.read_chars = io.read_chars, .write_chars = io.write_chars,
		.read_calls = io.read_calls, .write_calls = io.write_calls,
		.read_bytes = io.read_bytes, .write_bytes = io.write_bytes,
		.cancelled_write_bytes = io.cancelled_write_bytes,
	};

	return r < 0 ? r : result_give(ret, found.size, &found, sizeof found);
}

/* A denied value makes the sum unknown; a process that is gone, or has no memory, adds nothing. */
static double plus(double sum, int result, double value)
{
	return result == 0 ? sum + value : result == -ESRCH ? sum : NONE;
}

static int add_process(struct process_files *f, pid_t pid, bool reaped, struct rt_process_stats *sum)
{
	double hz = (double)f->source.ticks_per_second;
	struct proc_stat stat;
	struct proc_statm statm = { 0 };
	struct proc_rollup rollup = { 0 };
	struct proc_io io = { 0 };
	int r = process_files_stat(f, pid, &stat);

	if (r < 0)
		return r;
	sum->user_seconds += (double)(stat.user + (reaped ? stat.child_user : 0)) / hz;
	sum->system_seconds += (double)(stat.system + (reaped ? stat.child_system : 0)) / hz;
	r = process_files_statm(f, pid, &statm);
	sum->rss_bytes = plus(sum->rss_bytes, r, (double)statm.resident * (double)f->source.page_bytes);
	r = process_files_rollup(f, pid, &rollup);
	sum->pss_bytes = plus(sum->pss_bytes, r, (double)rollup.pss_bytes);
	r = process_files_io(f, pid, &io);
	sum->read_bytes = plus(sum->read_bytes, r, (double)io.read_bytes);
	sum->write_bytes = plus(sum->write_bytes, r, (double)io.write_bytes);
	return 0;
}

static int stats(struct process_files *f, pid_t pid, bool children, struct rt_process_stats *sum)
{
	struct pids pids = { 0 };
	int r = add_process(f, pid, children, sum);

	if (r == 0 && children)
		r = process_files_children(f, pid, true, &pids);
	for (size_t i = 0; r == 0 && i < pids.n; i++)
		(void)!add_process(f, pids.at[i], true, sum);
	sum->children = children ? (int)pids.n : -1;
	free(pids.at);
	return r;
}

int rt_process_stats(pid_t pid, int children, struct rt_process_stats *ret)
{
	struct rt_process_stats sum = {
		.size = ret->size, .pid = pid, .gpu_usage = NONE, .gpu_vram_bytes = NONE, .gpu_utilized = NONE,
	};
	struct process_files files;
	int r = ret->size < sizeof ret->size ? -EINVAL : process_files_open(&files);

	if (r < 0)
		return r;
	sum.timestamp_seconds = (double)files.source.wall_ns(files.source.clock) / (double)NS_PER_SECOND;
	r = stats(&files, pid, children != 0, &sum);
	process_files_close(&files);
	return r < 0 ? r : result_give(ret, sum.size, &sum, sizeof sum);
}
