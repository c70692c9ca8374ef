/*
 * twin.h - the recorder once more, linked so that it can load libraries.
 *
 * What ships is linked static: it starts sooner and is small (ARCHITECTURE.md).  The library of NVIDIA's driver needs
 * the system's C library and a loader, so where there is one to load the twin takes over, as the same process.
 */
#ifndef RT_TWIN_H
#define RT_TWIN_H

#include "../options/options.h"

/*
 * Becomes the twin if NVIDIA GPUs are to be read that this program cannot read.  Returns if not, or if it is not
 * installed: the backend will say so.
 */
void twin_become(const struct options *o, char *const *argv);

#endif
