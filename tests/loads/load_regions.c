/*
 * load_regions.c - a program that names its regions, in all the ways in which programs go on and end.
 *
 *   load_regions WHAT [N [SECONDS]]
 *
 * Prints one line of JSON with its own figures: the truth.
 */
#include <dlfcn.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define RT_REGION_WARNINGS
#include "resource_tracker_regions.h"

static double now(clockid_t clock)
{
	struct timespec t;

	(void)clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void burn(double seconds)
{
	double end = now(CLOCK_THREAD_CPUTIME_ID) + seconds;

	while (now(CLOCK_THREAD_CPUTIME_ID) < end)
		;
}

static void nap(double seconds)
{
	struct timespec t = { .tv_nsec = (long)(seconds * 1e9) };

	(void)nanosleep(&t, NULL);
}

static int n;
static double seconds;

/* ---- the loads ------------------------------------------------------------------------------- */

/* The time of a region by the program's own clocks: read just inside of its ends, and just outside of them. */
struct span { double within, around, cpu_within, cpu_around; };
struct reading { double wall, cpu; };

static struct reading read_clocks(void)
{
	return (struct reading){ now(CLOCK_MONOTONIC), now(CLOCK_THREAD_CPUTIME_ID) };
}

static void add_span(struct span *s, const struct reading r[4])
{
	s->around += r[3].wall - r[0].wall;
	s->within += r[2].wall - r[1].wall;
	s->cpu_around += r[3].cpu - r[0].cpu;
	s->cpu_within += r[2].cpu - r[1].cpu;
}

static void print_span(const char *name, const struct span *s, const char *then)
{
	(void)printf("\"%s\": [%.9f, %.9f, %.9f, %.9f]%s", name, s->within, s->around, s->cpu_within, s->cpu_around, then);
}

/* A region that sleeps, one that burns, and one around both. */
static void nested(void)
{
	struct span outer = { 0 }, sleeping = { 0 }, burning = { 0 };

	for (int i = 0; i < n; i++) {
		struct reading o[4], s[4], b[4];

		o[0] = read_clocks();
		RT_REGION("outer") {
			o[1] = s[0] = read_clocks();
			RT_REGION("sleep") {
				s[1] = read_clocks();
				nap(seconds);
				s[2] = read_clocks();
			}
			s[3] = b[0] = read_clocks();
			RT_REGION("burn") {
				b[1] = read_clocks();
				burn(seconds);
				b[2] = read_clocks();
			}
			b[3] = o[2] = read_clocks();
		}
		o[3] = read_clocks();
		add_span(&outer, o);
		add_span(&sleeping, s);
		add_span(&burning, b);
	}
	(void)printf("{");
	print_span("outer", &outer, ", ");
	print_span("outer/sleep", &sleeping, ", ");
	print_span("outer/burn", &burning, "}\n");
}

static void (*spend)(double) = burn;
static atomic_int missing;      /* of the threads that meet */

static void *thread_of_regions(void *unused)
{
	RT_REGION("thread") {
		for (int i = 0; i < n; i++)
			RT_REGION("inner") {
				RT_REGION("innermost") { }
			}
		if (seconds > 0)
			RT_REGION("burn") { spend(seconds); }
	}
	return unused;
}

static void threads(int how_many)
{
	pthread_t *all = calloc((size_t)how_many, sizeof *all);
	int began = 0;

	missing = how_many;
	while (all && began < how_many && pthread_create(&all[began], NULL, thread_of_regions, NULL) == 0)
		began++;
	missing -= how_many - began;
	for (int i = 0; i < began; i++)
		(void)pthread_join(all[i], NULL);
	free(all);
	(void)printf("{\"threads\": %d}\n", began);
}

static void threads_4(void) { threads(4); }
static void threads_64(void) { threads(64); }
/* All of them at once: each waits in its region for the last one. */
static void meet(double unused)
{
	(void)unused;
	(void)atomic_fetch_sub(&missing, 1);
	while (atomic_load(&missing) > 0)
		nap(0.001);
}

static void threads_300(void)
{
	spend = meet;
	threads(300);
}

/* Children one after the other, each below the region that was open at its fork. */
static void forks(void)
{
	int good = 0;

	RT_REGION("parent")
		for (int i = 0; i < n; i++) {
			pid_t pid = fork();
			int status;

			if (pid == 0) {
				RT_REGION("child") { }
				_exit(0);
			}
			good += pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
		}
	(void)printf("{\"forks\": %d}\n", good);
}

/* A child ends regions of its parent; the parent's stay open. */
static void fork_returns(void)
{
	RT_REGION("parent") {
		pid_t pid = fork();

		if (pid == 0)
			break;
		(void)waitpid(pid, NULL, 0);
		nap(0.01);
	}
	(void)printf("{}\n");
}

static void execs(void)
{
	for (volatile int i = 0; i < n; i++) {
		volatile uint64_t id = rt_region_begin("spawn");
		pid_t pid = vfork();

		if (pid == 0) {
			(void)execl("/bin/true", "true", (char *)NULL);
			_exit(127);
		}
		(void)waitpid(pid, NULL, 0);
		rt_region_end(id);
	}
	(void)printf("{}\n");
}

static jmp_buf back;

static void jumps(void)
{
	for (volatile int i = 0; i < n; i++)
		RT_REGION("outer")
			if (setjmp(back) == 0)
				RT_REGION("left") {
					longjmp(back, 1);
				}
	for (volatile int i = 0; i < n; i++)
		if (setjmp(back) == 0)
			RT_REGION("again") {
				longjmp(back, 1);
			}
	(void)printf("{}\n");
}

/* One region takes memory, one uses it, one frees it; one of them has a child that burns. */
static void memory(void)
{
	size_t size = (size_t)n << 20;
	char *at = MAP_FAILED;

	RT_REGION("load") { nap(seconds); }
	RT_REGION("allocate") {
		at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (at == MAP_FAILED)
			abort();
		for (size_t i = 0; i < size; i += 4096)
			at[i] = 1;
		nap(seconds);
	}
	RT_REGION("compute") { burn(seconds); }
	RT_REGION("spawn") {
		pid_t pid = fork();

		if (pid == 0) {
			burn(2 * seconds);
			_exit(0);
		}
		(void)waitpid(pid, NULL, 0);
	}
	RT_REGION("free") {
		(void)munmap(at, size);
		nap(seconds);
	}
	(void)printf("{}\n");
}

/* A child takes memory and frees it, while its parent waits, and has waited for some time. */
static void memory_of_a_child(void)
{
	pid_t pid;
	int status = 0;

	RT_REGION("parent") {
		nap(seconds);
		pid = fork();
		if (pid == 0) {
			size_t size = (size_t)n << 20;
			char *at;

			nap(seconds);
			RT_REGION("allocate") {
				at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
				if (at == MAP_FAILED)
					_exit(1);
				memset(at, 1, size);
				nap(seconds);
			}
			RT_REGION("free") {
				(void)munmap(at, size);
				nap(seconds);
			}
			nap(seconds);
			_exit(0);
		}
		(void)waitpid(pid, &status, 0);
	}
	(void)printf("{\"status\": %d}\n", status);
}

/* The program cannot read its memory use, and none must be reported. */
static void memory_unread(void)
{
	int wrong = 0;

	for (int i = 0; i < 3; i++) {
		uint64_t id;

		errno = 4711;
		id = rt_region_begin("unread");
		wrong += errno != 4711;
		nap(seconds);
		errno = 4711;
		rt_region_end(id);
		wrong += errno != 4711;
	}
	(void)printf("{\"wrong\": %d}\n", wrong);
}

static void memory_without_descriptors(void)
{
	struct rlimit none = { 0, 0 };

	RT_REGION("before") { }
	for (int fd = 3; fd < 256; fd++)
		(void)close(fd);
	(void)setrlimit(RLIMIT_NOFILE, &none);
	memory_unread();
}

/* A filter that refuses every open, and every request for children. */
static void memory_confined(void)
{
	struct sock_filter refuse[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 1, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_waitid, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof refuse / sizeof refuse[0], refuse };

	RT_REGION("before") { }
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0) {
		(void)printf("{\"wrong\": null}\n");
		return;
	}
	memory_unread();
}

