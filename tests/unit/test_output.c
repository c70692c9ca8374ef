/* test_output.c - the queue in front of a destination: order, drops, slow and broken readers. */
#include "fixture.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "record/output.h"

static struct output *open_fd(int fd)
{
	struct output_options options = { .fd = fd, .name = "test" };
	struct output *o;
	struct why why = { "" };

	assert_int_equal(output_open(&o, &options, &why), 0);
	assert_string_equal(why.text, "");
	return o;
}

static void lines_come_out_whole_and_in_order(void **state)
{
	int ends[2];
	char line[3000], text[8192];
	uint64_t next = 0, checked = 0;
	size_t kept = 0;

	(void)state;
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	struct output *o = open_fd(ends[1]);

	/* Lengths of all kinds, many times round the ring; never more in flight than fits. */
	while (checked < 2000) {
		if (next < 2000 && next - checked < 40) {
			int n = snprintf(line, sizeof line, "%llu %0*d\n", (unsigned long long)next,
					 (int)(1 + next * 37 % 2800), 7);

			output_put(o, line, (size_t)n);
			next++;
			if (next < 2000 && next - checked < 40)
				continue;
		}
		ssize_t n = read(ends[0], text + kept, sizeof text - kept);

		assert_true(n > 0);
		kept += (size_t)n;
		for (char *newline; (newline = memchr(text, '\n', kept)) != NULL;) {
			assert_int_equal(strtoull(text, NULL, 10), checked);
			assert_int_equal(newline[-1], '7');
			checked++;
			kept -= (size_t)(newline + 1 - text);
			memmove(text, newline + 1, kept);
		}
	}
	assert_int_equal(output_dropped(o), 0);
	assert_int_equal(output_close(o, ENOUGH_SECONDS, NULL), 0);
	close_p(&ends[0]);
}

static void a_stopped_reader_loses_lines_and_delays_nothing(void **state)
{
	int ends[2];
	char line[1000];

	(void)state;
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	memset(line, 'x', sizeof line);
	line[sizeof line - 1] = '\n';
	struct output *o = open_fd(ends[1]);

	for (int i = 0; i < 2000; i++)
		output_put(o, line, sizeof line);
	assert_true(output_dropped(o) > 1000);          /* 256 KiB of queue and 64 KiB of pipe hold the rest */
	/* The thread hangs in write: it is left behind, and the lines that it did not write are reported. */
	assert_true(output_close(o, 0.05, NULL) > 1500);
	close_p(&ends[0]);                              /* EPIPE wakes the thread, which frees all */
}

static void a_closed_reader_is_noticed(void **state)
{
	int ends[2];
	struct output_end end;
	struct why why;

	(void)state;
	(void)signal(SIGPIPE, SIG_IGN);
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	close_p(&ends[0]);
	struct output *o = open_fd(ends[1]);

	output_put(o, "line\n", 5);
	wait_until(output_reader_gone(o));
	assert_true(output_reader_gone(o));
	assert_true(output_failure(o, &why));
	assert_string_equal(why.text, "cannot write to test: Broken pipe");
	assert_int_equal(output_close(o, ENOUGH_SECONDS, &end), 1);
	assert_true(end.written == 0 && end.reader_gone);
}

static void a_full_disk_loses_the_line_and_is_reported(void **state)
{
	struct why why;

	(void)state;
	struct output *o = open_fd(open("/dev/full", O_WRONLY | O_CLOEXEC));

	output_put(o, "line\n", 5);
	assert_int_equal(output_close(o, ENOUGH_SECONDS, NULL), 1);

	o = open_fd(open("/dev/full", O_WRONLY | O_CLOEXEC));
	output_put(o, "line\n", 5);
	wait_until(output_failure(o, &why));
	assert_true(output_failure(o, &why));
	assert_string_equal(why.text, "cannot write to test: No space left on device");
	assert_int_equal(output_close(o, ENOUGH_SECONDS, NULL), 1);
}

