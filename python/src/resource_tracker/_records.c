/* _records.c - records as columns. */
#include "_records.h"

#include "resource_tracker_records.h"

struct record {
	PyObject_HEAD
	struct rt_record *record;               /* NULL: not read */
};

/* path: NULL is a record without anything. */
static int read_whole(struct record *self, const char *path, const char *frames, char *reason)
{
	static const char nothing[] = "{\"record\":\"resource-tracker\",\"version\":1}\n";
	int r = path ? rt_record_open(&self->record, path, reason, REASON_SIZE)
		     : rt_record_open_memory(&self->record, nothing, sizeof nothing - 1, reason, REASON_SIZE);

	if (r == 0)
		r = rt_record_keep(self->record, frames);
	return r == 0 ? rt_record_read(self->record) : r;
}

/*
 * Record(path, frames): all of it as far as it stands there; frames as of rt_record_keep.  Record(None, frames): frames
 * without rows.
 */
static int record_init(PyObject *object, PyObject *arguments, PyObject *named)
{
	struct record *self = (struct record *)object;
	PyObject *given, *path = NULL;
	const char *frames;
	char reason[REASON_SIZE] = "";
	int r;

	if (named && PyDict_Size(named) > 0) {
		PyErr_SetString(PyExc_TypeError, "Record() takes no keyword arguments");
		return -1;
	}
	if (!PyArg_ParseTuple(arguments, "Os", &given, &frames))
		return -1;
	if (self->record) {
		PyErr_SetString(PyExc_RuntimeError, "the record has been read");
		return -1;
	}
	if (given != Py_None && !PyUnicode_FSConverter(given, &path))
		return -1;

	const char *name = path ? PyBytes_AsString(path) : NULL;

	Py_BEGIN_ALLOW_THREADS
	r = read_whole(self, name, frames, reason);
	Py_END_ALLOW_THREADS
	Py_XDECREF(path);
	return r < 0 ? fail(r, reason), -1 : 0;
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

static PyMethodDef record_methods[] = {
	{ "info", record_info, METH_NOARGS, NULL },
	{ "rows", record_rows, METH_VARARGS, NULL },
	{ "columns", record_columns, METH_VARARGS, NULL },
	{ "column", record_column, METH_VARARGS, NULL },
	{ "texts", record_texts, METH_VARARGS, NULL },
	{ NULL, NULL, 0, NULL },
};

static PyType_Slot record_slots[] = {
	SLOT(Py_tp_new, PyType_GenericNew), SLOT(Py_tp_init, record_init), SLOT(Py_tp_dealloc, record_dealloc),
	SLOT(Py_tp_methods, record_methods), { 0, NULL },
};

static PyType_Spec record_spec = {
	"resource_tracker._library.Record", sizeof(struct record), 0, Py_TPFLAGS_DEFAULT, record_slots,
};

int records_fill(PyObject *module)
{
	return add_type(module, "Record", &record_spec);
}
