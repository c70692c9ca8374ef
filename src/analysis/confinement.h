/*
 * confinement.h - a process that reads records from elsewhere takes away from itself what it does not need for that.
 *
 * Landlock does it, on kernels that have it (5.13; each later one restricts more).  It is a second line of defence: a
 * reader that a record has led astray reads no other file, writes no other, starts no program and opens no connection.
 */
#ifndef RT_CONFINEMENT_H
#define RT_CONFINEMENT_H

#include "../core/base.h"

struct confinement {
	char *const *inputs;                    /* names of runs: those that are paths can be read */
	size_t n_inputs;
	const char *place;                      /* where runs lie: read; NULL or "": nowhere */
	const char *output;                     /* a file that is written, with its folder; NULL or "-": none */
	const char *temporary;                  /* a folder for files without a name; NULL: none */
	bool fonts;
};

/* From here on, and for all that this process starts.  false: this kernel does not do it, and nothing is changed. */
bool confine(const struct confinement *c);

#endif
