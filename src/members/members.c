/* members.c - the table of members: by pid, and in the order in which they were found. */
#include "members.h"

enum { BUCKETS_FIRST = 256, ROOM_FIRST = 256 };

static struct member **bucket_of(const struct members *m, pid_t pid)
{
	/* Pids are assigned in sequence: their low bits spread evenly. */
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
	size_t buckets = m->buckets ? m->buckets : BUCKETS_FIRST;

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

void members_open(struct members *m)
{
	*m = (struct members){ .member.size = sizeof(struct member), .waited.size = sizeof(struct waited) };
}

int members_reserve(struct members *m, size_t n)
{
	if (n > m->room) {
		size_t room = size_max(n, size_max(ROOM_FIRST, 2 * m->room));
		struct member **order = realloc(m->order, room * sizeof(struct member *));

		if (order)
			m->order = order;

		struct member **due = realloc(m->due, room * sizeof(struct member *));

		if (due)
			m->due = due;

		struct glance *glance = realloc(m->glance, room * sizeof *glance);

		if (glance)
			m->glance = glance;
		if (!order || !due || !glance)
			return -ENOMEM;
		m->room = room;
	}
	return grow_buckets(m, n);
}

struct member *members_add(struct members *m, pid_t pid)
{
	struct member *p = members_reserve(m, m->n + 1) < 0 ? NULL : blocks_take(&m->member);

	if (!p)
		return NULL;
	p->pid = pid;
	p->at = (uint32_t)m->n;
	for (size_t i = 0; i < MEMBER_FILES; i++)
		p->fd[i] = -1;
	m->glance[m->n] = (struct glance){ .pid = pid, .clock_ns = -1 };
	m->order[m->n++] = p;
	link_member(m, p);
	return p;
}

struct waited *members_waited(struct members *m, struct member *p)
{
	if (!p->account.waited)
		p->account.waited = blocks_take(&m->waited);
	return p->account.waited;
}

static void forget(struct members *m, struct member *p)
{
	unlink_member(m, p);
	if (p->account.waited)
		blocks_give(&m->waited, p->account.waited);
	blocks_give(&m->member, p);
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

/* A pid may occur twice, gone and recycled: the parent is the youngest that is not younger than its child. */
struct member *members_parent(const struct members *m, const struct member *child)
{
	struct member *best = NULL;

	for (struct member *p = *bucket_of(m, child->parent); p; p = p->chain)
		if (p->pid == child->parent && p->start_ticks <= child->start_ticks && p != child &&
		    (!best || p->start_ticks > best->start_ticks))
			best = p;
	return best;
}

struct member *members_heir(const struct members *m, const struct member *gone)
{
	struct member *p = members_parent(m, gone);

	for (int i = 0; p && p->gone && !p->reaped; i++)
		p = i < GENERATIONS ? members_parent(m, p) : NULL;
	return p;
}

void members_set_due(struct members *m, struct member *p)
{
	if (!p->in_due)
		m->due[m->n_due++] = p;
	p->in_due = true;
}

void members_compact(struct members *m)
{
	size_t kept = 0;

	for (size_t i = 0; i < m->n_due; i++)
		if (!m->due[i]->gone)
			m->due[kept++] = m->due[i];
	m->n_due = kept;
	kept = 0;

	for (size_t i = 0; i < m->n; i++) {
		struct member *p = m->order[i];

		if (p->gone) {
			forget(m, p);
		} else {
			p->at = (uint32_t)kept;
			m->glance[kept] = m->glance[i];
			m->order[kept++] = p;
		}
	}
	m->n = kept;
}

void members_release(struct members *m)
{
	blocks_release(&m->member);
	blocks_release(&m->waited);
	free(m->order);
	free(m->due);
	free(m->glance);
	free(m->bucket);
	*m = (struct members){ .member.size = m->member.size, .waited.size = m->waited.size };
}
