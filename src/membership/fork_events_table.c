/* fork_events_table.c - the table of fork events: by pid, and as lists of waiting and of exited processes, in order. */
#include "fork_events.h"

#include <string.h>

enum { ROOM_FIRST = 64 };

static uint32_t *bucket_of(const struct fork_events *b, pid_t pid)
{
	return &b->bucket[(uint32_t)pid & (b->buckets - 1)];
}

/* Doubles the room.  Indices stay valid. */
static bool grow(struct fork_events *b)
{
	uint32_t room = b->room ? 2 * b->room : ROOM_FIRST;
	struct fork_event *at = realloc(b->at, room * sizeof *at);

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
		for (uint32_t i = 0; i < FORK_EVENT_LISTS; i++)
			at[i] = (struct fork_event){ .before = i, .after = i };
		b->unused = FORK_EVENT_LISTS;
	}
	for (uint32_t i = FORK_EVENT_LISTS; i < b->room; i++) { /* full: all are in use */
		uint32_t *first = bucket_of(b, at[i].pid);

		at[i].chain = *first;
		*first = i;
	}
	b->room = room;
	return true;
}

uint32_t fork_events_add(struct fork_events *b, pid_t pid)
{
	if (b->free == 0 && b->unused == b->room && !grow(b))
		return 0;

	uint32_t i = b->free ? b->free : b->unused++, *first = bucket_of(b, pid);

	if (i == b->free)
		b->free = b->at[i].chain;
	b->at[i] = (struct fork_event){ .pid = pid, .threads = 1, .chain = *first };
	*first = i;
	b->n++;
	fork_events_wait(b, i);
	return i;
}

static uint32_t find(const struct fork_events *b, pid_t pid, bool ended)
{
	uint32_t i = b->buckets ? *bucket_of(b, pid) : 0;

	while (i && (b->at[i].pid != pid || b->at[i].ended != ended))
		i = b->at[i].chain;
	return i;
}

uint32_t fork_events_find(const struct fork_events *b, pid_t pid)
{
	return find(b, pid, false);
}

uint32_t fork_events_find_ended(const struct fork_events *b, pid_t pid)
{
	return find(b, pid, true);
}

/* Removes it from its list, if any. */
static void leave(struct fork_events *b, uint32_t i)
{
	struct fork_event *fork_event = &b->at[i];

	if (!fork_event->listed)
		return;
	b->at[fork_event->before].after = fork_event->after;
	b->at[fork_event->after].before = fork_event->before;
	fork_event->listed = false;
}

/* Appends it to a list. */
static void join(struct fork_events *b, enum fork_event_list list, uint32_t i)
{
	struct fork_event *head = &b->at[list], *fork_event = &b->at[i];

	leave(b, i);
	fork_event->listed = true;
	fork_event->before = head->before;
	fork_event->after = list;
	b->at[head->before].after = i;
	head->before = i;
}

void fork_events_wait(struct fork_events *b, uint32_t i)
{
	if (!b->at[i].listed)
		join(b, FORK_EVENTS_WAITING, i);
}

void fork_events_met(struct fork_events *b, uint32_t i)
{
	leave(b, i);
}

void fork_events_end(struct fork_events *b, uint32_t i)
{
	join(b, FORK_EVENTS_ENDED, i);
	b->at[i].ended = true;
	b->n--;
}

void fork_events_remove(struct fork_events *b, uint32_t i)
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

void fork_events_release(struct fork_events *b)
{
	free(b->at);
	free(b->bucket);
	*b = (struct fork_events){ 0 };
}