/* A file size limit makes write stop in the middle of a line, as a full disk does. */
static void half_a_line_is_removed(void **state)
{
	char path[] = "/tmp/rt-output-XXXXXX", text[64] = "";
	int fd = mkostemp(path, O_CLOEXEC), check = open(path, O_RDONLY | O_CLOEXEC);
	struct rlimit before, small;

	(void)state;
	assert_true(fd >= 0 && check >= 0);
	(void)signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	small = (struct rlimit){ 20, before.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	struct output *o = open_fd(fd);

	output_put(o, "first line\n", 11);
	output_put(o, "second line\n", 12);
	assert_int_equal(output_close(o, ENOUGH_SECONDS, NULL), 1);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_int_equal(read(check, text, sizeof text), 11);
	assert_string_equal(text, "first line\n");
	close_p(&check);
	(void)unlink(path);
}

static int open_slowly(void *context, struct why *why)
{
	(void)why;
	pause_ms(20);
	return open(context, O_WRONLY | O_CLOEXEC);
}

static atomic_bool answered;

static int open_after_answer(void *context, struct why *why)
{
	(void)why;
	wait_until(atomic_load(&answered));
	return open(context, O_WRONLY | O_CLOEXEC);
}

static int open_fails(void *context, struct why *why)
{
	(void)context;
	return why_set(why, -EACCES, "no such luck");
}

static int begin(int (*open)(void *context, struct why *why), const char *path, bool open_anyway, double seconds,
		 struct why *why)
{
	struct output_options options = { .fd = -1, .open = open, .open_anyway = open_anyway, .name = "late" };
	struct output *o;
	struct why note = { "" };

	atomic_store(&answered, false);
	memcpy(&options.context, &path, sizeof path);
	assert_int_equal(output_open(&o, &options, &note), 0);
	output_put(o, "line\n", 5);
	int r = output_begun(o, seconds, why);

	atomic_store(&answered, true);
	(void)output_close(o, ENOUGH_SECONDS, NULL);
	return r;
}

static void it_is_known_whether_an_output_has_begun(void **state)
{
	struct why why = { "" };

	(void)state;
	assert_int_equal(begin(open_slowly, "/dev/null", true, ENOUGH_SECONDS, &why), 0);
	assert_string_equal(why.text, "");
	assert_int_equal(begin(open_fails, NULL, true, ENOUGH_SECONDS, &why), -EIO);
	assert_string_equal(why.text, "no such luck");
	assert_int_equal(begin(open_slowly, "/dev/full", true, ENOUGH_SECONDS, &why), -EIO);
	assert_string_equal(why.text, "cannot write to late: No space left on device");
	/* Not known yet; a FIFO is not waited for at all. */
	assert_int_equal(begin(open_after_answer, "/dev/full", true, 0, &why), 0);
	assert_int_equal(begin(open_after_answer, "/dev/full", false, ENOUGH_SECONDS, &why), 0);
}

static void an_output_can_open_late(void **state)
{
	char path[] = "/tmp/rt-output-XXXXXX", text[64] = "";
	int check = mkostemp(path, O_CLOEXEC);
	struct output_options options = { .fd = -1, .open = open_slowly, .context = path, .name = path };
	struct output *o;
	struct why why;

	(void)state;
	assert_int_equal(output_open(&o, &options, NULL), 0);
	output_put(o, "one\n", 4);
	output_put(o, "two\n", 4);
	assert_int_equal(output_close(o, ENOUGH_SECONDS, NULL), 0);
	assert_int_equal(read(check, text, sizeof text), 8);
	assert_string_equal(text, "one\ntwo\n");
	close_p(&check);
	(void)unlink(path);

	options.open = open_fails;
	assert_int_equal(output_open(&o, &options, NULL), 0);
	output_put(o, "one\n", 4);
	wait_until(output_failure(o, &why));
	assert_true(output_failure(o, &why));
	assert_string_equal(why.text, "no such luck");
	assert_int_equal(output_close(o, ENOUGH_SECONDS, NULL), 1);
}

/* A context that waits for permission, and then tells what its text is. */
struct waiting_context { const atomic_bool *go; atomic_int *state; char text[8]; };
enum { NOT_OPENED, OPENING, HAD_ITS_TEXT, HAD_ANOTHER_TEXT };

static int open_when_allowed(void *context, struct why *why)
{
	const struct waiting_context *c = context;

	atomic_store(c->state, OPENING);
	wait_until(atomic_load(c->go));
	atomic_store(c->state, strcmp(c->text, "mine") == 0 ? HAD_ITS_TEXT : HAD_ANOTHER_TEXT);
	return why_set(why, -EACCES, "no such luck");
}

static void a_thread_left_behind_has_its_own_context(void **state)
{
	static atomic_bool go;
	static atomic_int opened;
	struct waiting_context c = { &go, &opened, "mine" };
	struct output_options options = {
		.fd = -1, .open = open_when_allowed, .context = &c, .context_bytes = sizeof c, .name = "test",
	};
	struct output *o;

	(void)state;
	assert_int_equal(output_open(&o, &options, NULL), 0);
	output_put(o, "one\n", 4);
	wait_until(atomic_load(&opened) == OPENING);
	assert_int_equal(output_close(o, 0, NULL), 1);
	memset(&c, 0, sizeof c);
	atomic_store(&go, true);
	wait_until(atomic_load(&opened) > OPENING);
	assert_int_equal(atomic_load(&opened), HAD_ITS_TEXT);
}

static void *allow_later(void *go)
{
	pause_ms(50);
	atomic_store((atomic_bool *)go, true);
	return NULL;
}

static void the_end_waits_for_an_open_with_the_callers_context(void **state)
{
	static atomic_bool go;
	static atomic_int opened;
	struct waiting_context c = { &go, &opened, "mine" };
	struct output_options options = { .fd = -1, .open = open_when_allowed, .context = &c, .name = "test" };
	struct output *o;
	pthread_t thread;

	(void)state;
	assert_int_equal(output_open(&o, &options, NULL), 0);
	wait_until(atomic_load(&opened) == OPENING);
	assert_int_equal(pthread_create(&thread, NULL, allow_later, &go), 0);
	(void)output_close(o, 0, NULL);
	assert_int_equal(atomic_load(&opened), HAD_ITS_TEXT);
	assert_int_equal(pthread_join(thread, NULL), 0);
}

static size_t threads(void)
{
	struct stat tasks;

	assert_int_equal(stat("/proc/self/task", &tasks), 0);
	return tasks.st_nlink - 2;
}

/* Without any output: the first thread, and one of ThreadSanitizer, which starts with the first other thread. */
static size_t threads_before;

static void *note_its_number(void *tid)
{
	*(pid_t *)tid = gettid();
	return NULL;
}

static int count_threads(void **state)
{
	char folder[64];
	pthread_t thread;
	pid_t tid;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, note_its_number, &tid), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
	(void)snprintf(folder, sizeof folder, "/proc/self/task/%d", (int)tid);
	wait_until(access(folder, F_OK) < 0);
	threads_before = threads();
	return 0;
}

