/* _region_type.c - the type of a region, which counts its short entries, and calls Python for all others. */
#include "_region_type.h"

#include <stdlib.h>
#include <time.h>

#include "_region_threads.h"

struct region {
	PyObject_HEAD
	PyObject *slow;                         /* the same region of Python */
};

bool regions_listening;
PyObject *regions_current, *regions_decorate;

/* ---- what Python does ----------------------------------------------------------------------------- */

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
	PyObject *python = PyObject_CallObject(regions_current, NULL);
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

static struct place *place_below(const struct place *above, const PyObject *region)
{
	for (const struct link *link = above->below; link; link = link->next)
		if (link->place->region == region)
			return link->place->hot ? link->place : NULL;
	return NULL;
}

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
	struct thread *t = regions_listening ? thread_now() : NULL;
	struct place *above = t && t->depth < DEPTH ? innermost(t) : NULL;
	struct place *place = above ? place_below(above, self) : NULL;

	(void)unused;
	if (regions_listening && !place)
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
	struct thread *t = regions_listening ? thread_now() : NULL;
	const struct frame *f = t && t->depth > 0 ? &t->frames[t->depth - 1] : NULL;
	int64_t now;

	(void)unused;
	if (!regions_listening)
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
		? PyObject_CallFunctionObjArgs(regions_decorate, self, function, NULL) : NULL;
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

static PyType_Slot region_slots[] = {
	SLOT(Py_tp_new, PyType_GenericNew), SLOT(Py_tp_init, region_init), SLOT(Py_tp_dealloc, region_dealloc),
	SLOT(Py_tp_call, region_call), SLOT(Py_tp_methods, region_methods), SLOT(Py_tp_getset, region_members),
	{ 0, NULL },
};

static PyType_Spec region_spec = {
	"resource_tracker._library.Region", sizeof(struct region), 0, Py_TPFLAGS_DEFAULT, region_slots,
};

int region_type_fill(PyObject *module)
{
	return add_type(module, "Region", &region_spec);
}
