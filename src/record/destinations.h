/*
 * destinations.h - finds and opens the outputs of a run: for samples, feeds and the record.
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
 * How long lines wait for others before the writing thread wakes up (output_options.gather_seconds).  Waking it costs
 * an eighth of a sample, so at short intervals it writes the lines of several samples together.
 */
static inline double gather_seconds(const struct options *o)
{
	static const double CLOSELY = 0.1;

	return o->run.interval_seconds < CLOSELY ? CLOSELY : 0;
}

/*
 * Opens the output of samples: -o FILE; else stdout when watching or attached; around a command stderr if a format is
 * given, else none (*ret is NULL, and so it is after an error).  With --quiet there is only -o FILE.  The caller closes
 * it (output_close).  -errno with a sentence in `why` if a file cannot be opened; a FIFO is opened later, in the
 * output's thread.  `note` gets a sentence if the output works with limits.  o must outlive it.
 */
int  samples_destination(struct output **ret, const struct options *o, struct why *why, struct why *note) must_use;

/*
 * Opens a feed: the descriptor N of fd:N, which becomes close-on-exec, or a file (mode 0600, held: output_file.h); a
 * FIFO is opened later, in the output's thread.  `why` and `note` as above.  Call it before any other file is opened:
 * if N is not open, it must not become a descriptor of the recorder's own.
 */
int  feed_destination(struct output **ret, const struct options *o, const char *feed, struct why *why,
		      struct why *note) must_use;

struct record_place {
	char path[1024];                        /* "": no record */
	bool prune;                             /* it is in the default folder, which is pruned */
	bool named;                             /* --record FILE: overwrites that file */
	double keep_days;                       /* for pruning, as in options.h */
	uint64_t keep_bytes;
};

/*
 * Opens the record: --record, else in the default folder; a watch has none by default, and *ret is NULL.  -errno with
 * a sentence in `why` if there is no place for it, and place->path is ""; `note` as above.
 * The output's thread creates the file (mode 0600).  Around a command the caller creates it at once if that cannot
 * block, and its thread starts with output_start (output_options.later).
 */
int  record_destination(struct output **ret, struct record_place *place, const struct options *o,
			const struct run *run, const char *host, struct why *why, struct why *note) must_use;

/*
 * Writes the absolute path of the future record.  It follows from the names alone, without access to any file or
 * folder, so creating the record there can still fail.  false: no record, or it is unknown whether --record names a
 * file or a folder (it ends neither in .jsonl nor in a slash), or there is no room; ret means nothing then.
 */
bool record_address(char *ret, size_t size, const struct options *o, const struct run *run,
		    const char *host) must_use;

#endif