/* The kernel wakes a thread that joins another one before it removes the other from its list. */
static void wait_for_joined_threads(void)
{
	wait_until(threads() == threads_before);
}

static void a_deferred_output_needs_no_thread(void **state)
{
	char path[] = "/tmp/rt-output-XXXXXX", text[64] = "";
	int check = mkostemp(path, O_CLOEXEC);
	struct output_options options = { .name = path, .later = true };
	struct why why = { "" };
	struct output_end end;
	struct output *o;

	(void)state;
	assert_true(check >= 0);
	for (int started = 0; started < 2; started++) {
		options.fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
		wait_for_joined_threads();
		assert_int_equal(output_open(&o, &options, &why), 0);
		output_put(o, "one\n", 4);
		assert_int_equal(threads(), threads_before);
		assert_int_equal(pread(check, text, sizeof text, 0), 0);
		if (started) {
			output_start(o, &why);
			output_start(o, &why);          /* a second start changes nothing */
			wait_until(pread(check, text, sizeof text, 0) >= 4);
			assert_string_equal(text, "one\n");
		}
		output_put(o, "two\n", 4);
		assert_int_equal(output_close(o, ENOUGH_SECONDS, &end), 0);
		assert_true(end.written == 2 && !end.reader_gone && !end.failure.text[0]);
		assert_int_equal(pread(check, text, sizeof text, 0), 8);
		assert_string_equal(text, "one\ntwo\n");
		memset(text, 0, sizeof text);
	}
	assert_string_equal(why.text, "");
	options.fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
	assert_int_equal(output_open(&o, &options, &why), 0);
	output_put(o, "one\n", 4);
	assert_int_equal(output_close(o, ENOUGH_SECONDS, &end), 1);
	assert_true(end.written == 0 && !end.reader_gone);
	assert_non_null(strstr(end.failure.text, "No space left on device"));
	close_p(&check);
	(void)unlink(path);
}

static void a_write_that_would_block_is_deferred(void **state)
{
	char path[] = "/tmp/rt-output-XXXXXX", text[64] = "", page[4096] = "";
	int file = mkostemp(path, O_CLOEXEC), ends[2];

	(void)state;
	assert_true(file >= 0);
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	assert_false(output_is_prompt(ends[1]));
	while (output_now(ends[1], page, sizeof page) > 0)
		;                               /* until it is full; at once if RWF_NOWAIT does not support pipes */
	assert_int_equal(output_now(ends[1], "more\n", 5), 0);
	if (output_is_prompt(file)) {
		assert_int_equal(output_now(file, "all\n", 4), 4);
		assert_int_equal(pread(file, text, sizeof text, 0), 4);
	}
	close_p(&ends[0]);
	close_p(&ends[1]);
	close_p(&file);
	(void)unlink(path);
}

