/* programs.c - the tree by program: the ten that used most, and the sum of all others. */
#include "accounting_state.h"

#include "../members/member_files.h"

#include <stdio.h>
#include <string.h>

enum { TOP = PROGRAM_MAX - 1, OTHERS = 0 };

/* A name without an entry counts with the others.  So does a command before its exec, which has no name. */
uint16_t program_named(struct accounts *a, const char *comm)
{
	size_t i = 1;

	if (!comm[0])
		return OTHERS;
	while (i < a->programs.n && strcmp(a->programs.at[i].comm, comm) != 0)
		i++;
	if (i >= PROGRAMS)
		return OTHERS;
	if (i == a->programs.n)
		(void)snprintf(a->programs.at[a->programs.n++].comm, sizeof a->programs.at[0].comm, "%s", comm);
	return (uint16_t)i;
}

void program_see_command(struct accounts *a, const struct member *m, const struct figures *now)
{
	struct program *p = program_of(a, m->branch);
	struct tracked *t = a->tracked;
	char path[PROC_PATH];

	/* A zombie has no command line any more. */
	if (!p->comm[0] || p->command[0] || now->state == 'Z')
		return;
	proc_path(path, m->pid, now->speaker, "cmdline");
	if (text_read_at(&t->text, t->src->proc, path) == 0)
		proc_command(p->command, sizeof p->command, t->text.at, t->text.len);
}

/* By a clear margin, so that two similar programs do not change places all the time. */
static bool overtakes(const struct program *a, const struct program *b)
{
	enum { SLACK_NS = 10 * 1000 * 1000 };

	if (a->cpu_ns > b->cpu_ns + b->cpu_ns / 10 + SLACK_NS)
		return true;
	if (a->cpu_ns < b->cpu_ns || a->peak_rss < b->peak_rss)
		return false;
	return a->peak_rss > b->peak_rss + b->peak_rss / 10 || a->started > b->started + b->started / 10;
}

/* Moves the program at this place up past those that it overtook. */
static void move_up(struct accounts *a, size_t at)
{
	for (; at > 0; at--) {
		uint16_t *above = &a->programs.shown[at - 1], up = above[1];

		if (!overtakes(&a->programs.at[up], &a->programs.at[above[0]]))
			return;
		above[1] = above[0];
		above[0] = up;
	}
}

static bool has_run(const struct program *p)
{
	return p->cpu_ns > 0 || p->processes > 0 || p->started > 0;
}

static void rank(struct accounts *a)
{
	for (size_t at = 1; at < a->programs.n_shown; at++)
		move_up(a, at);
	for (size_t i = 1; i < a->programs.n; i++) {
		struct program *p = &a->programs.at[i];

		if (p->shown || !has_run(p))
			continue;
		if (a->programs.n_shown == TOP) {
			struct program *last = &a->programs.at[a->programs.shown[TOP - 1]];

			if (!overtakes(p, last))
				continue;
			last->shown = false;
			a->programs.n_shown--;
		}
		p->shown = true;
		a->programs.shown[a->programs.n_shown++] = (uint16_t)i;
		move_up(a, a->programs.n_shown - 1);
	}
}

static double at_least_0(int64_t gained)
{
	return gained > 0 ? (double)gained : 0;
}

/*
 * has_memory: some process of the tree has memory, so a program without processes has none.  After the last exit the
 * memory in this interval is unknown.
 */
static void add_memory(struct program_row *row, const struct program *p, bool has_memory, bool wants_pss)
{
	bool ended = has_memory && p->processes == 0;

	if (p->has_memory > 0 || ended)
		row->rss_bytes = add_known(row->rss_bytes, (double)p->rss);
	if (p->has_pss > 0 || (ended && wants_pss))
		row->pss_bytes = add_known(row->pss_bytes, (double)p->pss);
}

static void add_to_row(struct program_row *row, const struct program *p, const struct sample *out, bool reported)
{
	row->processes = add_known(row->processes, (double)p->processes);
	if (p->largest > 0 && !(row->peak_rss_bytes > (double)p->largest))
		row->peak_rss_bytes = (double)p->largest;
	if (is_none(out->interval_seconds))
		return;
	if (reported) {
		row->started = add_known(row->started, (double)p->gained.started);
		row->ended = add_known(row->ended, (double)p->gained.ended);
	}
	row->cpu_seconds = add_known(row->cpu_seconds, (double)p->gained.cpu_ns / 1e9);
	if (out->interval_seconds > 0)
		row->cpu_cores = row->cpu_seconds / out->interval_seconds;
	if (p->has_io) {
		row->disk_read_bytes = add_known(row->disk_read_bytes, at_least_0(p->gained_read));
		row->disk_write_bytes = add_known(row->disk_write_bytes, at_least_0(p->gained_write));
	}
}

static void report_program(const struct accounts *a, struct program_row *row, const struct program *p,
			   const struct sample *out, bool has_memory)
{
	add_memory(row, p, has_memory, a->tracked->wants_pss);
	add_to_row(row, p, out, a->tracked->followed);
}

/* Counts more of the tree's CPU time for the branch, most_ns at most.  Returns the rest. */
static int64_t give(struct branch *b, int64_t left_ns, uint64_t most_ns)
{
	uint64_t given = left_ns <= 0 ? 0 : (uint64_t)left_ns < most_ns ? (uint64_t)left_ns : most_ns;

	b->gained.cpu_ns += given;
	b->given_ns += given;
	return left_ns - (int64_t)given;
}

