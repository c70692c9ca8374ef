/*
 * output.h - where lines go: a thread of its own behind a bounded queue, for each destination.
 *
 * Whoever takes samples never waits for a disk, a pipe or a file server: a line that finds the
 * queue full is dropped and counted.  A line is written whole, by one write(2) where the kernel
 * takes it at once; on a regular file a line that fails in the middle is cut off again, so a file
 * never ends in half a line because the disk was full.
 */
#ifndef RT_OUTPUT_H
#define RT_OUTPUT_H

#include "../core/why.h"

struct output;

struct output_options {
	int fd;                                 /* >= 0: write here.  -1: `open` gives the descriptor */
	bool borrowed;                          /* fd is not ours to close */
	int (*open)(void *context, struct why *why);    /* runs in the output's thread, so it may block:
						   a FIFO without a reader, a hung file server */
	void *context;
	bool open_anyway;                       /* `open` makes a regular file: without a thread the caller opens it */
	bool later;                             /* its thread begins at output_start: who ends before needs none */
	double gather_seconds;                  /* > 0: lines may wait so long for others, for its thread to wake up
						   less often; before that more are put, or output_wake is called */
	const char *name;                       /* for sentences; copied */
};

/*
 * Where no thread can be had (pids.max), lines for a regular file or device are written by the
 * caller, and others are dropped; `why` then says so and 0 is returned all the same.
 */
int  output_open(struct output **ret, const struct output_options *options, struct why *why) must_use;

/* Of an output that is for later, once; `why` as above.  Until then its lines are kept. */
void output_start(struct output *o, struct why *why);

/* What such a one has kept is written by the caller, if it is open already. */
void output_write_now(struct output *o);

void output_put(struct output *o, const char *line, size_t n);  /* the line with its newline */
/*
 * The same of a line without which later ones mean nothing, such as a header: none of them is written before it.  Where
 * it cannot be written now, as on a full disk, they wait behind it.  false: the queue is full; put it again later, for
 * it is not counted as dropped.
 */
bool output_put_needed(struct output *o, const char *line, size_t n) must_use;

uint64_t output_dropped(struct output *o);      /* lines that did not get out, so far */
bool output_reader_gone(struct output *o);      /* EPIPE: nobody will ever read on */
/* The first failure as a sentence; false: none. */
bool output_failure(struct output *o, struct why *ret);

void output_wake(struct output *o);             /* what was gathered is written now */

/* There are no more lines: the descriptor is closed as soon as all are out.  For who closes several: first this. */
void output_end(struct output *o);

/* What became of an output. */
struct output_end {
	uint64_t written;                       /* lines */
	bool reader_gone;                       /* as above */
	struct why failure;                     /* as from output_failure; "": none */
};

/*
 * Lets the queue drain for at most `wait_seconds`, then frees everything; a thread that still hangs
 * is left behind with its memory, to end with the process.  One that never had a thread is written by
 * the caller.  Returns the lines that did not get out.  ret may be NULL; o, too: 0, and *ret is left as it is.
 */
uint64_t output_close(struct output *o, double wait_seconds, struct output_end *ret);

/* A file or folder on a device of this machine: whoever uses it waits for no server and no reader. */
bool output_is_prompt(int fd);
/* Writes what can be written without waiting for anybody; how many bytes that was. */
size_t output_now(int fd, const char *text, size_t n) must_use;

#endif
