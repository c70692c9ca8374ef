/*
 * serve.h - the reader of one driver's GPUs, as described in protocol.h: the program resource-tracker-gpu, or a
 * thread in the library.  It depends on the drivers' libraries and files; a program that is only a client links
 * without it.
 */
#ifndef RT_GPU_SERVE_H
#define RT_GPU_SERVE_H

#include "driver.h"

struct gpu_service {
	int socket;
	const struct gpu_driver *driver;
	struct source source;
	const char *selected;                   /* as in select.h; NULL: all */
	bool is_process;                        /* a process of its own: reports its CPU time and memory */
};

/* Blocks: runs until the other end of the socket is closed, or memory is short; does not close its own. */
void gpu_serve(const struct gpu_service *service);

#endif
