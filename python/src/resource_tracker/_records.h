/*
 * _records.h - records as columns.
 *
 * A column comes as bytes, which memoryview(...).cast("d") makes numbers of without a copy: an object of ours could not lend
 * its memory before Python 3.11.  Reading a record lets other threads run.
 */
#ifndef RT_PYTHON_RECORDS_H
#define RT_PYTHON_RECORDS_H

#include "_objects.h"

/* Adds the type Record to the module; -1 with an exception. */
int records_fill(PyObject *module);

#endif
