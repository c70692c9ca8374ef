/* births_table.c - the table of births: by pid, and those waiting in the order of their forks. */
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
		at[0] = (struct birth){ 0 };
		b->unused = 1;
	}
	for (uint32_t i = 1; i < b->room; i++) {        /* full: all are in use */
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

uint32_t births_find(const struct births *b, pid_t pid)
{
	uint32_t i = b->buckets ? *bucket_of(b, pid) : 0;

	while (i && b->at[i].pid != pid)
		i = b->at[i].chain;
	return i;
}

void births_remove(struct births *b, uint32_t i)
{
	uint32_t *link = bucket_of(b, b->at[i].pid);

	while (*link != i)
		link = &b->at[*link].chain;
	*link = b->at[i].chain;
	births_met(b, i);
	b->at[i].pid = 0;
	b->at[i].chain = b->free;
	b->free = i;
	b->n--;
}

void births_wait(struct births *b, uint32_t i)
{
	struct birth *head = &b->at[0], *birth = &b->at[i];

	if (birth->waiting)
		return;
	birth->waiting = true;
	birth->before = head->before;
	birth->after = 0;
	b->at[head->before].after = i;
	head->before = i;
}

void births_met(struct births *b, uint32_t i)
{
	struct birth *birth = &b->at[i];

	if (!birth->waiting)
		return;
	b->at[birth->before].after = birth->after;
	b->at[birth->after].before = birth->before;
	birth->waiting = false;
}

void births_release(struct births *b)
{
	free(b->at);
	free(b->bucket);
	*b = (struct births){ 0 };
}
