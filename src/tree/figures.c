/* figures.c - one member's files, read into its figures. */
#include "state.h"

#include <fcntl.h>
#include <string.h>
#include <time.h>

enum { FULL_SECONDS = 45, FULL_SPREAD = 32 };  /* 45 to 76 s: not all members in the same reading */

/* Makes room for other files: members without kept descriptors are read by openat, 3.4 us dearer. */
static void release_fds(struct tree *t)
{
	t->fds.max = t->fds.kept / 2;
	for (size_t i = 0; i < t->members.n; i++)
		member_close(t, t->members.order[i]);
}

static int open_file(struct tree *t, const struct member *m, enum member_file file)
{
	static const char *const names[] = { "stat", "statm", "io", "children" };
	char path[PROC_PATH];

	proc_path(path, m->pid, file == FILE_CHILDREN ? m->pid : file == FILE_STATM ? m->figures.speaker : 0,
		  names[file]);

	int fd = source_open_file(t->src->proc, path);

	if (fd < 0 && (errno == EMFILE || errno == ENFILE) && t->fds.kept > 0) {
		release_fds(t);
		fd = source_open_file(t->src->proc, path);
	}
	if (fd < 0 && (errno == EMFILE || errno == ENFILE)) {
		notices_add(&t->notices, &t->noticed.fds, "out of file descriptors: some processes are not read");
		return -EMFILE;
	}
	return fd < 0 ? -errno : fd;
}

static int read_file(struct tree *t, int fd, enum member_file file)
{
	return file == FILE_CHILDREN ? text_read_list(&t->list, fd) : text_read(&t->text, fd);
}

/*
 * A kept descriptor of stat, statm, io or children survives exec and never reaches a recycled pid:
 * it answers ESRCH once the process is reaped.  A captured tree has no such descriptors.
 */
int member_text(struct tree *t, struct member *m, enum member_file file)
{
	if (m->fd[file] >= 0)
		return read_file(t, m->fd[file], file);

	auto_close int fd = open_file(t, m, file);

	if (fd < 0)
		return fd;

	int r = read_file(t, fd, file);

	/*
	 * Most processes are read once: they end soon, or sleep from then on.  But the files of a zombie belong
	 * to root (task_dump_owner in fs/proc/base.c): the last I/O of a child of ours can only be read by
	 * others through a descriptor from before its end.
	 */
	bool early = file == FILE_IO && t->ours && m->parent == t->self;
	/* A thread may end, and its process live on. */
	bool lasts = t->src->live && !(file == FILE_STATM && m->figures.speaker);

	if (r == 0 && lasts && t->fds.kept < t->fds.max && (m->reads >= 2 || early) && fd <= INT16_MAX) {
		m->fd[file] = (int16_t)fd;
		fd = -1;
		t->fds.kept++;
	}
	return r;
}

static void close_file(struct tree *t, struct member *m, enum member_file file)
{
	if (m->fd[file] < 0)
		return;
	(void)close(m->fd[file]);
	m->fd[file] = -1;
	t->fds.kept--;
}

void member_close(struct tree *t, struct member *m)
{
	for (enum member_file i = 0; i < MEMBER_FILES; i++)
		close_file(t, m, i);
}

/*
 * The CPU clock of any process can be read without privilege, for a tenth of what its stat costs,
 * in nanoseconds and with all threads (MAKE_PROCESS_CPUCLOCK in linux/posix-timers.h).
 */
bool member_clock(const struct tree *t, pid_t pid, int64_t *ret_ns)
{
	enum { CPUCLOCK_SCHED = 2 };
	clockid_t id = (clockid_t)(~(unsigned)pid << 3 | CPUCLOCK_SCHED);
	struct timespec ts;

	if (!t->clocks || clock_gettime(id, &ts) < 0)
		return false;
	*ret_ns = ts.tv_sec * NS_PER_SECOND + ts.tv_nsec;
	return true;
}

bool is_full_due(const struct tree *t, const struct glance *g)
{
	return t->now_ns / NS_PER_SECOND >= g->full_due;
}

struct glance *member_glance(const struct tree *t, const struct member *m)
{
	return &t->members.glance[m->at];
}

/* Of the first thread; its ticks are rounded down. */
static void take_block_delay(struct tree *t, struct member *m, uint64_t ns)
{
	bool first = m->block.first_seen_ns == 0;
	int64_t since_ns = t->now_ns - (first ? t->before_ns : m->block.first_seen_ns) + (int64_t)t->ns_per_tick;

	if (!first || m->fresh)
		t->root[m->root].ended[BLOCK_DELAY_NS] += delay_gain(m->block.first_ns, ns, since_ns, 1);
	m->block.first_ns = ns;
	m->block.first_seen_ns = t->now_ns;
}

