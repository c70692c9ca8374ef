/* serve.c - opens one of the backends, lists its devices and reads them on each request. */
#include "serve.h"

#include <poll.h>
#include <string.h>
#include <time.h>

#include "../core/metrics.h"
#include "../core/scan.h"
#include "owners.h"
#include "place.h"
#include "protocol.h"
#include "select.h"

static const struct { const char *driver; const struct gpu_backend *is; } backends[] = {
#define DRIVER(name, lists_all) { #name, &gpu_##name },
#include "drivers.def"
};

struct reader {
	const struct gpu_service *service;
	const struct gpu_backend *backend;
	void *backend_state;
	struct text text;
	struct gpu_request request;
	pid_t *job;
	size_t job_room;
	bool listed;
	size_t n;                               /* selected devices: all[number[i]] */
	size_t number[GPU_MAX];
	int status_fd[GPU_MAX];                 /* runtime_status of those; -1: none */
	struct gpu_device all[GPU_MAX];         /* status.devices, as listed */
	struct gpu_process processes[GPU_PROCESSES_MAX];
	struct gpu_status status;
	struct gpu_answer answer;
};

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

/* ---- one reading -------------------------------------------------------------------------- */

static void forget_list(struct reader *r)
{
	for (size_t i = 0; i < r->n; i++)
		close_p(&r->status_fd[i]);
	r->n = r->status.devices = 0;
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

static void list(struct reader *r)
{
	forget_list(r);
	for (size_t i = 0; i < GPU_MAX; i++)
		clear(&r->all[i]);

	int n = r->backend->list(r->backend_state, r->all, GPU_MAX);

	if (n < 0) {
		r->status.state = GPU_FAILED;
		(void)why_set(&r->status.why, 0, "GPUs (%s) are not read: the driver does not list them",
			      r->service->driver->name);
		return;
	}
	r->listed = true;
	r->status.devices = (size_t)n;
	if (n == 0)
		r->status.state = GPU_NONE;
	for (size_t i = 0; i < r->status.devices; i++) {
		if (r->service->selected && !gpu_selected(r->service->selected, &r->all[i]))
			continue;
		r->number[r->n] = i;
		r->status_fd[r->n++] = gpu_sleep_open(r->service->source.sys, r->all[i].folder);
	}
	if (r->service->selected)
		r->status.matched |= gpu_select_matched(r->service->selected, r->all, r->status.devices);
}

static void add_uses(struct reader *r, const struct gpu_moment *m, struct gpu_answer *a, size_t i)
{
	int n = r->backend->processes(r->backend_state, r->number[i], m, r->processes, GPU_PROCESSES_MAX);

	/* An incomplete list does not count. */
	if (n < 0 || (size_t)n > GPU_PROCESSES_MAX - a->n_uses)
		return;
	a->uses_known[i] = true;
	for (size_t k = 0; k < (size_t)n; k++)
		a->use[a->n_uses++] = (struct gpu_use){ i, r->processes[k] };
}

/* false: the list of devices is out of date. */
static bool read_device(struct reader *r, const struct gpu_moment *m, struct gpu_answer *a, size_t i)
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
		(void)why_set(&r->status.why, 0, "GPU %s (%s) was lost: its driver does not reach it any more",
			      d->row.host_id, d->row.name[0] ? d->row.name : d->row.key);
	}
	return e != -ENODEV && e != -ESTALE;
}