/*
 * perf's events of a process end before the kernel frees its memory.  The tree's CPU time includes that work.  Branches
 * of exited processes share the rest of the tree's CPU time by this weight.
 */
static uint64_t teardown_weight(const struct branch *b)
{
	enum { TASK_NS = 50000, SHARE = 25 };   /* measured: 60 us, and 1 to 11 % of its CPU time, by its memory */

	return b->gained.unseen * TASK_NS + b->gained.unseen_ns / SHARE;
}

/* The rest of the tree's CPU time belongs to processes that exited: their teardown, and time without a record. */
static void share(struct accounts *a, int64_t left_ns)
{
	enum { MOST = 2 };                      /* times its weight */
	struct branch *at = a->branches.at;
	uint64_t weight = 0;

	for (size_t i = 0; i < a->branches.n; i++)
		weight += teardown_weight(&at[i]);

	double part = weight > 0 ? double_min((double)left_ns / (double)weight, MOST) : 0;

	for (size_t i = 0; i < a->branches.n; i++)
		left_ns = give(&at[i], left_ns, (uint64_t)(part * (double)teardown_weight(&at[i])));
	for (size_t i = 0; i < a->branches.n; i++)
		left_ns = give(&at[i], left_ns, at[i].gained.missing_ns);
}

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* What of a branch's gains can be too much: see the two uses. */
typedef uint64_t doubtful(const struct branch *b);

/*
 * The tree's CPU time is read after the records.  What was shared as the rest of an interval can be the time of
 * processes whose records are read in the next one.
 */
static uint64_t shared_too_early(const struct branch *b)
{
	return least(b->given_ns, b->gained.cpu_ns);
}

/* perf's clock runs on between a process and the one that preempts it, and while a hypervisor has the CPU. */
static uint64_t counted_too_much(const struct branch *b)
{
	enum { MOST_SHARE = 6 };                /* as in cpu/cpu_estimate.c */

	return least(b->gained.unseen_ns / MOST_SHARE, b->gained.cpu_ns);
}

/* Takes the excess back from all branches alike.  Returns the rest. */
static uint64_t take_back(struct accounts *a, uint64_t excess_ns, doubtful *of)
{
	struct branch *at = a->branches.at;
	uint64_t most = 0, taken = 0;

	for (size_t i = 0; i < a->branches.n; i++)
		most += of(&at[i]);

	double part = most > 0 ? double_min((double)excess_ns / (double)most, 1) : 0;

	for (size_t i = 0; i < a->branches.n; i++) {
		uint64_t some = (uint64_t)(part * (double)of(&at[i]));

		at[i].gained.cpu_ns -= some;
		at[i].given_ns -= least(some, at[i].given_ns);
		taken += some;
	}
	return excess_ns - least(taken, excess_ns);
}

/* Programs add up to the tree's CPU time. */
static void balance(struct accounts *a, const struct totals *total)
{
	bool exact = total->process_cpu_upper_seconds <= total->process_cpu_lower_seconds;
	int64_t left = a->unaccounted.sum_ns;

	if (is_none(total->process_cpu_seconds) || !a->tracked->followed)
		return;
	left += (int64_t)(total->process_cpu_seconds * 1e9);
	for (size_t i = 0; i < a->branches.n; i++)
		left -= (int64_t)a->branches.at[i].gained.cpu_ns;
	if (left > 0)
		share(a, left);
	else if ((left = (int64_t)take_back(a, (uint64_t)-left, shared_too_early)) > 0 && exact)
		(void)take_back(a, (uint64_t)left, counted_too_much);
}

/* Moves the gains of the branches to their programs. */
static void sum_up_branches(struct accounts *a)
{
	for (size_t i = 0; i < a->branches.n; i++) {
		struct branch *b = &a->branches.at[i];
		struct program *p = program_of(a, (uint16_t)i);

		b->cpu_ns += b->gained.cpu_ns;
		b->started += b->gained.started;
		p->cpu_ns += b->gained.cpu_ns;
		p->started += b->gained.started;
		p->gained.cpu_ns += b->gained.cpu_ns;
		p->gained.started += b->gained.started;
		p->gained.ended += b->gained.ended;
		if (b->largest > p->largest)
			p->largest = b->largest;
		b->gained = (struct gains){ 0 };
	}
}

void accounts_report_programs(struct accounts *a, struct sample *out)
{
	struct program_row *others = NULL;

	balance(a, &out->total);
	sum_up_branches(a);
	rank(a);
	for (size_t i = 0; i < a->programs.n_shown; i++) {
		const struct program *p = &a->programs.at[a->programs.shown[i]];
		struct program_row *row = sample_add_program(out, p->comm);

		if (row) {
			memcpy(row->command, p->command, sizeof row->command);
			report_program(a, row, p, out, a->programs.has_memory);
		}
	}
	for (size_t i = 0; i < a->programs.n; i++) {
		struct program *p = &a->programs.at[i];

		if (!p->shown && a->programs.n_shown == TOP && has_run(p)) {
			if (!others)
				others = sample_add_program(out, "others");
			if (others)
				report_program(a, others, p, out, a->programs.has_memory);
		}
		a->unaccounted.seen_ns += (int64_t)p->gained.cpu_ns;
		p->gained_read = p->gained_write = 0;
		p->gained = (struct gains){ 0 };
	}
}

const char *accounts_program(const struct accounts *a, const struct member *m)
{
	const struct program *p = program_of(a, m->branch);

	if (p->shown)
		return p->comm;
	return a->programs.n_shown == TOP ? "others" : "";
}
