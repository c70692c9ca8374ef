/* reader.c - the list of backends, and one of them in its thread. */
#include "reader.h"

#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>

#include "../core/lane.h"
#include "../core/metrics.h"
#include "owners.h"
#include "place.h"
#include "select.h"

static const struct gpu_backend *const backends[] = {
	&gpu_nvidia,
	&gpu_drm,
};

enum { STACK_BYTES = 1 << 20 };

struct gpu_reader {
	const struct gpu_backend *backend;
	struct source source;                   /* descriptors of its own: it may outlive its owner */
	char *selected;
	struct lane *lane;
	int wake;                               /* an eventfd: do not wait for due_ns */
	_Atomic bool closing;
	_Atomic unsigned left;                  /* of thread and owner */

	/* The thread's while it is busy. */
	int64_t due_ns;
	pid_t *job;
	size_t n_job, job_room;
	enum gpu_state state;
	bool listed;
	uint64_t matched;                       /* items of `selected` */
	double seconds;
	struct why why;
	size_t n_all, n;                        /* devices, and those of them that are selected: all[number[i]] */
	size_t number[GPU_MAX];
	int status_fd[GPU_MAX];                 /* runtime_status of those; -1: none */
	struct gpu_device all[GPU_MAX];         /* as listed */
	struct gpu_process processes[GPU_PROCESSES_MAX];
	struct gpu_answer answers[2];           /* one is being made, the other one is the owner's */
	bool made;                              /* the one that is being made is whole */

	size_t owned;                           /* the owner's own */
	bool owns;
	_Alignas(max_align_t) char backend_state[];
};

size_t gpu_backends_present(const struct gpu_backend *ret[], size_t room, const struct source *src)
{
	size_t n = 0;

	for (size_t i = 0; i < countof(backends) && n < room; i++)
		if (backends[i]->present(src))
			ret[n++] = backends[i];
	return n;
}

static int64_t clock_ns(clockid_t clock)
{
	struct timespec t = { 0 };

	(void)clock_gettime(clock, &t);
	return t.tv_sec * NS_PER_SECOND + t.tv_nsec;
}

static int64_t now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

/* ---- in the thread ----------------------------------------------------------------------- */

static void wait_until(const struct gpu_reader *r, int64_t due_ns)
{
	for (int64_t left; !r->closing && (left = due_ns - now_ns()) > 0;) {
		struct pollfd p = { .fd = r->wake, .events = POLLIN };
		const struct timespec t = { left / NS_PER_SECOND, left % NS_PER_SECOND };

		if (ppoll(&p, 1, &t, NULL) > 0)
			return;
	}
}

static void forget_list(struct gpu_reader *r)
{
	for (size_t i = 0; i < r->n; i++)
		close_p(&r->status_fd[i]);
	r->n = r->n_all = 0;
	r->listed = false;
}

static void clear(struct gpu_device *d)
{
	const struct table_info *info = &tables[TABLE_GPU];
	const double none = NONE;

	memset(d, 0, sizeof *d);
	for (size_t i = 0; i < info->n_metrics; i++)
		memcpy((char *)&d->row + info->metrics[i].offset, &none, sizeof none);
}

static void list(struct gpu_reader *r)
{
	forget_list(r);
	for (size_t i = 0; i < GPU_MAX; i++)
		clear(&r->all[i]);

	int n = r->backend->list(r->backend_state, r->all, GPU_MAX);

	if (n < 0) {
		r->state = GPU_FAILED;
		(void)why_set(&r->why, 0, "GPUs (%s) are not read: the driver does not list them", r->backend->name);
	}
	if (r->closing || n < 0)
		return;
	r->listed = true;
	r->n_all = (size_t)n;
	if (n == 0)
		r->state = GPU_NONE;
	for (size_t i = 0; i < r->n_all; i++) {
		if (r->selected && !gpu_selected(r->selected, &r->all[i]))
			continue;
		r->number[r->n] = i;
		r->status_fd[r->n++] = gpu_sleep_open(r->source.sys, r->all[i].folder);
	}
	if (r->selected)
		r->matched |= gpu_select_matched(r->selected, r->all, r->n_all);
}

static void add_uses(struct gpu_reader *r, const struct gpu_moment *m, struct gpu_answer *a, size_t i)
{
	int n = r->backend->processes(r->backend_state, r->number[i], m, r->processes, GPU_PROCESSES_MAX);

	/* A list that is not whole is none. */
	if (n < 0 || (size_t)n > GPU_PROCESSES_MAX - a->n_uses)
		return;
	a->uses_known[i] = true;
	for (size_t k = 0; k < (size_t)n; k++)
		a->use[a->n_uses++] = (struct gpu_use){ i, r->processes[k] };
}

/* false: the list of devices is not right any more. */
static bool read_device(struct gpu_reader *r, const struct gpu_moment *m, struct gpu_answer *a, size_t i)
{
	struct gpu_device *d = &a->device[i];

	*d = r->all[r->number[i]];
	a->uses_known[i] = false;
	d->row.suspended = gpu_sleep_read(r->status_fd[i]);
	if (d->row.suspended > 0)
		return true;

	int e = r->backend->read(r->backend_state, r->number[i], m, &d->row);

	if (e == 0)
		add_uses(r, m, a, i);
	if (e == -ENODEV) {
		*d = r->all[r->number[i]];
		(void)why_set(&r->why, 0, "GPU %s (%s) was lost: its driver does not reach it any more",
			      d->row.host_id, d->row.name[0] ? d->row.name : d->row.key);
	}
	return e != -ENODEV && e != -ESTALE;
}

