/* session_upload.c - starts the companion of --upload, and lets it begin. */
#include "session_upload.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../core/thread.h"
#include "push_program.h"
#include "session_record.h"

enum { STACK_BYTES = 64 << 10 };
enum state { STARTING, RUNNING, OVER, LEFT };   /* LEFT: the recorder does not wait for it any more */

/* The last of the two, its thread or the recorder, frees it. */
struct session_upload {
	struct feed_program program;
	pthread_t thread;
	int pipe;                               /* to its stdin; valid once it does not start any more; -1: closed */
	_Atomic int state;                      /* enum state */
	struct why failure, end;                /* of its start; how it ended, once it is OVER; "": nothing */
	bool asked;                             /* to end: it is not waited for any more */
};

static void upload_free(struct session_upload *u)
{
	feed_program_close(&u->program);
	free(u);
}

/*
 * The thread is its parent, and reaps it: children of a thread that ends become the first one's, so the job's, and
 * their end is lost.
 */
static void *run(void *context)
{
	struct session_upload *u = context;
	int fd = feed_program_start(&u->program, &u->failure);

	u->pipe = fd;
	if (fd >= 0) {
		atomic_store(&u->state, RUNNING);
		feed_program_wait(&u->program, &u->end);
	}
	if (atomic_exchange(&u->state, OVER) == LEFT)
		upload_free(u);
	return NULL;
}

struct session_upload *session_upload_open(const struct options *o, const char *record,
					   const struct inherited_signals *signals, struct why *note)
{
	struct session_upload *u;
	int r;

	if (!o->upload)
		return NULL;
	if (!*record) {
		(void)why_set(note, 0, "--upload: nothing is uploaded, because the run has no record");
		return NULL;
	}
	u = calloc(1, sizeof *u);
	r = u ? upload_program_open(&u->program, o, record, signals, note) : why_set(note, -ENOMEM, "--upload: out of memory");
	if (r == 0 && (r = thread_start(&u->thread, STACK_BYTES, run, u)) < 0)
		(void)why_set(note, r, "--upload: nothing is uploaded: no thread: %s", strerror(-r));
	if (r < 0 && u)
		upload_free(u);
	return r < 0 ? NULL : u;
}

static bool wait_while(const struct session_upload *u, enum state state, double until)
{
	static const struct timespec little = { .tv_nsec = 1000000 };

	while (atomic_load(&u->state) == (int)state && seconds_now() < until)
		(void)nanosleep(&little, NULL);
	return atomic_load(&u->state) != (int)state;
}

void session_upload_go(struct session_upload *u, bool wanted)
{
	if (!u)
		return;
	(void)wait_while(u, STARTING, (double)INFINITY);        /* a fork */
	if (u->pipe >= 0 && !wanted)
		(void)!write(u->pipe, "-", 1);
	close_p(&u->pipe);
}

void session_upload_wait(struct session_upload *u, double until, struct why *trouble)
{
	struct why how = { "" };

	trouble->text[0] = '\0';
	if (!u)
		return;
	if (wait_while(u, RUNNING, until)) {
		how = u->end;
	} else {
		u->asked = true;
		feed_program_ask_to_end(&u->program);
		(void)why_set(&how, 0, "still ran when recording ended, and was asked to end");
	}
	if (u->failure.text[0])
		(void)why_set(trouble, 0, "--upload: nothing is uploaded: %s", u->failure.text);
	else if (how.text[0])
		(void)why_set(trouble, 0, "--upload: %s %s; what is left is uploaded by: resource-tracker push --spooled",
			      u->program.line, how.text);
}

void session_upload_close(struct session_upload *u)
{
	int running = RUNNING;

	if (!u)
		return;
	if (u->asked)
		(void)pthread_detach(u->thread);
	else
		(void)pthread_join(u->thread, NULL);
	if (!atomic_compare_exchange_strong(&u->state, &running, LEFT))
		upload_free(u);
}
