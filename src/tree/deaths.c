/* deaths.c - hearing what processes had when they ended, and whose it was. */
#include "deaths.h"

#include <string.h>

#include "state.h"

void deaths_listen(struct tree *t)
{
	/* Else pids are others in /proc than the kernel's, or in what it tells. */
	if (!t->clocks || t->no_children || !t->src->task_stats)
		return;

	struct deaths *d = calloc(1, sizeof *d);

	if (!d || exits_open(&d->link, t->src) < 0) {
		free(d);
		return;
	}
	d->n = d->old = 1;
	d->allowed = DEATHS_BURST;
	d->filled_ns = t->src->monotonic_ns(t->src->clock);
	t->deaths = d;
	if (exits_listen(d->link, true) < 0)
		deaths_close(t);
}

void deaths_close(struct tree *t)
{
	if (!t->deaths)
		return;
	exits_close(t->deaths->link);
	free(t->deaths);
	t->deaths = NULL;
}

/* ---- what is heard ----------------------------------------------------------------------- */

static uint32_t *bucket_of(struct deaths *d, pid_t process)
{
	return &d->bucket[(uint32_t)process % DEATH_BUCKETS];
}

void deaths_take(struct deaths *d, const struct exit_message *m, int64_t heard_ns)
{
	uint32_t *first = bucket_of(d, m->process);

	if (m->peak_bytes == 0)                 /* the kernel's own, or its memory was gone */
		return;
	if (d->n == DEATHS) {
		d->lost = true;
		return;
	}

	struct death *death = &d->at[d->n];

	*death = (struct death){
		.process = m->process, .parent = m->parent, .first = m->task == m->process, .chain = *first,
		.heard_ns = heard_ns,
		.peak_bytes = (int64_t)m->peak_bytes,
	};
	memcpy(death->name, m->name, sizeof death->name);
	*first = d->n++;
}

/* How many datagrams; -errno: this is not for us. */
static int receive(struct tree *t, struct deaths *d)
{
	struct exit_message m;
	int got, n = 0;

	while ((got = exits_receive(d->link)) != 0) {
		int64_t now_ns = t->src->monotonic_ns(t->src->clock);

		if (got < 0 && got != -ENOBUFS)
			return got;
		d->lost |= got < 0;
		n += got > 0 ? got : 0;
		for (int r; (r = exits_next(d->link, &m)) != 0;) {
			if (r > 0 && m.kind == EXIT_ERROR && m.error < 0)
				return m.error;
			if (r > 0 && m.kind == EXIT_TASK)
				deaths_take(d, &m, now_ns);
		}
	}
	return n;
}

int64_t deaths_allowed(int64_t allowed, int64_t heard, int64_t elapsed_ns)
{
	allowed += elapsed_ns / 1000 * DEATHS_PER_SECOND / 1000000 - heard;
	return allowed < DEATHS_BURST ? allowed : DEATHS_BURST;
}

void deaths_hear(struct tree *t)
{
	enum { WORTH_COUNTING_NS = 100 * 1000 * 1000 };
	struct deaths *d = t->deaths;

	if (!d)
		return;

	int64_t now_ns = t->src->monotonic_ns(t->src->clock), elapsed_ns = now_ns - d->filled_ns;
	int r = receive(t, d);
	bool full = elapsed_ns >= WORTH_COUNTING_NS;

	if (r >= 0) {
		d->allowed = deaths_allowed(d->allowed, r, full ? elapsed_ns : 0);
		d->filled_ns = full ? now_ns : d->filled_ns;
		if (d->link->listens ? d->allowed < 0 : d->allowed == DEATHS_BURST)
			r = exits_listen(d->link, !d->link->listens);
	}
	if (r < 0)
		deaths_close(t);
	else if (d->lost)
		tree_tell(t, &t->told_deaths, "more processes ended on this machine than there was room to hear of: "
			  "the peak memory of some that were short-lived is not known");
}

/* ---- whose it was ------------------------------------------------------------------------ */

static void take_peak(struct tree *t, struct birth *b, int64_t bytes)
{
	struct member *m = members_find(&t->members, b->pid);
	struct program *p = &t->programs[b->program];

	b->heard = true;
	if (bytes > p->largest)
		p->largest = bytes;
	/* One that has ended held this pid before; one that took another name since had another memory, too. */
	if (m && !m->exited && strcmp(m->comm, b->name) == 0) {
		m->heard = true;
		m->peak_rss = bytes > m->peak_rss ? bytes : m->peak_rss;
	}
	tree_peak(t, bytes, PEAK_HEARD);
}

