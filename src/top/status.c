/* status.c - keeps a line about a run in the last row of the terminal. */
#include "status.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>

#include "../readers/record_source.h"
#include "../summary/summary.h"
#include "bottom_row.h"
#include "followed.h"
#include "paint.h"
#include "status_line.h"

/* How often it looks for data and at the terminal; how often it shows the line; room for a busy feed. */
enum { LOOK_MS = 250, SHOW_NS = 1000000000, FEED_BYTES = 1 << 20 };

struct status {
	struct follow follow;
	struct bottom_row row;
	struct cells cells;
	struct looks looks;
	struct painter painter;
	pid_t   group;                          /* the recorder's: the line is for its terminal while it is in front */
	bool    alone;                          /* no other line has the terminal's last row */
	int64_t start_ns, shown_ns;             /* CLOCK_MONOTONIC */
};

static volatile sig_atomic_t stop_wanted, end_wanted;

static void note(int signal)
{
	if (signal == SIGTSTP)
		stop_wanted = 1;
	else
		end_wanted = 1;
}

/* They are delivered while it waits. */
static void handle_signals(void)
{
	static const int noted[] = { SIGTSTP, SIGTERM, SIGHUP, SIGINT, SIGQUIT };
	struct sigaction ignore = { .sa_handler = SIG_IGN }, noting = { .sa_handler = note };
	sigset_t waiting;

	(void)sigemptyset(&waiting);
	for (size_t i = 0; i < countof(noted); i++) {
		(void)sigaction(noted[i], &noting, NULL);
		(void)sigaddset(&waiting, noted[i]);
	}
	(void)sigaction(SIGTTOU, &ignore, NULL);        /* it writes to the terminal from the background */
	(void)sigprocmask(SIG_SETMASK, &waiting, NULL);
}

static int64_t clock_ns(clockid_t id)
{
	struct timespec t;

	(void)clock_gettime(id, &t);
	return (int64_t)t.tv_sec * NS_PER_SECOND + t.tv_nsec;
}

/* Two lines in one row, as of a recorder inside a recorder, would fight for it; the first has it. */
static bool only_one(void)
{
	static int own = -1;

	if (own < 0)
		own = open("/proc/self/fd/2", O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	return own < 0 || flock(own, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

static bool in_front(const struct status *s)
{
	pid_t group = tcgetpgrp(s->row.fd);

	return group < 0 || group == s->group;  /* -1: a terminal without job control */
}

static void show(struct status *s, int64_t now)
{
	struct buffer text = { 0 };

	if (cells_resize(&s->cells, 1, s->row.whole.ws_col - 1U) < 0)
		return;
	status_line_draw(&s->cells, &s->follow.model, (double)(now - s->start_ns) / 1e9, &s->looks);
	paint_line(&text, &s->painter, &s->cells, 0);
	if (!text.failed)
		bottom_row_show(&s->row, text.at, text.len);
	buffer_release(&text);
	s->shown_ns = now;
}

static void step(struct status *s)
{
	int64_t now = clock_ns(CLOCK_MONOTONIC);
	bool more = true, was = s->row.taken;

	while (more)
		(void)follow_read(&s->follow, &more);
	if (s->follow.over)
		return;
	s->alone = s->alone || only_one();
	if (!s->alone || !in_front(s)) {
		bottom_row_give_back(&s->row);
		return;
	}

	struct winsize before = s->row.whole;

	if (!bottom_row_take(&s->row))
		return;
	if (!was || memcmp(&before, &s->row.whole, sizeof before) != 0 || now - s->shown_ns >= SHOW_NS) {
		(void)follow_look(&s->follow);
		show(s, now);
	}
}

/* Until it is time, a signal came, or the feed is closed; its data can wait. */
static void wait_a_little(void)
{
	struct pollfd feed = { .fd = STDIN_FILENO };
	struct timespec time = { .tv_nsec = LOOK_MS * 1000000L };
	sigset_t none;

	(void)sigemptyset(&none);
	(void)ppoll(&feed, 1, &time, &none);
}

static void run(struct status *s)
{
	while (!s->follow.over && !end_wanted) {
		step(s);
		if (s->follow.over)
			break;
		wait_a_little();
		if (stop_wanted) {
			bottom_row_give_back(&s->row);
			stop_wanted = 0;
			(void)raise(SIGSTOP);
		}
	}
	bottom_row_give_back(&s->row);
}

int status_show(struct why *why)
{
	static struct status s;                 /* large */
	struct record_source source = { .fd = STDIN_FILENO, .follow = true };
	struct record_reader *reader;
	struct summary_style style = summary_style(STDERR_FILENO);

	handle_signals();
	(void)fcntl(STDIN_FILENO, F_SETPIPE_SZ, FEED_BYTES);
	int r = record_reader_take(&reader, "the feed", &source, why);

	if (r < 0)
		return r;
	s.group = getpgid(getppid());
	(void)follow_begin(&s.follow, reader, getppid(), "/", false);
	s.start_ns = clock_ns(CLOCK_MONOTONIC) - (clock_ns(CLOCK_REALTIME) - s.follow.model.start_wall_ns);
	s.row.fd = STDERR_FILENO;
	s.looks = (struct looks){ style.utf8 ? SIGNS_BLOCKS : SIGNS_ASCII, style.utf8 };
	s.painter.inks = true;
	run(&s);
	follow_end(&s.follow);
	record_reader_close(reader);
	cells_release(&s.cells);
	return 0;
}
