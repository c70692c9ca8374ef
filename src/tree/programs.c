/* programs.c - the tree by program: the ten that used most, and all others together. */
#include "state.h"

#include <stdio.h>
#include <string.h>

enum { TOP = PROGRAM_MAX - 1, OTHERS = 0 };

/* A name that finds no place counts with the others. */
uint16_t program_named(struct tree *t, const char *comm)
{
	size_t i = 1;

	while (i < t->n_programs && strcmp(t->programs[i].comm, comm) != 0)
		i++;
	if (i >= PROGRAMS)
		return OTHERS;
	if (i == t->n_programs)
		(void)snprintf(t->programs[t->n_programs++].comm, sizeof t->programs[0].comm, "%s", comm);
	return (uint16_t)i;
}

/* Which program a member runs. */
uint16_t program_of(struct tree *t, const struct member *m, char state)
{
	uint16_t i = program_named(t, m->comm);
	struct program *p = &t->programs[i];
	char path[32];

	/* A zombie has no command line any more; one of ours that waits to exec has ours. */
	if (i == OTHERS || p->command[0] || state == 'Z' || (t->ours && !t->primed))
		return i;
	(void)snprintf(path, sizeof path, "%d/cmdline", (int)m->pid);
	if (text_read_at(&t->text, t->src->proc, path) == 0)
		proc_command(p->command, sizeof p->command, t->text.at, t->text.len);
	return i;
}

/* Clearly, so that two programs alike do not change places all the time. */
static bool overtakes(const struct program *a, const struct program *b)
{
	enum { SLACK_NS = 10 * 1000 * 1000 };

	if (a->cpu_ns > b->cpu_ns + b->cpu_ns / 10 + SLACK_NS)
		return true;
	if (a->cpu_ns < b->cpu_ns || a->peak_rss < b->peak_rss)
		return false;
	return a->peak_rss > b->peak_rss + b->peak_rss / 10 || a->started > b->started + b->started / 10;
}

/* Moves the program at this place up past those that it clearly overtook. */
static void move_up(struct tree *t, size_t at)
{
	for (; at > 0; at--) {
		uint16_t *above = &t->shown[at - 1], up = above[1];

		if (!overtakes(&t->programs[up], &t->programs[above[0]]))
			return;
		above[1] = above[0];
		above[0] = up;
	}
}

static bool has_run(const struct program *p)
{
	return p->cpu_ns > 0 || p->processes > 0 || p->started > 0 || p->heard;
}

static void rank(struct tree *t)
{
	for (size_t at = 1; at < t->n_shown; at++)
		move_up(t, at);
	for (size_t i = 1; i < t->n_programs; i++) {
		struct program *p = &t->programs[i];

		/* The baseline of a command sees us, just before exec: that is no program of the tree. */
		if (p->shown || (t->ours && !t->primed) || !has_run(p))
			continue;
		if (t->n_shown == TOP) {
			struct program *last = &t->programs[t->shown[TOP - 1]];

			if (!overtakes(p, last))
				continue;
			last->shown = false;
			t->n_shown--;
		}
		p->shown = true;
		t->shown[t->n_shown++] = (uint16_t)i;
		move_up(t, t->n_shown - 1);
	}
}

static double at_least_0(int64_t gained)
{
	return gained > 0 ? (double)gained : 0;
}

static void add_to_row(struct program_row *row, const struct program *p, const struct sample *out, bool told)
{
	row->processes = add_known(row->processes, (double)p->processes);
	row->rss_bytes = add_known(row->rss_bytes, (double)p->rss);
	if (p->largest > 0 && !(row->peak_rss_bytes > (double)p->largest))
		row->peak_rss_bytes = (double)p->largest;
	if (p->has_pss > 0)
		row->pss_bytes = add_known(row->pss_bytes, (double)p->pss);
	else if (p->processes == 0)
		row->pss_bytes = add_known(row->pss_bytes, 0);
	if (is_none(out->interval_seconds))
		return;
	if (told) {
		row->started = add_known(row->started, (double)p->gained_started);
		row->ended = add_known(row->ended, (double)p->gained_ended);
	}
	row->cpu_seconds = add_known(row->cpu_seconds, at_least_0(p->gained_cpu_ns) / 1e9);
	if (out->interval_seconds > 0)
		row->cpu_cores = row->cpu_seconds / out->interval_seconds;
	if (p->has_io) {
		row->disk_read_bytes = add_known(row->disk_read_bytes, at_least_0(p->gained_read));
		row->disk_write_bytes = add_known(row->disk_write_bytes, at_least_0(p->gained_write));
	}
}

void programs_report(struct tree *t, struct sample *out)
{
	struct program_row *others = NULL;

	rank(t);
	for (size_t i = 0; i < t->n_shown; i++) {
		const struct program *p = &t->programs[t->shown[i]];
		struct program_row *row = sample_add_program(out, p->comm);

		if (row) {
			memcpy(row->command, p->command, sizeof row->command);
			add_to_row(row, p, out, t->sideband);
		}
	}
	for (size_t i = 0; i < t->n_programs; i++) {
		struct program *p = &t->programs[i];

		if (!p->shown && t->n_shown == TOP && has_run(p)) {
			if (!others)
				others = sample_add_program(out, "others");
			if (others)
				add_to_row(others, p, out, t->sideband);
		}
		t->seen_ns += p->gained_cpu_ns;
		p->gained_cpu_ns = p->gained_read = p->gained_write = 0;
		p->gained_started = p->gained_ended = 0;
	}
}

const char *tree_program(const struct tree *t, pid_t pid)
{
	const struct member *m = members_find(&t->members, pid);

	if (!m)
		return NULL;
	if (t->programs[m->program].shown)
		return t->programs[m->program].comm;
	return t->n_shown == TOP ? "others" : "";
}
