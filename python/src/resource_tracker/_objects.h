/*
 * _objects.h - values and exceptions of Python, as all files of the module make them.
 *
 * Limited API of Python 3.9, so one file serves it and all later ones.  A function that returns an object returns a new
 * reference, or NULL with an exception.
 */
#ifndef RT_PYTHON_OBJECTS_H
#define RT_PYTHON_OBJECTS_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x03090000
#include <Python.h>

enum { REASON_SIZE = 512 };

/* OSError(errno, sentence), of the negative `error`; always NULL. */
PyObject *fail(int error, const char *sentence);
/* Names and commands are whatever bytes the system has; NULL is an empty text. */
PyObject *text_of(const char *text);
PyObject *none(void);
/* None where the value is not known. */
PyObject *number_of(double value);
/* Takes over `value`, which may be NULL: an error then. */
int put(PyObject *dict, const char *key, PyObject *value);

/* At the end of a type's dealloc. */
void object_free(PyObject *object);
/* -1 with an exception. */
int add_type(PyObject *module, const char *name, PyType_Spec *spec);

/* The limited API has functions as void *, which ISO C does not convert. */
#define SLOT(id, function) { id, __extension__(void *)(function) }

#endif
