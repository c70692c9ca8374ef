/* line_queue.c - lines that wait to be written. */
#include "line_queue.h"

#include <stdlib.h>
#include <string.h>

enum { QUEUE_BYTES = 256 * 1024 };

/*
 * Each line is after its length, and never split: if it does not fit before the end of the ring, it begins at 0, and a
 * length of WRAP marks the unused rest.  A length with NEEDED set: later lines mean nothing without this one.
 */
static const uint32_t WRAP = UINT32_MAX;
static const uint32_t NEEDED = UINT32_C(1) << 30;

/* Everything is aligned to 4 bytes, so a length never crosses the end of the ring. */
static size_t room_for(size_t n)
{
	return sizeof(uint32_t) + (n + 3) / 4 * 4;
}

static void put_length(struct line_queue *q, uint32_t n)
{
	memcpy(q->at + q->tail, &n, sizeof n);
}

int line_queue_open(struct line_queue *q)
{
	*q = (struct line_queue){ .at = malloc(QUEUE_BYTES) };
	return q->at ? 0 : -ENOMEM;
}

void line_queue_close(struct line_queue *q)
{
	free(q->at);
	*q = (struct line_queue){ 0 };
}

bool line_queue_add(struct line_queue *q, const char *line, size_t n, bool needed)
{
	size_t need = room_for(n);

	if (q->lines == 0)
		q->head = q->tail = 0;          /* back to the front, so that few pages are used */
	if (q->lines > 0 && q->tail <= q->head) {
		if (q->head - q->tail < need)
			return false;
	} else if (QUEUE_BYTES - q->tail < need) {
		if (q->head < need)
			return false;
		if (q->tail < QUEUE_BYTES)
			put_length(q, WRAP);
		q->tail = 0;
	}
	put_length(q, (uint32_t)n | (needed ? NEEDED : 0));
	memcpy(q->at + q->tail + sizeof(uint32_t), line, n);
	q->tail += need;
	q->lines++;
	return true;
}

const char *line_queue_front(struct line_queue *q, size_t *ret_n, bool *ret_needed)
{
	uint32_t n;

	if (q->head == QUEUE_BYTES)
		q->head = 0;
	memcpy(&n, q->at + q->head, sizeof n);
	if (n == WRAP) {
		q->head = 0;
		memcpy(&n, q->at, sizeof n);
	}
	*ret_n = n & ~NEEDED;
	*ret_needed = n & NEEDED;
	return q->at + q->head + sizeof n;
}

void line_queue_pop(struct line_queue *q, size_t n)
{
	q->head += room_for(n);
	q->lines--;
}
