/* pass.c - one reading of a tree. */
#include "tree_state.h"

#include "../members/member_files.h"

/* Passes the ledger's figures to the CPU source, which writes the CPU time of the sample. */
static void report_cpu_time(struct tree *t, struct tick *tick)
{
	const struct tracked *tracked = &t->tracked;
	const struct accounts_cpu cpu = accounts_cpu(t->accounts);
	const struct membership_news news = membership_news(t->membership);
	const struct largest largest = memory_largest(t->memory);
	const struct cpu_facts facts = {
		.now_ns = tracked->now_ns, .baseline = !tracked->primed,
		.ledger_ns = cpu.ledger_ns, .user_ns = cpu.user_ns, .system_ns = cpu.system_ns,
		.ledger_slack_ns = cpu.slack_ns, .visible_ns = cpu.visible_ns, .unseen_ns = cpu.unseen_ns,
		.unread_ns = cpu.unread_ns, .tasks = tracked->followed ? news.tasks : UINT64_MAX,
		.largest_bytes = (uint64_t)largest.rss, .left_bytes = largest.left_bytes, .members = tracked->members.n,
		.unwatched = tracked->unwatched, .counts_ends = tracked->followed && news.lost == 0,
		.over = tree_alive(t) == 0, .at_rest = t->sweep.skipped, .used_ns = t->sweep.used_by_now_ns,
	};

	cpu_source_report(t->cpu, &facts, tick);
	/* If no parent waits for a process, its peak memory is lost. */
	if (cpu_source_has_unwaited(t->cpu))
		memory_peak_missed(t->memory);
}

static void read_sockets(struct tree *t, struct tick *tick)
{
	const struct socket_pass pass = {
		.now_ns = t->tracked.now_ns, .slowdown = t->slowdown, .baseline = !t->tracked.primed,
		.over = tree_alive(t) == 0, .brief = tick->brief,
	};

	sockets_read(t->sockets, &pass, &tick->out->total);
}

/*
 * A member that did not run has not forked, waited, read or written: its figures are unchanged.  A new member was read
 * when it was found.
 */
static void look_at(struct tree *t, size_t i, bool walk, bool walk_all)
{
	struct tracked *tracked = &t->tracked;
	struct glance *g = &tracked->members.glance[i];
	int64_t clock_ns = -1;
	bool clocked = member_clock(tracked, g->pid, &clock_ns);
	bool idle = clocked && clock_ns == g->clock_ns && !visit_is_due(tracked, g);

	if (idle && !walk_all && !(walk && g->walk_due))
		return;

	struct member *m = tracked->members.order[i];

	if (m->gone)
		return;

	bool ran = !clocked || clock_ns != g->clock_ns;
	bool due = !ran && visit_is_due(tracked, g) && !visit_finds_same(tracked, m);

	if ((m->pass != tracked->pass || m->reads == 0) && (ran || due)) {
		if (visit(&t->visits, m, clocked ? clock_ns : -1) == -ESRCH) {
			membership_gone(t->membership, m);
			return;
		}
		if (m->figures.state == 'Z' && !(tracked->ours && m->parent == tracked->self))
			membership_ended(t->membership, m, false);
		if (m->exited)
			membership_suspect(t->membership, m);
	}
	if (walk && (tracked->members.glance[i].walk_due || walk_all) && m->figures.state != 'Z')
		membership_walk_member(t->membership, m);
}

/* At the baseline, while the command waits to exec.  No other member is both our child and older than the baseline. */
static void read_start(struct tree *t)
{
	struct member *m = members_find(&t->tracked.members, t->tracked.root);

	if (m)
		visit_start(&t->visits, m);
}

/* Finds the members and reads their figures, in the order in which they were found. */
static void read_members(struct tree *t, const struct tick *tick)
{
	struct tracked *tracked = &t->tracked;
	/* The command has no children before its exec.  Without `alone` we may have other, older children. */
	bool childless = !tracked->primed && tracked->ours && tracked->alone && tracked->followed;

	membership_drain(t->membership);
	membership_judge(t->membership);
	if (childless)
		membership_put_off_walk(t->membership);

	bool all = membership_walks_all(t->membership);
	bool skip = tick->out && !all && tree_may_skip(t);
	bool lists = !childless && !skip && membership_walk(t->membership, tick->forks_since_boot, all);
	size_t i = 0;

	for (; i < tracked->members.n && !skip; i++)
		look_at(t, i, lists, all);
	membership_meet(t->membership);
	for (; i < tracked->members.n && !skip; i++)
		look_at(t, i, lists, all);
	membership_repair(t->membership);
	membership_settle(t->membership);
	if (tracked->ours && !tracked->primed)
		read_start(t);
	if (!tracked->ours && !t->looked_outside)
		membership_poll_outside(t->membership);
	t->looked_outside = true;
}

static void report(struct tree *t, struct tick *tick)
{
	int64_t level[LEVELS];

	accounts_report(t->accounts, tick->out, level);
	memory_report(t->memory, &tick->out->total, level);
	report_cpu_time(t, tick);
	memory_report_peak(t->memory, &tick->out->total);
	accounts_report_programs(t->accounts, tick->out);
	accounts_report_unaccounted(t->accounts, &tick->out->total);
	membership_report(t->membership, &tick->out->total);
}

int tree_read(struct tree *t, struct tick *tick)
{
	struct tracked *tracked = &t->tracked;

	tracked->before_ns = tracked->now_ns;
	tracked->now_ns = tracked->src->monotonic_ns(tracked->src->clock);
	accounts_release_held(t->accounts);
	read_members(t, tick);
	if (!tick->out) {
		visit_peaks(&t->visits);
		tracked->pass++;
		return 0;
	}

	double huge = tick->out->total.memory_transparent_huge_bytes;

	tracked->huge_bytes = is_none(huge) ? -1 : (int64_t)huge;
	t->slowdown = tick->slowdown > 0 ? tick->slowdown : 1;
	if (!tick->brief && (!tick->spare || memory_reads_always(t->memory))) {
		visit_slow_files(&t->visits);
		memory_read(t->memory, t->slowdown);
	}
	read_sockets(t, tick);
	membership_settle_records(t->membership);
	report(t, tick);
	tracked->primed = true;
	tracked->pass++;
	return 0;
}

void tree_poll(struct tree *t, struct tree_sums *ret)
{
	struct tick no_sample = { .src = t->tracked.src, .brief = true };

	(void)tree_read(t, &no_sample);
	tree_sums(t, ret);
}

void tree_drain(struct tree *t)
{
	membership_drain(t->membership);
}

void tree_zombie(struct tree *t, pid_t pid)
{
	membership_zombie(t->membership, pid);
}

void tree_reaped(struct tree *t, pid_t pid, const struct rusage *usage)
{
	membership_reaped(t->membership, pid, usage);
}

bool tree_next_exit(struct tree *t, struct tree_exit *ret)
{
	return membership_next_exit(t->membership, ret);
}