/* A disk that is full at first, and has room later: a small line would fit, the header does not. */
static void no_line_precedes_its_header(void **state)
{
	static const char header[] = "a header that is long\n";
	char path[] = "/tmp/rt-output-XXXXXX", text[64] = "";
	int fd = mkostemp(path, O_CLOEXEC), check = open(path, O_RDONLY | O_CLOEXEC);
	struct rlimit before, small;
	struct output_end end = { 0 };
	struct why why;

	(void)state;
	assert_true(fd >= 0 && check >= 0);
	(void)signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	small = (struct rlimit){ 10, before.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);

	struct output *o = open_fd(fd);

	assert_true(output_put_needed(o, header, sizeof header - 1));
	output_put(o, "one\n", 4);
	wait_until(output_failure(o, &why));
	output_put(o, "two\n", 4);
	pause_ms(20);                                   /* long enough, as a rule, for a write that must not happen */
	assert_int_equal(pread(check, text, sizeof text, 0), 0);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	output_put(o, "three\n", 6);
	assert_int_equal(output_close(o, 60, &end), 0);
	assert_int_equal(end.written, 4);
	assert_string_equal(end.failure.text, "");
	assert_int_equal(pread(check, text, sizeof text, 0), sizeof header - 1 + 14);
	assert_string_equal(text, "a header that is long\none\ntwo\nthree\n");
	(void)close(check);
	(void)unlink(path);
}

/* No room until the end: nothing is written, and all lines that waited count as dropped. */
static void lines_without_their_header_are_dropped(void **state)
{
	char path[] = "/tmp/rt-output-XXXXXX";
	int fd = mkostemp(path, O_CLOEXEC);
	struct rlimit before, small;
	struct output_end end = { 0 };
	struct stat status;
	char line[1000];
	size_t refused = 0;

	(void)state;
	memset(line, 'x', sizeof line);
	assert_true(fd >= 0);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	small = (struct rlimit){ 10, before.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);

	struct output *o = open_fd(fd);

	assert_true(output_put_needed(o, "a header that is long\n", 22));
	/* The queue is full: a required line can be put again, others are counted. */
	for (int i = 0; i < 300; i++)
		output_put(o, line, sizeof line);
	refused += !output_put_needed(o, line, sizeof line);
	assert_int_equal(output_close(o, 60, &end), 301);       /* the caller puts that one again */
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_int_equal(refused, 1);
	assert_int_equal(end.written, 0);
	assert_string_equal(end.failure.text, "cannot write to test: File too large");
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_size, 0);
	(void)unlink(path);
}

