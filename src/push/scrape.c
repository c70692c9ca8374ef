/* scrape.c - a server for scrapers. */
#include "scrape.h"

#include <fcntl.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#include "../core/http_head.h"
#include "../text/listen_address.h"
#include "exposition.h"

static const char TYPE[] = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/* ---- opening ----------------------------------------------------------------------------------- */

static int listen_at(const struct addrinfo *at)
{
	const int yes = 1;
	int fd = socket(at->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -errno;
	(void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
	if (bind(fd, at->ai_addr, at->ai_addrlen) < 0 || listen(fd, SCRAPERS_MAX) < 0) {
		int error = errno;

		(void)close(fd);
		return -error;
	}
	return fd;
}

static int read_token(struct scrape *s, const char *path, struct why *why)
{
	auto_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n = fd < 0 ? -1 : read(fd, s->token, sizeof s->token - 1);

	if (n < 0)
		return why_set(why, -errno, "cannot read %s: %s", path, strerror(errno));
	s->token[n] = '\0';
	s->token[strcspn(s->token, "\r\n")] = '\0';
	return s->token[0] ? 0 : why_set(why, -EINVAL, "%s: the first line, the token, is empty", path);
}

int scrape_open(struct scrape *s, const char *address, const char *token_file, struct why *why)
{
	const struct addrinfo hints = {
		.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE, .ai_socktype = SOCK_STREAM,
	};
	struct listen_address at;
	struct addrinfo *found = NULL;
	int r = listen_address_read(&at, address, "--listen", why);

	*s = (struct scrape){ .fd = -1 };
	for (size_t i = 0; i < SCRAPERS_MAX; i++)
		s->at[i].fd = -1;
	if (r == 0)
		memcpy(s->host, at.host, sizeof s->host);
	if (r == 0 && token_file)
		r = read_token(s, token_file, why);
	if (r < 0)
		return r;
	if (!at.loopback && !s->token[0])
		return why_set(why, -EINVAL, "--listen: %s can be reached from other machines, so it needs --listen-token-file", at.host);
	if (getaddrinfo(at.host, at.port, &hints, &found) != 0)
		return why_set(why, -EINVAL, "--listen: '%s' is not an address", at.host);
	s->fd = listen_at(found);
	freeaddrinfo(found);
	if (s->fd < 0) {
		r = s->fd;
		s->fd = -1;
		return why_set(why, r, "--listen: cannot listen on %s port %s: %s", at.host, at.port, strerror(-r));
	}
	return 0;
}

static void hang_up(struct scraper *c)
{
	close_p(&c->fd);
	buffer_release(&c->answer);
	c->n_request = c->sent = 0;
}

void scrape_close(struct scrape *s)
{
	for (size_t i = 0; i < SCRAPERS_MAX; i++)
		hang_up(&s->at[i]);
	close_p(&s->fd);
}

/* ---- answers ----------------------------------------------------------------------------------- */

/* Compares all of it: the time does not show how much was right. */
static bool same_text(const char *a, size_t n, const char *b)
{
	unsigned char different = n != strlen(b);

	for (size_t i = 0; i < n && b[i]; i++)
		different |= (unsigned char)(a[i] ^ b[i]);
	return !different;
}

static bool has_token(const char *token, struct word lines)
{
	static const char scheme[] = "Bearer ";
	struct word value;
	size_t n = sizeof scheme - 1;

	return http_field(lines, "authorization", &value) == 1 && value.len > n && strncasecmp(value.at, scheme, n) == 0 &&
	       same_text(value.at + n, value.len - n, token);
}

static void answer(struct scraper *c, const char *status, const char *more, const char *body, size_t n)
{
	buffer_format(&c->answer, "HTTP/1.1 %s\r\nConnection: close\r\nContent-Length: %zu\r\n%s\r\n", status, n, more);
	buffer_bytes(&c->answer, body, n);
}

static void answer_request(const struct scrape *s, struct scraper *c, const struct points *p)
{
	struct word lines = { c->request, c->n_request }, first, host = { "", 0 };
	struct buffer text = { 0 };
	char type[128];

	if (!http_line(&lines, &first) || (!s->token[0] && !http_host(lines, &host)))
		answer(c, "400 Bad Request", "", "", 0);
	else if (!word_starts(first, "GET "))
		answer(c, "405 Method Not Allowed", "Allow: GET\r\n", "", 0);
	else if (s->token[0] && !has_token(s->token, lines))
		answer(c, "401 Unauthorized", "WWW-Authenticate: Bearer\r\n", "", 0);
	else if (!s->token[0] && !http_host_is(host, s->host))
		answer(c, "403 Forbidden", "", "", 0);
	else if (strncmp(c->request + 4, "/metrics", 8) != 0 || !strchr(" ?", c->request[12]))
		answer(c, "404 Not Found", "", "", 0);
	else {
		(void)snprintf(type, sizeof type, "Content-Type: %s\r\n", TYPE);
		exposition_write(&text, p);
		answer(c, "200 OK", type, text.at, text.len);
	}
	c->answer.failed = c->answer.failed || text.failed;
	buffer_release(&text);
}

static void write_answer(struct scraper *c)
{
	while (c->sent < c->answer.len) {
		ssize_t n = send(c->fd, c->answer.at + c->sent, c->answer.len - c->sent, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return;
		if (n < 0)
			break;
		c->sent += (size_t)n;
	}
	(void)shutdown(c->fd, SHUT_WR);
	hang_up(c);
}

static void read_request(const struct scrape *s, struct scraper *c, const struct points *p)
{
	ssize_t n = recv(c->fd, c->request + c->n_request, sizeof c->request - 1 - c->n_request, 0);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {                           /* it left, or the request is too long */
		hang_up(c);
		return;
	}
	c->n_request += (size_t)n;
	c->request[c->n_request] = '\0';
	if (!strstr(c->request, "\r\n\r\n"))
		return;
	answer_request(s, c, p);
	if (c->answer.failed)
		hang_up(c);
	else
		write_answer(c);
}

static void accept_one(struct scrape *s)
{
	int fd = accept4(s->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
	size_t place = s->next;

	if (fd < 0)
		return;
	for (size_t i = 0; i < SCRAPERS_MAX; i++)
		if (s->at[i].fd < 0)
			place = i;
	hang_up(&s->at[place]);
	s->at[place].fd = fd;
	s->next = (place + 1) % SCRAPERS_MAX;
}

size_t scrape_wanted(const struct scrape *s, struct pollfd ret[SCRAPE_DESCRIPTORS])
{
	size_t n = 0;

	if (s->fd >= 0)
		ret[n++] = (struct pollfd){ .fd = s->fd, .events = POLLIN };
	for (size_t i = 0; i < SCRAPERS_MAX; i++) {
		const struct scraper *c = &s->at[i];

		if (c->fd >= 0)
			ret[n++] = (struct pollfd){ .fd = c->fd, .events = c->answer.len ? POLLOUT : POLLIN };
	}
	return n;
}

void scrape_go(struct scrape *s, const struct points *p)
{
	if (s->fd < 0)
		return;
	accept_one(s);
	for (size_t i = 0; i < SCRAPERS_MAX; i++) {
		struct scraper *c = &s->at[i];

		if (c->fd >= 0 && c->answer.len == 0)
			read_request(s, c, p);
		else if (c->fd >= 0)
			write_answer(c);
	}
}
