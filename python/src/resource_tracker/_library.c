/*
 * _library.c - the C library for Python: records as columns, and samples of the machine or of processes.
 *
 * Limited API of Python 3.9, so one file serves it and all later ones.  A column comes as bytes, which
 * memoryview(...).cast("d") makes numbers of without a copy: an object of ours could not lend its memory before 3.11.
 * Reading a record and taking a sample let other threads run.  Failures are OSError with the library's sentence; the
 * modules around make exceptions of the package of them.
 */
#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x03090000
#include <Python.h>

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "resource_tracker.h"
#include "resource_tracker_records.h"

#ifndef SYS_pidfd_send_signal   /* headers from before Linux 5.1; one number everywhere */
#define SYS_pidfd_send_signal 424
#endif

enum { REASON_SIZE = 512 };

/* OSError(errno, sentence); returns NULL. */
static PyObject *fail(int error, const char *sentence)
{
	PyObject *arguments = Py_BuildValue("(is)", -error, sentence && *sentence ? sentence : strerror(-error));

	if (arguments)
		PyErr_SetObject(PyExc_OSError, arguments);
	Py_XDECREF(arguments);
	return NULL;
}

/* Names and commands are whatever bytes the system has. */
static PyObject *text_of(const char *text)
{
	return PyUnicode_DecodeUTF8(text ? text : "", text ? (Py_ssize_t)strlen(text) : 0, "replace");
}

static PyObject *none(void)
{
	Py_INCREF(Py_None);
	return Py_None;
}

static PyObject *number_of(double value)
{
	return isnan(value) ? none() : PyFloat_FromDouble(value);
}

/* Takes over `value`, which may be NULL: an error then. */
static int put(PyObject *dict, const char *key, PyObject *value)
{
	int r = value ? PyDict_SetItemString(dict, key, value) : -1;

	Py_XDECREF(value);
	return r;
}

/* ---- a record ------------------------------------------------------------------------------- */

struct record {
	PyObject_HEAD
	struct rt_record *record;               /* NULL: not read */
};

static int read_whole(struct record *self, const char *path, const char *frames, char *reason)
{
	int r = rt_record_open(&self->record, path, reason, REASON_SIZE);

	if (r == 0)
		r = rt_record_keep(self->record, frames);
	return r == 0 ? rt_record_read(self->record) : r;
}

/* Record(path, frames): all of it as far as it stands there; frames as of rt_record_keep. */
static int record_init(PyObject *object, PyObject *arguments, PyObject *named)
{
	struct record *self = (struct record *)object;
	PyObject *path = NULL;
	const char *frames;
	char reason[REASON_SIZE] = "";
	int r;

	if (named && PyDict_Size(named) > 0) {
		PyErr_SetString(PyExc_TypeError, "Record() takes no keyword arguments");
		return -1;
	}
	if (!PyArg_ParseTuple(arguments, "O&s", PyUnicode_FSConverter, &path, &frames))
		return -1;
	if (self->record) {
		Py_DECREF(path);
		PyErr_SetString(PyExc_RuntimeError, "the record has been read");
		return -1;
	}

	const char *name = PyBytes_AsString(path);

	Py_BEGIN_ALLOW_THREADS
	r = read_whole(self, name, frames, reason);
	Py_END_ALLOW_THREADS
	Py_DECREF(path);
	return r < 0 ? fail(r, reason), -1 : 0;
}

static void object_free(PyObject *object)
{
	PyTypeObject *type = Py_TYPE(object);
	freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);

	release(object);
	Py_DECREF(type);
}

static void record_dealloc(PyObject *object)
{
	rt_record_close(((struct record *)object)->record);
	object_free(object);
}

static PyObject *texts_of(const char *const *texts, size_t n)
{
	PyObject *list = PyTuple_New((Py_ssize_t)n);

	for (size_t i = 0; list && i < n; i++) {
		PyObject *text = text_of(texts[i]);

		if (!text || PyTuple_SetItem(list, (Py_ssize_t)i, text) < 0)
			Py_CLEAR(list);
	}
	return list;
}

static PyObject *pids_of(const pid_t *pids, size_t n)
{
	PyObject *list = PyTuple_New((Py_ssize_t)n);

	for (size_t i = 0; list && i < n; i++) {
		PyObject *pid = PyLong_FromLong(pids[i]);

		if (!pid || PyTuple_SetItem(list, (Py_ssize_t)i, pid) < 0)
			Py_CLEAR(list);
	}
	return list;
}

