/* hooks.c - runs the programs of --on-end and --on-limit. */
#include "hooks.h"

#include <string.h>
#include <time.h>

#include "../core/thread.h"

enum { STACK_BYTES = 64 << 10 };

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
	atomic_store(&c->state, HOOK_DONE);
	return NULL;
}

static void release(struct hook_call *c)
{
	(void)pthread_join(c->thread, NULL);
	feed_program_close(&c->program);
	buffer_release(&c->facts);
	c->how.text[0] = '\0';
	atomic_store(&c->state, HOOK_FREE);
}

int hooks_call(struct hooks *h, const char *name, const char *line, struct buffer *facts, struct why *why)
{
	struct hook_call *c = h->call;

	while (c < h->call + HOOKS_MAX && atomic_load(&c->state) != HOOK_FREE)
		c++;
	if (c == h->call + HOOKS_MAX)
		return why_set(why, -EAGAIN, "%s: %s is not started: %d such programs run already", name, line, HOOKS_MAX);

	int r = facts->failed ? -ENOMEM : feed_program_open(&c->program, line, h->signals);

	if (r < 0)
		return why_set(why, r, "%s: %s is not started: %s", name, line, strerror(-r));
	c->name = name;
	c->facts = *facts;
	*facts = (struct buffer){ 0 };
	atomic_store(&c->state, HOOK_RUNNING);
	r = thread_start(&c->thread, STACK_BYTES, run, c);
	if (r < 0) {
		(void)why_set(why, r, "%s: %s is not started: %s", name, line, strerror(-r));
		feed_program_close(&c->program);
		buffer_release(&c->facts);
		atomic_store(&c->state, HOOK_FREE);
	}
	return r;
}

bool hooks_trouble(struct hooks *h, struct why *ret)
{
	for (struct hook_call *c = h->call; c < h->call + HOOKS_MAX; c++) {
		if (atomic_load(&c->state) != HOOK_DONE)
			continue;

		bool bad = c->how.text[0];

		if (bad)
			(void)why_set(ret, 0, "%s: %s %s", c->name, c->program.words[0], c->how.text);
		release(c);
		if (bad)
			return true;
	}
	return false;
}

static size_t running(struct hooks *h)
{
	size_t n = 0;

	for (struct hook_call *c = h->call; c < h->call + HOOKS_MAX; c++)
		n += atomic_load(&c->state) == HOOK_RUNNING;
	return n;
}

size_t hooks_wait(struct hooks *h, double seconds)
{
	static const struct timespec little = { .tv_nsec = 1000000 };

	for (int i = 0; i < (int)(seconds * 1000) && running(h) > 0; i++)
		(void)nanosleep(&little, NULL);
	return running(h);
}
