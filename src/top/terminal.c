/* terminal.c - takes over the terminal, and gives it back on every way out. */
#include "terminal.h"

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>

/* A screen of its own, no cursor, no line wrap; clicks and the wheel, with numbers for the place. */
static const char ENTER[] = "\033[?1049h\033[?25l\033[?7l\033[?1000h\033[?1006h";
static const char LEAVE[] = "\033[?1006l\033[?1000l\033[?7h\033[?25h\033[0m\033[2J\033[H\033[?1049l";

/* They end the program: the terminal is given back first. */
static const int fatal[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT };
/* They are noted, and delivered while the view waits. */
static const struct { int signal, event; } noted[] = {
	{ SIGWINCH, TERMINAL_SIZE }, { SIGTSTP, TERMINAL_STOP }, { SIGCONT, TERMINAL_CONTINUED },
};

/* For signal handlers, which have no other way to know. */
static volatile sig_atomic_t taken, events;
static struct termios before;

static void give_back(void)
{
	if (!taken)
		return;
	taken = 0;
	(void)!write(STDOUT_FILENO, LEAVE, sizeof LEAVE - 1);
	(void)tcsetattr(STDIN_FILENO, TCSANOW, &before);
}

static void end_by(int signal)
{
	struct sigaction usual = { .sa_handler = SIG_DFL };

	give_back();
	(void)sigaction(signal, &usual, NULL);
	(void)raise(signal);
}

static void note(int signal)
{
	for (size_t i = 0; i < countof(noted); i++)
		if (noted[i].signal == signal)
			events |= noted[i].event;
}

static void handle_signals(void)
{
	struct sigaction end = { .sa_handler = end_by };
	struct sigaction noting = { .sa_handler = note };
	sigset_t waiting;

	(void)sigemptyset(&waiting);
	for (size_t i = 0; i < countof(fatal); i++)
		(void)sigaction(fatal[i], &end, NULL);
	for (size_t i = 0; i < countof(noted); i++) {
		(void)sigaction(noted[i].signal, &noting, NULL);
		(void)sigaddset(&waiting, noted[i].signal);
	}
	(void)sigprocmask(SIG_BLOCK, &waiting, NULL);
}

static int take_over(void)
{
	struct termios raw = before;

	raw.c_iflag &= ~(tcflag_t)(BRKINT | ICRNL | INPCK | ISTRIP | IXON);
	raw.c_lflag &= ~(tcflag_t)(ECHO | ICANON | IEXTEN | ISIG);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	taken = 1;
	if (tcsetattr(STDIN_FILENO, TCSANOW, &raw) < 0) {
		taken = 0;
		return -errno;
	}
	return terminal_write(ENTER, sizeof ENTER - 1);
}

int terminal_open(void)
{
	if (tcgetattr(STDIN_FILENO, &before) < 0)
		return -errno;
	handle_signals();
	return take_over();
}

void terminal_close(void)
{
	give_back();
}

void terminal_suspend(void)
{
	give_back();
	(void)raise(SIGSTOP);
	terminal_resume();
}

void terminal_resume(void)
{
	(void)take_over();
	events |= TERMINAL_SIZE;
}

void terminal_size(unsigned *ret_rows, unsigned *ret_columns)
{
	struct winsize size = { 0 };

	(void)ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
	*ret_rows = size.ws_row > 0 ? size.ws_row : 24;
	*ret_columns = size.ws_col > 0 ? size.ws_col : 80;
}

int terminal_write(const char *bytes, size_t n)
{
	while (n > 0) {
		ssize_t written = write(STDOUT_FILENO, bytes, n);

		if (written < 0 && errno == EAGAIN) {
			struct pollfd room = { .fd = STDOUT_FILENO, .events = POLLOUT };

			(void)poll(&room, 1, -1);
		} else if (written < 0 && errno != EINTR)
			return -errno;
		bytes += written > 0 ? written : 0;
		n -= written > 0 ? (size_t)written : 0;
	}
	return 0;
}

int terminal_wait(int data_fd, int timeout_ms)
{
	struct pollfd fds[] = { { .fd = STDIN_FILENO, .events = POLLIN }, { .fd = data_fd, .events = POLLIN } };
	struct timespec timeout = { timeout_ms / 1000, timeout_ms % 1000 * 1000000L };
	sigset_t none;
	int happened = 0;

	(void)sigemptyset(&none);
	if (ppoll(fds, countof(fds), &timeout, &none) > 0)
		happened = (fds[0].revents ? TERMINAL_KEYS : 0) | (fds[1].revents ? TERMINAL_DATA : 0);
	/* The signals are blocked from here on to the next wait. */
	happened |= events;
	events = 0;
	return happened;
}

ssize_t terminal_read(char *at, size_t room)
{
	ssize_t n = read(STDIN_FILENO, at, room);

	return n >= 0 ? n : errno == EINTR || errno == EAGAIN ? -EAGAIN : errno == EIO ? 0 : -errno;
}
