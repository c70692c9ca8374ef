/*
 * slow.c - files too dear for every reading: status, schedstat, threads, open descriptors.
 *
 * Read from members that ran: every 5 s, of a young process when it is a quarter older; when resident
 * memory moved by a tenth; and at the end of a child of ours.  So many in one pass, so that a tree of
 * thousands does not pay all at once.
 */
#include "state.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum {
	SLOW_SECONDS = 5,
	MEMBERS_PER_PASS = 128,
	THREADS_MAX = 512,                      /* of a member with more threads only memory is read */
	MIB = 1024 * 1024,
};

/* In the order of the counters from HANDED_ON on. */
enum thread_sum { SUM_VOLUNTARY, SUM_INVOLUNTARY, SUM_DELAY, SUM_RAN, SUM_BLOCK, SUMS };
_Static_assert((int)SUM_BLOCK == (int)THREAD_SUMS, "one sum for each counter");

static int read_text(struct tree *t, pid_t pid, pid_t thread, const char *name)
{
	char path[64];

	if (thread)
		(void)snprintf(path, sizeof path, "%d/task/%d/%s", (int)pid, (int)thread, name);
	else
		(void)snprintf(path, sizeof path, "%d/%s", (int)pid, name);
	return text_read_at(&t->text, t->src->proc, path);
}

static struct proc_status read_status(struct tree *t, pid_t pid, pid_t thread)
{
	struct proc_status status;

	if (read_text(t, pid, thread, "status") == 0 && proc_parse_status(&status, t->text.at, t->text.len) == 0)
		return status;
	return (struct proc_status){ 0 };
}

/*
 * All count for one thread only, even in /proc/PID, and what was read there is of the first.  Its waits for disks are
 * read with its stat.
 */
static void add_thread(struct tree *t, pid_t pid, pid_t thread, const struct proc_status *of_first, uint64_t sum[SUMS],
		       bool has[SUMS])
{
	bool is_first = !thread || thread == pid;
	struct proc_status status = is_first ? *of_first : read_status(t, pid, thread);
	struct proc_schedstat sched;

	if (read_text(t, pid, thread, "schedstat") == 0 &&
	    proc_parse_schedstat(&sched, t->text.at, t->text.len) == 0) {
		sum[SUM_DELAY] += sched.delay_ns;
		sum[SUM_RAN] += sched.ran_ns;
		has[SUM_DELAY] = true;
	}
	if (t->block_delay && !is_first && read_text(t, pid, thread, "stat") == 0)
		sum[SUM_BLOCK] += proc_block_delay(t->text.at, t->text.len) * t->ns_per_tick;
	if (status.has_switches) {
		sum[SUM_VOLUNTARY] += status.voluntary;
		sum[SUM_INVOLUNTARY] += status.involuntary;
		has[SUM_VOLUNTARY] = true;
	}
}

/*
 * Where the kernel missed the start of a wait for a disk it takes the time since boot for it (seen on Linux
 * 6.18; delayacct_blkio_end in kernel/delayacct.c).
 */
uint64_t delay_gain(uint64_t was, uint64_t now, int64_t elapsed_ns, size_t threads)
{
	uint64_t gain = now > was ? now - was : 0;

	return elapsed_ns > 0 && gain <= (uint64_t)elapsed_ns * threads ? gain : 0;
}

/*
 * A thread that ends takes its counts with it, so only gains of the sum are counted: too little
 * where threads end, never too much.
 */
static void take_threads(struct tree *t, struct member *m, struct figures *now, const struct proc_status *status)
{
	int64_t since_ns = t->now_ns - (m->threads_seen ? m->slow_ns : t->before_ns);
	uint64_t sum[SUMS] = { 0 };
	bool has[SUMS] = { false };
	pid_t thread[THREADS_MAX];
	size_t n = 0;

	if (m->figures.threads > THREADS_MAX)
		return;
	if (m->figures.threads > 1)
		n = list_threads(t, m->pid, thread, THREADS_MAX);
	for (size_t i = 0; i < n; i++)
		add_thread(t, m->pid, thread[i], status, sum, has);
	if (n == 0)
		add_thread(t, m->pid, 0, status, sum, has);

	/* What ran before the baseline is not counted. */
	bool baseline = !m->threads_seen && !m->fresh;

	for (size_t i = 0; i < THREAD_SUMS; i++) {
		size_t k = HANDED_ON + i;
		uint64_t *counter = k < KEPT ? &now->own[k] : &t->root[m->root].ended[k];

		*counter += !baseline && sum[i] > m->thread_sum[i] ? sum[i] - m->thread_sum[i] : 0;
		m->thread_sum[i] = sum[i];
	}
	if (t->block_delay) {
		uint64_t gain = delay_gain(m->block.others_ns, sum[SUM_BLOCK], since_ns, n);

		t->root[m->root].ended[BLOCK_DELAY_NS] += baseline ? 0 : gain;
		m->block.others_ns = sum[SUM_BLOCK];
	}
	m->threads_seen = true;
	now->has_delay = has[SUM_DELAY];
	now->has_switches = has[SUM_VOLUNTARY];
	/* Here, since who is only looked at when it has ended is in no sample. */
	t->ever[HAS_DELAY] |= has[SUM_DELAY];
	t->ever[HAS_SWITCHES] |= has[SUM_VOLUNTARY];
}

