/* entries.h - programs and processes as rows of one kind, their columns and their order.  Pure. */
#ifndef RT_ENTRIES_H
#define RT_ENTRIES_H

#include <sys/types.h>

#include "cells.h"

struct entry {                                  /* NONE: unknown */
	char   name[32];
	pid_t  pid, parent;                     /* of a process; else 0 */
	unsigned level;                         /* of a process in a tree; else 0 */
	char   state;                           /* of a process, as in /proc/PID/stat */
	double count;                           /* processes of a program, threads of a process */
	double cores, bytes, disk_bytes_per_second, cpu_seconds;
};

enum entry_kind { PROGRAMS, PROCESSES };
enum order { ORDER_CPU, ORDER_MEMORY, ORDER_DISK, ORDER_NAME, ORDER_NUMBER, ORDER_COUNT };

/* key: one of "cmdnp"; -1: none of them. */
int  order_of_key(char key);

/* A list.  reversed: names and pids descend, all else ascends.  Equal rows keep the order of their pids and names. */
void entries_sort(struct entry *e, size_t n, enum entry_kind kind, enum order order, bool reversed);

/*
 * Moves each process to its parent, which it follows, and sets its level; siblings keep their order.  Without memory it
 * changes nothing.
 */
void entries_tree(struct entry *e, size_t n);

/* A table in an area: a line of titles, then rows from `from` on, as many as there is room for. */
struct entries_view {
	enum entry_kind kind;
	const struct entry *entry;              /* sorted */
	size_t n, from;
	enum order order;
	bool   reversed, utf8, chosen;          /* chosen: keys move this table */
};

/* A row for which memory is short stays blank. */
void entries_draw(struct cells *c, struct area a, const struct entries_view *v);
/* The order of the title at a column of the area; -1: none. */
int  entries_order_at(struct area a, enum entry_kind kind, unsigned column);

#endif