static void take_stat(const struct tree *t, struct figures *now, const struct proc_stat *p)
{
	bool zombie = p->state == 'Z' && !proc_leader_is_gone(p);

	now->own[USER_NS] = p->user * t->ns_per_tick;
	now->own[SYSTEM_NS] = p->system * t->ns_per_tick;
	now->own[MINOR_FAULTS] = p->minor_faults;
	now->own[MAJOR_FAULTS] = p->major_faults;
	now->threads = zombie ? 0 : (uint32_t)p->threads;
	now->state = zombie ? 'Z' : p->state == 'Z' ? 'S' : p->state;
}

/* Memory, descriptors and a state are those of a thread that lives, where the main thread has ended. */
static void find_speaker(struct tree *t, struct member *m, struct figures *now, struct proc_stat *stat)
{
	struct proc_stat of_thread;

	now->speaker = proc_leader_is_gone(stat) ? living_thread(t->src->proc, m->pid, &t->text, &of_thread) : 0;
	if (now->speaker) {
		now->state = of_thread.state;
		stat->stack = of_thread.stack;
	}
	if (now->speaker != m->figures.speaker)
		close_file(t, m, FILE_STATM);
	m->figures.speaker = now->speaker;
}

static int take_waited(struct tree *t, struct member *m, const struct proc_stat *p)
{
	uint64_t waited[APART] = {
		[USER_NS] = p->child_user * t->ns_per_tick, [SYSTEM_NS] = p->child_system * t->ns_per_tick,
		[MINOR_FAULTS] = p->child_minor_faults, [MAJOR_FAULTS] = p->child_major_faults,
	};

	waited[CPU_NS] = waited[USER_NS] + waited[SYSTEM_NS];
	return t->no_children ? 0 : member_set_waited(t, m, waited);
}

static void take_statm(struct tree *t, struct member *m, struct figures *now, const struct proc_statm *p)
{
	int64_t page = t->src->page_bytes;

	now->has_memory = p->virtual > 0;
	now->virtual = (int64_t)p->virtual * page;
	now->rss = (int64_t)p->resident * page;
	now->shared = (int64_t)p->shared * page;
	member_peak(t, m, now->rss);
	/* Given back at its end, even before it is a zombie; what the files then tell is 0. */
	if (!now->has_memory && !m->borrows) {
		now->has_swap = now->has_fds = false;
		now->swap = now->fds = 0;
	}
}

static void read_statm(struct tree *t, struct member *m, struct figures *now)
{
	struct proc_statm statm = { 0 };
	/* The memory of a command that waits to exec is a copy of ours. */
	bool bare = now->state == 'Z' || m->borrows || (t->ours && !t->primed);
	int r = bare ? 0 : member_text(t, m, FILE_STATM);

	if (r == 0 && !bare)
		r = proc_parse_statm(&statm, t->text.at, t->text.len);
	if (r == 0 || r == -ESRCH || r == -ENOENT)      /* else it may live, and is carried */
		take_statm(t, m, now, &statm);
}

static void take_io(struct figures *now, const struct proc_io *p)
{
	now->own[READ_CHARS] = p->read_chars;
	now->own[WRITE_CHARS] = p->write_chars;
	now->own[READ_CALLS] = p->read_calls;
	now->own[WRITE_CALLS] = p->write_calls;
	now->own[READ_BYTES] = p->read_bytes;
	now->own[WRITE_BYTES] = p->write_bytes;
}

bool member_is_ending(struct tree *t, struct member *m)
{
	struct proc_stat stat;

	return member_text(t, m, FILE_STAT) < 0 || proc_parse_stat(&stat, t->text.at, t->text.len) < 0 ||
	       stat.start != m->start_ticks || stat.ending || stat.state == 'Z' || stat.state == 'X';
}

static void read_io(struct tree *t, struct member *m, struct figures *now)
{
	/* Rights seldom change: another user's process is asked again once a minute. */
	if (m->denied_io && !is_full_due(t, member_glance(t, m)))
		return;

	struct proc_io io;
	int r = member_text(t, m, FILE_IO);

	if (r == 0 && proc_parse_io(&io, t->text.at, t->text.len) == 0) {
		take_io(now, &io);
		now->has_io = true;
		m->denied_io = false;
	} else if ((r == -EACCES || r == -EPERM || r == -ENOENT) && !member_is_ending(t, m)) {
		m->denied_io = true;
		/* ENOENT: it has just ended, or the kernel counts no I/O. */
		if (r != -ENOENT) {
			/* Perhaps a set-user-ID program, which perf does not follow: no record tells. */
			t->unwatched |= !t->forks.sideband;
			notices_add_denied(&t->notices, &t->noticed.io, "I/O", m->pid, m->comm);
		}
	}
}

/*
 * A child is read after its parent, and ends when it likes: what the parent inherited between its
 * first reading in the last pass and now may be of a child that was alive in that pass.
 */
void member_new_pass(const struct tree *t, struct member *m)
{
	struct waited *w = m->waited;

	for (size_t k = 0; w && k < APART; k++)
		if (w->explained[k] < w->first[k])
			w->explained[k] = w->first[k];
	m->alone_rss = m->family && m->family->members == 1 && !m->family->outside ? m->figures.rss : 0;
	m->alone_faults = (uint64_t)figures_faults(&m->figures);
	m->pass = t->pass;
}

