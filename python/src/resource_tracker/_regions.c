/* _regions.c - regions for Python: what regions.py calls of them, and takes from them. */
#include "_regions.h"

#include <string.h>

#include "_region_threads.h"
#include "_region_type.h"

/* Of regions.py: the dict of regions, and the function that makes one. */
static PyObject *known, *find;

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
	regions_current = given[2];
	regions_decorate = given[3];
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
	regions_listening = PyObject_IsTrue(on) > 0;
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
	return region_type_fill(module) < 0 ? -1 : PyModule_AddFunctions(module, functions);
}
