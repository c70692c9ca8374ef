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

uint64_t program_count_cpu(struct program *p, uint64_t *counted_ns, uint64_t now_ns)
{
	uint64_t gain = now_ns > *counted_ns ? now_ns - *counted_ns : 0;

	*counted_ns += gain;
	p->cpu_ns += gain;
	p->gained_cpu_ns += gain;
	return gain;
}

void program_count_start(struct accounts *a, uint16_t program)
{
	a->programs.at[program].started++;
	a->programs.at[program].gained_started++;
}

void program_count_end(struct accounts *a, uint16_t program)
{
	a->programs.at[program].gained_ended++;
}

void program_count_ended_cpu(struct accounts *a, uint16_t program, uint64_t *counted_ns, uint64_t cpu_ns,
			     uint32_t threads)
{
	struct program *p = &a->programs.at[program];
	uint64_t unseen = program_count_cpu(p, counted_ns, cpu_ns);

	a->unseen_ns += unseen;
	if (unseen > 0) {
		p->gained_unseen += threads;
		p->gained_unseen_ns += unseen;
	}
}

void program_count_missing(struct accounts *a, uint16_t program, uint64_t missing_ns)
{
	a->programs.at[program].gained_missing_ns += missing_ns;
	a->unread_ns += missing_ns;
}

/* The program that a member runs. */
uint16_t program_of(struct accounts *a, const struct member *m, const struct figures *now)
{
	uint16_t i = program_named(a, m->comm);
	struct program *p = &a->programs.at[i];
	struct tracked *t = a->tracked;
	char path[PROC_PATH];

	/* A zombie has no command line any more. */
	if (i == OTHERS || p->command[0] || now->state == 'Z')
		return i;
	proc_path(path, m->pid, now->speaker, "cmdline");
	if (text_read_at(&t->text, t->src->proc, path) == 0)
		proc_command(p->command, sizeof p->command, t->text.at, t->text.len);
	return i;
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
		row->started = add_known(row->started, (double)p->gained_started);
		row->ended = add_known(row->ended, (double)p->gained_ended);
	}
	row->cpu_seconds = add_known(row->cpu_seconds, (double)p->gained_cpu_ns / 1e9);
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

/* Counts more of the tree's CPU time for the program, most_ns at most.  Returns the rest. */
static int64_t give(struct program *p, int64_t left_ns, uint64_t most_ns)
{
	uint64_t given = left_ns <= 0 ? 0 : (uint64_t)left_ns < most_ns ? (uint64_t)left_ns : most_ns;

	p->cpu_ns += given;
	p->gained_cpu_ns += given;
	return left_ns - (int64_t)given;
}

/*
 * perf's events of a process end before the kernel frees its memory.  The tree's CPU time includes that work.  Programs
 * of exited processes share the rest of the tree's CPU time by this weight.
 */
static uint64_t teardown_weight(const struct program *p)
{
	enum { TASK_NS = 50000, SHARE = 25 };   /* measured: 60 us, and 1 to 11 % of its CPU time, by its memory */

	return p->gained_unseen * TASK_NS + p->gained_unseen_ns / SHARE;
}

/* The rest of the tree's CPU time belongs to processes that exited: their teardown, and time without a record. */
static void share_the_rest(struct accounts *a, const struct totals *total)
{
	enum { MOST = 2 };                      /* times its weight */
	int64_t left = a->unaccounted.sum_ns;
	uint64_t weight = 0;

	for (size_t i = 0; i < a->programs.n; i++) {
		left -= (int64_t)a->programs.at[i].gained_cpu_ns;
		weight += teardown_weight(&a->programs.at[i]);
	}
	if (is_none(total->process_cpu_seconds) || !a->tracked->followed)
		return;
	left += (int64_t)(total->process_cpu_seconds * 1e9);

	double part = weight > 0 && left > 0 ? double_min((double)left / (double)weight, MOST) : 0;

	for (size_t i = 0; i < a->programs.n; i++) {
		struct program *p = &a->programs.at[i];

		left = give(p, left, (uint64_t)(part * (double)teardown_weight(p)));
	}
	for (size_t i = 0; i < a->programs.n; i++)
		left = give(&a->programs.at[i], left, a->programs.at[i].gained_missing_ns);
}

void accounts_report_programs(struct accounts *a, struct sample *out)
{
	struct program_row *others = NULL;

	share_the_rest(a, &out->total);
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
		a->unaccounted.seen_ns += (int64_t)p->gained_cpu_ns;
		p->gained_cpu_ns = 0;
		p->gained_read = p->gained_write = 0;
		p->gained_started = p->gained_ended = p->gained_unseen = p->gained_unseen_ns = p->gained_missing_ns = 0;
	}
}

const char *accounts_program(const struct accounts *a, const struct member *m)
{
	if (a->programs.at[m->program].shown)
		return a->programs.at[m->program].comm;
	return a->programs.n_shown == TOP ? "others" : "";
}
