/* test_thread_clocks.c - task clocks of running processes, and the threads of a tree that get one. */
#include "fixture.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "core/sample.h"
#include "cpu/attached.h"
#include "cpu/cpu_source.h"

enum { BURNT_MS = 40 };

/* A process that obeys letters, one after the other, and answers each. */
struct child { pid_t pid; int to, from; };

static void burn(void)
{
	struct timespec t;
	int64_t end_ns = 0, now_ns;

	do {
		(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
		now_ns = t.tv_sec * NS_PER_SECOND + t.tv_nsec;
		if (end_ns == 0)
			end_ns = now_ns + BURNT_MS * INT64_C(1000000);
	} while (now_ns < end_ns);
}

static void *sleep_on(void *unused)
{
	(void)unused;
	(void)pause();
	return NULL;
}

/* f: forks a process that obeys in its place; d: one that burns and is not waited for; t: a thread. */
static _Noreturn void obey(int to, int from)
{
	char letter;

	(void)alarm(ENOUGH_SECONDS);
	while (read(to, &letter, 1) == 1) {
		pthread_t thread;

		if (letter == 'f' && fork() > 0)
			(void)pause();
		if (letter == 'd' && fork() == 0) {
			(void)setsid();
			burn();
			_exit(write(from, &letter, 1) != 1);
		}
		if (letter == 't')
			(void)pthread_create(&thread, NULL, sleep_on, NULL);
		if (letter != 'd' && write(from, &letter, 1) != 1)
			break;
	}
	_exit(0);
}

static struct child child_start(void)
{
	int to[2], from[2];

	assert_int_equal(pipe(to), 0);
	assert_int_equal(pipe(from), 0);

	struct child c = { fork(), to[1], from[0] };

	assert_true(c.pid >= 0);
	if (c.pid == 0) {
		(void)close(to[1]);
		(void)setpgid(0, 0);
		obey(to[0], from[1]);
	}
	(void)setpgid(c.pid, c.pid);
	assert_int_equal(close(to[0]) | close(from[1]), 0);
	return c;
}

static void order(struct child c, const char *letters)
{
	char answer;

	for (; *letters; letters++) {
		assert_int_equal(write(c.to, letters, 1), 1);
		assert_int_equal(read(c.from, &answer, 1), 1);
	}
}

static void child_end(struct child c)
{
	assert_int_equal(close(c.to) | close(c.from), 0);
	assert_int_equal(kill(-c.pid, SIGKILL), 0);
	assert_int_equal(waitpid(c.pid, NULL, 0), c.pid);
}

static void open_or_skip(struct thread_clocks *c)
{
	int r = thread_clocks_open(c);

	if (r == -EACCES || r == -EPERM || r == -ENOSYS || r == -ENOENT) {
		thread_clocks_close(c);
		skip();
	}
	assert_int_equal(r, 0);
}

static struct thread_clocks_time time_of(const struct thread_clocks *c)
{
	struct thread_clocks_time t;

	assert_int_equal(thread_clocks_read(c, &t), 0);
	return t;
}

static void children_not_waited_for_are_counted(void **state)
{
	struct child child = child_start();
	struct thread_clocks c;

	(void)state;
	assert_int_equal(thread_clocks_init(&c), 0);
	assert_int_equal(thread_clocks_add(&c, child.pid), true);
	assert_int_equal(thread_clocks_add(&c, child.pid), false);
	open_or_skip(&c);
	order(child, "d");
	assert_true(time_of(&c).sure_ns >= BURNT_MS * UINT64_C(1000000) * 9 / 10);
	assert_int_equal(time_of(&c).unsure_ns, 0);
	thread_clocks_close(&c);
	child_end(child);
}

/* It is unknown whether its parent had a clock when it began: here it had, and both count its children. */
static void tasks_found_later_count_separately(void **state)
{
	struct child child = child_start();
	struct thread_clocks c;
	char path[64], text[64] = "";
	pid_t later;

	(void)state;
	assert_int_equal(thread_clocks_init(&c), 0);
	assert_int_equal(thread_clocks_add(&c, child.pid), true);
	open_or_skip(&c);
	order(child, "f");
	(void)snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)child.pid, (int)child.pid);

	FILE *file = fopen(path, "re");

	assert_non_null(file);
	assert_non_null(fgets(text, sizeof text, file));
	assert_int_equal(fclose(file), 0);
	later = (pid_t)strtol(text, NULL, 10);
	assert_int_equal(thread_clocks_add(&c, later), true);
	assert_int_equal(thread_clocks_open(&c), 0);
	order(child, "d");
	assert_true(time_of(&c).sure_ns >= BURNT_MS * UINT64_C(1000000) * 9 / 10);
	assert_true(time_of(&c).unsure_ns >= BURNT_MS * UINT64_C(1000000) * 9 / 10);
	thread_clocks_close(&c);
	child_end(child);
}