static void read_all(struct reader *r)
{
	struct gpu_answer *a = &r->answer;
	bool right = true;

	if (!r->listed)
		list(r);
	if (!r->listed || r->status.state != GPU_READING)
		return;
	a->n = r->n;
	a->n_uses = 0;
	a->began_ns = now_ns();

	struct gpu_moment moment = { a->began_ns, clock_ns(CLOCK_REALTIME), { r->job, r->request.n_job } };

	for (size_t i = 0; i < a->n; i++)
		right = read_device(r, &moment, a, i) && right;
	a->pids_are_ours = !r->service->driver->lists_all || gpu_pids_are_ours(&r->service->source);
	if (!a->pids_are_ours)
		gpu_find_holders(a->held, a->device, a->n, &r->service->source, r->job, r->request.n_job);
	a->ended_ns = now_ns();
	r->status.answered = 1;
	if (!right)
		r->listed = false;              /* with its descriptors, until the next list */

	int64_t from_ns = r->request.due_ns && r->request.due_ns < a->began_ns ? r->request.due_ns : a->began_ns;
	double seconds = (double)(a->ended_ns - from_ns) / 1e9;

	r->status.seconds += (seconds - r->status.seconds) / (seconds > r->status.seconds ? 1 : 8);
}

static void open_backend(struct reader *r)
{
	int e = r->backend->open(r->backend_state, &r->service->source, &r->status.why);

	r->status.state = e == 0 ? GPU_READING : e == -ENODATA ? GPU_NONE : GPU_FAILED;
}

static void take_own_cost(struct reader *r)
{
	const struct source *src = &r->service->source;
	uint64_t pages;

	r->status.cpu_seconds = (double)clock_ns(CLOCK_PROCESS_CPUTIME_ID) / 1e9;
	if (text_read_at(&r->text, src->proc, "self/statm") < 0)
		return;

	struct scan s = scan_of(r->text.at, r->text.len);

	if (scan_skip(&s, 1) && scan_u64(&s, &pages))
		r->status.rss_bytes = (double)pages * (double)src->page_bytes;
}

/* ---- the client's side of the socket ------------------------------------------------------- */

static bool send_reply(struct reader *r)
{
	struct iovec parts[GPU_PARTS];
	size_t done = 0;
	bool sent;

	if (r->service->is_process)
		take_own_cost(r);
	sent = gpu_send(r->service->socket, parts, gpu_reply_parts(parts, &r->status, &r->answer, true), &done, 0) > 0;
	r->status.why.text[0] = '\0';
	r->status.answered = 0;
	return sent;
}

static bool make_room(struct reader *r, size_t n)
{
	if (n <= r->job_room)
		return true;

	pid_t *at = realloc(r->job, 2 * n * sizeof *at);

	if (!at)
		return false;
	r->job = at;
	r->job_room = 2 * n;
	return true;
}

static bool receive_request(struct reader *r)
{
	struct iovec parts[] = { { &r->request, sizeof r->request }, { NULL, 0 } };
	size_t done = 0;

	if (gpu_receive(r->service->socket, parts, 1, &done, 0) <= 0 || !make_room(r, r->request.n_job))
		return false;
	parts[1] = (struct iovec){ r->job, r->request.n_job * sizeof *r->job };
	return gpu_receive(r->service->socket, parts, 2, &done, 0) > 0;
}

/* false: the client has closed its end.  No other event can come before the reply. */
static bool wait_until_due(const struct reader *r)
{
	for (int64_t left; (left = r->request.due_ns - now_ns()) > 0;) {
		struct pollfd p = { .fd = r->service->socket, .events = POLLIN };
		const struct timespec t = { left / NS_PER_SECOND, left % NS_PER_SECOND };

		if (ppoll(&p, 1, &t, NULL) > 0)
			return false;
	}
	return true;
}

void gpu_serve(const struct gpu_service *service)
{
	struct reader *r = calloc(1, sizeof *r);

	for (size_t i = 0; r && i < countof(backends); i++)
		if (strcmp(backends[i].driver, service->driver->name) == 0)
			r->backend = backends[i].is;
	if (r && r->backend)
		r->backend_state = calloc(1, r->backend->state_size);
	if (!r || !r->backend_state) {
		free(r);
		return;
	}
	r->service = service;
	open_backend(r);
	do
		if (r->status.state == GPU_READING)
			read_all(r);
	while (send_reply(r) && receive_request(r) && wait_until_due(r));
	r->backend->close(r->backend_state);
	forget_list(r);
	text_release(&r->text);
	free(r->backend_state);
	free(r->job);
	free(r);
}
