/*
 * waits.c - CPU time, waits and switches of the threads of a member: from status and schedstat of each thread, because
 * no file reports them for the process.
 */
#include "visits.h"

#include <fcntl.h>

#include "../kernel/folder.h"
#include "../members/member_files.h"

enum {
	GROWN_MAX = 4 * THREADS_MAX,            /* of a process that grew since its sample was chosen */
	SHIFT_MAX = 31,
};

/* In the order of the counters from HANDED_ON on. */
enum thread_sum { SUM_VOLUNTARY, SUM_INVOLUNTARY, SUM_DELAY, SUM_RAN, SUM_BLOCK, SUMS };
_Static_assert((int)SUM_BLOCK == (int)THREAD_SUMS, "one sum for each counter");

struct waits {
	uint64_t sum[SUMS];
	bool     has_delay, has_switches;
	size_t   threads;
};

/*
 * Each file counts one thread only, even in /proc/PID, and the status of the first thread was read already.  The waits
 * of the first thread for disks are read with its stat.
 */
static struct waits read_thread(struct tracked *t, pid_t pid, pid_t thread, const struct proc_status *of_first)
{
	bool is_first = !thread || thread == pid;
	struct proc_status status = is_first ? *of_first : thread_status(t, pid, thread);
	struct proc_schedstat sched = { 0 };
	struct waits w = { .threads = 1, .has_switches = status.has_switches };

	w.has_delay = thread_text(t, pid, thread, "schedstat") == 0 &&
		      proc_parse_schedstat(&sched, t->text.at, t->text.len) == 0;
	w.sum[SUM_DELAY] = sched.delay_ns;
	w.sum[SUM_RAN] = sched.ran_ns;
	w.sum[SUM_VOLUNTARY] = status.voluntary;
	w.sum[SUM_INVOLUNTARY] = status.involuntary;
	if (t->block_delay && !is_first && thread_text(t, pid, thread, "stat") == 0)
		w.sum[SUM_BLOCK] = proc_block_delay(t->text.at, t->text.len) * t->ns_per_tick;
	return w;
}

static void add_waits(struct waits *to, const struct waits *w)
{
	for (size_t i = 0; i < SUMS; i++)
		to->sum[i] += w->sum[i];
	to->has_delay |= w->has_delay;
	to->has_switches |= w->has_switches;
	to->threads += w->threads;
}

/*
 * If the kernel missed the start of a wait for a disk, it counts the time since boot (seen on Linux 6.18;
 * delayacct_blkio_end in kernel/delayacct.c).
 */
uint64_t delay_gain(uint64_t was, uint64_t now, int64_t elapsed_ns, size_t threads)
{
	uint64_t gain = now > was ? now - was : 0;

	return elapsed_ns > 0 && gain <= (uint64_t)elapsed_ns * threads ? gain : 0;
}

/* Of more than THREADS_MAX threads a sample is read: one in 2^shift. */
static unsigned shift_for(size_t threads)
{
	unsigned shift = 0;

	while (threads >> shift > THREADS_MAX)
		shift++;
	return shift;
}

/*
 * All threads waited longer than the sampled ones by the factor by which they ran longer, which the CPU clock shows.
 * If a few threads do all the work, the sample may hold all of them, or none.
 */
static double scale_of(unsigned shift, uint64_t ran_ns, uint64_t cpu_ns)
{
	double most = (double)(UINT32_C(1) << shift), scale = ran_ns > 0 ? (double)cpu_ns / (double)ran_ns : 1;

	return shift == 0 || scale < 1 ? 1 : double_min(scale, most);
}

