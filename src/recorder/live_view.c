/* live_view.c - starts the view of a run without a command. */
#include "live_view.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>

#include "../core/companion.h"
#include "../record/destinations.h"
#include "../text/sentence.h"
#include "own_cost.h"

static const char PROGRAM[] = "resource-tracker-top";

bool live_view_wanted(const struct options *o)
{
	return options_mode(o) != MODE_COMMAND && !o->quiet && !o->detach && !o->output && !o->format_given &&
	       isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && tcgetpgrp(STDOUT_FILENO) == getpgrp();
}

/* Adds "fd:N" to the feeds; false: out of memory. */
static bool add_feed(struct options *o, int fd)
{
	const char **feeds = arena_take(&o->memory, (o->feeds.n + 1) * sizeof *feeds);
	char text[16];
	int n = snprintf(text, sizeof text, "fd:%d", fd);

	if (!feeds || !(feeds[o->feeds.n] = arena_copy(&o->memory, text, (size_t)n)))
		return false;
	if (o->feeds.n > 0)
		memcpy(feeds, o->feeds.at, o->feeds.n * sizeof *feeds);
	o->feeds = (struct texts){ feeds, o->feeds.n + 1 };
	return true;
}

static _Noreturn void become_view(const char *path, const char *root, pid_t recorder, int feed, int left)
{
	char numbers[48];

	(void)snprintf(numbers, sizeof numbers, "%d,%d,%d", (int)recorder, feed, left);
	(void)execl(path, "top", "--recorder", numbers, root ? "--root" : NULL, root, NULL);
	sentence_print(NULL, "cannot run %s: %s", path, strerror(errno));
	_exit(125);
}

/* A pipe of which each process keeps one end. */
struct way { int read, write; };

static int open_way(struct way *ret)
{
	int ends[2];

	if (pipe(ends) < 0)
		return -errno;
	*ret = (struct way){ ends[0], ends[1] };
	return 0;
}

static void close_way(struct way *w)
{
	close_p(&w->read);
	close_p(&w->write);
}

/* feed: from the recorder to the view; left: from the view, which writes nothing, and closes it. */
static int begin(struct options *o, const char *path, struct way *feed, struct way *left)
{
	pid_t view = getpid();

	if (open_way(feed) < 0 || open_way(left) < 0 || fcntl(left->read, F_SETFD, FD_CLOEXEC) < 0)
		return -errno;
	if (!add_feed(o, feed->write))
		return -ENOMEM;

	pid_t recorder = fork();

	if (recorder < 0) {
		o->feeds.n--;
		return -errno;
	}
	if (recorder > 0) {
		(void)close(feed->write);
		(void)close(left->read);
		become_view(path, o->root, recorder, feed->read, left->write);
	}
	(void)close(feed->read);
	(void)close(left->write);
	if (prctl(PR_SET_PDEATHSIG, SIGTERM) < 0 || getppid() != view)
		_exit(125);
	own_cost_begin();
	o->view = true;
	o->view_left = left->read;
	return 0;
}

void live_view_begin(struct options *o)
{
	struct way feed = { -1, -1 }, left = { -1, -1 };
	char path[PATH_MAX];
	int r = companion_path(path, sizeof path, RT_LIBEXEC, PROGRAM) ? begin(o, path, &feed, &left) : -errno;

	if (r == 0)
		return;
	sentence_print(NULL, "no live view (%s: %s), so the samples follow", PROGRAM, strerror(-r));
	close_way(&feed);
	close_way(&left);
}

void live_view_wait(const struct options *o)
{
	struct pollfd left = { .fd = o->view_left, .events = POLLIN };

	while (o->view && poll(&left, 1, -1) < 0 && errno == EINTR)
		;
}