void member_peak(struct tree *t, struct member *m, int64_t rss)
{
	if (rss > m->peak_rss)
		m->peak_rss = rss;
	tree_peak(t, rss, PEAK_SEEN);
}

void tree_peak(struct tree *t, int64_t rss, enum peak_source source)
{
	/* ru_maxrss says that some child had it, the kernel at its end which one; who of them is first is chance. */
	bool named = rss == t->peak_rss && source == PEAK_HEARD && t->peak_source == PEAK_REAPED;

	if (rss <= t->peak_rss && !named)
		return;
	t->peak_rss = rss;
	t->peak_source = source;
}

static void take_status(struct tree *t, struct member *m, struct figures *now, const struct proc_status *status)
{
	if (!status->has_memory)
		return;
	now->swap = (int64_t)status->swap_bytes;
	now->has_swap = true;
	m->table_pages = (uint32_t)(status->table_bytes / (uint64_t)t->src->page_bytes);
	m->peak_faults = (uint32_t)figures_faults(now);
	member_peak(t, m, (int64_t)status->peak_rss_bytes);
}

/* Linux 6.2 and later tell the number of entries as the folder's size. */
static void take_fds(struct tree *t, const struct member *m, struct figures *now)
{
	char path[32];
	struct stat folder;

	(void)snprintf(path, sizeof path, "%d/fd", (int)m->pid);
	if (t->counts_fds) {
		if (fstatat(t->src->proc, path, &folder, 0) < 0)
			return;
		now->fds = (uint32_t)folder.st_size;
	} else {
		int64_t n = folder_entries(t, path);

		if (n < 0)
			return;
		now->fds = (uint32_t)n;
	}
	now->has_fds = true;
}

/* A young process soon, or most of its life would be unseen if it ends: four fifths are seen of any life. */
static int64_t until_next_look(int64_t age_ns)
{
	return age_ns / 4 < SLOW_SECONDS * NS_PER_SECOND ? age_ns / 4 : SLOW_SECONDS * NS_PER_SECOND;
}

static void take_slow(struct tree *t, struct member *m, const struct proc_status *status)
{
	struct figures now = m->figures;

	take_threads(t, m, &now, status);
	if (now.state == 'Z') {
		now.swap = now.fds = 0;
		now.has_swap = now.has_fds = false;
	} else {
		if (!m->borrows)
			take_status(t, m, &now, status);
		take_fds(t, m, &now);
	}
	if (m->slow_first_ns == 0)
		m->slow_first_ns = t->now_ns;
	m->slow_due = false;
	m->slow_ns = t->now_ns;
	m->slow_rss = now.rss;
	member_set(t, m, &now);
}

void member_read_slow(struct tree *t, struct member *m)
{
	struct proc_status status = read_status(t, m->pid, 0);

	take_slow(t, m, &status);
}

void member_read_last(struct tree *t, struct member *m)
{
	if (t->no_children)
		member_read_slow(t, m);
	else
		take_slow(t, m, &(struct proc_status){ 0 });
}

static bool is_due(const struct tree *t, const struct member *m)
{
	int64_t change = m->figures.rss - m->slow_rss;
	int64_t due_ns = m->slow_ns + until_next_look(m->slow_ns - m->slow_first_ns);

	change = change < 0 ? -change : change;
	return m->slow_due && (t->now_ns >= due_ns || (change > m->slow_rss / 10 && change > MIB));
}

/* What came and went between two samples left page faults behind. */
static bool may_have_peaked(const struct tree *t, const struct member *m)
{
	enum { FAULTS = 32 };

	return m->pass == t->pass && m->figures.state != 'Z' &&
	       (uint32_t)figures_faults(&m->figures) - m->peak_faults >= FAULTS;
}

static void read_peak(struct tree *t, struct member *m)
{
	struct proc_status status = read_status(t, m->pid, 0);
	struct figures now = m->figures;

	take_status(t, m, &now, &status);
	member_set(t, m, &now);
}

void tree_read_peaks(struct tree *t)
{
	size_t read = 0;

	for (size_t i = 0; i < t->members.n_dear && read < MEMBERS_PER_PASS; i++)
		if (may_have_peaked(t, t->members.dear[i])) {
			read_peak(t, t->members.dear[i]);
			read++;
		}
}

void tree_read_slow(struct tree *t)
{
	size_t kept = 0, read = 0;

	for (size_t i = 0; i < t->members.n_dear; i++) {
		struct member *m = t->members.dear[i];

		if (read < MEMBERS_PER_PASS && is_due(t, m)) {
			member_read_slow(t, m);
			read++;
		} else if (read < MEMBERS_PER_PASS && may_have_peaked(t, m)) {
			read_peak(t, m);
			read++;
		}
		if (m->slow_due || m->pss_due)
			t->members.dear[kept++] = m;
		else
			m->in_dear = false;
	}
	t->members.n_dear = kept;
}
