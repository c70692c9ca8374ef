/* reader.c - the recorder's end: starts a reader, and keeps its last answer. */
#include "reader.h"

#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>

#include "../core/worker.h"
#include "program.h"

enum { STACK_BYTES = 1 << 20, ABOVE_THE_PROGRAMS = 16 };

static const double KILLED_SECONDS = 0.05;

/* A worker's only job: the reader itself, or the wait for the reader program. */
struct host {
	_Atomic unsigned left;                  /* references, of the job and the owner; the last one frees it */
	void (*serve)(const struct gpu_service *);      /* NULL: run the program */
	struct gpu_service service;             /* a copy: the host can outlive its owner */
	char *selected;
	struct gpu_program program;
};

struct gpu_reader {
	int socket;
	struct worker *worker;
	struct host *host;
	bool busy;                              /* a reply is awaited */
	struct gpu_request request;
	pid_t *job;
	size_t job_room, sent, received;
	struct gpu_status status;
	double cpu_seconds;                     /* as last reported */
	struct gpu_answer answers[2];           /* one is being received, the other is the owner's */
	size_t owned;
	bool owns;
};

static int64_t now_ns(void)
{
	struct timespec t = { 0 };

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * NS_PER_SECOND + t.tv_nsec;
}

/* ---- where the reader runs ----------------------------------------------------------------- */

static void host_release(struct host *h)
{
	if (h->program.pid > 0)
		(void)waitpid(h->program.pid, NULL, WNOHANG);
	source_close(&h->service.source);
	close_p(&h->service.socket);
	free(h->selected);
	free(h);
}

static void host_leave(struct host *h)
{
	if (atomic_fetch_add(&h->left, 1) == 1)
		host_release(h);
}

static void host_run(void *context)
{
	struct host *h = context;

	if (h->serve)
		h->serve(&h->service);
	else
		gpu_program_run(&h->program, &h->service);
	(void)shutdown(h->service.socket, SHUT_RDWR);
	host_leave(h);
}

/* Above the numbers that the program uses, so that they do not collide. */
static int duplicate(int fd)
{
	return fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, ABOVE_THE_PROGRAMS);
}

static struct host *host_new(const struct gpu_driver *driver, const struct source *src, const char *selected)
{
	struct host *h = calloc(1, sizeof *h);

	if (!h)
		return NULL;
	h->selected = selected ? strdup(selected) : NULL;
	if (selected && !h->selected) {         /* without its names all GPUs would be read */
		free(h);
		return NULL;
	}
	h->service = (struct gpu_service){ .socket = -1, .driver = driver, .source = *src, .selected = h->selected };
	h->service.source.root = duplicate(src->root);
	h->service.source.proc = duplicate(src->proc);
	h->service.source.sys = duplicate(src->sys);
	h->service.source.cgroup = -1;
	return h;
}

/* The host's end stays open while it runs and is shut down when it has ended: this notifies the owner. */
static int connect_host(struct gpu_reader *r)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return -errno;
	r->socket = ends[0];
	r->host->service.socket = duplicate(ends[1]);
	close_p(&ends[1]);
	return r->host->service.socket < 0 ? -EMFILE : 0;
}

/* ---- the owner's side ------------------------------------------------------------------------ */

static int start(struct gpu_reader *r, struct why *why)
{
	struct host *h = r->host;

	if (!h->serve && gpu_program_find(&h->program, why) < 0)
		return -ENOENT;

	int e = connect_host(r);

	if (e == 0)
		e = h->serve ? worker_open_deep(&r->worker, 1, STACK_BYTES) : worker_open(&r->worker, 1);
	if (e == 0)
		e = worker_submit(r->worker, (struct worker_job){ host_run, h });
	return e == 0 ? 0 : why_set(why, e, "GPUs (%s) are not read: cannot create a thread or socket: %s",
				    h->service.driver->name, strerror(-e));
}

int gpu_reader_open(struct gpu_reader **ret, const struct gpu_driver *driver, const struct source *src,
		    const char *selected, void (*serve)(const struct gpu_service *), struct why *why)
{
	struct gpu_reader *r = calloc(1, sizeof *r);

	if (r)
		r->host = host_new(driver, src, selected);
	if (!r || !r->host) {
		free(r);
		return why_set(why, -ENOMEM, "GPUs (%s) are not read: out of memory", driver->name);
	}
	r->host->serve = serve;
	r->socket = -1;
	r->busy = true;
	r->sent = sizeof r->request;            /* the first reply needs no request */

	int e = start(r, why);

	if (e < 0) {
		gpu_reader_close(r, 0);
		return e;
	}
	*ret = r;
	return 0;
}

