/* _trackers.h - samples of the machine or of processes, which let other threads run. */
#ifndef RT_PYTHON_TRACKERS_H
#define RT_PYTHON_TRACKERS_H

#include "_objects.h"

/* Adds the type Tracker to the module; -1 with an exception. */
int trackers_fill(PyObject *module);

#endif
