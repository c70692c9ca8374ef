/* page_server.c - serves a page that grows, by one loop over all its clients. */
#include "page_server.h"

#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>

#include "page_client.h"
#include "page_socket.h"

enum { CLIENTS = 32, TOKEN_BYTES = 16, LOOK_MS = 1000, PATIENCE_S = 20, SIGN_OF_LIFE_S = 10 };
/* Reading the data takes at most this part of a CPU. */
enum { READING_PART = 20 };

struct page_server {
	struct page_socket socket;
	char token[2 * TOKEN_BYTES + 1];
	struct page_client clients[CLIENTS];
	struct buffer data;
	uint64_t version;                       /* of `data`; 0: none yet */
	bool over, delivered;                   /* no more data will come; a browser has the last of them */
};

static int64_t clock_ns(clockid_t clock)
{
	struct timespec t;

	(void)clock_gettime(clock, &t);
	return (int64_t)t.tv_sec * NS_PER_SECOND + t.tv_nsec;
}

static int64_t now_ns(void) { return clock_ns(CLOCK_MONOTONIC); }

static int make_token(struct page_server *s, struct why *why)
{
	static const char digits[] = "0123456789abcdef";
	unsigned char bytes[TOKEN_BYTES];

	/* Not by its name: the libc of an old system has none. */
	if (syscall(SYS_getrandom, bytes, sizeof bytes, 0) != sizeof bytes)
		return why_set(why, -errno, "no random numbers for the address: %s", strerror(errno));
	for (size_t i = 0; i < sizeof bytes; i++) {
		s->token[2 * i] = digits[bytes[i] >> 4];
		s->token[2 * i + 1] = digits[bytes[i] & 15];
	}
	return 0;
}

int page_server_open(struct page_server **ret, const char *address, uint16_t port, struct why *why)
{
	struct page_server *s = calloc(1, sizeof *s);

	if (!s)
		return why_set(why, -ENOMEM, "out of memory");
	s->socket.fd = -1;
	for (size_t i = 0; i < CLIENTS; i++)
		s->clients[i].fd = -1;

	int r = make_token(s, why);

	if (r == 0)
		r = page_socket_open(&s->socket, address, port, why);
	if (r < 0)
		page_server_close(s);
	else
		*ret = s;
	return r;
}

void page_server_close(struct page_server *s)
{
	for (size_t i = 0; s && i < CLIENTS; i++)
		page_client_close(&s->clients[i]);
	if (s) {
		close_p(&s->socket.fd);
		buffer_release(&s->data);
	}
	free(s);
}

void page_server_address(struct buffer *out, const struct page_server *s)
{
	bool v6 = strchr(s->socket.address, ':') != NULL;

	buffer_format(out, "http://%s%s%s:%u/?token=%s", v6 ? "[" : "", s->socket.address, v6 ? "]" : "", s->socket.port, s->token);
}

/* ---- answers ----------------------------------------------------------------------------------- */

static void answer_head(struct buffer *out, const char *status, const char *type)
{
	buffer_format(out, "HTTP/1.1 %s\r\nContent-Type: %s; charset=utf-8\r\nCache-Control: no-store\r\n"
		      "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"
		      "Cross-Origin-Resource-Policy: same-origin\r\nConnection: close\r\n", status, type);
}

static void answer_text(struct page_client *c, const char *status, const char *sentence)
{
	answer_head(&c->out, status, "text/plain");
	buffer_format(&c->out, "Content-Length: %zu\r\n\r\n%s\n", strlen(sentence) + 1, sentence);
	c->last = true;
}

static void answer_page(struct page_server *s, struct page_client *c, const struct page_source *source)
{
	struct buffer page = { 0 };

	source->page(source->context, &page, &s->data);
	answer_head(&c->out, "200 OK", "text/html");
	buffer_format(&c->out, "Content-Length: %zu\r\n\r\n", page.len);
	buffer_bytes(&c->out, page.at, page.len);
	c->out.failed |= page.failed;
	buffer_release(&page);
	c->version = s->version;
	c->last = true;
}

static void put_event(struct page_client *c, const char *name, const struct buffer *data)
{
	buffer_format(&c->out, "event: %s\ndata: ", name);
	buffer_bytes(&c->out, data->at, data->len);
	buffer_text(&c->out, "\n\n");
}

static void answer(struct page_server *s, struct page_client *c, enum http_asked asked,
		   const struct page_source *source)
{
	switch (asked) {
	case HTTP_MORE:
		break;
	case HTTP_PAGE:
		answer_page(s, c, source);
		break;
	case HTTP_EVENTS:
		answer_head(&c->out, "200 OK", "text/event-stream");
		buffer_text(&c->out, "\r\n");
		c->follows = true;
		break;
	case HTTP_BAD:
		answer_text(c, "400 Bad Request", "This is not a request that is understood here.");
		break;
	case HTTP_REFUSED:
		answer_text(c, "403 Forbidden", "Use the whole address that resource-tracker printed.");
		break;
	case HTTP_UNKNOWN:
		answer_text(c, "404 Not Found", "There is nothing here.");
		break;
	case HTTP_METHOD:
		answer_text(c, "405 Method Not Allowed", "Only GET is understood here.");
		break;
	}
}