/* A non-blocking descriptor of the caller: lines are whole all the same, and its mode stays. */
static void a_non_blocking_descriptor_is_polled(void **state)
{
	enum { LINES = 200, LINE = 1000 };
	static char line[LINE], text[LINES * LINE];
	size_t n = 0;
	int ends[2];

	(void)state;
	assert_int_equal(pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
	assert_int_equal(fcntl(ends[0], F_SETFL, 0), 0);
	struct output *o = open_fd(ends[1]);

	memset(line, 'x', sizeof line);
	line[sizeof line - 1] = '\n';
	for (int i = 0; i < LINES; i++)
		output_put(o, line, sizeof line);
	while (n < sizeof text) {
		ssize_t r = read(ends[0], text + n, size_min(777, sizeof text - n));

		assert_true(r > 0);
		n += (size_t)r;
	}
	for (int i = 0; i < LINES; i++)
		assert_memory_equal(text + (size_t)i * LINE, line, LINE);
	assert_int_equal(fcntl(ends[1], F_GETFL) & O_NONBLOCK, O_NONBLOCK);
	assert_int_equal(output_close(o, ENOUGH_SECONDS, NULL), 0);
	close_p(&ends[0]);
}

/* A reader sees the end while other outputs are still to be closed. */
static void a_finished_output_closes_by_itself(void **state)
{
	char text[8];
	int ends[2];

	(void)state;
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	struct output *o = open_fd(ends[1]);

	output_put(o, "line\n", 5);
	output_end(o);
	assert_int_equal(read(ends[0], text, sizeof text), 5);
	assert_int_equal(read(ends[0], text, sizeof text), 0);
	assert_int_equal(output_close(o, ENOUGH_SECONDS, NULL), 0);
	close_p(&ends[0]);
}

/* Lines in quick succession wake the thread once; none is held back at the end. */
static void lines_are_gathered(void **state)
{
	char text[16];
	int ends[2];
	struct output *o;

	(void)state;
	assert_int_equal(pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
	struct output_options options = { .fd = ends[1], .name = "test", .gather_seconds = 1000 };

	assert_int_equal(output_open(&o, &options, NULL), 0);
	output_put(o, "one\n", 4);                      /* the first line is written at once */
	wait_until(read(ends[0], text, sizeof text) == 4);
	output_put(o, "two\n", 4);
	output_put(o, "three\n", 6);
	pause_ms(20);                                   /* long enough, as a rule, for a write that must not happen */
	assert_int_equal(read(ends[0], text, sizeof text), -1);
	output_wake(o);
	for (size_t n = 0; n < 10; pause_ms(1)) {
		ssize_t r = read(ends[0], text + n, sizeof text - n);

		n += r > 0 ? (size_t)r : 0;
	}
	assert_memory_equal(text, "two\nthree\n", 10);
	output_put(o, "four\n", 5);
	assert_int_equal(output_close(o, ENOUGH_SECONDS, NULL), 0);
	assert_int_equal(read(ends[0], text, sizeof text), 5);
	close_p(&ends[0]);
}

static cpu_set_t first_cpu;

/* The thread gets that CPU only when hardly anybody else wants it. */
static int open_without_a_cpu(void *context, struct why *why)
{
	(void)why;
	assert_int_equal(sched_setaffinity(0, sizeof first_cpu, &first_cpu), 0);
	assert_int_equal(setpriority(PRIO_PROCESS, 0, 19), 0);  /* of this thread alone: setpriority(2) */
	return dup(*(int *)context);
}

/* Regression: with 200 recorders on two CPUs, the end of a record was given up after a second. */
static void a_thread_without_a_cpu_does_not_hang(void **state)
{
	enum { LINES = 1000 };                  /* more than it can write before it has to give the CPU up */
	cpu_set_t all;
	int fd = memfd_create("lines", MFD_CLOEXEC);
	struct output_options options = { .fd = -1, .open = open_without_a_cpu, .context = &fd, .name = "test" };
	struct output *o;
	struct output_end end;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
	for (size_t cpu = 0; CPU_COUNT(&first_cpu) == 0; cpu++)
		if (CPU_ISSET(cpu, &all))
			CPU_SET(cpu, &first_cpu);

	pid_t busy = fork();

	if (busy == 0) {
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		(void)sched_setaffinity(0, sizeof first_cpu, &first_cpu);
		for (;;)
			;
	}
	assert_int_equal(output_open(&o, &options, NULL), 0);
	for (int i = 0; i < LINES; i++)
		output_put(o, "line\n", 5);
	assert_int_equal(output_close(o, 0.001, &end), 0);
	assert_int_equal(end.written, LINES);
	assert_int_equal(kill(busy, SIGKILL), 0);
	assert_int_equal(waitpid(busy, NULL, 0), busy);
	close_p(&fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_come_out_whole_and_in_order),
		cmocka_unit_test(a_stopped_reader_loses_lines_and_delays_nothing),
		cmocka_unit_test(a_closed_reader_is_noticed),
		cmocka_unit_test(a_full_disk_loses_the_line_and_is_reported),
		cmocka_unit_test(half_a_line_is_removed),
		cmocka_unit_test(it_is_known_whether_an_output_has_begun),
		cmocka_unit_test(an_output_can_open_late),
		cmocka_unit_test(a_thread_left_behind_has_its_own_context),
		cmocka_unit_test(the_end_waits_for_an_open_with_the_callers_context),
		cmocka_unit_test(a_deferred_output_needs_no_thread),
		cmocka_unit_test(a_write_that_would_block_is_deferred),
		cmocka_unit_test(no_line_precedes_its_header),
		cmocka_unit_test(lines_without_their_header_are_dropped),
		cmocka_unit_test(a_non_blocking_descriptor_is_polled),
		cmocka_unit_test(lines_are_gathered),
		cmocka_unit_test(a_thread_without_a_cpu_does_not_hang),
		cmocka_unit_test(a_finished_output_closes_by_itself),
	};
	return cmocka_run_group_tests(tests, count_threads, NULL);
}