static void put_off_full(const struct tree *t, const struct member *m)
{
	uint32_t now = (uint32_t)(t->now_ns / NS_PER_SECOND), later = (uint32_t)(FULL_SECONDS + m->pid % FULL_SPREAD);

	/* What one borrows is its own once the lender has ended or exec'd, whether it ran or not. */
	member_glance(t, m)->full_due = (now + (m->borrows ? 0 : later)) & INT32_MAX;
}

/*
 * What did not run and is told to live holds no recycled pid, and only its memory may have become less
 * (reclaim), or shared with fewer: it is read when that happened.
 */
bool member_is_same(struct tree *t, struct member *m)
{
	struct proc_statm statm;

	if (!t->forks.sideband || m->unwatched || m->exited || m->denied_io || member_text(t, m, FILE_STATM) < 0 ||
	    proc_parse_statm(&statm, t->text.at, t->text.len) < 0 ||
	    (int64_t)statm.resident * t->src->page_bytes != m->figures.rss)
		return false;
	put_off_full(t, m);
	m->pss_due = true;
	members_set_dear(&t->members, m);
	return true;
}

/*
 * Whether it is the command of ours before its exec.  In the middle of that it has another stack, or none yet, and our
 * name still (begin_new_exec in fs/exec.c): the name of the program comes between the two.
 */
static bool waits_to_exec(struct tree *t, const struct member *m, const struct proc_stat *stat)
{
	if (!t->ours || t->command.executed || m->pid != t->root[0].pid || strcmp(stat->comm, t->command.name) != 0)
		return false;
	if (!t->primed)
		t->command.stack = stat->stack;
	if (stat->state == 'Z')                         /* perf would have told of its exec */
		return t->forks.sideband;
	return stat->stack == t->command.stack || stat->stack == 0;
}

int member_read(struct tree *t, struct member *m, int64_t clock_ns)
{
	struct figures now = m->figures;
	struct proc_stat stat;

	if (clock_ns < 0 && !member_clock(t, m->pid, &clock_ns))
		clock_ns = -1;

	int r = member_text(t, m, FILE_STAT);
	if (r < 0)
		return r == -ENOENT ? -ESRCH : r;
	r = proc_parse_stat(&stat, t->text.at, t->text.len);
	if (r < 0)
		return r;
	if (m->reads > 0 && stat.start != m->start_ticks)
		return -ESRCH;
	/* Being waited for just now: whether its parent has its figures yet, nobody knows (wait_task_zombie). */
	if (stat.state == 'X')
		return -EAGAIN;

	if (waits_to_exec(t, m, &stat))
		stat.comm[0] = '\0';
	else
		t->command.executed |= m->pid == t->root[0].pid;

	bool first = m->pass != t->pass;

	r = take_waited(t, m, &stat);
	if (r < 0)
		return r;
	if (first)
		member_new_pass(t, m);
	if (first && m->waited)
		memcpy(m->waited->first, m->waited->figures, sizeof m->waited->first);
	m->start_ticks = stat.start;
	m->parent = stat.parent;
	take_stat(t, &now, &stat);
	if (t->block_delay)
		take_block_delay(t, m, proc_block_delay(t->text.at, t->text.len) * t->ns_per_tick);
	/* Peaks of children come up by wait4.  Without records of forks it is not known whether it had any. */
	m->lost_child &= stat.ignores_children;         /* else somebody waited for it, or will */
	t->peak.missed |= stat.ignores_children &&
			  (m->lost_child || (t->primed && !t->forks.sideband && !t->no_children));
	find_speaker(t, m, &now, &stat);
	now.own[CPU_NS] = clock_ns >= 0 ? (uint64_t)clock_ns : now.own[USER_NS] + now.own[SYSTEM_NS];
	if (m->reads == 0 || strncmp(m->comm, stat.comm, sizeof m->comm - 1) != 0) {
		/* Of who lives the stack tells; a zombie has none. */
		m->renewed |= m->family && now.state == 'Z';
		memcpy(m->comm, stat.comm, sizeof m->comm - 1);
		m->denied_io = m->denied_pss = false;           /* exec may have changed our rights */
		m->socket_mark.here = false;
		m->peak_rss = 0;
	}

	m->borrows = now.state != 'Z' && member_borrows(t, m, stat.parent, stat.stack);

	read_statm(t, m, &now);
	read_io(t, m, &now);
	if (now.has_memory)
		family_join(t, m, stat.stack, &now);
	if (m->reads == 0)
		member_found_pss(t, m, &now);
	member_take_pss(t, m, &now);

	struct glance *g = member_glance(t, m);

	m->ran |= clock_ns != g->clock_ns;
	g->clock_ns = clock_ns;
	put_off_full(t, m);
	m->reads++;
	g->walk_due |= !t->forks.sideband || m->unwatched;
	m->slow_due = true;
	m->pss_due = !m->borrows;
	members_set_dear(&t->members, m);
	sockets_member_ran(t->sockets, m->pid, &m->socket_mark);
	member_set(t, m, &now);
	return 0;
}
