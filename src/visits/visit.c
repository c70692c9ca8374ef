/* visit.c - reads the files of one member into its figures. */
#include "visits.h"

#include <string.h>

#include "../members/member_files.h"

enum { FULL_SECONDS = 45, FULL_SPREAD = 32 };   /* 45 to 76 s: spreads members over readings */

bool visit_is_due(const struct tracked *t, const struct glance *g)
{
	return t->now_ns / NS_PER_SECOND >= g->full_due;
}

/* The delay of the first thread.  Its ticks are rounded down. */
static void take_block_delay(struct visits *v, struct member *m, uint64_t ns)
{
	struct tracked *t = v->tracked;
	bool first = m->visits.block.first_seen_ns == 0;
	int64_t since_ns = t->now_ns - (first ? t->before_ns : m->visits.block.first_seen_ns) + (int64_t)t->ns_per_tick;

	if (!first || m->fresh)
		accounts_add(v->accounts, m, BLOCK_DELAY_NS, delay_gain(m->visits.block.first_ns, ns, since_ns, 1));
	m->visits.block.first_ns = ns;
	m->visits.block.first_seen_ns = t->now_ns;
}

static void take_stat(const struct tracked *t, struct figures *now, const struct proc_stat *p)
{
	bool zombie = p->state == 'Z' && !proc_leader_is_gone(p);

	now->own[USER_NS] = p->user * t->ns_per_tick;
	now->own[SYSTEM_NS] = p->system * t->ns_per_tick;
	now->own[MINOR_FAULTS] = p->minor_faults;
	now->own[MAJOR_FAULTS] = p->major_faults;
	now->threads = zombie ? 0 : (uint32_t)p->threads;
	now->state = zombie ? 'Z' : p->state == 'Z' ? 'S' : p->state;
}

/* If the main thread has exited, memory, descriptors and state come from a living thread. */
static void find_speaker(struct tracked *t, struct member *m, struct figures *now, struct proc_stat *stat)
{
	struct proc_stat of_thread;

	now->speaker = proc_leader_is_gone(stat) ? living_thread(t->src->proc, m->pid, &t->text, &of_thread) : 0;
	if (now->speaker) {
		now->state = of_thread.state;
		stat->stack = of_thread.stack;
	}
	if (now->speaker != m->figures.speaker)
		member_close_file(t, m, FILE_STATM);
	m->figures.speaker = now->speaker;
}

static int take_waited(struct visits *v, struct member *m, const struct proc_stat *p)
{
	struct tracked *t = v->tracked;
	uint64_t waited[APART] = {
		[USER_NS] = p->child_user * t->ns_per_tick, [SYSTEM_NS] = p->child_system * t->ns_per_tick,
		[MINOR_FAULTS] = p->child_minor_faults, [MAJOR_FAULTS] = p->child_major_faults,
	};

	waited[CPU_NS] = waited[USER_NS] + waited[SYSTEM_NS];
	return t->no_children ? 0 : accounts_set_waited(v->accounts, m, waited);
}

static void take_statm(struct visits *v, struct member *m, struct figures *now, const struct proc_statm *p)
{
	struct tracked *t = v->tracked;
	int64_t page = t->src->page_bytes;

	now->has_memory = p->virtual > 0;
	now->virtual = (int64_t)p->virtual * page;
	now->rss = (int64_t)p->resident * page;
	now->shared = (int64_t)p->shared * page;
	memory_member_peak(v->memory, m, now->rss);
	/* The kernel frees the memory before the process is a zombie.  The files then report 0. */
	if (!now->has_memory && !m->shares_mm) {
		now->has_swap = now->has_fds = false;
		now->swap = now->fds = 0;
	}
}

