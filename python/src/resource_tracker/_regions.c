/*
 * _regions.c - counts entries of short regions.
 *
 * Python has a tree of names for each thread, of nodes; a node that was visited here has a place, with what was counted
 * and Python did not take yet.  Open entries are in `frames`, above those of Python's stack.  Whenever something else
 * than a short entry happens, they are handed to Python's stack first ("spilled"), so that there is one order.
 */
#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x03090000
#include "_regions.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* As in regions.py. */
enum { SHORT_NS = 100 * 1000, FLUSH_NS = 200 * 1000 * 1000, CARRY_NS = 10 * 1000, LOWEST = 9 };
/* The last bucket is that of entries just below SHORT_NS, which has 17 bits. */
enum { BUCKETS = (17 - LOWEST + 1) * 8, DEPTH = 16, HASH = 256 };

struct region {
	PyObject_HEAD
	PyObject *slow;                         /* the same region of Python */
};

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

static struct thread *threads;
static _Thread_local struct thread *mine;
static _Thread_local uint64_t my_serial;
static uint64_t serials;
static bool listening;
/* Of regions.py: the dict of regions, the function that makes one, the thread's _Thread, and what decorates. */
static PyObject *known, *find, *current, *decorate;

/* ---- threads and places ------------------------------------------------------------------------- */

static struct thread *thread_now(void)
{
	return mine && mine->serial == my_serial ? mine : NULL;
}

static struct thread *thread_of(const PyObject *python)
{
	struct thread *t = threads;

	while (t && t->python != python)
		t = t->next;
	return t;
}

/* Forgets its places and frames: it is free. */
static void thread_release(struct thread *t)
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

/* From now on the thread that calls is the one of `python`; NULL: out of memory. */
static struct thread *thread_take(PyObject *python)
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

static struct place *place_find(struct thread *t, const PyObject *node)
{
	struct place *place = *hash_of(t, node);

	while (place && place->node != node)
		place = place->next_of_hash;
	return place;
}

/* NULL: out of memory. */
static struct place *place_of(struct thread *t, PyObject *node)
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

static struct place *place_below(const struct place *above, const PyObject *region)
{
	for (const struct link *link = above->below; link; link = link->next)
		if (link->place->region == region)
			return link->place->hot ? link->place : NULL;
	return NULL;
}

/* ---- Python's side of them ---------------------------------------------------------------------- */

/* The node at this place of the thread's stack, counted from its end; below all, the thread's own.  New, or NULL. */
static PyObject *stack_node(PyObject *python, Py_ssize_t from_end)
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

/* What is open here is on Python's stack from now on. */
static int spill(struct thread *t)
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

static bool is_true(PyObject *object, const char *name)
{
	PyObject *value = PyObject_GetAttrString(object, name);
	int r = value ? PyObject_IsTrue(value) : -1;

	Py_XDECREF(value);
	return r > 0;
}

/* After Python began an entry: if it says that those are short, the next one is counted here. */
static void learn(PyObject *region)
{
	PyObject *python = PyObject_CallObject(current, NULL);
	struct thread *t = python && python != Py_None ? thread_take(python) : NULL;
	PyObject *node = t ? stack_node(python, 1) : NULL, *above = NULL;

	if (node && is_true(node, "hot") && !is_true(node, "again"))
		above = stack_node(python, 2);
	if (above) {
		struct place *outer = place_of(t, above), *place = place_of(t, node);
		struct link *link = outer && place ? outer->below : NULL;

		while (link && link->place != place)
			link = link->next;
		if (outer && place && !link) {
			link = malloc(sizeof *link);
			if (link) {
				*link = (struct link){ place, outer->below };
				outer->below = link;
			}
		}
		if (place && !place->region) {
			Py_INCREF(region);
			place->region = region;
		}
		if (place)
			place->hot = true;
	}
	if (t)
		t->top = NULL;
	Py_XDECREF(above);
	Py_XDECREF(node);
	Py_XDECREF(python);
	PyErr_Clear();
}

static PyObject *enter_slowly(PyObject *self)
{
	struct thread *t = thread_now();
	PyObject *r = t && spill(t) < 0 ? NULL : PyObject_CallMethod(((struct region *)self)->slow, "__enter__", NULL);

	if (!r)
		return NULL;
	Py_DECREF(r);
	learn(self);
	Py_INCREF(self);
	return self;
}

static PyObject *exit_slowly(PyObject *self)
{
	struct thread *t = thread_now();

	if (t && spill(t) < 0)
		return NULL;
	if (t)
		t->top = NULL;
	return PyObject_CallMethod(((struct region *)self)->slow, "__exit__", "OOO", Py_None, Py_None, Py_None);
}

/* ---- begin and end ------------------------------------------------------------------------------ */

