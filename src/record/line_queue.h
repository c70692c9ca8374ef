/*
 * line_queue.h - lines that wait to be written: a ring of bytes, in order, each line whole.  Not locked: output.c does.
 */
#ifndef RT_LINE_QUEUE_H
#define RT_LINE_QUEUE_H

#include "../core/base.h"

/* The longest line, in bytes: half of the ring. */
#define LINE_QUEUE_LONGEST (UINT32_C(128) * 1024 - 8)

/* Zeroed, it is closed.  Only `lines`, the count of those that wait, is for others to read. */
struct line_queue {
	char *at;
	size_t head, tail;                      /* lines are taken at head and added at tail */
	size_t lines;
};

/* 0, or -ENOMEM: it is closed. */
int line_queue_open(struct line_queue *q) must_use;

/* Frees the memory, and the lines that wait. */
void line_queue_close(struct line_queue *q);

/* Copies n bytes, at most LINE_QUEUE_LONGEST.  needed: given back with the line.  false: there is no room now. */
bool line_queue_add(struct line_queue *q, const char *line, size_t n, bool needed) must_use;

/* The oldest line, valid until line_queue_pop; there must be one. */
const char *line_queue_front(struct line_queue *q, size_t *ret_n, bool *ret_needed) must_use;

/* Removes the oldest line, of n bytes as by line_queue_front. */
void line_queue_pop(struct line_queue *q, size_t n);

#endif
