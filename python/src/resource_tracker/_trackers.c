/* _trackers.c - samples of the machine or of processes. */
#include "_trackers.h"

#include <math.h>
#include <string.h>

#include "resource_tracker.h"

struct tracker {
	PyObject_HEAD
	struct rt_tracker *tracker;             /* NULL: not open */
	int busy;                               /* a thread takes a sample, without the GIL */
};

/* NULL with an exception; else what PyMem_Free takes back. */
static pid_t *pids_from(PyObject *sequence, size_t *ret_n)
{
	Py_ssize_t n = PySequence_Size(sequence);
	pid_t *pids = n < 0 ? NULL : PyMem_Calloc((size_t)n + 1, sizeof *pids);

	if (n >= 0 && !pids)
		PyErr_NoMemory();
	for (Py_ssize_t i = 0; pids && i < n; i++) {
		PyObject *item = PySequence_GetItem(sequence, i);

		pids[i] = item ? (pid_t)PyLong_AsLong(item) : 0;
		Py_XDECREF(item);
		if (PyErr_Occurred()) {
			PyMem_Free(pids);
			return NULL;
		}
	}
	*ret_n = pids ? (size_t)n : 0;
	return pids;
}

/* Tracker(pids): of these processes and all their descendants, and of the machine; (): of the machine alone. */
static int tracker_init(PyObject *object, PyObject *arguments, PyObject *named)
{
	struct tracker *self = (struct tracker *)object;
	struct rt_options options;
	PyObject *pids;
	char reason[REASON_SIZE] = "";
	int r;

	if ((named && PyDict_Size(named) > 0) || self->tracker) {
		PyErr_SetString(PyExc_TypeError, "Tracker() takes pids and collectors, once");
		return -1;
	}
	rt_options_init(&options, sizeof options);
	if (!PyArg_ParseTuple(arguments, "O|z", &pids, &options.only))
		return -1;

	pid_t *list = pids_from(pids, &options.n_pids);

	if (!list)
		return -1;
	options.pids = list;
	Py_BEGIN_ALLOW_THREADS
	r = rt_open(&self->tracker, &options, reason, sizeof reason);
	Py_END_ALLOW_THREADS
	PyMem_Free(list);
	return r < 0 ? fail(r, reason), -1 : 0;
}

static void tracker_dealloc(PyObject *object)
{
	rt_close(((struct tracker *)object)->tracker);
	object_free(object);
}

static PyObject *tracker_sample(PyObject *object, PyObject *unused)
{
	struct tracker *self = (struct tracker *)object;
	int r;

	(void)unused;
	if (self->busy) {
		PyErr_SetString(PyExc_RuntimeError, "another thread takes a sample of this tracker");
		return NULL;
	}
	self->busy = 1;
	Py_BEGIN_ALLOW_THREADS
	r = rt_sample(self->tracker);
	Py_END_ALLOW_THREADS
	self->busy = 0;
	return r < 0 ? fail(r, NULL) : none();
}

/* The known values of a row by the metrics' names, and its texts. */
static PyObject *row_of(const struct rt_tracker *tracker, size_t table, size_t row, int total)
{
	PyObject *dict = PyDict_New();

	for (size_t m = 0; dict && m < rt_metric_count(table); m++) {
		struct rt_metric_info info = { .size = sizeof info };
		double value = rt_value(tracker, table, row, m);
		char name[160];

		if (isnan(value) || rt_metric_info(table, m, &info) < 0)
			continue;
		(void)PyOS_snprintf(name, sizeof name, "%s%s%s", total ? info.group : "", total ? "." : "", info.name);
		if (put(dict, name, PyFloat_FromDouble(value)) < 0)
			Py_CLEAR(dict);
	}
	for (size_t l = 0; dict && !total && l < rt_label_count(table); l++) {
		const char *label = rt_label(tracker, table, row, l);

		if (label && *label && put(dict, rt_label_name(table, l), text_of(label)) < 0)
			Py_CLEAR(dict);
	}
	return dict;
}

static PyObject *rows_of(const struct rt_tracker *tracker, size_t table)
{
	PyObject *rows = PyDict_New();

	for (size_t i = 0; rows && i < rt_row_count(tracker, table); i++) {
		PyObject *key = text_of(rt_row_key(tracker, table, i)), *row = row_of(tracker, table, i, 0);

		if (!key || !row || PyDict_SetItem(rows, key, row) < 0)
			Py_CLEAR(rows);
		Py_XDECREF(key);
		Py_XDECREF(row);
	}
	return rows;
}

/* The last sample: {"total": {"cpu.count": 2.0, ...}, "disk": {"vda": {...}}, ...}, known values alone. */
static PyObject *tracker_tables(PyObject *object, PyObject *unused)
{
	struct tracker *self = (struct tracker *)object;
	PyObject *dict = self->busy ? NULL : PyDict_New();

	(void)unused;
	if (self->busy)
		PyErr_SetString(PyExc_RuntimeError, "another thread takes a sample of this tracker");
	for (size_t t = 0; dict && t < rt_table_count(); t++) {
		const char *name = rt_table_name(t);
		int total = strcmp(name, "total") == 0;

		if (put(dict, name, total ? row_of(self->tracker, t, 0, 1) : rows_of(self->tracker, t)) < 0)
			Py_CLEAR(dict);
	}
	return dict;
}

static PyObject *tracker_timestamp(PyObject *object, PyObject *unused)
{
	(void)unused;
	return PyFloat_FromDouble(rt_timestamp_seconds(((struct tracker *)object)->tracker));
}

static PyMethodDef tracker_methods[] = {
	{ "sample", tracker_sample, METH_NOARGS, NULL },
	{ "tables", tracker_tables, METH_NOARGS, NULL },
	{ "timestamp", tracker_timestamp, METH_NOARGS, NULL },
	{ NULL, NULL, 0, NULL },
};

static PyType_Slot tracker_slots[] = {
	SLOT(Py_tp_new, PyType_GenericNew), SLOT(Py_tp_init, tracker_init), SLOT(Py_tp_dealloc, tracker_dealloc),
	SLOT(Py_tp_methods, tracker_methods), { 0, NULL },
};

static PyType_Spec tracker_spec = {
	"resource_tracker._library.Tracker", sizeof(struct tracker), 0, Py_TPFLAGS_DEFAULT, tracker_slots,
};

int trackers_fill(PyObject *module)
{
	return add_type(module, "Tracker", &tracker_spec);
}