void gpu_reader_close(struct gpu_reader *r, double wait_seconds)
{
	static const struct timespec little = { .tv_nsec = 1000000 };

	if (!r)
		return;

	struct host *h = r->host;
	int64_t until = now_ns() + (int64_t)(wait_seconds * 1e9);

	/* A process that was forked and did not exec can have our end too. */
	if (r->socket >= 0)
		(void)shutdown(r->socket, SHUT_RDWR);
	while (r->worker && worker_busy(r->worker, h) && now_ns() < until)
		(void)nanosleep(&little, NULL);
	if (r->worker && worker_busy(r->worker, h) && h->program.pid > 0)
		(void)kill(h->program.pid, SIGKILL);
	if (worker_close(r->worker, KILLED_SECONDS) == 0)
		host_release(h);
	else
		host_leave(h);
	close_p(&r->socket);
	free(r->job);
	free(r);
}

void gpu_reader_ask(struct gpu_reader *r, int64_t due_ns, const pid_t *job, size_t n_job)
{
	if (n_job > r->job_room) {
		pid_t *at = realloc(r->job, 2 * n_job * sizeof *at);

		if (at) {
			r->job = at;
			r->job_room = 2 * n_job;
		}
	}
	r->request = (struct gpu_request){ due_ns, size_min(n_job, r->job_room) };
	if (r->request.n_job > 0)
		memcpy(r->job, job, r->request.n_job * sizeof *job);
	r->sent = r->received = 0;
	r->busy = true;
	(void)gpu_reader_busy(r);
}

/* Sends and receives as far as possible without waiting: 1, 0 or an error, as gpu_send. */
static int exchange(struct gpu_reader *r)
{
	struct gpu_answer *a = &r->answers[1 - r->owned];
	struct gpu_status *s = &r->status;
	struct iovec at[GPU_PARTS] = {
		{ &r->request, sizeof r->request }, { r->job, r->request.n_job * sizeof *r->job },
	};
	int e = gpu_send(r->socket, at, 2, &r->sent, MSG_DONTWAIT);

	if (e > 0)
		e = gpu_receive(r->socket, at, gpu_reply_parts(at, s, a, false), &r->received, MSG_DONTWAIT);
	if (e > 0 && !gpu_reply_counts_fit(s, a))
		return -EPROTO;
	if (e > 0)
		e = gpu_receive(r->socket, at, gpu_reply_parts(at, s, a, true), &r->received, MSG_DONTWAIT);
	return e > 0 && !gpu_reply_check(s, a) ? -EPROTO : e;
}

static void fail(struct gpu_reader *r, int error)
{
	struct host *h = r->host;
	char what[160];

	if (error == -EPIPE && !h->serve)
		gpu_program_text(what, sizeof what, &h->program);
	else
		(void)snprintf(what, sizeof what, "what their reader sends cannot be understood: %s", strerror(-error));
	r->status = (struct gpu_status){ .state = GPU_FAILED, .cpu_seconds = r->cpu_seconds };
	(void)why_set(&r->status.why, 0, "GPUs (%s) are not read%s: %s", h->service.driver->name,
		      r->owns ? " any more" : "", what);
}

bool gpu_reader_busy(struct gpu_reader *r)
{
	if (!r->busy)
		return false;

	int e = exchange(r);

	if (e == 0)
		return true;
	r->busy = false;
	if (e < 0) {
		fail(r, e);
	} else if (r->status.answered) {
		r->owned = 1 - r->owned;
		r->owns = true;
	}
	r->cpu_seconds = r->status.cpu_seconds;
	return false;
}

const struct gpu_answer *gpu_reader_answer(const struct gpu_reader *r)
{
	return r->owns ? &r->answers[r->owned] : NULL;
}

const struct gpu_status *gpu_reader_status(const struct gpu_reader *r)
{
	return &r->status;
}

const struct gpu_driver *gpu_reader_driver(const struct gpu_reader *r)
{
	return r->host->service.driver;
}
