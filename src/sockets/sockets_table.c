/* sockets_table.c - the table of sockets. */
#include "sockets_table.h"

#include <string.h>

enum { ROOM_FIRST = 64 };

static uint32_t *inode_chain(const struct socket_table *t, uint32_t inode)
{
	return &t->inode[inode & (t->buckets - 1)];
}

/* Cookies are assigned in runs, one run for each CPU: their low bits spread evenly. */
static uint32_t *cookie_chain(const struct socket_table *t, uint64_t cookie)
{
	return &t->cookie[cookie & (t->buckets - 1)];
}

uint32_t socket_find(const struct socket_table *t, uint32_t inode)
{
	uint32_t i = t->buckets ? *inode_chain(t, inode) : 0;

	while (i && t->row[i].inode != inode)
		i = t->row[i].next_inode;
	return i;
}

uint32_t socket_find_cookie(const struct socket_table *t, uint64_t cookie)
{
	uint32_t i = t->buckets ? *cookie_chain(t, cookie) : 0;

	while (i && t->row[i].cookie != cookie)
		i = t->row[i].next_cookie;
	return i;
}

static bool has_cookie(const struct socket_row *r)
{
	return r->kind == SOCKET_LISTENS || r->kind == SOCKET_CONNECTED;
}

static void chain(struct socket_table *t, uint32_t number)
{
	struct socket_row *r = &t->row[number];
	uint32_t *head = inode_chain(t, r->inode);

	r->next_inode = *head;
	*head = number;
}

static void chain_cookie(struct socket_table *t, uint32_t number)
{
	struct socket_row *r = &t->row[number];
	uint32_t *head = cookie_chain(t, r->cookie);

	r->next_cookie = *head;
	*head = number;
}

static int grow(struct socket_table *t)
{
	uint32_t room = t->room ? 2 * t->room : ROOM_FIRST;
	struct socket_row *row = realloc(t->row, room * sizeof *row);

	if (!row)
		return -ENOMEM;
	t->row = row;

	uint32_t *inode = calloc(room, sizeof *inode), *cookie = calloc(room, sizeof *cookie);

	if (!inode || !cookie) {
		free(inode);
		free(cookie);
		return -ENOMEM;
	}
	free(t->inode);
	free(t->cookie);
	t->inode = inode;
	t->cookie = cookie;
	t->buckets = t->room = room;
	t->n = t->n ? t->n : 1;
	for (uint32_t i = 1; i < t->n; i++) {
		if (t->row[i].kind != SOCKET_FREE)
			chain(t, i);
		if (has_cookie(&t->row[i]))
			chain_cookie(t, i);
	}
	return 0;
}

/* The kernel reports no close of these: notes are dropped from time to time, and made again if they are still true. */
static void drop_notes(struct socket_table *t)
{
	for (uint32_t i = 1; i < t->n; i++)
		if (t->row[i].kind == SOCKET_OTHER || (t->row[i].kind == SOCKET_UNRESOLVED && t->row[i].missing > 0))
			socket_remove(t, i);
}

static int make_room(struct socket_table *t)
{
	uint32_t notes = t->count[SOCKET_OTHER] + t->count[SOCKET_UNRESOLVED];

	if (t->free || (t->n > 0 && t->n < t->room))
		return 0;
	/* Only if that frees much: a table full of true notes would be emptied again and again. */
	if (notes > t->room / 2 && t->room >= 4096)
		drop_notes(t);
	return t->free ? 0 : grow(t);
}

uint32_t socket_add(struct socket_table *t, uint32_t inode, enum socket_kind kind)
{
	if (make_room(t) < 0)
		return 0;

	uint32_t number = t->free;

	if (number)
		t->free = t->row[number].next_inode;
	else
		number = t->n++;
	t->row[number] = (struct socket_row){ .kind = kind, .inode = inode };
	t->count[kind]++;
	chain(t, number);
	return number;
}

void socket_resolve(struct socket_table *t, uint32_t number, enum socket_kind kind, const struct diag_message *m)
{
	struct socket_row *r = &t->row[number];

	t->count[r->kind]--;
	t->count[kind]++;
	r->kind = kind;
	r->family = m->family;
	r->cookie = m->cookie;
	r->id = m->id;
	r->missing = 0;
	chain_cookie(t, number);
}

void socket_remove(struct socket_table *t, uint32_t number)
{
	struct socket_row *r = &t->row[number];
	uint32_t *at = inode_chain(t, r->inode);

	while (*at != number)
		at = &t->row[*at].next_inode;
	*at = r->next_inode;
	if (has_cookie(r)) {
		for (at = cookie_chain(t, r->cookie); *at != number;)
			at = &t->row[*at].next_cookie;
		*at = r->next_cookie;
	}
	t->count[r->kind]--;
	*r = (struct socket_row){ .next_inode = t->free };
	t->free = number;
}

void socket_table_release(struct socket_table *t)
{
	free(t->row);
	free(t->inode);
	free(t->cookie);
	*t = (struct socket_table){ 0 };
}