/* ---- clients ----------------------------------------------------------------------------------- */

/* A free place; if there is none, that of the oldest connection that has not asked for anything yet. */
static struct page_client *place_for_client(struct page_server *s)
{
	struct page_client *oldest = NULL;

	for (struct page_client *c = s->clients; c < s->clients + CLIENTS; c++) {
		if (c->fd < 0)
			return c;
		if (!c->follows && !c->last && (!oldest || c->moved_ns < oldest->moved_ns))
			oldest = c;
	}
	if (oldest)
		page_client_close(oldest);
	return oldest;
}

static void accept_client(struct page_server *s)
{
	int fd = accept4(s->socket.fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	struct page_client *place = fd >= 0 ? place_for_client(s) : NULL;

	if (place)
		page_client_open(place, fd, now_ns());
	else
		close_p(&fd);
}

/* An event with the newest data, for one that has taken all it was sent; now and then a sign of life. */
static void bring_up_to_date(struct page_server *s, struct page_client *c, int64_t now)
{
	if (!c->follows || c->last || page_client_owes(c))
		return;
	if (c->version != s->version) {
		put_event(c, "run", &s->data);
		c->version = s->version;
	} else if (now - c->moved_ns > SIGN_OF_LIFE_S * NS_PER_SECOND) {
		buffer_text(&c->out, ":\n\n");
	}
	if (s->over) {
		put_event(c, "over", &(struct buffer){ 0 });
		c->last = true;
	}
}

static void serve_client(struct page_server *s, struct page_client *c, const struct page_source *source, short events)
{
	char own[INET6_ADDRSTRLEN];
	int64_t now = now_ns();
	int r = 0;

	if (events & (POLLIN | POLLHUP | POLLERR)) {
		page_socket_own(own, c->fd);
		r = page_client_read(c, now, s->token, own);
		if (r > 0)
			answer(s, c, (enum http_asked)r, source);
	}
	bring_up_to_date(s, c, now);
	if (r >= 0)
		r = page_client_send(c, now);
	s->delivered |= r == 0 && c->last && !page_client_owes(c) && s->over && c->version == s->version;
	if (r < 0 || c->out.failed || (c->last && !page_client_owes(c)) ||
	    ((page_client_owes(c) || !c->follows) && now - c->moved_ns > PATIENCE_S * NS_PER_SECOND))
		page_client_close(c);
}

static bool any_client(const struct page_server *s)
{
	for (size_t i = 0; i < CLIENTS; i++)
		if (s->clients[i].fd >= 0)
			return true;
	return false;
}

static void serve_once(struct page_server *s, const struct page_source *source, int timeout_ms)
{
	struct pollfd ready[CLIENTS + 1] = { { s->socket.fd, POLLIN, 0 } };

	for (size_t i = 0; i < CLIENTS; i++)
		ready[i + 1] = (struct pollfd){
			s->clients[i].fd, page_client_owes(&s->clients[i]) ? POLLIN | POLLOUT : POLLIN, 0,
		};
	if (poll(ready, countof(ready), timeout_ms) < 0)
		return;
	for (size_t i = 0; i < CLIENTS; i++)
		if (s->clients[i].fd >= 0)
			serve_client(s, &s->clients[i], source, ready[i + 1].revents);
	if (ready[0].revents)
		accept_client(s);
}

/* ---- the loop ---------------------------------------------------------------------------------- */

/* Reads the data; returns when to do so next. */
static int look(struct page_server *s, const struct page_source *source, int64_t *ret_next_ns, struct why *why)
{
	const int64_t least = LOOK_MS * (NS_PER_SECOND / 1000);
	int64_t used = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	int r = source->read(source->context, &s->data, why);

	if (r < 0)
		return r;
	s->version += r > 0;
	s->over = source->over(source->context);
	used = READING_PART * (clock_ns(CLOCK_THREAD_CPUTIME_ID) - used);
	*ret_next_ns = now_ns() + (used > least ? used : least);
	return 0;
}

/* The last event of all: why there will be no more.  What a client does not take at once is not waited for. */
static void say_gone(struct page_server *s, const struct why *why)
{
	struct buffer sentence = { 0 };

	buffer_text(&sentence, why->text);
	for (size_t i = 0; i < CLIENTS; i++) {
		struct page_client *c = &s->clients[i];

		if (c->fd < 0 || !c->follows)
			continue;
		put_event(c, "gone", &sentence);
		(void)page_client_send(c, now_ns());
	}
	buffer_release(&sentence);
}

int page_server_run(struct page_server *s, const struct page_source *source, struct why *why)
{
	int64_t next_ns = 0;

	while (!(s->over && s->delivered && !any_client(s))) {
		int64_t now = now_ns();

		if (!s->over && now >= next_ns) {
			int r = look(s, source, &next_ns, why);

			if (r < 0) {
				say_gone(s, why);
				return r;
			}
			now = now_ns();
		}

		int64_t left_ms = s->over ? LOOK_MS : (next_ns - now) / (NS_PER_SECOND / 1000) + 1;

		serve_once(s, source, left_ms < 0 ? 0 : left_ms > LOOK_MS ? LOOK_MS : (int)left_ms);
	}
	return 0;
}
