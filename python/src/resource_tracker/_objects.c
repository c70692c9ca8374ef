/* _objects.c - values and exceptions of Python, as all files of the module make them. */
#include "_objects.h"

#include <math.h>
#include <string.h>

PyObject *fail(int error, const char *sentence)
{
	PyObject *arguments = Py_BuildValue("(is)", -error, sentence && *sentence ? sentence : strerror(-error));

	if (arguments)
		PyErr_SetObject(PyExc_OSError, arguments);
	Py_XDECREF(arguments);
	return NULL;
}

PyObject *text_of(const char *text)
{
	return PyUnicode_DecodeUTF8(text ? text : "", text ? (Py_ssize_t)strlen(text) : 0, "replace");
}

PyObject *none(void)
{
	Py_INCREF(Py_None);
	return Py_None;
}

PyObject *number_of(double value)
{
	return isnan(value) ? none() : PyFloat_FromDouble(value);
}

int put(PyObject *dict, const char *key, PyObject *value)
{
	int r = value ? PyDict_SetItemString(dict, key, value) : -1;

	Py_XDECREF(value);
	return r;
}

void object_free(PyObject *object)
{
	PyTypeObject *type = Py_TYPE(object);
	freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);

	release(object);
	Py_DECREF(type);
}

int add_type(PyObject *module, const char *name, PyType_Spec *spec)
{
	PyObject *type = PyType_FromSpec(spec);

	if (type && PyModule_AddObject(module, name, type) == 0)
		return 0;
	Py_XDECREF(type);
	return -1;
}