/* Pids are used again: what was heard before it was forked is not of this process. */
static bool is_of(const struct death *d, const struct birth *b)
{
	return d->process == b->pid && d->heard_ns >= (int64_t)b->forked_ns &&
	       (!d->first || strcmp(d->name, b->name) == 0);
}

/*
 * Threads end at an exec, too, and then had the memory of the program before it (de_thread in fs/exec.c).  The first
 * one's end tells what all had.
 */
static bool is_of_this_program(const struct tree *t, const struct death *d, const struct birth *b)
{
	const struct member *m = members_find(&t->members, b->pid);

	return d->first || (!b->heard && m && strcmp(m->comm, b->name) == 0);
}

static void match(struct tree *t, struct death *death, struct birth *b)
{
	if (death->matched || !is_of(death, b))
		return;
	if (is_of_this_program(t, death, b))
		take_peak(t, b, death->peak_bytes);
	death->matched = death->ours = true;
}

void deaths_match(struct tree *t, struct birth *b)
{
	struct deaths *d = t->deaths;

	for (int first = 1; first >= 0; first--)
		for (uint32_t i = d ? *bucket_of(d, b->pid) : 0; i; i = d->at[i].chain)
			if (d->at[i].first == first)
				match(t, &d->at[i], b);
}

/* ---- of whom nobody tells that it was forked ------------------------------------------------ */

/*
 * One whose end is told has ended then, and its pid may be in use again.  Who came to us and was reaped since the
 * last reading is one as well (tree_zombie).
 */
static struct member *untold_member(const struct tree *t, pid_t pid)
{
	struct member *m = members_find(&t->members, pid);

	return m && (!t->sideband || m->unwatched || !m->exited) ? m : NULL;
}

static bool lives_in_tree(const struct tree *t, pid_t pid)
{
	return births_find(&t->births, pid) || untold_member(t, pid);
}

static bool descends(const struct tree *t, struct deaths *d, const struct death *death)
{
	pid_t parent = death->parent;

	for (int i = 0; parent > 0 && i < GENERATIONS; i++) {
		if (lives_in_tree(t, parent))
			return true;

		uint32_t k = *bucket_of(d, parent);

		while (k && d->at[k].process != parent)
			k = d->at[k].chain;
		if (d->at[k].ours)
			return true;
		parent = d->at[k].parent;
	}
	return false;
}

/* A member that took another name since it was looked at has another memory, too. */
static void take_descendant(struct tree *t, struct death *death, struct member *m)
{
	bool same = m && (!death->first || strcmp(m->comm, death->name) == 0);
	/* A thread's name says nothing about the process. */
	uint16_t at = death->first ? program_named(t, death->name) : same ? m->program : 0;
	struct program *p = &t->programs[at];

	death->ours = true;
	if (same && death->peak_bytes > m->peak_rss)
		m->peak_rss = death->peak_bytes;
	if (at > 0) {
		p->heard = true;
		p->largest = death->peak_bytes > p->largest ? death->peak_bytes : p->largest;
	}
	tree_peak(t, death->peak_bytes, PEAK_HEARD);
}

static void take_descendants(struct tree *t, struct deaths *d)
{
	for (uint32_t i = 1; i < d->n; i++) {
		struct death *death = &d->at[i];
		struct member *m = untold_member(t, death->process);

		if (!death->ours && (m || descends(t, d, death)))
			take_descendant(t, death, m);
	}
}

/* Keeps what was heard in this drain, and is not matched. */
static void forget_old(struct deaths *d)
{
	uint32_t heard = d->n, n = 1;

	memset(d->bucket, 0, sizeof d->bucket);
	for (uint32_t i = d->old; i < heard; i++) {
		struct death death = d->at[i];
		uint32_t *first = bucket_of(d, death.process);

		if (death.matched)
			continue;
		death.chain = *first;
		*first = n;
		d->at[n++] = death;
	}
	d->n = d->old = n;
}

/*
 * What is of nobody who was forked by now is another's, but for what was heard just now: its fork may be told next
 * time.  One who lives is losing its memory, which may take longer than many a drain, or a thread of it ended.
 */
static void take_living(struct tree *t, struct deaths *d)
{
	for (uint32_t i = 1; i < d->n; i++) {
		uint32_t b = births_find(&t->births, d->at[i].process);

		if (b)
			match(t, &d->at[i], &t->births.at[b]);
	}
}

void deaths_settle(struct tree *t)
{
	struct deaths *d = t->deaths;

	if (!d || d->n == 1)
		return;
	take_living(t, d);
	take_descendants(t, d);
	forget_old(d);
}