static int depth_of(int k)
{
	RT_FUNCTION();
	return k == 0 ? 0 : 1 + depth_of(k - 1);
}

static void recursion(void) { (void)printf("{\"depth\": %d}\n", depth_of(n)); }

/* The same places in memory, other names. */
static void names(void)
{
	char name[100];

	for (int i = 0; i < n; i++) {
		(void)snprintf(name, sizeof name, "%s-%03d", i % 2 ? "name" : "a-name-that-is-so-long-that-it-has-to-be-cut-"
			       "off-at-its-end-somewhere", i);
		uint64_t id = rt_region_begin(name);

		rt_region_end(id);
	}
	(void)printf("{}\n");
}

static volatile sig_atomic_t handled;

static void handler(int signal)
{
	uint64_t id = rt_region_begin("handler");

	(void)signal;
	handled++;
	rt_region_end(id);
}

/* Signals at any moment, in the middle of begin and end. */
static void signals(void)
{
	struct itimerval often = { { 0, 50 }, { 0, 50 } };
	double end = now(CLOCK_MONOTONIC) + seconds;
	unsigned long pairs = 0;
	uint64_t first = rt_region_begin("first");

	(void)signal(SIGALRM, handler);
	(void)setitimer(ITIMER_REAL, &often, NULL);
	for (; now(CLOCK_MONOTONIC) < end || handled <= 100; pairs += 100)
		for (int i = 0; i < 100; i++)
			RT_REGION("inner") { }
	often = (struct itimerval){ { 0, 0 }, { 0, 0 } };
	(void)setitimer(ITIMER_REAL, &often, NULL);
	rt_region_end(first);
	(void)printf("{\"pairs\": %lu, \"handled\": %d}\n", pairs, (int)handled);
}

