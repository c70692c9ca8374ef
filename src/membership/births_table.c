/* births_table.c - the table of births: by pid, and lists of those that wait or have ended, in that order. */
#include "births.h"

#include <string.h>

enum { ROOM_FIRST = 64 };

static uint32_t *bucket_of(const struct births *b, pid_t pid)
{
	return &b->bucket[(uint32_t)pid & (b->buckets - 1)];
}

/* Twice the room; indices stay what they are. */
static bool grow(struct births *b)
{
	uint32_t room = b->room ? 2 * b->room : ROOM_FIRST;
	struct birth *at = realloc(b->at, room * sizeof *at);

	if (!at)
		return false;
	b->at = at;

	uint32_t *bucket = realloc(b->bucket, room * sizeof *bucket);

	if (!bucket)
		return false;
	b->bucket = bucket;
	b->buckets = room;
	memset(bucket, 0, room * sizeof *bucket);
	if (b->room == 0) {
		for (uint32_t i = 0; i < BIRTH_LISTS; i++)
			at[i] = (struct birth){ .before = i, .after = i };
		b->unused = BIRTH_LISTS;
	}
	for (uint32_t i = BIRTH_LISTS; i < b->room; i++) {        /* full: all are in use */
		uint32_t *first = bucket_of(b, at[i].pid);

		at[i].chain = *first;
		*first = i;
	}
	b->room = room;
	return true;
}

uint32_t births_add(struct births *b, pid_t pid)
{
	if (b->free == 0 && b->unused == b->room && !grow(b))
		return 0;

	uint32_t i = b->free ? b->free : b->unused++, *first = bucket_of(b, pid);

	if (i == b->free)
		b->free = b->at[i].chain;
	b->at[i] = (struct birth){ .pid = pid, .threads = 1, .chain = *first };
	*first = i;
	b->n++;
	births_wait(b, i);
	return i;
}

static uint32_t find(const struct births *b, pid_t pid, bool ended)
{
	uint32_t i = b->buckets ? *bucket_of(b, pid) : 0;

	while (i && (b->at[i].pid != pid || b->at[i].ended != ended))
		i = b->at[i].chain;
	return i;
}

uint32_t births_find(const struct births *b, pid_t pid)
{
	return find(b, pid, false);
}

uint32_t births_find_ended(const struct births *b, pid_t pid)
{
	return find(b, pid, true);
}

/* Out of the list that it stands in, if any. */
static void leave(struct births *b, uint32_t i)
{
	struct birth *birth = &b->at[i];

	if (!birth->listed)
		return;
	b->at[birth->before].after = birth->after;
	b->at[birth->after].before = birth->before;
	birth->listed = false;
}

/* To its end. */
static void join(struct births *b, enum birth_list list, uint32_t i)
{
	struct birth *head = &b->at[list], *birth = &b->at[i];

	leave(b, i);
	birth->listed = true;
	birth->before = head->before;
	birth->after = list;
	b->at[head->before].after = i;
	head->before = i;
}

void births_wait(struct births *b, uint32_t i)
{
	if (!b->at[i].listed)
		join(b, BIRTHS_WAITING, i);
}

void births_met(struct births *b, uint32_t i)
{
	leave(b, i);
}

void births_end(struct births *b, uint32_t i)
{
	join(b, BIRTHS_ENDED, i);
	b->at[i].ended = true;
	b->n--;
}

void births_remove(struct births *b, uint32_t i)
{
	uint32_t *link = bucket_of(b, b->at[i].pid);

	while (*link != i)
		link = &b->at[*link].chain;
	*link = b->at[i].chain;
	leave(b, i);
	b->n -= !b->at[i].ended;
	b->at[i].pid = 0;
	b->at[i].chain = b->free;
	b->free = i;
}

void births_release(struct births *b)
{
	free(b->at);
	free(b->bucket);
	*b = (struct births){ 0 };
}
