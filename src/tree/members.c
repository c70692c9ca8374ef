/* members.c - the table of members: by pid, and in the order in which they were found. */
#include "state.h"

#include <string.h>

enum { CHUNK = 64 };

static struct member **bucket_of(const struct members *m, pid_t pid)
{
	/* Pids are handed out one after the other: their low bits spread by themselves. */
	return &m->bucket[(size_t)pid & (m->buckets - 1)];
}

static void link_member(struct members *m, struct member *p)
{
	struct member **b = bucket_of(m, p->pid);

	p->chain = *b;
	*b = p;
}

static void unlink_member(struct members *m, const struct member *p)
{
	for (struct member **at = bucket_of(m, p->pid); *at; at = &(*at)->chain)
		if (*at == p) {
			*at = p->chain;
			return;
		}
}

static int grow_buckets(struct members *m, size_t n)
{
	size_t buckets = m->buckets ? m->buckets : 256;

	while (buckets < n)
		buckets *= 2;
	if (buckets == m->buckets)
		return 0;

	struct member **bucket = calloc(buckets, sizeof(struct member *));

	if (!bucket)
		return -ENOMEM;
	free(m->bucket);
	m->bucket = bucket;
	m->buckets = buckets;
	for (size_t i = 0; i < m->n; i++)
		link_member(m, m->order[i]);
	return 0;
}

static int grow_free(struct members *m)
{
	void **chunk = realloc(m->chunk, (m->chunks + 1) * sizeof *chunk);

	if (!chunk)
		return -ENOMEM;
	m->chunk = chunk;

	m->unused = calloc(CHUNK, sizeof *m->unused);
	if (!m->unused)
		return -ENOMEM;
	m->chunk[m->chunks++] = m->unused;
	m->n_unused = CHUNK;
	return 0;
}

/* One that was in use before, or the next of the newest chunk, whose pages nobody has touched yet. */
static struct member *take_free(struct members *m)
{
	struct member *p = m->free;

	if (p) {
		m->free = p->chain;
		return p;
	}
	if (m->n_unused == 0 && grow_free(m) < 0)
		return NULL;
	m->n_unused--;
	return m->unused++;
}

int members_reserve(struct members *m, size_t n)
{
	if (n > m->room) {
		size_t room = size_max(n, size_max(256, 2 * m->room));
		struct member **order = realloc(m->order, room * sizeof(struct member *));

		if (order)
			m->order = order;

		struct member **dear = realloc(m->dear, room * sizeof(struct member *));

		if (dear)
			m->dear = dear;

		struct glance *glance = realloc(m->glance, room * sizeof *glance);

		if (glance)
			m->glance = glance;
		if (!order || !dear || !glance)
			return -ENOMEM;
		m->room = room;
	}
	return grow_buckets(m, n);
}

struct member *members_add(struct members *m, pid_t pid)
{
	struct member *p = members_reserve(m, m->n + 1) < 0 ? NULL : take_free(m);

	if (!p)
		return NULL;
	memset(p, 0, sizeof *p);
	p->pid = pid;
	for (size_t i = 0; i < MEMBER_FILES; i++)
		p->fd[i] = -1;
	m->glance[m->n] = (struct glance){ .pid = pid, .clock_ns = -1 };
	m->order[m->n++] = p;
	link_member(m, p);
	return p;
}

struct member *members_find(const struct members *m, pid_t pid)
{
	if (m->buckets == 0)
		return NULL;
	for (struct member *p = *bucket_of(m, pid); p; p = p->chain)
		if (p->pid == pid && !p->gone)
			return p;
	return NULL;
}

/* A pid may stand twice, gone and recycled: the parent is the younger that is not younger than its child. */
struct member *members_parent(const struct members *m, const struct member *child)
{
	struct member *best = NULL;

	for (struct member *p = *bucket_of(m, child->parent); p; p = p->chain)
		if (p->pid == child->parent && p->start_ticks <= child->start_ticks && p != child &&
		    (!best || p->start_ticks > best->start_ticks))
			best = p;
	return best;
}

void members_set_dear(struct members *m, struct member *p)
{
	if (!p->in_dear)
		m->dear[m->n_dear++] = p;
	p->in_dear = true;
}

void members_compact(struct members *m)
{
	size_t kept = 0;

	for (size_t i = 0; i < m->n_dear; i++)
		if (!m->dear[i]->gone)
			m->dear[kept++] = m->dear[i];
	m->n_dear = kept;
	kept = 0;

	for (size_t i = 0; i < m->n; i++) {
		struct member *p = m->order[i];

		if (p->gone) {
			unlink_member(m, p);
			p->chain = m->free;
			m->free = p;
		} else {
			m->glance[kept] = m->glance[i];
			m->order[kept++] = p;
		}
	}
	m->n = kept;
}

void members_release(struct members *m)
{
	for (size_t i = 0; i < m->chunks; i++)
		free(m->chunk[i]);
	free(m->chunk);
	free(m->order);
	free(m->dear);
	free(m->glance);
	free(m->bucket);
	*m = (struct members){ 0 };
}