static void in_the_middle(const char *how)
{
	RT_REGION("train")
		RT_REGION("epoch 7")
			RT_REGION("backward") {
				nap(seconds);
				if (strcmp(how, "exit") == 0)
					exit(0);
				(void)raise(SIGKILL);
			}
}

static void killed(void) { in_the_middle("kill"); }
static void exits(void) { in_the_middle("exit"); }

/* Faster than the recorder reads them: each long enough for a line of its own. */
static void flood(void)
{
	RT_REGION("flood")
		for (int i = 0; i < n; i++)
			RT_REGION("entry") { burn(0.00012); }
	(void)printf("{}\n");
}

static void notes(void)
{
	for (int i = 0; i < n; i++) {
		rt_region_mark("a mark");
		rt_region_value("a value", i / 4.0);
	}
	(void)printf("{}\n");
}

/* Another copy of the header in a library that is loaded and unloaded. */
static void library(void)
{
	RT_REGION("program") {
		void *handle = dlopen(getenv("REGIONS_LIBRARY"), RTLD_NOW);
		void (*work)(void);

		if (!handle)
			abort();
		*(void **)&work = dlsym(handle, "library_work");
		for (int i = 0; i < n; i++)
			work();
		(void)dlclose(handle);
		RT_REGION("after") { }
	}
	(void)printf("{}\n");
}

/* It closes its descriptors, and drops its user and its memory limits. */
static void daemon_like(void)
{
	struct rlimit none = { 0, 0 };

	RT_REGION("before") { }
	for (int fd = 3; fd < 256; fd++)
		(void)close(fd);
	(void)setrlimit(RLIMIT_NOFILE, &none);
	RT_REGION("without descriptors") { }

	pid_t pid = fork();

	if (pid == 0) {
		if (geteuid() == 0 && setuid(65534) < 0)
			_exit(1);
		RT_REGION("other user") { }
		_exit(0);
	}
	(void)waitpid(pid, NULL, 0);
	(void)printf("{}\n");
}

static unsigned rows_of_the_record(void)
{
	const char *path = getenv("RESOURCE_TRACKER_RUN");
	FILE *file = path ? fopen(path, "re") : NULL;
	char line[16];
	unsigned rows = 0;

	for (int begins = 1; file && fgets(line, sizeof line, file); begins = strchr(line, '\n') != NULL)
		rows += begins && strncmp(line, "[\"r\"", 4) == 0;
	if (file)
		(void)fclose(file);
	return rows;
}

/* Every harm that a program can do to the channel: garbage all over it, and truncation. */
static void garbage(void)
{
	RT_REGION("honest") { }

	struct rt_region_channel *c = rt_region_process_1.channel;
	const char *path = getenv(RT_REGION_VARIABLE);
	unsigned state = (unsigned)n;
	unsigned char *bytes = (unsigned char *)c;

	if (!c || !path)
		abort();
	(void)printf("{\"truncated\": %d}\n", truncate(path, 0) == 0);
	(void)fflush(stdout);
	for (size_t i = 0; i < sizeof *c; i++) {
		state = state * 1103515245 + 12345;
		bytes[i] = (unsigned char)(n == 0 ? 0xff : state >> 16);
	}
	for (double end = now(CLOCK_MONOTONIC) + seconds; now(CLOCK_MONOTONIC) < end || rows_of_the_record() < 2;) {
		c->lanes = state;
		c->lane[state % RT_REGION_LANES].head = state * 977;
		c->notes_head = state;
		state = state * 1103515245 + 12345;
	}
	/* This program's own calls use that memory as well. */
	for (int i = 0; i < 1000; i++)
		RT_REGION("in garbage") { rt_region_mark("x"); }
}

