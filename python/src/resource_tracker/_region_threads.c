/* _region_threads.c - what was counted of short regions, for each thread. */
#include "_region_threads.h"

#include <stdlib.h>

struct thread *threads;
static _Thread_local struct thread *mine;
static _Thread_local uint64_t my_serial;
static uint64_t serials;

struct thread *thread_now(void)
{
	return mine && mine->serial == my_serial ? mine : NULL;
}

struct thread *thread_of(const PyObject *python)
{
	struct thread *t = threads;

	while (t && t->python != python)
		t = t->next;
	return t;
}

void thread_release(struct thread *t)
{
	t->python = NULL;
	t->serial = ++serials;
	t->top = t->dirty = NULL;
	t->depth = 0;
	for (size_t i = 0; i < HASH; i++) {
		struct place *place = t->places[i];

		t->places[i] = NULL;
		while (place) {
			struct place *next = place->next_of_hash;

			for (struct link *link = place->below, *after; link; link = after) {
				after = link->next;
				free(link);
			}
			Py_DECREF(place->node);
			Py_XDECREF(place->region);
			free(place);
			place = next;
		}
	}
}

static const char capsule_name[] = "resource_tracker.thread";

/* Its _Thread is gone. */
static void thread_gone(PyObject *capsule)
{
	struct thread *t = PyCapsule_GetPointer(capsule, capsule_name);

	if (t && t->serial == (uint64_t)(uintptr_t)PyCapsule_GetContext(capsule))
		thread_release(t);
}

/* Its _Thread holds what releases it, also at the end of the interpreter, when no code of Python runs. */
static int thread_bind(struct thread *t, PyObject *python)
{
	PyObject *capsule = PyCapsule_New(t, capsule_name, thread_gone);
	int r;

	/* First, for what follows can free objects, and their code can have regions. */
	t->python = python;
	t->serial = ++serials;
	r = capsule ? PyCapsule_SetContext(capsule, (void *)(uintptr_t)t->serial) : -1;
	if (r == 0)
		r = PyObject_SetAttrString(python, "counted", capsule);
	if (r < 0)
		thread_release(t);
	Py_XDECREF(capsule);
	return r;
}

struct thread *thread_take(PyObject *python)
{
	struct thread *t = thread_of(python);

	if (!t)
		t = thread_of(NULL);
	if (!t) {
		t = calloc(1, sizeof *t);
		if (!t)
			return NULL;
		t->next = threads;
		threads = t;
	}
	if (!t->python && thread_bind(t, python) < 0)
		return NULL;
	mine = t;
	my_serial = t->serial;
	return t;
}

static struct place **hash_of(struct thread *t, const PyObject *node)
{
	return &t->places[((uintptr_t)node >> 4) % HASH];
}

struct place *place_find(struct thread *t, const PyObject *node)
{
	struct place *place = *hash_of(t, node);

	while (place && place->node != node)
		place = place->next_of_hash;
	return place;
}

struct place *place_of(struct thread *t, PyObject *node)
{
	struct place **at = hash_of(t, node), *place = place_find(t, node);

	if (place)
		return place;
	place = calloc(1, sizeof *place);
	if (!place)
		return NULL;
	Py_INCREF(node);
	place->node = node;
	place->least = UINT64_MAX;
	place->next_of_hash = *at;
	*at = place;
	return place;
}

PyObject *stack_node(PyObject *python, Py_ssize_t from_end)
{
	PyObject *stack = PyObject_GetAttrString(python, "stack");
	Py_ssize_t n = stack ? PyList_Size(stack) : -1;
	PyObject *frame = n >= from_end ? PyList_GetItem(stack, n - from_end) : NULL;   /* borrowed */
	PyObject *node = NULL;

	if (frame)
		node = PySequence_GetItem(frame, 0);
	else if (n >= 0)
		node = PyObject_GetAttrString(python, "node");
	Py_XDECREF(stack);
	return node;
}

int spill(struct thread *t)
{
	PyObject *stack = t->depth > 0 ? PyObject_GetAttrString(t->python, "stack") : NULL;
	int r = t->depth > 0 && !stack ? -1 : 0;

	for (size_t i = 0; r == 0 && i < t->depth; i++) {
		const struct frame *f = &t->frames[i];
		PyObject *frame =
			Py_BuildValue("[OLLO]", f->place->node, (long long)f->begin, (long long)f->cpu, Py_False);

		r = frame ? PyList_Append(stack, frame) : -1;
		Py_XDECREF(frame);
	}
	Py_XDECREF(stack);
	t->depth = 0;
	t->top = NULL;
	return r;
}
