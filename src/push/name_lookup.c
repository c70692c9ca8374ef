/* name_lookup.c - getaddrinfo() in a worker. */
#include "name_lookup.h"

#include <math.h>
#include <netdb.h>
#include <string.h>
#include <sys/socket.h>

#include "../core/scan.h"
#include "../core/worker.h"
#include "push_clock.h"

enum { STACK_BYTES = 512 << 10, ADDRESSES_MAX = 8 };
static const double AGAIN_SECONDS = 5;

/* What the thread works on; plain data, as it can outlive us. */
struct job {
	char host[256], port[8];
	struct { struct sockaddr_storage at; socklen_t size; } found[ADDRESSES_MAX];
	size_t n;
	int error;                              /* of getaddrinfo */
};

struct name_lookup {
	struct worker *worker;
	struct job *job;
	double not_before;                      /* by push_now: the next one; INFINITY: one goes on */
	struct why trouble;
};

static void look_up(void *context)
{
	struct job *job = context;
	const struct addrinfo wanted = { .ai_socktype = SOCK_DGRAM, .ai_flags = AI_ADDRCONFIG | AI_NUMERICSERV };
	struct addrinfo *list = NULL;

	job->n = 0;
	job->error = getaddrinfo(job->host, job->port, &wanted, &list);
	for (const struct addrinfo *a = list; job->error == 0 && a && job->n < ADDRESSES_MAX; a = a->ai_next) {
		if (a->ai_addrlen > sizeof job->found[0].at)
			continue;
		memcpy(&job->found[job->n].at, a->ai_addr, a->ai_addrlen);
		job->found[job->n++].size = a->ai_addrlen;
	}
	if (job->error == 0)
		freeaddrinfo(list);
}

static bool split(struct job *job, const char *place)
{
	const char *colon = strrchr(place, ':');
	struct word host;

	if (!colon)
		return false;
	host = (struct word){ place, (size_t)(colon - place) };
	if (host.len > 2 && host.at[0] == '[')
		host = (struct word){ host.at + 1, host.len - 2 };
	return word_copy(host, job->host, sizeof job->host) &&
	       word_copy(word_of(colon + 1), job->port, sizeof job->port);
}

static void start(struct name_lookup *l)
{
	int r = worker_submit(l->worker, (struct worker_job){ look_up, l->job });

	l->not_before = r == 0 ? (double)INFINITY : push_now() + AGAIN_SECONDS;
	if (r < 0)
		(void)why_set(&l->trouble, r, "%s", strerror(-r));
	else
		(void)why_set(&l->trouble, 0, "the name server does not answer for '%s'", l->job->host);
}

int name_lookup_open(struct name_lookup **ret, const char *place, struct why *why)
{
	struct name_lookup *l = calloc(1, sizeof *l);
	struct job *job = calloc(1, sizeof *job);
	int r = l && job ? worker_open_deep(&l->worker, 1, STACK_BYTES) : -ENOMEM;

	if (r == 0 && !split(job, place)) {
		(void)worker_close(l->worker, 0);
		r = -ENAMETOOLONG;
	}
	if (r < 0) {
		free(l);
		free(job);
		return why_set(why, r, "%s: %s", place, strerror(-r));
	}
	l->job = job;
	start(l);
	*ret = l;
	return 0;
}

static int connected(const struct job *job, struct why *why)
{
	for (size_t i = 0; i < job->n; i++) {
		int fd = socket(job->found[i].at.ss_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

		if (fd >= 0 && connect(fd, (const struct sockaddr *)&job->found[i].at, job->found[i].size) == 0)
			return fd;
		(void)why_set(why, 0, "%s", strerror(errno));
		close_p(&fd);
	}
	return -1;
}

int name_lookup_socket(struct name_lookup *l, struct why *why)
{
	int fd = -1;

	if (name_lookup_goes_on(l) && !worker_busy(l->worker, l->job)) {
		l->not_before = push_now() + AGAIN_SECONDS;
		if (l->job->error)
			(void)why_set(&l->trouble, 0, "%s: %s", l->job->host, gai_strerror(l->job->error));
		else
			fd = connected(l->job, &l->trouble);
	} else if (push_now() >= l->not_before) {
		start(l);
	}
	if (fd < 0)
		*why = l->trouble;
	return fd;
}

bool name_lookup_goes_on(const struct name_lookup *l)
{
	return isinf(l->not_before);
}

void name_lookup_close(struct name_lookup *l)
{
	if (!l)
		return;
	/* What a thread that hangs works on stays its own. */
	if (worker_close(l->worker, 0) == 0)
		free(l->job);
	free(l);
}