static void read_statm(struct visits *v, struct member *m, struct figures *now)
{
	struct tracked *t = v->tracked;
	struct proc_statm statm = { 0 };
	/* The memory of a command that waits to exec is a copy of ours. */
	bool bare = now->state == 'Z' || m->shares_mm || (t->ours && !t->primed);
	int r = bare ? 0 : member_text(t, m, FILE_STATM);

	if (r == 0 && !bare)
		r = proc_parse_statm(&statm, t->text.at, t->text.len);
	if (r == 0 || r == -ESRCH || r == -ENOENT)      /* after other errors it may live: its figures are carried */
		take_statm(v, m, now, &statm);
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

static void read_io(struct visits *v, struct member *m, struct figures *now)
{
	struct tracked *t = v->tracked;
	/* Permissions seldom change: another user's process is tried again once a minute. */
	if (m->denied_io && !visit_is_due(t, member_glance(t, m)))
		return;

	struct proc_io io;
	int r = member_text(t, m, FILE_IO);

	if (r == 0 && proc_parse_io(&io, t->text.at, t->text.len) == 0) {
		take_io(now, &io);
		now->has_io = true;
		m->denied_io = false;
	} else if ((r == -EACCES || r == -EPERM || r == -ENOENT) && !member_is_ending(t, m)) {
		m->denied_io = true;
		/* ENOENT: it has just exited, or the kernel counts no I/O. */
		if (r != -ENOENT) {
			/* It may be a set-user-ID program.  perf does not follow these, and no record shows it. */
			t->unwatched |= !t->followed;
			notices_add_denied(&t->notices, &v->noticed_io, "I/O", m->pid, m->comm);
		}
	}
}

/*
 * A child is read after its parent and can exit at any time.  So figures that the parent inherited between its first
 * reading in the last pass and now may belong to a child that was alive in that pass.
 */
void visit_new_pass(const struct tracked *t, struct member *m)
{
	struct waited *w = m->account.waited;

	for (size_t k = 0; w && k < APART; k++)
		if (w->explained[k] < w->first[k])
			w->explained[k] = w->first[k];
	memory_new_pass(m);
	m->pass = t->pass;
}

static void put_off_full(const struct tracked *t, const struct member *m)
{
	uint32_t now = (uint32_t)(t->now_ns / NS_PER_SECOND), later = (uint32_t)(FULL_SECONDS + m->pid % FULL_SPREAD);

	/* After the parent exits or execs, its child in a shared mm owns the memory, even if it did not run. */
	member_glance(t, m)->full_due = (now + (m->shares_mm ? 0 : later)) & INT32_MAX;
}

/*
 * A member that did not run and has no exit record holds no recycled pid.  Only its memory can have changed: it shrank
 * (reclaim), or fewer processes share it.  If RSS changed, it is read again.
 */
bool visit_finds_same(struct tracked *t, struct member *m)
{
	struct proc_statm statm;

	if (!t->followed || m->unwatched || m->exited || m->denied_io || member_text(t, m, FILE_STATM) < 0 ||
	    proc_parse_statm(&statm, t->text.at, t->text.len) < 0 ||
	    (int64_t)statm.resident * t->src->page_bytes != m->figures.rss)
		return false;
	put_off_full(t, m);
	memory_is_due(t, m);
	return true;
}

/*
 * Whether it is our command before its exec.  During exec the stack is first 0, then the name changes, then the new
 * stack is set (begin_new_exec in fs/exec.c): with our name it has our stack or none.
 */
static bool waits_to_exec(struct tracked *t, const struct member *m, const struct proc_stat *stat)
{
	if (!t->ours || t->command.executed || !m->is_root || strcmp(stat->comm, t->command.name) != 0)
		return false;
	if (!t->primed)
		t->command.stack = stat->stack;
	if (stat->state == 'Z')                         /* perf would have recorded its exec */
		return t->followed;
	return stat->stack == t->command.stack || stat->stack == 0;
}

int visit(struct visits *v, struct member *m, int64_t clock_ns)
{
	struct tracked *t = v->tracked;
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
	/* Its parent reaps it now: it is unknown whether the parent has its figures yet (wait_task_zombie). */
	if (stat.state == 'X')
		return -EAGAIN;

	if (waits_to_exec(t, m, &stat))
		stat.comm[0] = '\0';
	else
		t->command.executed |= m->is_root;

	bool first = m->pass != t->pass;

	r = take_waited(v, m, &stat);
	if (r < 0)
		return r;
	if (first)
		visit_new_pass(t, m);
	if (first && m->account.waited)
		memcpy(m->account.waited->first, m->account.waited->figures, sizeof m->account.waited->first);
	m->start_ticks = stat.start;
	m->parent = stat.parent;
	take_stat(t, &now, &stat);
	if (t->block_delay)
		take_block_delay(v, m, proc_block_delay(t->text.at, t->text.len) * t->ns_per_tick);
	/* Peaks of children come by wait4.  Without fork records it is unknown whether it had children. */
	m->lost_child &= stat.ignores_children;         /* else its parent waits for it */
	if (stat.ignores_children && (m->lost_child || (t->primed && !t->followed && !t->no_children)))
		memory_peak_missed(v->memory);
	find_speaker(t, m, &now, &stat);
	now.own[CPU_NS] = clock_ns >= 0 ? (uint64_t)clock_ns : now.own[USER_NS] + now.own[SYSTEM_NS];
	if (m->reads == 0 || strncmp(m->comm, stat.comm, sizeof m->comm - 1) != 0) {
		memcpy(m->comm, stat.comm, sizeof m->comm - 1);
		m->denied_io = false;                           /* exec may have changed our permissions */
		m->socket_mark.here = false;
		memory_renamed(m, now.state == 'Z');
	}

	m->shares_mm = now.state != 'Z' && memory_is_shared_mm(v->memory, m, stat.parent, stat.stack);

	read_statm(v, m, &now);
	read_io(v, m, &now);
	if (now.has_memory)
		memory_join(v->memory, m, stat.stack, &now);
	if (m->reads == 0)
		memory_found(v->memory, m, &now);
	memory_take(v->memory, m, &now);

	struct glance *g = member_glance(t, m);

	memory_visited(t, m, clock_ns != g->clock_ns);
	g->clock_ns = clock_ns;
	put_off_full(t, m);
	m->reads++;
	g->walk_due |= !t->followed || m->unwatched;
	m->visits.slow.due = true;
	sockets_member_ran(v->sockets, m->pid, &m->socket_mark);
	accounts_set(v->accounts, m, &now);
	return 0;
}
