/*
 * confinement.h - restricts a process that reads records of unknown origin to the rights that it needs.
 *
 * It uses Landlock, on kernels that have it (5.13; later versions restrict more).  It is a second line of defence: a
 * reader that a malicious record controls cannot read or write other files, start programs or open connections.
 */
#ifndef RT_CONFINEMENT_H
#define RT_CONFINEMENT_H

#include "../core/base.h"

struct confinement {
	char *const *inputs;                    /* names of runs: those that are paths are readable */
	size_t n_inputs;
	const char *place;                      /* the folder of runs: readable; NULL or "": none */
	const char *output;                     /* a file to be written, with its folder; NULL or "-": none */
	const char *temporary;                  /* a folder for files without a name; NULL: none */
	bool fonts;                             /* those of the machine and the user, with fontconfig's: readable */
};

/*
 * Applies from now on, also to all processes that this one starts; what is open stays open.  An input that cannot be
 * opened is passed over.  false: the kernel does not support it, and nothing changed.
 */
bool confine(const struct confinement *c);

#endif
