/*
 * _library.c - the C library for Python: the module, of records, of samples and of regions.
 *
 * Failures are OSError with the library's sentence; the modules around make exceptions of the package of them.
 */
#include "_objects.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "_records.h"
#include "_regions.h"
#include "_trackers.h"
#include "resource_tracker.h"

#ifndef SYS_pidfd_send_signal   /* headers from before Linux 5.1; one number everywhere */
#define SYS_pidfd_send_signal 424
#endif

static PyObject *library_version(PyObject *module, PyObject *unused)
{
	(void)module;
	(void)unused;
	return PyUnicode_FromString(rt_version());
}

static int library_fill(PyObject *module)
{
	return records_fill(module) < 0 || trackers_fill(module) < 0 || regions_fill(module) < 0 ? -1 : 0;
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