/* ns of a pair of begin and end, beside two readings of the clock as reference. */
static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Some 20 us without a system call.  One copy: the same loop elsewhere takes a third more or less. */
__attribute__((noinline)) static void spin(void)
{
	for (volatile int i = 0; i < 20000; i++)
		;
}

static void cost(void)
{
	enum { ROUNDS = 41, PAIRS = 20000, LONG_PAIRS = 500 };
	double pair[ROUNDS], clocks[ROUNDS], with[ROUNDS], without[ROUNDS];
	volatile double sink = 0;

	for (int r = 0; r < ROUNDS; r++) {
		double t = now(CLOCK_THREAD_CPUTIME_ID);

		for (int i = 0; i < PAIRS; i++) {
			uint64_t id = rt_region_begin("pair");

			rt_region_end(id);
		}
		pair[r] = (now(CLOCK_THREAD_CPUTIME_ID) - t) * 1e9 / PAIRS;
		t = now(CLOCK_THREAD_CPUTIME_ID);
		for (int i = 0; i < PAIRS; i++)
			sink += now(CLOCK_MONOTONIC) + now(CLOCK_MONOTONIC);
		clocks[r] = (now(CLOCK_THREAD_CPUTIME_ID) - t) * 1e9 / PAIRS;
		/* Longer than a value of the CPU clock is kept: it is read once for each, at its end. */
		t = now(CLOCK_THREAD_CPUTIME_ID);
		for (int i = 0; i < LONG_PAIRS; i++)
			RT_REGION("long") { spin(); }
		with[r] = (now(CLOCK_THREAD_CPUTIME_ID) - t) * 1e9 / LONG_PAIRS;
		t = now(CLOCK_THREAD_CPUTIME_ID);
		for (int i = 0; i < LONG_PAIRS; i++)
			spin();
		without[r] = (now(CLOCK_THREAD_CPUTIME_ID) - t) * 1e9 / LONG_PAIRS;
		with[r] -= without[r];
	}
	qsort(pair, ROUNDS, sizeof *pair, by_value);
	qsort(clocks, ROUNDS, sizeof *clocks, by_value);
	qsort(with, ROUNDS, sizeof *with, by_value);
	(void)printf("{\"pair_ns\": %.2f, \"clocks_ns\": %.2f, \"read_ns\": %.0f}\n", pair[ROUNDS / 2], clocks[ROUNDS / 2],
		     with[ROUNDS / 2]);
	(void)sink;
}

/* Regions that stay open until stdin has a character, or ends. */
static void hold(void)
{
	RT_REGION("outer") {
		RT_REGION("inner") { (void)getchar(); }
	}
}

static const struct { const char *name; void (*run)(void); } all[] = {
	{ "nested", nested }, { "threads", threads_4 }, { "threads64", threads_64 }, { "threads300", threads_300 },
	{ "forks", forks }, { "fork-returns", fork_returns }, { "execs", execs }, { "jumps", jumps },
	{ "recursion", recursion }, { "names", names }, { "signals", signals }, { "killed", killed }, { "exits", exits },
	{ "notes", notes }, { "library", library }, { "daemon", daemon_like }, { "garbage", garbage }, { "cost", cost },
	{ "memory", memory }, { "memory-of-a-child", memory_of_a_child }, { "flood", flood },
	{ "hold", hold }, { "memory-without-descriptors", memory_without_descriptors }, { "memory-confined", memory_confined },
};

int main(int argc, char **argv)
{
	n = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 1;
	seconds = argc > 3 ? strtod(argv[3], NULL) : 0;
	for (size_t i = 0; argc > 1 && i < sizeof all / sizeof all[0]; i++)
		if (strcmp(argv[1], all[i].name) == 0) {
			all[i].run();
			return 0;
		}
	(void)fputs("load_regions WHAT [N [SECONDS]]\n", stderr);
	return 2;
}
