/* progress.c - the progress of long work, in one line of the terminal that is erased at the end. */
#include "progress.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../core/buffer.h"
#include "../text/human.h"
#include "../text/shown.h"

static const int64_t PATIENCE_NS = NS_PER_SECOND / 2, PACE_NS = NS_PER_SECOND / 5;
static const char EMPTY_LINE[] = "\r\033[K";

static int64_t now_ns(void)
{
	struct timespec now = { 0 };

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * NS_PER_SECOND + now.tv_nsec;
}

struct progress progress_start(const char *doing, const char *what)
{
	const char *kind = getenv("TERM");
	bool terminal = isatty(STDERR_FILENO) && kind && strcmp(kind, "dumb") != 0;

	return (struct progress){ doing, what, terminal, false, terminal ? now_ns() + PATIENCE_NS : 0 };
}

bool progress_due(const struct progress *p)
{
	return p->terminal && now_ns() >= p->due_ns;
}

void progress_show(struct progress *p, uint64_t done, uint64_t all)
{
	const char *slash = strrchr(p->what, '/');
	struct buffer line = { 0 };

	p->due_ns = now_ns() + PACE_NS;
	p->shown = true;
	buffer_text(&line, EMPTY_LINE);
	buffer_format(&line, "%s %s: ", p->doing, show(slash ? slash + 1 : p->what).text);
	if (all > 0) {
		human_percent(&line, 100 * (double)(done < all ? done : all) / (double)all);
		buffer_text(&line, " of ");
	}
	human_bytes(&line, (double)(all > 0 ? all : done));
	if (!line.failed)
		(void)fwrite(line.at, 1, line.len, stderr);
	(void)fflush(stderr);
	buffer_release(&line);
}

void progress_end(struct progress *p)
{
	if (p->shown)
		(void)fputs(EMPTY_LINE, stderr);
	(void)fflush(stderr);
	p->shown = p->terminal = false;
}
