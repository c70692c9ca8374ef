/*
 * output.h - writes lines to a destination: a thread of its own behind a bounded queue.
 *
 * So the sampling thread never waits for a disk, a pipe or a file server: if the queue is full, a line is dropped and
 * counted.  A line is written whole, by one write(2) if the kernel takes it at once.  On a regular file a line that
 * fails in the middle is truncated again, so a file never ends in half a line because the disk was full.
 */
#ifndef RT_OUTPUT_H
#define RT_OUTPUT_H

#include "../core/why.h"

struct output;

struct output_options {
	int fd;                                 /* >= 0: write here.  -1: `open` returns the descriptor */
	bool borrowed;                          /* the caller owns fd, the output does not close it */
	int (*open)(void *context, struct why *why);    /* runs in the output's thread, so it can block:
						   a FIFO without a reader, a hung file server */
	void *context;
	size_t context_bytes;                   /* > 0: that many are copied, for a thread that is left behind.  0: it
						   must outlive the output, and `open` must not block */
	bool open_anyway;                       /* `open` creates a regular file; without a thread, the caller opens */
	bool later;                             /* the thread starts with output_start, so a short run needs none */
	double gather_seconds;                  /* > 0: lines wait so long for others, so that the thread wakes up less
						   often; it wakes earlier if many wait, or by output_wake */
	const char *name;                       /* for messages; copied */
};

/*
 * 0; or -ENOMEM with a sentence, and fd stays the caller's.  If no thread can be started (pids.max), the caller writes
 * lines for a regular file itself, and lines for other destinations are dropped; then `why` gets a sentence and the
 * result is still 0.  The functions below are for one thread, the owner's, and only output_begun and output_close wait.
 */
int  output_open(struct output **ret, const struct output_options *options, struct why *why) must_use;

/* Starts the thread of an output with `later`, once; `why` as above.  Until then its lines stay in the queue. */
void output_start(struct output *o, struct why *why);

/* Before output_start: writes the lines in the queue in the calling thread, if the output is open. */
void output_write_now(struct output *o);

void output_put(struct output *o, const char *line, size_t n);  /* a line with its newline; copied */
/*
 * The same for a line that later lines need, such as a header: no later line is written before it.  If it cannot be
 * written now, as on a full disk, they wait behind it.  false: the queue is full; the line is not counted as dropped,
 * and the caller must put it again.
 */
bool output_put_needed(struct output *o, const char *line, size_t n) must_use;

uint64_t output_dropped(struct output *o);      /* lines dropped so far */
/*
 * Waits at most `wait_seconds` until the first line is written.  -EIO with a sentence: the destination cannot be opened
 * or written to.  0 also if that is not known by then, and for a FIFO: its reader can come much later.
 */
int  output_begun(struct output *o, double wait_seconds, struct why *why) must_use;
bool output_reader_gone(struct output *o);      /* EPIPE: the reader has closed its end */
/* The first failure as a sentence; false: none, and *ret stays. */
bool output_failure(struct output *o, struct why *ret);

void output_wake(struct output *o);             /* writes the gathered lines now */

/*
 * No more lines follow: the thread closes the descriptor when all are written.  A caller that closes several outputs
 * ends all of them first, so that they finish in parallel.
 */
void output_end(struct output *o);

/* The final state of an output. */
struct output_end {
	uint64_t written;                       /* lines */
	bool reader_gone;                       /* as above */
	struct why failure;                     /* as from output_failure; "": none */
};

/*
 * Waits `wait_seconds` for the queue to drain, and then for as long as the thread only lacks a CPU; frees everything.
 * A thread that still hangs is left behind with its memory, and ends with the process.  If the thread was never
 * started, the calling thread writes the lines.  Returns the number of lost lines.
 * ret can be NULL.  With o NULL it returns 0 and leaves *ret unchanged.
 */
uint64_t output_close(struct output *o, double wait_seconds, struct output_end *ret);

/* Whether it is a file or folder on a device of this machine, so that using it waits for no server and no reader. */
bool output_is_prompt(int fd);
/* Writes as much as possible without blocking; returns the number of bytes. */
size_t output_now(int fd, const char *text, size_t n) must_use;

#endif