static void read_all(struct gpu_reader *r)
{
	struct gpu_answer *a = &r->answers[1 - r->owned];
	bool right = true;

	if (!r->listed)
		list(r);
	if (!r->listed || r->state != GPU_READING)
		return;
	a->n = r->n;
	a->n_uses = 0;
	a->began_ns = now_ns();

	struct gpu_moment moment = { a->began_ns, clock_ns(CLOCK_REALTIME), { r->job, r->n_job } };

	for (size_t i = 0; i < a->n && !r->closing; i++)
		right = read_device(r, &moment, a, i) && right;
	a->pids_are_ours = !r->backend->tells_all || gpu_pids_are_ours(&r->source);
	if (!a->pids_are_ours && !r->closing)
		gpu_find_holders(a->held, a->device, a->n, &r->source, r->job, r->n_job);
	a->ended_ns = now_ns();
	r->made = true;
	if (!right)
		r->listed = false;              /* with its descriptors, until the next list */

	int64_t from_ns = r->due_ns && r->due_ns < a->began_ns ? r->due_ns : a->began_ns;
	double seconds = (double)(a->ended_ns - from_ns) / 1e9;

	r->seconds = seconds > r->seconds ? seconds : r->seconds + (seconds - r->seconds) / 8;
}

/* Who leaves last frees it: a driver that came back after it was given up, or else the owner. */
static void release(struct gpu_reader *r)
{
	forget_list(r);
	source_close(&r->source);
	close_p(&r->wake);
	free(r->job);
	free(r->selected);
	free(r);
}

static void leave(struct gpu_reader *r)
{
	if (atomic_fetch_add(&r->left, 1) == 1)
		release(r);
}

static void run(void *context)
{
	struct gpu_reader *r = context;

	if (r->state == GPU_OPENING) {
		int e = r->backend->open(r->backend_state, &r->source, &r->why);

		r->state = e == 0 ? GPU_READING : e == -ENODATA ? GPU_NONE : GPU_FAILED;
	} else {
		wait_until(r, r->due_ns);
	}
	if (r->state == GPU_READING && !r->closing)
		read_all(r);
	if (r->closing)
		leave(r);
}

static void close_backend(void *context)
{
	struct gpu_reader *r = context;

	r->backend->close(r->backend_state);
	leave(r);
}

/* ---- its owner's -------------------------------------------------------------------------- */

static int duplicate(int fd)
{
	return fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 0);
}

int gpu_reader_open(struct gpu_reader **ret, const struct gpu_backend *backend, const struct source *src,
		    const char *selected)
{
	struct gpu_reader *r = calloc(1, sizeof *r + backend->state_size);

	if (!r)
		return -ENOMEM;
	r->backend = backend;
	r->source = *src;
	r->source.root = duplicate(src->root);
	r->source.proc = duplicate(src->proc);
	r->source.sys = duplicate(src->sys);
	r->source.cgroup = -1;
	r->selected = selected ? strdup(selected) : NULL;
	r->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

	int e = r->wake < 0 ? -EAGAIN : lane_open_deep(&r->lane, 2, STACK_BYTES);

	if (e == 0)
		e = lane_submit(r->lane, (struct lane_job){ run, r });
	if (e < 0) {
		(void)lane_close(r->lane, 0);
		release(r);
		return e;
	}
	*ret = r;
	return 0;
}

void gpu_reader_close(struct gpu_reader *r, double wait_seconds)
{
	static const struct timespec little = { .tv_nsec = 1000000 };
	const uint64_t one = 1;

	if (!r)
		return;
	r->closing = true;
	(void)!write(r->wake, &one, sizeof one);

	int64_t until = now_ns() + (int64_t)(wait_seconds * 1e9);

	/* The lane drops what waits when it closes; the end of the driver is a job like others. */
	while (gpu_reader_busy(r) && now_ns() < until)
		(void)nanosleep(&little, NULL);
	if (!gpu_reader_busy(r)) {
		r->left = 0;
		if (lane_submit(r->lane, (struct lane_job){ close_backend, r }) == 0)
			while (gpu_reader_busy(r) && now_ns() < until)
				(void)nanosleep(&little, NULL);
	}
	if (lane_close(r->lane, 0.01) == 0)
		release(r);
	else
		leave(r);
}

void gpu_reader_ask(struct gpu_reader *r, int64_t due_ns, const pid_t *job, size_t n_job)
{
	r->due_ns = due_ns;
	if (n_job > r->job_room) {
		pid_t *at = realloc(r->job, 2 * n_job * sizeof *at);

		if (at) {
			r->job = at;
			r->job_room = 2 * n_job;
		}
	}
	r->n_job = size_min(n_job, r->job_room);
	if (r->n_job > 0)
		memcpy(r->job, job, r->n_job * sizeof *job);
	r->why.text[0] = '\0';
	if (lane_submit(r->lane, (struct lane_job){ run, r }) < 0)
		r->state = GPU_FAILED;          /* cannot be: it was not busy */
}

bool gpu_reader_busy(struct gpu_reader *r)
{
	return lane_busy(r->lane, r);
}

const struct gpu_answer *gpu_reader_answer(struct gpu_reader *r)
{
	if (!gpu_reader_busy(r) && r->made) {
		r->made = false;
		r->owned = 1 - r->owned;
		r->owns = true;
	}
	return r->owns ? &r->answers[r->owned] : NULL;
}

enum gpu_state gpu_reader_state(const struct gpu_reader *r)
{
	return r->state;
}

const char *gpu_reader_why(const struct gpu_reader *r)
{
	return r->why.text;
}

size_t gpu_reader_devices(const struct gpu_reader *r, uint64_t *ret_matched)
{
	*ret_matched = r->matched;
	return r->n_all;
}

double gpu_reader_seconds(const struct gpu_reader *r)
{
	return r->seconds;
}

const struct gpu_backend *gpu_reader_backend(const struct gpu_reader *r)
{
	return r->backend;
}
