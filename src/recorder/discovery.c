/* discovery.c - asks for the cloud beside the run. */
#include "discovery.h"

#include <stdatomic.h>
#include <time.h>

#include "asked_program.h"
#include "session_record.h"

enum { STACK_BYTES = 256 << 10 };
static const double PROGRAM_SECONDS = 3;        /* its own limit is a second; this one is for a machine that is busy */

struct discovery_job {
	const char *root;
	struct cloud found;
	struct why trouble;
};

static void ask(void *context)
{
	struct discovery_job *job = context;
	const struct asked_program program = {
		.name = "resource-tracker-discover", .prefix = "resource-tracker discover: ",
		.words = (const char *const[]){ "discover", "--json", "--root", job->root, NULL },
		.fine = 1, .own_group = true,
	};
	struct buffer said = { 0 };
	struct json_value v;
	struct why why = { "" };

	if (asked_program_read(&said, &program, PROGRAM_SECONDS, &why) < 0)
		(void)why_set(&job->trouble, 0, "--discover: the cloud is not asked: %s", why.text);
	else if (json_parse(&v, said.at ? said.at : "", said.len) < 0)
		(void)why_set(&job->trouble, 0, "--discover: the answer of resource-tracker-discover is not JSON");
	else
		cloud_read(&job->found, v);
	buffer_release(&said);
}

int discovery_open(struct discovery *d, const char *root, struct why *why)
{
	struct discovery made = { .job = calloc(1, sizeof *made.job), .begun = seconds_now() };
	int r = made.job ? worker_open_deep(&made.worker, 1, STACK_BYTES) : -ENOMEM;

	if (r == 0) {
		made.job->root = root ? root : "/";
		r = worker_submit(made.worker, (struct worker_job){ ask, made.job });
	}
	if (r < 0) {
		(void)worker_close(made.worker, 0);
		free(made.job);
		return why_set(why, r, "--discover: the cloud is not asked: no thread: %s", strerror(-r));
	}
	*d = made;
	return 0;
}

bool discovery_answer(struct discovery *d, bool wait, struct cloud *ret, struct why *trouble)
{
	static const struct timespec little = { .tv_nsec = 1000000 };

	if (!d->job)
		return false;
	while (worker_busy(d->worker, d->job)) {
		if (!wait || seconds_now() > d->begun + PROGRAM_SECONDS)
			return false;
		(void)nanosleep(&little, NULL);
	}
	*ret = d->job->found;
	*trouble = d->job->trouble;
	discovery_close(d);
	return true;
}

void discovery_close(struct discovery *d)
{
	/* What is abandoned while it runs stays the worker's. */
	if (d->worker && worker_close(d->worker, 0) == 0)
		free(d->job);
	*d = (struct discovery){ .worker = NULL };
}
