/* _region_type.h - the type of a region, which is a context manager and a decorator, and counts short entries. */
#ifndef RT_PYTHON_REGION_TYPE_H
#define RT_PYTHON_REGION_TYPE_H

#include <stdbool.h>

#include "_objects.h"

/* Whether a recorder listens: else nothing is counted. */
extern bool regions_listening;
/* Of regions.py: the function that returns the thread's _Thread, and the one that decorates with a region. */
extern PyObject *regions_current, *regions_decorate;

/* Adds the type Region to the module; -1 with an exception. */
int region_type_fill(PyObject *module);

#endif