static void ended_tasks_are_skipped(void **state)
{
	struct child child = child_start();
	struct thread_clocks c;

	(void)state;
	child_end(child);
	assert_int_equal(thread_clocks_init(&c), 0);
	assert_int_equal(thread_clocks_add(&c, child.pid), true);
	open_or_skip(&c);
	assert_int_equal(time_of(&c).sure_ns, 0);
	thread_clocks_close(&c);
	assert_null(c.at);
}

static void the_number_of_clocks_has_a_limit(void **state)
{
	struct thread_clocks c;

	(void)state;
	assert_int_equal(thread_clocks_init(&c), 0);
	for (pid_t thread = 1; thread <= THREAD_CLOCKS_MAX; thread++)
		assert_int_equal(thread_clocks_add(&c, thread), true);
	assert_int_equal(thread_clocks_add(&c, 1), false);
	assert_int_equal(thread_clocks_add(&c, THREAD_CLOCKS_MAX + 1), -E2BIG);
	thread_clocks_close(&c);
}

/* A source of CPU time for a running tree. */
struct job {
	struct source source;
	struct text text, list;
	struct notices notices;
	struct cpu_source *cpu;
};

static void job_open(struct job *j, const pid_t *roots, size_t n)
{
	*j = (struct job){ .cpu = NULL };
	assert_int_equal(source_open(&j->source, "/", NULL), 0);
	assert_int_equal(cpu_source_open(&j->cpu, &(struct cpu_setup){
		.src = &j->source, .notices = &j->notices, .text = &j->text, .list = &j->list, .roots = roots,
		.n_roots = n, .self = getpid(), .whole = true, .attachable = true,
	}), 0);
	cpu_source_begin(j->cpu, NULL);
}

static void job_close(struct job *j)
{
	cpu_source_close(j->cpu);
	text_release(&j->text);
	text_release(&j->list);
	source_close(&j->source);
}

static void assert_source(struct job *j, const char *name)
{
	static struct sample sample;
	struct tick tick = { .src = &j->source, .text = &j->text, .out = &sample };

	sample_clear(&sample);
	cpu_source_report(j->cpu, &(struct cpu_facts){ .now_ns = 1, .baseline = true, .tasks = UINT64_MAX }, &tick);
	assert_string_equal(sample.total.process_cpu_source, name);
}

static void every_thread_of_every_root_has_one(void **state)
{
	struct child child[] = { child_start(), child_start() };
	pid_t roots[] = { child[0].pid, child[1].pid };
	struct thread_clocks clocks;
	bool all_found;
	struct job job;

	(void)state;
	order(child[0], "ttft");                /* three threads, and a child with two */
	job_open(&job, roots, 2);
	if (cpu_source_descriptors(job.cpu) > 0) {
		const struct attached what = { .src = &job.source, .list = &job.list, .roots = roots, .n_roots = 2 };

		assert_int_equal(cpu_source_descriptors(job.cpu), 6);
		assert_source(&job, "perf");
		assert_int_equal(attached_open(&clocks, &all_found, &what), 0);
		assert_int_equal(clocks.n, 6);
		assert_int_equal(clocks.sure, 6);
		assert_true(all_found);
		thread_clocks_close(&clocks);
	} else {
		assert_source(&job, "ledger");
	}
	job_close(&job);
	child_end(child[0]);
	child_end(child[1]);
}

static void scarce_descriptors_are_left_to_others(void **state)
{
	struct child child = child_start();
	struct rlimit limit, few;
	struct job job;

	(void)state;
	for (int i = 0; i < 40; i++)
		order(child, "t");
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	few = (struct rlimit){ 64, limit.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	job_open(&job, &child.pid, 1);
	assert_int_equal(cpu_source_descriptors(job.cpu), 0);
	assert_source(&job, "ledger");
	assert_non_null(strstr(notices_next(&job.notices), strerror(EMFILE)));
	job_close(&job);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	child_end(child);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(children_not_waited_for_are_counted),
		cmocka_unit_test(tasks_found_later_count_separately),
		cmocka_unit_test(ended_tasks_are_skipped),
		cmocka_unit_test(the_number_of_clocks_has_a_limit),
		cmocka_unit_test(every_thread_of_every_root_has_one),
		cmocka_unit_test(scarce_descriptors_are_left_to_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