static int put_ending(PyObject *dict, const struct rt_record_info *info)
{
	static const char *const status[] = {
		[RT_RECORD_RUNNING] = "running", [RT_RECORD_EXITED] = "exited", [RT_RECORD_SIGNALED] = "signaled",
		[RT_RECORD_ROOTS_ENDED] = "roots_ended", [RT_RECORD_STOPPED] = "stopped",
	};

	return put(dict, "end_seconds", number_of(info->end_seconds)) < 0 ||
	       put(dict, "status", text_of(status[info->status])) < 0 ||
	       put(dict, "value", PyLong_FromLong(info->value)) < 0 || put(dict, "cause", text_of(info->cause)) < 0 ||
	       put(dict, "reason", text_of(info->reason)) < 0 ||
	       put(dict, "notices", texts_of(info->notices, info->n_notices)) < 0 ||
	       put(dict, "problems", texts_of(info->problems, info->n_problems)) < 0 ? -1 : 0;
}

static int put_details(PyObject *dict, const struct rt_record *record)
{
	const char *name, *value;

	for (size_t i = 0; rt_record_detail(record, i, &name, &value) == 0; i++)
		if (put(dict, name, text_of(value)) < 0)
			return -1;
	return 0;
}

/* What is known of the run: struct rt_record_info, and "details" with the names of rt_record_detail. */
static PyObject *record_info(PyObject *object, PyObject *unused)
{
	struct record *self = (struct record *)object;
	struct rt_record_info info = { .size = sizeof info };
	PyObject *dict = PyDict_New(), *details = dict ? PyDict_New() : NULL;
	int r = rt_record_info(self->record, &info);

	(void)unused;
	if (r < 0)
		fail(r, NULL);
	if (r < 0 || !details || put_details(details, self->record) < 0 || put(dict, "id", text_of(info.id)) < 0 ||
	    put(dict, "host_name", text_of(info.host_name)) < 0 || put(dict, "cpus", number_of(info.cpus)) < 0 ||
	    put(dict, "memory_bytes", number_of(info.memory_bytes)) < 0 ||
	    put(dict, "start_seconds", number_of(info.start_seconds)) < 0 ||
	    put(dict, "interval_seconds", number_of(info.interval_seconds)) < 0 ||
	    put(dict, "command", texts_of(info.command, info.n_command)) < 0 ||
	    put(dict, "tags", texts_of(info.tags, info.n_tags)) < 0 ||
	    put(dict, "pids", pids_of(info.pids, info.n_pids)) < 0 || put_ending(dict, &info) < 0) {
		Py_XDECREF(details);
		Py_XDECREF(dict);
		return NULL;
	}
	return put(dict, "details", details) < 0 ? Py_DECREF(dict), NULL : dict;
}

/* NULL with an exception where no such frame was asked for. */
static const struct rt_frame *frame_of(PyObject *object, const char *name)
{
	const struct rt_frame *frame = rt_record_frame(((struct record *)object)->record, name);

	if (!frame)
		PyErr_Format(PyExc_KeyError, "the frame '%s' was not kept", name);
	return frame;
}

static PyObject *record_rows(PyObject *object, PyObject *arguments)
{
	const char *name;
	const struct rt_frame *frame = PyArg_ParseTuple(arguments, "s", &name) ? frame_of(object, name) : NULL;

	return frame ? PyLong_FromSize_t(rt_frame_rows(frame)) : NULL;
}

/* (name, unit, kind) of each column of numbers. */
static PyObject *record_columns(PyObject *object, PyObject *arguments)
{
	const char *name;
	const struct rt_frame *frame = PyArg_ParseTuple(arguments, "s", &name) ? frame_of(object, name) : NULL;
	size_t n = frame ? rt_frame_columns(frame) : 0;
	PyObject *list = frame ? PyTuple_New((Py_ssize_t)n) : NULL;

	for (size_t i = 0; list && i < n; i++) {
		struct rt_column_info info = { .size = sizeof info };
		int r = rt_frame_column_info(frame, i, &info);
		PyObject *item = r < 0 ? fail(r, NULL) : Py_BuildValue("(sss)", info.name, info.unit, info.kind);

		if (!item || PyTuple_SetItem(list, (Py_ssize_t)i, item) < 0)
			Py_CLEAR(list);
	}
	return list;
}

/* The numbers of a column, as bytes. */
static PyObject *record_column(PyObject *object, PyObject *arguments)
{
	const char *name, *column;
	const struct rt_frame *frame =
		PyArg_ParseTuple(arguments, "ss", &name, &column) ? frame_of(object, name) : NULL;
	ssize_t number = frame ? rt_frame_find(frame, column) : -1;

	if (frame && number < 0)
		PyErr_SetString(PyExc_KeyError, column);
	if (number < 0)
		return NULL;

	const double *values = rt_frame_column(frame, number);
	size_t rows = values ? rt_frame_rows(frame) : 0;

	return PyBytes_FromStringAndSize((const char *)values, (Py_ssize_t)(rows * sizeof *values));
}