/* Sums over the threads of the present sample, and over those of the next one. */
static void read_threads(struct tracked *t, const struct member *m, const struct proc_status *status,
			 unsigned next_shift, struct waits *so_far, struct waits *next)
{
	char path[PROC_PATH];
	pid_t thread;

	proc_path(path, m->pid, 0, "task");

	auto_close int task = m->figures.threads > 1
			    ? openat(t->src->proc, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	struct folder threads = { .fd = task };

	while (task >= 0 && folder_next_number(&threads, &thread)) {
		bool was = thread == m->pid || thread_is_sampled(thread, m->visits.slow.sample_shift);
		bool is = thread == m->pid || thread_is_sampled(thread, next_shift);
		struct waits w = was || is ? read_thread(t, m->pid, thread, status) : (struct waits){ 0 };

		if (was)
			add_waits(so_far, &w);
		if (is)
			add_waits(next, &w);
	}
	if (next->threads == 0)
		*so_far = *next = read_thread(t, m->pid, 0, status);
}

/* Keeps a sample that is neither too large nor too small. */
static unsigned next_shift(struct visits *v, const struct member *m)
{
	struct tracked *t = v->tracked;
	unsigned shift = shift_for(m->figures.threads);

	if (shift < m->visits.slow.sample_shift && m->figures.threads >> m->visits.slow.sample_shift >= THREADS_MAX / 4)
		shift = m->visits.slow.sample_shift;
	if (shift > 0)
		notices_add(&t->notices, &v->noticed_threads, "%s (pid %d) has %u threads: their waits are estimated from a sample of them",
			  m->comm, (int)m->pid, (unsigned)m->figures.threads);
	return shift;
}

/*
 * The kernel counts a wait for a CPU when it ends (sched_info_arrive() in kernel/sched/stats.h).  A wait that was in
 * progress at the first reading is counted with the time before it, for example while a command has not reached its
 * pipe.
 */
static void cut_off_before(uint64_t *gain, uint64_t most_ns)
{
	if (gain[SUM_RAN] > most_ns)
		gain[SUM_RAN] = most_ns;
	if (gain[SUM_DELAY] > most_ns - gain[SUM_RAN])
		gain[SUM_DELAY] = most_ns - gain[SUM_RAN];
}

/*
 * A thread that exits takes its counts with it, so only gains of the sum are counted: too little if threads exit, never
 * too much.
 */
void visit_waits(struct visits *v, struct member *m, struct figures *now, const struct proc_status *of_main)
{
	struct tracked *t = v->tracked;
	int64_t since_ns = t->now_ns - (m->visits.slow.threads_seen ? m->visits.slow.last_ns : t->before_ns);
	/* Time before the baseline is not counted. */
	bool baseline = !m->visits.slow.threads_seen && !m->fresh;
	struct waits w = { 0 }, next = { 0 };
	uint64_t gain[THREAD_SUMS];
	unsigned shift = next_shift(v, m);

	/* The old sample has few of so many threads.  Subtracting its counts gives too little, never too much. */
	if (m->figures.threads >> m->visits.slow.sample_shift > GROWN_MAX)
		m->visits.slow.sample_shift = shift & SHIFT_MAX;
	read_threads(t, m, of_main, shift, &w, &next);
	for (size_t i = 0; i < THREAD_SUMS; i++) {
		uint64_t last = m->visits.slow.thread_sum[i];

		gain[i] = !baseline && w.sum[i] > last ? w.sum[i] - last : 0;
		m->visits.slow.thread_sum[i] = next.sum[i];
	}

	/* A process that started later did not wait before the run. */
	bool from_start = !m->fresh || m->is_root;

	if (from_start && m->visits.slow.threads_seen && m->visits.slow.last_ns == m->visits.slow.first_ns)
		cut_off_before(gain, (uint64_t)since_ns * w.threads);

	double scale = scale_of(m->visits.slow.sample_shift, gain[SUM_RAN], now->own[CPU_NS] - m->visits.slow.cpu_ns);

	for (size_t i = 0; i < THREAD_SUMS; i++) {
		enum counter k = (enum counter)(HANDED_ON + i);
		uint64_t scaled = m->visits.slow.sample_shift ? (uint64_t)((double)gain[i] * scale) : gain[i];

		if (k < KEPT)
			now->own[k] += scaled;
		else
			accounts_add(v->accounts, m, k, scaled);
	}
	if (t->block_delay) {
		uint64_t blocked = delay_gain(m->visits.block.others_ns, w.sum[SUM_BLOCK], since_ns, w.threads);

		accounts_add(v->accounts, m, BLOCK_DELAY_NS, baseline ? 0 : (uint64_t)((double)blocked * scale));
		m->visits.block.others_ns = next.sum[SUM_BLOCK];
	}
	m->visits.slow.sample_shift = shift & SHIFT_MAX;
	m->visits.slow.threads_seen = true;
	m->visits.slow.cpu_ns = now->own[CPU_NS];
	now->has_delay = w.has_delay;
	now->has_switches = w.has_switches;
}
