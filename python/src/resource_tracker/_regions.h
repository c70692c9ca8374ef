/*
 * _regions.h - regions for Python at the cost of two clocks: the entries of those that are known to be short.
 *
 * regions.py has the whole of it, and writes all lines.  A type here counts entries of a region of which Python found
 * out, by their first ones, that they are short ("hot"), and calls Python for all others.  It is used with the GIL held.
 */
#ifndef RT_PYTHON_REGIONS_H
#define RT_PYTHON_REGIONS_H

#include "_objects.h"

/* Adds the type and the functions to the module; -1 with an exception. */
int regions_fill(PyObject *module);

#endif