/* The texts of rows: a tuple for each name. */
static PyObject *record_texts(PyObject *object, PyObject *arguments)
{
	const char *name;
	const struct rt_frame *frame = PyArg_ParseTuple(arguments, "s", &name) ? frame_of(object, name) : NULL;
	PyObject *dict = frame ? PyDict_New() : NULL;

	for (size_t t = 0; dict && t < rt_frame_texts(frame); t++) {
		size_t rows = rt_frame_rows(frame);
		PyObject *list = PyTuple_New((Py_ssize_t)rows);

		for (size_t i = 0; list && i < rows; i++) {
			PyObject *text = text_of(rt_frame_text(frame, i, t));

			if (!text || PyTuple_SetItem(list, (Py_ssize_t)i, text) < 0)
				Py_CLEAR(list);
		}
		if (put(dict, rt_frame_text_name(frame, t), list) < 0)
			Py_CLEAR(dict);
	}
	return dict;
}

/* ---- a tracker ------------------------------------------------------------------------------ */

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

/* ---- the module ------------------------------------------------------------------------------- */

static PyObject *library_version(PyObject *module, PyObject *unused)
{
	(void)module;
	(void)unused;
	return PyUnicode_FromString(rt_version());
}

static PyMethodDef record_methods[] = {
	{ "info", record_info, METH_NOARGS, NULL },
	{ "rows", record_rows, METH_VARARGS, NULL },
	{ "columns", record_columns, METH_VARARGS, NULL },
	{ "column", record_column, METH_VARARGS, NULL },
	{ "texts", record_texts, METH_VARARGS, NULL },
	{ NULL, NULL, 0, NULL },
};

static PyMethodDef tracker_methods[] = {
	{ "sample", tracker_sample, METH_NOARGS, NULL },
	{ "tables", tracker_tables, METH_NOARGS, NULL },
	{ "timestamp", tracker_timestamp, METH_NOARGS, NULL },
	{ NULL, NULL, 0, NULL },
};

/* The limited API has functions as void *, which ISO C does not convert. */
#define SLOT(id, function) { id, __extension__(void *)(function) }

static PyType_Slot record_slots[] = {
	SLOT(Py_tp_new, PyType_GenericNew), SLOT(Py_tp_init, record_init), SLOT(Py_tp_dealloc, record_dealloc),
	SLOT(Py_tp_methods, record_methods), { 0, NULL },
};

static PyType_Slot tracker_slots[] = {
	SLOT(Py_tp_new, PyType_GenericNew), SLOT(Py_tp_init, tracker_init), SLOT(Py_tp_dealloc, tracker_dealloc),
	SLOT(Py_tp_methods, tracker_methods), { 0, NULL },
};

static PyType_Spec record_spec = {
	"resource_tracker._library.Record", sizeof(struct record), 0, Py_TPFLAGS_DEFAULT, record_slots,
};

static PyType_Spec tracker_spec = {
	"resource_tracker._library.Tracker", sizeof(struct tracker), 0, Py_TPFLAGS_DEFAULT, tracker_slots,
};

static int add_type(PyObject *module, const char *name, PyType_Spec *spec)
{
	PyObject *type = PyType_FromSpec(spec);

	if (type && PyModule_AddObject(module, name, type) == 0)
		return 0;
	Py_XDECREF(type);
	return -1;
}

static int library_fill(PyObject *module)
{
	return add_type(module, "Record", &record_spec) < 0 || add_type(module, "Tracker", &tracker_spec) < 0 ? -1 : 0;
}

/*
 * ask_to_end(pid, pidfd, status): SIGTERM with a value, which Python's own functions cannot send.  pidfd: -1 is none.
 * The recorder takes it as how the work that it measures has ended.
 */
static PyObject *library_ask_to_end(PyObject *module, PyObject *arguments)
{
	siginfo_t info = { .si_signo = SIGTERM, .si_code = SI_QUEUE };
	int pid, pidfd, status;

	(void)module;
	if (!PyArg_ParseTuple(arguments, "iii", &pid, &pidfd, &status))
		return NULL;
	info.si_pid = getpid();
	info.si_uid = getuid();
	info.si_value.sival_int = status;
	long r = pidfd < 0 ? sigqueue(pid, SIGTERM, info.si_value)
			   : syscall(SYS_pidfd_send_signal, pidfd, SIGTERM, &info, 0);

	return r < 0 ? fail(-errno, NULL) : none();
}

static PyMethodDef library_methods[] = {
	{ "version", library_version, METH_NOARGS, NULL },
	{ "ask_to_end", library_ask_to_end, METH_VARARGS, NULL },
	{ NULL, NULL, 0, NULL },
};

static PyModuleDef_Slot library_slots[] = { SLOT(Py_mod_exec, library_fill), { 0, NULL } };

static struct PyModuleDef library = {
	PyModuleDef_HEAD_INIT, "_library", NULL, 0, library_methods, library_slots, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__library(void);

PyMODINIT_FUNC PyInit__library(void)
{
	return PyModuleDef_Init(&library);
}
