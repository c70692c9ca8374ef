/*
 * _region_threads.h - what was counted of short regions, for each thread.
 *
 * Python has a tree of names for each thread, of nodes; a node that was visited here has a place, with what was counted
 * and Python did not take yet.  Open entries are in `frames`, above those of Python's stack.  Whenever something else
 * than a short entry happens, they are handed to Python's stack first ("spilled"), so that there is one order.
 */
#ifndef RT_PYTHON_REGION_THREADS_H
#define RT_PYTHON_REGION_THREADS_H

#include <stdbool.h>
#include <stdint.h>

#include "_objects.h"

/* As in regions.py. */
enum { SHORT_NS = 100 * 1000, FLUSH_NS = 200 * 1000 * 1000, CARRY_NS = 10 * 1000, LOWEST = 9 };
/* The last bucket is that of entries just below SHORT_NS, which has 17 bits. */
enum { BUCKETS = (17 - LOWEST + 1) * 8, DEPTH = 16, HASH = 256 };

struct place {
	PyObject *node;
	PyObject *region;                       /* struct region; NULL: seen only as one that others are in */
	struct link *below;
	struct place *next_of_hash, *next_dirty;
	bool hot, dirty;
	uint64_t wall, least, most;
	int64_t  cpu;
	uint32_t buckets[BUCKETS];
};

struct link { struct place *place; struct link *next; };
struct frame { struct place *place; int64_t begin, cpu; };

/* Never freed, but used again by another thread: `serial` says for whom. */
struct thread {
	struct thread *next;
	PyObject *python;                       /* its _Thread, which outlives this use; NULL: free */
	uint64_t serial;
	struct place *places[HASH], *dirty;
	struct place *top;                      /* the innermost of Python's stack; NULL: to be looked for */
	struct frame frames[DEPTH];
	size_t  depth;
	int64_t cpu, cpu_at, flush_at;
};

/* All threads that ever were. */
extern struct thread *threads;

/* That of the caller; NULL: it has none yet. */
struct thread *thread_now(void);
struct thread *thread_of(const PyObject *python);
/* From now on the thread that calls is the one of `python`; NULL: out of memory. */
struct thread *thread_take(PyObject *python);
/* Forgets its places and frames: it is free. */
void thread_release(struct thread *t);

struct place *place_find(struct thread *t, const PyObject *node);
/* The same, made where it is not there; NULL: out of memory. */
struct place *place_of(struct thread *t, PyObject *node);

/* The node at this place of the thread's stack, counted from its end; below all, the thread's own.  New, or NULL. */
PyObject *stack_node(PyObject *python, Py_ssize_t from_end);
/* What is open here is on Python's stack from now on; -1 with an exception. */
int spill(struct thread *t);

#endif
