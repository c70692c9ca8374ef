/*
 * load_tcp.c - bytes over TCP within this machine, from a child to its parent.
 *
 *   --mib N                      so much over one connection
 *   --connections N --kib K      after it, N short ones of K KiB each, --gap MS apart
 *   --hold S                     the first connection stays open, idle, for S seconds
 *
 * The truth is the bytes that write() and read() returned: `sent_bytes` of the child, `recv_bytes` of the parent.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "load.h"

enum { BLOCK = 64 * 1024 };

struct load { unsigned connections; uint64_t first_bytes, short_bytes; double hold_seconds, gap_seconds; };

static int listener(struct sockaddr_in *ret_at)
{
	socklen_t size = sizeof *ret_at;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	*ret_at = (struct sockaddr_in){ .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	if (fd < 0 || bind(fd, (struct sockaddr *)ret_at, size) < 0 || listen(fd, 8) < 0 ||
	    getsockname(fd, (struct sockaddr *)ret_at, &size) < 0)
		load_fail("no TCP on 127.0.0.1: %s", strerror(errno));
	return fd;
}

static void send_once(const struct sockaddr_in *to, uint64_t bytes, double hold_seconds)
{
	static char block[BLOCK];
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || connect(fd, (const struct sockaddr *)to, sizeof *to) < 0)
		load_fail("connect to 127.0.0.1: %s", strerror(errno));
	while (bytes > 0) {
		ssize_t n = write(fd, block, bytes < BLOCK ? bytes : BLOCK);

		if (n < 0)
			load_fail("write: %s", strerror(errno));
		bytes -= (uint64_t)n;
	}
	load_sleep(hold_seconds);
	(void)close(fd);
}

static _Noreturn void sender(const struct load *l, const struct sockaddr_in *to)
{
	load_limit(false);
	send_once(to, l->first_bytes, l->hold_seconds);
	for (unsigned i = 0; i < l->connections; i++) {
		load_sleep(l->gap_seconds);
		send_once(to, l->short_bytes, 0);
	}
	_exit(0);
}

static uint64_t receive(int listening)
{
	static char block[BLOCK];
	int fd = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
	uint64_t bytes = 0;
	ssize_t n;

	if (fd < 0)
		load_fail("accept: %s", strerror(errno));
	while ((n = read(fd, block, sizeof block)) > 0)
		bytes += (uint64_t)n;
	if (n < 0)
		load_fail("read: %s", strerror(errno));
	(void)close(fd);
	return bytes;
}

int load_tcp(int argc, char **argv)
{
	enum { MIB, CONNECTIONS, KIB, GAP, HOLD, TRUTH, OPTIONS };
	struct load_option o[OPTIONS] = {
		[MIB] = { "mib", "16", false }, [CONNECTIONS] = { "connections", "0", false },
		[KIB] = { "kib", "64", false }, [GAP] = { "gap", "0", false }, [HOLD] = { "hold", "0", false },
		[TRUTH] = { "truth", NULL, false },
	};

	load_options(o, OPTIONS, argc, argv);

	struct load l = {
		.first_bytes = (uint64_t)load_number(o[MIB].value) << 20,
		.connections = (unsigned)load_number(o[CONNECTIONS].value),
		.short_bytes = (uint64_t)load_number(o[KIB].value) << 10,
		.hold_seconds = load_number(o[HOLD].value),
		.gap_seconds = load_number(o[GAP].value) / 1e3,
	};
	double began = load_clock(CLOCK_MONOTONIC);

	load_limit(false);

	struct sockaddr_in at;
	int listening = listener(&at), status;
	uint64_t received = 0;
	pid_t pid = fork();

	if (pid < 0)
		load_fail("fork: %s", strerror(errno));
	if (pid == 0)
		sender(&l, &at);
	for (unsigned i = 0; i <= l.connections; i++)
		received += receive(listening);
	if (waitpid(pid, &status, 0) != pid || status != 0)
		load_fail("the sender failed");
	load_emit(o[TRUTH].value,
		  "{\"load\": \"tcp\", \"sent_bytes\": %ju, \"recv_bytes\": %ju, \"wall_seconds\": %.3f}",
		  (uintmax_t)(l.first_bytes + l.connections * l.short_bytes), (uintmax_t)received,
		  load_clock(CLOCK_MONOTONIC) - began);
	return 0;
}
