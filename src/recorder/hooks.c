/* hooks.c - runs the programs of --on-end and --on-limit. */
#include "hooks.h"

#include <string.h>
#include <time.h>

#include "../core/thread.h"
#include "feed_program.h"

enum { STACK_BYTES = 64 << 10 };
enum state { RUNNING, DONE, LEFT };             /* LEFT: the recorder does not wait for it any more */

/* Used by its thread until DONE; the last of the two, it or the recorder, frees it. */
struct hook_call {
	const char *name;                       /* "--on-end" */
	struct feed_program program;
	struct buffer facts;
	pthread_t thread;
	_Atomic int state;                      /* enum state */
	struct why how;                         /* of DONE: what went wrong; "": nothing */
};

static void call_free(struct hook_call *c)
{
	feed_program_close(&c->program);
	buffer_release(&c->facts);
	free(c);
}

/* A program that does not read all ends by itself, or is waited for here. */
static void send_facts(int fd, const struct buffer *facts)
{
	const char *at = facts->at;

	for (size_t left = facts->len; left > 0;) {
		ssize_t n = write(fd, at, left);

		if (n < 0 && errno != EINTR)
			return;
		at += n > 0 ? n : 0;
		left -= n > 0 ? (size_t)n : 0;
	}
}

static void *run(void *context)
{
	struct hook_call *c = context;
	int fd = feed_program_start(&c->program, &c->how);

	if (fd >= 0) {
		send_facts(fd, &c->facts);
		close_p(&fd);
		feed_program_wait(&c->program, &c->how);
	}
	if (atomic_exchange(&c->state, DONE) == LEFT)
		call_free(c);
	return NULL;
}

static void release(struct hook_call **call)
{
	struct hook_call *c = *call;

	*call = NULL;
	(void)pthread_join(c->thread, NULL);
	call_free(c);
}

int hooks_call(struct hooks *h, const char *name, const char *line, struct buffer *facts, struct why *why)
{
	struct hook_call **place = h->call, *c;
	int r;

	while (place < h->call + HOOKS_MAX && *place)
		place++;
	if (place == h->call + HOOKS_MAX)
		return why_set(why, -EAGAIN, "%s: %s is not started: %d such programs run already", name, line, HOOKS_MAX);
	c = facts->failed ? NULL : calloc(1, sizeof *c);
	r = c ? feed_program_open(&c->program, line, h->signals) : -ENOMEM;
	if (r == 0) {
		c->name = name;
		c->facts = *facts;
		*facts = (struct buffer){ 0 };
		r = thread_start(&c->thread, STACK_BYTES, run, c);
	}
	if (r == 0)
		*place = c;
	else if (c)
		call_free(c);
	return r < 0 ? why_set(why, r, "%s: %s is not started: %s", name, line, strerror(-r)) : 0;
}

bool hooks_trouble(struct hooks *h, struct why *ret)
{
	for (struct hook_call **c = h->call; c < h->call + HOOKS_MAX; c++) {
		if (!*c || atomic_load(&(*c)->state) != DONE)
			continue;

		bool bad = (*c)->how.text[0];

		if (bad)
			(void)why_set(ret, 0, "%s: %s %s", (*c)->name, (*c)->program.words[0], (*c)->how.text);
		release(c);
		if (bad)
			return true;
	}
	return false;
}

static size_t running(struct hooks *h)
{
	size_t n = 0;

	for (struct hook_call **c = h->call; c < h->call + HOOKS_MAX; c++)
		n += *c && atomic_load(&(*c)->state) == RUNNING;
	return n;
}

size_t hooks_wait(struct hooks *h, double seconds)
{
	static const struct timespec little = { .tv_nsec = 1000000 };

	for (int i = 0; i < (int)(seconds * 1000) && running(h) > 0; i++)
		(void)nanosleep(&little, NULL);
	return running(h);
}

void hooks_close(struct hooks *h)
{
	for (struct hook_call **c = h->call; c < h->call + HOOKS_MAX; c++) {
		int running = RUNNING;

		if (!*c)
			continue;
		(void)pthread_detach((*c)->thread);
		if (!atomic_compare_exchange_strong(&(*c)->state, &running, LEFT))
			call_free(*c);
		*c = NULL;
	}
}
