/* target.h - the run that is shown: a record or a feed that exists, or a recorder that is started for it. */
#ifndef RT_TARGET_H
#define RT_TARGET_H

#include <sys/types.h>

#include "../analysis/chosen_runs.h"
#include "../readers/record_reader.h"

struct target {
	struct record_reader *reader;
	int   feed;                             /* a pipe from our recorder, only to be polled: the reader reads a copy;
						   -1: it follows a file */
	pid_t recorder;                         /* started by us; 0: none */
	bool  began;                            /* set by the caller: the run had a sample, or an end */
	bool  has_job;                          /* it runs a command, and goes on without the view */
	bool  with_run;                         /* the view is left when the run ends, as its summary follows */
	int   left;                             /* closed when the terminal was given back; -1: nothing waits */
	const char *root;                       /* the machine of the run; "/": this one */
	char  output[32];                       /* in the working directory, appended: what the command would write to
						   the terminal; "": none */
	int   said;                             /* what the recorder wrote to stderr, or `output`; -1: none */
	off_t said_from;                        /* where in it this run's text begins */
};

#define TARGET_NONE (struct target){ .feed = -1, .said = -1, .left = -1, .root = "/" }

/*
 * Each of these five waits for the header of the record, and returns -errno with a sentence.  Call target_close after
 * an error too: it ends a recorder that was started, and its status, if not 0, is the one to exit with.
 */

/* name: NULL is the newest run that goes on.  directory: as given by --directory, or NULL. */
int target_open(struct target *ret, char *name, const struct chosen_runs *chosen, const char *directory,
		struct why *why) must_use;
/* A rank by the path of its record.  runs: that is known, also of a file on a server without locks. */
int target_rank(struct target *ret, const char *path, bool runs, struct why *why) must_use;
/* Attaches a recorder of our own to processes, "123,456"; it ends with the view.  interval: NULL is the usual one. */
int target_attach(struct target *ret, const char *pids, const char *interval, struct why *why) must_use;
/*
 * A recorder that this process did not start, and that is its child: it became one when this process became the view
 * (recorder/live_view.h).  numbers: "PID,FEED,LEFT".  root: NULL is "/".
 */
int target_beside(struct target *ret, const char *numbers, const char *root, struct why *why) must_use;
/* Records a command, which ends at a NULL. */
int target_run(struct target *ret, char **command, const char *interval, struct why *why) must_use;
/*
 * Ends what must not go on.  over: the reader came to the end of the run; it then waits for the recorder.  Returns the
 * status to exit with: of the command if it has ended, or of a recorder that ended by itself or never began (its
 * sentences are copied to stderr then); else 0.
 */
int target_close(struct target *t, bool over);

#endif
