/*
 * serve.h - the reader of one driver's GPUs, as protocol.h has it: the program resource-tracker-gpu, or in the
 * library a thread.  Here are the drivers' libraries and files; whoever only asks is linked without.
 */
#ifndef RT_GPU_SERVE_H
#define RT_GPU_SERVE_H

#include "driver.h"

struct gpu_service {
	int socket;
	const struct gpu_driver *driver;
	struct source source;
	const char *selected;                   /* select.h; NULL: all */
	bool is_process;                        /* ours alone: its CPU time and memory are the reader's */
};

/* Until nobody is at the other end of the socket, which stays open. */
void gpu_serve(const struct gpu_service *service);

#endif
