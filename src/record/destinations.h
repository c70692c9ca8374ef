/*
 * destinations.h - which outputs a run has: the samples' and the record's, and how they are opened.
 */
#ifndef RT_DESTINATIONS_H
#define RT_DESTINATIONS_H

#include "../options/options.h"
#include "output.h"

enum mode { MODE_WATCH, MODE_ATTACH, MODE_COMMAND };

static inline enum mode options_mode(const struct options *o)
{
	return o->run.command ? MODE_COMMAND : o->run.n_pids > 0 ? MODE_ATTACH : MODE_WATCH;
}

/*
 * To wake up a thread that writes costs as much as an eighth of a sample: where samples follow closely, it is done for
 * several together.
 */
static inline double gather_seconds(const struct options *o)
{
	static const double CLOSELY = 0.1;

	return o->run.interval_seconds < CLOSELY ? CLOSELY : 0;
}

/* 1 for "-" and /dev/stdout, 2 for /dev/stderr, -1 for another name: opened once more, a file would be written from 0. */
int standard_descriptor(const char *output);

/*
 * Where samples go: -o FILE; else stdout when watching or attached; around a command stderr if a
 * format was asked for, else nowhere (*ret is NULL).  A file that cannot be opened is an error with
 * a sentence, before anything is started; a FIFO is opened later, in its thread.
 * `note` gets a sentence if the output works with limits.
 */
int  samples_destination(struct output **ret, const struct options *o, struct why *why, struct why *note) must_use;

/*
 * A feed: into the descriptor that fd:N names, which our command does not inherit, or into a file (0600, held:
 * output_file.h); a FIFO is opened later, in its thread.  An error is a sentence.  Before we open anything else: a
 * number that is not open must not become one of ours.
 */
int  feed_destination(struct output **ret, const struct options *o, const char *feed, struct why *why,
		      struct why *note) must_use;

struct record_place {
	char path[1024];                        /* "": no record */
	bool prune;                             /* in the default place */
	bool named;                             /* --record FILE: overwrites */
	const struct options *options;
};

/*
 * Where the record goes: --record, else the default place, but for a watch nowhere.
 * *ret is NULL if there is none; `note` says why if one was to be expected.  `place` must outlive it.
 * The file is made (0600) in the output's thread; around a command at once where nobody is waited for, and its
 * thread is then for later (output.h).
 */
void record_destination(struct output **ret, struct record_place *place, const struct options *o,
			const struct run *run, const char *host, struct why *note);

/*
 * The path that the record will have, from the root on, by what it is called: no file or folder is looked at, so it may
 * turn out that the record cannot be made there.  false: none is wanted, or it could be a file as well as a folder (a
 * name that ends neither in .jsonl nor in a slash).
 */
bool record_address(char *ret, size_t size, const struct options *o, const struct run *run,
		    const char *host) must_use;

#endif