static int64_t clock_ns(clockid_t clock)
{
	struct timespec t = { 0, 0 };

	(void)clock_gettime(clock, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Within CARRY_NS of the last reading it is carried on: a reading takes as long as all else together. */
static int64_t cpu_at(struct thread *t, int64_t now)
{
	int64_t passed = now - t->cpu_at;

	if (passed >= 0 && passed < CARRY_NS)
		return t->cpu + passed;
	t->cpu = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	t->cpu_at = now;
	return t->cpu;
}

/* The innermost place of all; NULL: only Python knows. */
static struct place *innermost(struct thread *t)
{
	PyObject *node;

	if (t->depth > 0)
		return t->frames[t->depth - 1].place;
	if (t->top)
		return t->top;
	node = stack_node(t->python, 1);
	if (node)
		t->top = place_find(t, node);
	else
		PyErr_Clear();
	Py_XDECREF(node);
	return t->top;
}

static PyObject *region_enter(PyObject *self, PyObject *unused)
{
	struct thread *t = listening ? thread_now() : NULL;
	struct place *above = t && t->depth < DEPTH ? innermost(t) : NULL;
	struct place *place = above ? place_below(above, self) : NULL;

	(void)unused;
	if (listening && !place)
		return enter_slowly(self);
	if (place) {
		int64_t now = clock_ns(CLOCK_MONOTONIC);

		t->frames[t->depth++] = (struct frame){ place, now, cpu_at(t, now) };
	}
	Py_INCREF(self);
	return self;
}

static void count(struct thread *t, struct place *place, uint64_t wall, int64_t cpu)
{
	unsigned bits = wall > 0 ? 64 - (unsigned)__builtin_clzll(wall) : 0;

	if (!place->dirty) {
		place->dirty = true;
		place->next_dirty = t->dirty;
		t->dirty = place;
	}
	place->wall += wall;
	place->cpu += cpu;              /* below 0 if the begin was carried on too far */
	if (wall < place->least)
		place->least = wall;
	if (wall > place->most)
		place->most = wall;
	place->buckets[bits >= LOWEST ? (bits - LOWEST) * 8 + (wall >> (bits - 4) & 7) : 0]++;
}

static PyObject *region_exit(PyObject *self, PyObject *unused)
{
	struct thread *t = listening ? thread_now() : NULL;
	const struct frame *f = t && t->depth > 0 ? &t->frames[t->depth - 1] : NULL;
	int64_t now;

	(void)unused;
	if (!listening)
		return PyBool_FromLong(0);
	if (!f || f->place->region != self)
		return exit_slowly(self);
	now = clock_ns(CLOCK_MONOTONIC);
	if (now - f->begin >= SHORT_NS) {
		f->place->hot = false;          /* until Python says so again */
		return exit_slowly(self);
	}
	count(t, f->place, now > f->begin ? (uint64_t)(now - f->begin) : 0, cpu_at(t, now) - f->cpu);
	t->depth--;
	if (now > t->flush_at) {
		PyObject *r;

		t->flush_at = now + FLUSH_NS;
		r = PyObject_CallMethod(t->python, "flush_now", "L", (long long)now);
		if (!r)
			return NULL;
		Py_DECREF(r);
	}
	return PyBool_FromLong(0);
}

/* ---- the type ----------------------------------------------------------------------------------- */

static int region_init(PyObject *self, PyObject *arguments, PyObject *named)
{
	PyObject *slow;

	(void)named;
	if (!PyArg_ParseTuple(arguments, "O", &slow))
		return -1;
	Py_INCREF(slow);
	Py_XDECREF(((struct region *)self)->slow);
	((struct region *)self)->slow = slow;
	return 0;
}

static void region_dealloc(PyObject *self)
{
	PyTypeObject *type = Py_TYPE(self);
	freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);

	Py_XDECREF(((struct region *)self)->slow);
	release(self);
	Py_DECREF(type);
}

static PyObject *region_call(PyObject *self, PyObject *arguments, PyObject *named)
{
	PyObject *function;

	(void)named;
	return PyArg_ParseTuple(arguments, "O", &function)
		? PyObject_CallFunctionObjArgs(decorate, self, function, NULL) : NULL;
}

static PyObject *region_name(PyObject *self, void *unused)
{
	(void)unused;
	return PyObject_GetAttrString(((struct region *)self)->slow, "name");
}

static PyMethodDef region_methods[] = {
	{ "__enter__", region_enter, METH_NOARGS, NULL },
	{ "__exit__", region_exit, METH_VARARGS, NULL },
	{ NULL, NULL, 0, NULL },
};

static PyGetSetDef region_members[] = { { "name", region_name, NULL, NULL, NULL }, { NULL, NULL, NULL, NULL, NULL } };

/* The limited API has functions as void *, which ISO C does not convert. */
#define SLOT(id, function) { id, __extension__(void *)(function) }

static PyType_Slot region_slots[] = {
	SLOT(Py_tp_new, PyType_GenericNew), SLOT(Py_tp_init, region_init), SLOT(Py_tp_dealloc, region_dealloc),
	SLOT(Py_tp_call, region_call), SLOT(Py_tp_methods, region_methods), SLOT(Py_tp_getset, region_members),
	{ 0, NULL },
};

static PyType_Spec region_spec = {
	"resource_tracker._library.Region", sizeof(struct region), 0, Py_TPFLAGS_DEFAULT, region_slots,
};

/* ---- functions for regions.py ------------------------------------------------------------------- */

/* regions_use(known, find, current, decorate) -> whether this interpreter is the first one that does. */
static PyObject *regions_use(PyObject *module, PyObject *arguments)
{
	PyObject *given[4];

	(void)module;
	if (!PyArg_ParseTuple(arguments, "OOOO", &given[0], &given[1], &given[2], &given[3]))
		return NULL;
	if (known)
		return PyBool_FromLong(0);
	for (size_t i = 0; i < 4; i++)
		Py_INCREF(given[i]);
	known = given[0];
	find = given[1];
	current = given[2];
	decorate = given[3];
	return PyBool_FromLong(1);
}

static PyObject *region_of(PyObject *module, PyObject *name)
{
	PyObject *region = PyUnicode_CheckExact(name) ? PyDict_GetItemWithError(known, name) : NULL;

	(void)module;
	if (!region)
		return PyErr_Occurred() ? NULL : PyObject_CallFunctionObjArgs(find, name, NULL);
	Py_INCREF(region);
	return region;
}

static PyObject *regions_listen(PyObject *module, PyObject *on)
{
	(void)module;
	listening = PyObject_IsTrue(on) > 0;
	Py_RETURN_NONE;
}

static PyObject *regions_spill(PyObject *module, PyObject *unused)
{
	struct thread *t = thread_now();

	(void)module;
	(void)unused;
	if (t && spill(t) < 0)
		return NULL;
	Py_RETURN_NONE;
}

static PyObject *taken_of(struct place *place)
{
	PyObject *buckets = PyList_New(0), *taken;

	for (int i = 0; buckets && i < BUCKETS; i++) {
		PyObject *pair = place->buckets[i] ? Py_BuildValue("(iI)", i, place->buckets[i]) : NULL;

		if (place->buckets[i] && (!pair || PyList_Append(buckets, pair) < 0))
			Py_CLEAR(buckets);
		Py_XDECREF(pair);
	}
	if (!buckets)
		return NULL;
	taken = Py_BuildValue("(OKLKKN)", place->node, (unsigned long long)place->wall, (long long)place->cpu,
			      (unsigned long long)place->least, (unsigned long long)place->most, buckets);
	place->wall = place->most = 0;
	place->cpu = 0;
	place->least = UINT64_MAX;
	memset(place->buckets, 0, sizeof place->buckets);
	return taken;
}

/* regions_take(thread) -> [(node, wall, cpu, least, most, [(bucket, entries), ...]), ...], which are forgotten here. */
static PyObject *regions_take(PyObject *module, PyObject *python)
{
	struct thread *t = thread_of(python);
	PyObject *list = PyList_New(0);

	(void)module;
	while (list && t && t->dirty) {
		struct place *place = t->dirty;
		PyObject *taken = taken_of(place);

		t->dirty = place->next_dirty;
		place->dirty = false;
		if (!taken || PyList_Append(list, taken) < 0)
			Py_CLEAR(list);
		Py_XDECREF(taken);
	}
	return list;
}

/* regions_release(thread): it has ended, or all was taken from it. */
static PyObject *regions_release(PyObject *module, PyObject *python)
{
	struct thread *t = thread_of(python);

	(void)module;
	if (t)
		thread_release(t);
	Py_RETURN_NONE;
}

/* regions_threads() -> the threads that are not released; their open entries are on their stacks. */
static PyObject *regions_threads(PyObject *module, PyObject *unused)
{
	PyObject *list = PyList_New(0);

	(void)module;
	(void)unused;
	for (struct thread *t = threads; list && t; t = t->next)
		if (t->python && (spill(t) < 0 || PyList_Append(list, t->python) < 0))
			Py_CLEAR(list);
	return list;
}

static PyMethodDef functions[] = {
	{ "region", region_of, METH_O,
	  "region(name)\n--\n\n"
	  "region(\"name\"): a context manager or a decorator.  @region: a decorator, with the function's name." },
	{ "regions_use", regions_use, METH_VARARGS, NULL },
	{ "regions_listen", regions_listen, METH_O, NULL },
	{ "regions_spill", regions_spill, METH_NOARGS, NULL },
	{ "regions_take", regions_take, METH_O, NULL },
	{ "regions_release", regions_release, METH_O, NULL },
	{ "regions_threads", regions_threads, METH_NOARGS, NULL },
	{ NULL, NULL, 0, NULL },
};

int regions_fill(PyObject *module)
{
	PyObject *type = PyType_FromSpec(&region_spec);

	if (type && PyModule_AddObject(module, "Region", type) == 0)
		return PyModule_AddFunctions(module, functions);
	Py_XDECREF(type);
	return -1;
}
