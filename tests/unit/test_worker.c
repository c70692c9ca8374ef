/* test_worker.c - the thread for calls that can block. */
#include "fixture.h"

#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "core/worker.h"

struct gate {                                   /* a job that hangs until its pipe is written to */
	int wait_on, release;
	int runs, entered;
	sigset_t mask;
};

static void open_gate(struct gate *g)
{
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	*g = (struct gate){ .wait_on = ends[0], .release = ends[1] };
}

static void close_gate(struct gate *g)
{
	close_p(&g->wait_on);
	close_p(&g->release);
}

static void pass(void *context)
{
	struct gate *g = context;
	char byte;

	(void)pthread_sigmask(SIG_SETMASK, NULL, &g->mask);
	__atomic_store_n(&g->entered, 1, __ATOMIC_RELEASE);
	(void)!read(g->wait_on, &byte, 1);
	__atomic_fetch_add(&g->runs, 1, __ATOMIC_RELEASE);
}

static void let_pass(struct gate *g)
{
	assert_int_equal(write(g->release, "x", 1), 1);
}

static void wait_idle(struct worker *l, const void *context)
{
	wait_until(!worker_busy(l, context));
}

static void a_job_runs_and_gives_its_context_back(void **state)
{
	struct worker *l = NULL;
	struct gate g;

	(void)state;
	open_gate(&g);
	assert_int_equal(worker_open(&l, 2), 0);
	for (int i = 1; i <= 5; i++) {
		assert_int_equal(worker_submit(l, (struct worker_job){ pass, &g }), 0);
		assert_true(worker_busy(l, &g));
		let_pass(&g);
		wait_idle(l, &g);
		assert_int_equal(g.runs, i);
	}
	assert_int_equal(sigismember(&g.mask, SIGTERM), 1);
	assert_int_equal(sigismember(&g.mask, SIGCHLD), 1);
	assert_int_equal(worker_close(l, ENOUGH_SECONDS), 0);
	close_gate(&g);
}

static void a_full_queue_and_a_running_job_are_refused(void **state)
{
	struct worker *l = NULL;
	struct gate g[4];

	(void)state;
	for (size_t i = 0; i < countof(g); i++)
		open_gate(&g[i]);
	assert_int_equal(worker_open(&l, 2), 0);
	assert_int_equal(worker_submit(l, (struct worker_job){ pass, &g[0] }), 0);
	assert_int_equal(worker_submit(l, (struct worker_job){ pass, &g[0] }), -EAGAIN);
	assert_int_equal(worker_submit(l, (struct worker_job){ pass, &g[1] }), 0);
	/* The first can still wait for the thread to start: then the queue is full already. */
	wait_until(worker_submit(l, ((struct worker_job){ pass, &g[2] })) == 0);
	assert_int_equal(worker_submit(l, (struct worker_job){ pass, &g[3] }), -EAGAIN);
	assert_false(worker_busy(l, &g[3]));
	assert_true(worker_busy(l, &g[2]));
	let_pass(&g[0]);
	wait_idle(l, &g[0]);
	assert_int_equal(worker_submit(l, (struct worker_job){ pass, &g[1] }), -EAGAIN);
	let_pass(&g[1]);
	let_pass(&g[2]);
	wait_idle(l, &g[2]);
	assert_int_equal(g[1].runs, 1);
	assert_int_equal(worker_close(l, ENOUGH_SECONDS), 0);
	for (size_t i = 0; i < countof(g); i++)
		close_gate(&g[i]);
}

static void a_job_that_hangs_is_left_behind(void **state)
{
	struct worker *l = NULL;
	static struct gate g, never;            /* static: a job that was left behind can still use them */

	(void)state;
	open_gate(&g);
	open_gate(&never);
	assert_int_equal(worker_open(&l, 4), 0);
	assert_int_equal(worker_submit(l, (struct worker_job){ pass, &g }), 0);
	assert_int_equal(worker_submit(l, (struct worker_job){ pass, &never }), 0);
	wait_until(__atomic_load_n(&g.entered, __ATOMIC_ACQUIRE));
	assert_int_equal(worker_close(l, 0.02), -ETIMEDOUT);
	/* It returns late: it frees its worker, and does not begin the job that waited. */
	let_pass(&g);
	let_pass(&never);
	wait_until(__atomic_load_n(&g.runs, __ATOMIC_ACQUIRE) > 0);
	assert_int_equal(never.runs, 0);
	assert_int_equal(worker_close(NULL, 1), 0);
}

static void without_a_thread_an_error_is_returned(void **state)
{
	(void)state;

	/* The limit does not apply to root, so it is tried as another user, in a process of its own. */
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		struct rlimit none = { 0, 0 };
		struct worker *l = NULL;

		if (setrlimit(RLIMIT_NPROC, &none) < 0 || (getuid() == 0 && setuid(65534) < 0))
			_exit(77);
		_exit(worker_open(&l, 1) == -EAGAIN && !l ? 0 : 1);
	}

	int status;

	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 77)
		skip();
	assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_job_runs_and_gives_its_context_back),
		cmocka_unit_test(a_full_queue_and_a_running_job_are_refused),
		cmocka_unit_test(a_job_that_hangs_is_left_behind),
		cmocka_unit_test(without_a_thread_an_error_is_returned),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
