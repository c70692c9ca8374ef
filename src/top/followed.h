/* followed.h - a run that goes on: its record into the model, and what the view looks at by itself. */
#ifndef RT_FOLLOWED_H
#define RT_FOLLOWED_H

#include "../readers/record_reader.h"
#include "model.h"
#include "processes.h"
#include "view.h"

struct follow {
	struct record_reader *reader;           /* borrowed */
	struct model model;
	bool   over;                            /* the record has ended */
	struct processes processes;
	const char *no_processes;               /* why there is no table of them; NULL: there is one */
	const struct rt_region_channel *channel;        /* NULL: none can be read */
};

/*
 * reader: after the header.  recorder: its pid if the caller has started it, else 0: then it is known by the record's
 * id, if this is the machine of the run.  root: where that machine is, "/" for this one.  processes: also looks at them.
 * Returns whether the run is one of this machine that goes on; call follow_end in either case.  What cannot be opened
 * is missing in the view.
 */
bool follow_begin(struct follow *f, struct record_reader *reader, pid_t recorder, const char *root,
		  bool processes);
void follow_end(struct follow *f);              /* the reader stays the caller's */

/* Reads what has been written, at most so many items at a time; sets *ret_more if there is more.  Whether one came. */
bool follow_read(struct follow *f, bool *ret_more);
/* Looks at the open regions, and at the processes if that is due.  Whether anything can have changed. */
bool follow_look(struct follow *f);
struct processes_now follow_processes(const struct follow *f);  /* valid until the next follow_look */

#endif
