/*
 * test_tree_live.c - the tree's ledger against processes that really run, burn, and end in all ways.
 *
 * Each child burns a time of its own CPU clock, so the truth does not depend on how busy the
 * machine is.  Readings are taken about every 100 ms, far apart compared with the children's lives.
 */
#include "fixture.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "membership/membership_state.h"
#include "tree/tree_state.h"

/* Written by children, so that the truth of those that are not waited for is known as well. */
struct truth {
	_Atomic int64_t  burnt_ns;
	_Atomic int      ended, begun, over;    /* begun, over: the command and the test wait for them */
	_Atomic uint64_t read_chars;
	_Atomic int64_t  voluntary, involuntary, faults;
};

enum { TRUTH_FD = 200 };                        /* the command's descriptor of its memory */

struct live {
	struct source source;
	struct tree *tree;
	struct sample sample;
	struct text text;
	struct truth *truth;
	double cpu_seconds, read_chars;         /* reported since the baseline */
	double voluntary, involuntary, faults, delay_seconds, watched_seconds;
	double waited_seconds;                  /* from wait4 of the processes that this test reaped */
	double waited_voluntary, waited_involuntary, waited_faults;
	double unaccounted_seconds, named_seconds, started, ended;      /* reported since the baseline */
	int64_t last_ns, released_ns;
	unsigned reads;
	int truth_fd;
	pid_t root;
	bool ours;
};

static int64_t clock_of(clockid_t id)
{
	struct timespec t;

	assert_int_equal(clock_gettime(id, &t), 0);
	return t.tv_sec * NS_PER_SECOND + t.tv_nsec;
}

static void burn_ms(int ms)
{
	while (clock_of(CLOCK_PROCESS_CPUTIME_ID) < ms * INT64_C(1000000))
		;
}

/* The last act of a process: it reports its CPU time, but for some 0.1 ms of the exit itself. */
static _Noreturn void end(struct truth *truth)
{
	truth->burnt_ns += clock_of(CLOCK_PROCESS_CPUTIME_ID);
	truth->ended++;
	_exit(0);
}

static struct sample scratch;
static pid_t helper;
static bool walked;                            /* no records of the kernel are read: members are found by walking */
static enum cpu_choice choice = CPU_LEDGER;
static bool crowded;                           /* until its release the command shares a CPU, and uses it */

/* Adds a value to a sum, if it is reported. */
static void add_reported(double *sum, double reported)
{
	*sum += is_none(reported) ? 0 : reported;
}

static void live_read(struct live *l)
{
	/* As a recorder takes them: a command waits for its baseline. */
	struct tick tick = { .src = &l->source, .text = &l->text, .out = &scratch, .brief = l->reads == 0 && l->ours };
	int64_t now = clock_of(CLOCK_MONOTONIC);

	sample_clear(&scratch);
	if (l->reads++ > 0)
		scratch.interval_seconds = (double)(now - l->last_ns) / 1e9;
	l->last_ns = now;
	assert_int_equal(tree_read(l->tree, &tick), 0);
	if (l->reads > 1) {
		assert_true(scratch.total.process_cpu_seconds >= 0);
		l->cpu_seconds += scratch.total.process_cpu_seconds;
		add_reported(&l->read_chars, scratch.total.process_read_chars);
		add_reported(&l->voluntary, scratch.total.process_voluntary_switches);
		add_reported(&l->involuntary, scratch.total.process_involuntary_switches);
		add_reported(&l->faults, scratch.total.process_minor_faults + scratch.total.process_major_faults);
		add_reported(&l->delay_seconds, scratch.total.process_run_delay_seconds);
		add_reported(&l->watched_seconds, scratch.total.process_watched_cpu_seconds);
		l->unaccounted_seconds += scratch.total.process_unaccounted_cpu_seconds;
		for (size_t i = 0; i < scratch.n_program; i++)
			add_reported(&l->named_seconds, scratch.program[i].cpu_seconds);
		l->started += scratch.total.process_started;
		l->ended += scratch.total.process_ended;
	}
	l->sample = scratch;
}

static struct truth *truth_map(int fd)
{
	void *at = mmap(NULL, sizeof(struct truth), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	assert_true(at != MAP_FAILED);
	return at;
}

static void report_counts(struct truth *truth)
{
	struct rusage usage;

	assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
	truth->voluntary += usage.ru_nvcsw;
	truth->involuntary += usage.ru_nivcsw;
	truth->faults += usage.ru_minflt + usage.ru_majflt;
}

/* With a child that burns as long as this process does. */
static void share_a_cpu(struct truth *truth)
{
	enum { BURN_MS = 400 };
	cpu_set_t before, one;
	pid_t other;

	(void)sched_getaffinity(0, sizeof before, &before);
	CPU_ZERO(&one);
	for (size_t cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; cpu++)
		if (CPU_ISSET(cpu, &before))
			CPU_SET(cpu, &one);
	(void)sched_setaffinity(0, sizeof one, &one);
	other = fork();
	burn_ms(BURN_MS);
	if (other == 0)
		_exit(0);
	(void)waitpid(other, NULL, 0);
	(void)sched_setaffinity(0, sizeof before, &before);
	report_counts(truth);
	truth->begun = 1;
}

/* The command is this program by exec, with another first word, because a recorder tracks a child that execs. */
static void live_open(struct live *l, const char *command, bool ours)
{
	int gate[2];
	char go = 'g';

	*l = (struct live){ .ours = ours };
	l->truth_fd = memfd_create("truth", MFD_CLOEXEC);
	assert_int_equal(ftruncate(l->truth_fd, sizeof *l->truth), 0);
	l->truth = truth_map(l->truth_fd);
	assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, ours), 0);
	assert_int_equal(pipe(gate), 0);
	l->root = fork();
	assert_true(l->root >= 0);
	if (l->root == 0) {
		(void)alarm(ENOUGH_SECONDS);
		if (crowded)
			share_a_cpu(l->truth);
		if (read(gate[0], &go, 1) == 1 && dup2(l->truth_fd, TRUTH_FD) == TRUTH_FD)
			(void)execl("/proc/self/exe", "command", command, (char *)NULL);
		_exit(1);
	}

	struct tree_options options = { .roots = &l->root, .n_roots = 1, .ours = ours, .cpu = choice };

	assert_int_equal(source_open(&l->source, "/", NULL), 0);
	assert_int_equal(tree_open(&l->tree, &l->source, &options, NULL), 0);
	if (walked)
		membership_unfollow(l->tree->membership);
	while (crowded && !l->truth->begun)
		pause_ms(1);
	live_read(l);
	l->released_ns = l->last_ns;
	assert_near(l->sample.total.process_count, 1);
	assert_none(l->sample.total.process_cpu_seconds);
	assert_int_equal(write(gate[1], &go, 1), 1);
	assert_int_equal(close(gate[0]) + close(gate[1]), 0);
}

static double seconds_of(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

/* Reaps ended children; false if no child is left. */
static bool reap(struct live *l)
{
	siginfo_t info = { 0 };
	struct rusage usage;

	while (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid > 0) {
		tree_zombie(l->tree, info.si_pid);
		assert_int_equal(wait4(info.si_pid, NULL, 0, &usage), info.si_pid);
		tree_reaped(l->tree, info.si_pid, &usage);
		l->waited_seconds += seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
		l->waited_voluntary += (double)usage.ru_nvcsw;
		l->waited_involuntary += (double)usage.ru_nivcsw;
		l->waited_faults += (double)(usage.ru_minflt + usage.ru_majflt);
		info.si_pid = 0;
	}
	return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

/* Readings as a recorder takes them, until every child ended. */
static void live_run(struct live *l)
{
	bool more = true;

	while (more) {
		pause_ms(97);
		more = reap(l);
		live_read(l);
	}
}

static void live_close(struct live *l)
{
	tree_close(l->tree);
	text_release(&l->text);
	source_close(&l->source);
	assert_int_equal(munmap(l->truth, sizeof *l->truth), 0);
	assert_int_equal(close(l->truth_fd), 0);
	assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 0), 0);
}

/* A test that failed leaves processes, which the next one would reap or find. */
static int end_children(void **state)
{
	char path[64];
	int pid;

	(void)state;
	(void)snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
	for (bool more = true; more;) {
		FILE *children = fopen(path, "re");

		more = children && fscanf(children, "%d", &pid) == 1;
		if (more)
			(void)kill(pid, SIGKILL);
		if (children)
			(void)fclose(children);
		more = more && waitpid(pid, NULL, 0) == pid;
	}
	return 0;
}

static double true_seconds(const struct live *l)
{
	return (double)l->truth->burnt_ns / 1e9;
}

/*
 * All of them were waited for, in the end by this test, so the kernel's own account is the truth.  The processes' own
 * figures are less by their exits: 0.1 ms each, or some ms if the host took the CPU away meanwhile.
 */
static void assert_cpu(const struct live *l)
{
	double room = l->waited_seconds * 0.02 > 0.02 ? l->waited_seconds * 0.02 : 0.02;

	if (!(fabs(l->cpu_seconds - l->waited_seconds) <= room))
		fail_msg("%.4f s of CPU told, %.4f s is true", l->cpu_seconds, l->waited_seconds);
	assert_true(l->waited_seconds >= true_seconds(l) - room);
}

/* The processes of the tree were all counted, if the kernel reports them. */
static void assert_started(const struct live *l, double n)
{
	if (l->tree->membership->forks.sideband) {
		assert_near(l->started, n);
		assert_near(l->ended, n);
		assert_near((double)l->tree->membership->forks.fork_events.n, 0);
	} else {
		assert_none(l->started);
	}
}

static void fork_burner(struct truth *truth, int ms, bool wait)
{
	pid_t pid = fork();

	if (pid == 0) {
		burn_ms(ms);
		end(truth);
	}
	if (wait)
		(void)waitpid(pid, NULL, 0);
}

static void many_short(struct truth *truth)
{
	for (int i = 0; i < 100; i++)
		fork_burner(truth, 5, true);
}

static void waited_children_too_short_to_be_seen(void **state)
{
	struct live l;

	(void)state;
	live_open(&l, "many_short", true);
	live_run(&l);
	assert_cpu(&l);
	assert_int_equal(l.truth->ended, 101);
	assert_near(l.sample.total.process_count, 0);
	assert_started(&l, 101);
	/*
	 * A reading sees one of the hundred at most, and perf reports the others after their own last look at their
	 * clock.  The kernel's work to free their memory comes later: without a program, it is unaccounted.  The root
	 * burns nothing.
	 */
	if (l.tree->membership->forks.sideband)
		assert_true(l.named_seconds >= 0.98 * true_seconds(&l) && l.named_seconds <= l.cpu_seconds + 1e-6);
	else
		assert_true(l.unaccounted_seconds > 0.7 * true_seconds(&l) - 0.005 * l.reads);
	assert_true(l.unaccounted_seconds < l.cpu_seconds + 1e-6);
	live_close(&l);
}

/* Each level waits for the one below, so all end at once after several readings saw all of them alive. */
static void nested(struct truth *truth)
{
	enum { LEVELS_BELOW = 2, SLEEPS = 150 };
	int level = 0;

	while (level < LEVELS_BELOW && fork() == 0)
		level++;
	for (int i = 0; i < SLEEPS; i++)
		pause_ms(5);
	if (level < LEVELS_BELOW)
		(void)wait(NULL);
	report_counts(truth);
}

/* Regression: wait4 reported times that children had already counted in their lives: `make` had twice its switches. */
static void times_of_waited_children_count_once(void **state)
{
	struct live l;

	(void)state;
	live_open(&l, "nested", true);
	live_run(&l);
	/* A sleep that begins as the CPU is taken away counts as an involuntary switch. */
	assert_true(l.truth->voluntary > 2 * 150);
	/* Their own figures are without their exits; those of wait4 include the command's before its release. */
	assert_true(l.voluntary <= l.waited_voluntary && l.involuntary <= l.waited_involuntary);
	assert_true(l.faults <= l.waited_faults);
	assert_true(l.voluntary >= (double)l.truth->voluntary);
	assert_cpu(&l);
	live_close(&l);
}

static void at_once(struct truth *truth)
{
	(void)truth;
}

/* Regression: a run of 0.46 s was awake for 0.57 s, a part of which it had waited before it began. */
static void time_before_the_release_does_not_count(void **state)
{
	struct live l;

	(void)state;
	crowded = true;
	live_open(&l, "at_once", true);
	crowded = false;

	/* Before its release, by its own account; it blocked once more to wait for that. */
	double before = (double)l.truth->involuntary, faults = (double)l.truth->faults;

	live_run(&l);
	assert_true(l.delay_seconds + l.watched_seconds <= (double)(l.last_ns - l.released_ns) / 1e9);
	assert_true(l.involuntary <= l.waited_involuntary - before);
	assert_true(l.faults <= l.waited_faults - faults);
	live_close(&l);
}

static void two_long(struct truth *truth)
{
	fork_burner(truth, 300, true);
	fork_burner(truth, 450, false);
	burn_ms(100);
	(void)wait(NULL);
}

static void waited_children_alive_across_readings(void **state)
{
	struct live l;

	(void)state;
	for (int ours = 0; ours < 2; ours++) {
		live_open(&l, "two_long", ours);
		live_run(&l);
		assert_cpu(&l);
		if (ours)
			assert_started(&l, 3);
		live_close(&l);
	}
}

/* Until the test wakes it up. */
static void sleeps(struct truth *truth)
{
	sigset_t over;
	int which;

	(void)sigemptyset(&over);
	(void)sigaddset(&over, SIGUSR2);
	(void)sigprocmask(SIG_BLOCK, &over, NULL);
	truth->begun = 1;
	(void)sigwait(&over, &which);
}

/* Until the process has begun, and waits. */
static void wait_until_asleep(const struct live *l)
{
	char path[64], state = 0;

	(void)snprintf(path, sizeof path, "/proc/%d/stat", (int)l->root);
	while (!l->truth->begun || state != 'S') {
		FILE *stat = fopen(path, "re");

		pause_ms(1);
		assert_non_null(stat);
		assert_int_equal(fscanf(stat, "%*d (%*[^)]) %c", &state), 1);
		(void)fclose(stat);
	}
}

/* A process that did not run is read again at times, if another process can have its pid by now. */
static void a_process_that_did_not_run_is_not_read_again(void **state)
{
	struct live l;

	(void)state;
	live_open(&l, "sleeps", true);
	wait_until_asleep(&l);
	live_read(&l);

	struct member *m = members_find(&l.tree->tracked.members, l.root);
	uint32_t reads = m->reads;

	live_read(&l);
	assert_int_equal(m->reads, reads);
	l.tree->tracked.members.glance[0].full_due = 0;
	live_read(&l);
	assert_int_equal(m->reads, l.tree->membership->forks.sideband ? reads : reads + 1);
	assert_false(visit_is_due(&l.tree->tracked, &l.tree->tracked.members.glance[0]));

	/* Memory that was taken away from it shows. */
	m->figures.rss += l.source.page_bytes;
	l.tree->tracked.members.glance[0].full_due = 0;
	reads = m->reads;
	live_read(&l);
	assert_int_equal(m->reads, reads + 1);
	assert_int_equal(kill(l.root, SIGUSR2), 0);
	live_run(&l);
	live_close(&l);
}

enum { SLEEPERS = 300 };

static void burn_when_asked(int signal)
{
	int64_t until = clock_of(CLOCK_PROCESS_CPUTIME_ID) + 30 * INT64_C(1000000);

	(void)signal;
	while (clock_of(CLOCK_PROCESS_CPUTIME_ID) < until)
		;
}

static void sleepers(struct truth *truth)
{
	pid_t pids[SLEEPERS];
	sigset_t over;
	int which;

	(void)sigemptyset(&over);
	(void)sigaddset(&over, SIGUSR2);
	(void)sigprocmask(SIG_BLOCK, &over, NULL);
	(void)signal(SIGUSR1, burn_when_asked);
	for (size_t i = 0; i < SLEEPERS; i++) {
		pids[i] = fork();
		if (pids[i] == 0) {
			(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
			for (;;)
				(void)pause();
		}
	}
	truth->begun = pids[SLEEPERS - 1];
	(void)sigwait(&over, &which);
	for (size_t i = 0; i < SLEEPERS; i++)
		(void)kill(pids[i], SIGKILL);
	while (wait(NULL) > 0)
		;
}

/* Reads until the last reading skipped the members, or visited them. */
static void read_until_skipped(struct live *l, bool skipped)
{
	for (int i = 0; i < 1000; i++) {
		pause_ms(10);
		live_read(l);
		if (l->tree->sweep.skipped == skipped && l->tree->tracked.members.n == SLEEPERS + 1)
			return;
	}
	fail_msg("members were %s", skipped ? "looked at each time" : "not looked at");
}

/* The cost of many sleeping processes depends on their activity, and the activity of one of them is seen. */
static void many_sleeping_processes_are_not_read(void **state)
{
	struct live l;

	(void)state;
	(void)unshare(CLONE_NEWNET);    /* if allowed: connections of others are a reason to look at members */
	choice = CPU_PERF;
	live_open(&l, "sleepers", true);
	choice = CPU_LEDGER;

	bool applies = l.tree->membership->forks.sideband != NULL;

	wait_until(l.truth->begun);
	for (int turn = 0; applies && turn < 3; turn++) {
		read_until_skipped(&l, true);

		struct member *m = members_find(&l.tree->tracked.members, l.truth->begun);
		uint64_t before = m->figures.own[CPU_NS];

		assert_int_equal(kill(l.truth->begun, SIGUSR1), 0);
		while (m->figures.own[CPU_NS] < before + 30 * UINT64_C(1000000))
			read_until_skipped(&l, false);
	}
	assert_int_equal(kill(l.root, SIGUSR2), 0);
	live_run(&l);
	assert_cpu(&l);
	live_close(&l);
	if (!applies && !walked)
		skip();
}

static void *thread_forks(void *context)
{
	struct truth *truth = context;
	pid_t pid = fork();

	if (pid == 0) {
		pid_t inner = fork();

		if (inner == 0) {
			(void)alarm(ENOUGH_SECONDS);
			while (!truth->over)
				pause_ms(5);
			burn_ms(250);
			end(truth);
		}
		(void)waitpid(inner, NULL, 0);
		burn_ms(50);
		end(truth);
	}
	(void)waitpid(pid, NULL, 0);
	return NULL;
}

static void in_a_thread(struct truth *truth)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, thread_forks, truth) != 0)
		_exit(1);
	(void)pthread_join(thread, NULL);
}

static void grandchildren_of_a_thread(void **state)
{
	struct live l;
	double most = 0;

	(void)state;
	live_open(&l, "in_a_thread", true);
	for (bool more = true; more;) {
		pause_ms(40);
		more = reap(&l);
		live_read(&l);
		most = fmax(most, l.sample.total.process_count);
		l.truth->over |= most >= 3;
	}
	assert_near(most, 3);
	assert_cpu(&l);
	assert_started(&l, 3);                  /* the thread does not count */
	live_close(&l);
}

static void daemons(struct truth *truth)
{
	for (int i = 0; i < 8; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			(void)setsid();
			fork_burner(truth, 40 + 20 * i, false);
			_exit(0);
		}
		(void)waitpid(pid, NULL, 0);
	}
}

static void orphans_are_reaped_here(void **state)
{
	struct live l;
	struct tree_exit ended;
	unsigned exact = 0;

	(void)state;
	live_open(&l, "daemons", true);
	live_run(&l);
	assert_int_equal(l.truth->ended, 9);
	assert_cpu(&l);
	assert_started(&l, 17);
	while (tree_next_exit(l.tree, &ended))
		exact += ended.exact;
	assert_true(exact >= 9);                /* the root and eight orphans */
	live_close(&l);
}

/* As a worker runs zpool, and a driver's library its helpers. */
static void *has_a_helper(void *barrier)
{
	pid_t pid = fork();

	if (pid == 0) {
		burn_ms(50);
		pause_ms(60000);
		_exit(0);
	}
	helper = pid;
	(void)pthread_barrier_wait(barrier);
	(void)pthread_barrier_wait(barrier);    /* orphans of an ended thread come to this process */
	return NULL;
}

static void children_of_own_threads_are_not_the_commands(void **state)
{
	struct live l;
	pthread_barrier_t barrier;
	pthread_t thread;
	siginfo_t info;

	(void)state;
	live_open(&l, "sleeps", true);
	wait_until_asleep(&l);
	assert_int_equal(pthread_barrier_init(&barrier, NULL, 2), 0);
	assert_int_equal(pthread_create(&thread, NULL, has_a_helper, &barrier), 0);
	(void)pthread_barrier_wait(&barrier);
	pause_ms(100);
	for (int scan = 0; scan < 2; scan++) {
		l.tree->membership->walking.lists = scan ? CHILDREN_ABSENT : CHILDREN_LISTED;
		l.tree->membership->walking.all_ns = 0;
		live_read(&l);
		assert_null(members_find(&l.tree->tracked.members, helper));
		assert_non_null(members_find(&l.tree->tracked.members, l.root));
	}
	assert_int_equal(kill(helper, SIGKILL), 0);
	assert_int_equal(waitid(P_PID, (id_t)helper, &info, WEXITED | WNOWAIT), 0);
	tree_zombie(l.tree, helper);
	assert_null(members_find(&l.tree->tracked.members, helper));
	assert_int_equal(waitpid(helper, NULL, 0), helper);
	(void)pthread_barrier_wait(&barrier);
	(void)pthread_join(thread, NULL);
	(void)pthread_barrier_destroy(&barrier);
	assert_int_equal(kill(l.root, SIGUSR2), 0);
	live_run(&l);
	assert_cpu(&l);
	live_close(&l);
}

static void nobody_waits(struct truth *truth)
{
	(void)signal(SIGCHLD, SIG_IGN);
	for (int i = 0; i < 3; i++)
		fork_burner(truth, 100 + 100 * i, false);
	while (truth->ended < 3)
		pause_ms(5);
	pause_ms(150);
}

/* Their use after the last reading before their end is unknown: at most one interval. */
static void children_not_waited_for_keep_their_last_reading(void **state)
{
	struct live l;
	double seen = 0, longest = 0.05;

	(void)state;
	live_open(&l, "nobody_waits", true);
	for (bool more = true; more;) {
		int64_t before = l.last_ns;

		pause_ms(10);
		more = reap(&l);
		live_read(&l);
		longest = fmax(longest, (double)(clock_of(CLOCK_MONOTONIC) - before) / 1e9);
		if (l.sample.total.process_count > 1)
			seen = l.cpu_seconds;
	}
	assert_true(l.cpu_seconds >= seen);
	assert_true(l.cpu_seconds <= true_seconds(&l) + 0.02);
	assert_true(l.cpu_seconds >= true_seconds(&l) - 3 * longest);
	live_close(&l);
}

/* A pool of children of 1..20 ms, as a build system keeps it; at the end it waits for a last reading. */
static void pool(struct truth *truth)
{
	int running = 0;

	for (int i = 0; i < 120; i++) {
		if (running == 4 && wait(NULL) > 0)
			running--;
		fork_burner(truth, 1 + i * 7 % 20, false);
		running++;
	}
	while (wait(NULL) > 0)
		;
	truth->ended += 1000;                   /* its own time is added as it ends */
	pause_ms(300);
}

/*
 * Readings so close together that they fall between a child's end, its parent's wait and each
 * other.  Before the root is reaped nothing corrects a time counted twice or not at all.
 */
static void readings_race_with_waiting_parents(void **state)
{
	struct live l;

	(void)state;
	live_open(&l, "pool", false);
	while (l.truth->ended < 1000) {
		pause_ms(1);
		live_read(&l);
	}
	live_read(&l);

	double before_the_end = l.cpu_seconds;

	live_run(&l);
	l.cpu_seconds = before_the_end;
	assert_cpu(&l);
	live_close(&l);
}

/* The bytes it read until now, by the kernel's account. */
static uint64_t own_read_chars(void)
{
	unsigned long long n = 0;
	FILE *io = fopen("/proc/self/io", "re");

	assert_non_null(io);
	assert_int_equal(fscanf(io, "rchar: %llu", &n), 1);
	(void)fclose(io);
	return n;
}

static void reads_in_children(struct truth *truth)
{
	char bytes[4096];

	truth->read_chars = own_read_chars();
	for (int i = 0; i < 4; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			int zero = open("/dev/zero", 0);

			for (int n = 0; n < 256; n++)
				if (read(zero, bytes, sizeof bytes) != sizeof bytes)
					_exit(1);
			pause_ms(i < 2 ? 150 : 0);
			_exit(0);
		}
		(void)waitpid(pid, NULL, 0);
	}
}

static void io_of_waited_children_is_counted_once(void **state)
{
	struct live l;

	(void)state;
	live_open(&l, "reads_in_children", true);
	live_run(&l);
	/* The gate's byte, the reads that load the program, and those of the C library. */
	double read = l.read_chars - (double)l.truth->read_chars;

	assert_true(read >= 4 * 256 * 4096.0 && read < 4 * 256 * 4096.0 + 4096);
	live_close(&l);
}

enum { LENT_MIB = 64 };

/* As posix_spawn and Python's subprocess do it; each state lasts until it was read. */
static void lends_its_memory(struct truth *truth)
{
	char *memory = malloc((size_t)LENT_MIB << 20);

	if (!memory)
		_exit(1);
	memset(memory, 1, (size_t)LENT_MIB << 20);

	pid_t pid = vfork();

	if (pid == 0) {
		while (!truth->begun)
			pause_ms(5);
		(void)execl("/bin/sleep", "sleep", "600", (char *)NULL);
		_exit(1);
	}
	while (!truth->over)
		pause_ms(5);
	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
	free(memory);
}

static void memory_shared_with_a_child_of_vfork_counts_once(void **state)
{
	(void)state;
	for (int compared = 0; compared < 2; compared++) {
		struct live l;
		double most = 0, mib = 1 << 20;
		bool shared_mm = false, its_own = false;

		live_open(&l, "lends_its_memory", true);
		l.tree->tracked.clocks &= compared;     /* or the kernel is not asked if two share memory */
		for (bool more = true; more;) {
			pause_ms(20);
			more = reap(&l);
			live_read(&l);
			if (!is_none(l.sample.total.process_rss_bytes))
				most = fmax(most, l.sample.total.process_rss_bytes);
			for (size_t i = 0; i < l.tree->tracked.members.n; i++) {
				const struct member *m = l.tree->tracked.members.order[i];

				shared_mm |= m->shares_mm && m->figures.rss == 0;
				its_own |= m->pid != l.root && !m->shares_mm && m->figures.rss > 0;
			}
			l.truth->begun |= shared_mm;
			l.truth->over |= its_own;
		}
		assert_true(shared_mm && its_own);
		assert_true(most > LENT_MIB * mib && most < 1.5 * LENT_MIB * mib);
		live_close(&l);
	}
}

static int sleeps_in_lent_memory(void *nothing)
{
	(void)nothing;
	(void)alarm(ENOUGH_SECONDS);
	while (pause() < 0)
		;
	return 0;
}

/* clone(CLONE_VM) without vfork: the owner of the memory goes on, and execs another program. */
static void leaves_what_it_lent(struct truth *truth)
{
	enum { STACK = 64 << 10 };
	char *stack = malloc(2 * STACK);

	if (!stack || mmap(NULL, (size_t)LENT_MIB << 20, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0) == MAP_FAILED)
		_exit(1);
	for (int i = 1; i <= 2; i++)
		if (clone(sleeps_in_lent_memory, stack + (size_t)i * STACK, CLONE_VM | SIGCHLD, NULL) < 0)
			_exit(1);
	while (!truth->begun)
		pause_ms(5);
	(void)execl("/bin/sleep", "sleep", "1", (char *)NULL);
	_exit(1);
}

/* The two that have it sleep, and are read all the same; they are killed as soon as they were. */
static void shared_memory_counts_after_its_owner_execs(void **state)
{
	struct live l;
	bool shared_mm = false, its_own = false;
	double most = 0;

	(void)state;
	live_open(&l, "leaves_what_it_lent", true);
	for (bool more = true; more;) {
		pause_ms(20);
		more = reap(&l);
		live_read(&l);
		for (size_t i = 0; i < l.tree->tracked.members.n; i++) {
			const struct member *m = l.tree->tracked.members.order[i];

			shared_mm |= m->shares_mm && m->figures.rss == 0;
			its_own |= m->pid != l.root && m->figures.rss > (int64_t)LENT_MIB << 20;
			if (its_own && m->pid != l.root)
				(void)kill(m->pid, SIGKILL);
		}
		l.truth->begun |= shared_mm;
		if (!is_none(l.sample.total.process_rss_bytes))
			most = fmax(most, l.sample.total.process_rss_bytes);
	}
	assert_true(shared_mm && its_own);
	assert_true(most < 1.5 * LENT_MIB * (1 << 20));         /* of one of the two */
	live_close(&l);
}

enum { LEADERLESS_MIB = 64, LEADERLESS_FDS = 50 };

static void *goes_on(void *context)
{
	struct truth *truth = context;
	size_t size = (size_t)LEADERLESS_MIB << 20;
	char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pid_t child;

	if (memory == MAP_FAILED)
		_exit(1);
	memset(memory, 1, size);
	for (int i = 0; i < LEADERLESS_FDS; i++)
		(void)!dup(0);
	child = fork();
	truth->begun = 1;
	while (!truth->over)
		pause_ms(5);
	if (child == 0)
		_exit(0);
	(void)waitpid(child, NULL, 0);
	burn_ms(100);
	end(truth);
}

static void without_main_thread(struct truth *truth)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, goes_on, truth) == 0)
		pthread_exit(NULL);
}

/* Regression: once the main thread had ended, its process had no memory and no descriptors. */
static void a_process_without_its_main_thread(void **state)
{
	const double mib = 1 << 20;
	struct live l;

	(void)state;
	for (int attached = 0; attached < 2; attached++) {
		bool seen = false;

		live_open(&l, "without_main_thread", !attached);
		/* Until one of its threads has all its memory, and the costly files were read. */
		for (int i = 0; i < 10000 && !seen; i++) {
			const struct totals *t = &l.sample.total;
			const struct member *m;

			pause_ms(30);
			live_read(&l);
			m = members_find(&l.tree->tracked.members, l.root);
			seen = m && m->figures.speaker && t->process_fds > LEADERLESS_FDS && l.truth->begun &&
			       t->process_count > 1;
			if (!m)
				break;
		}
		assert_true(seen);
		assert_near(l.sample.total.process_count, 2);
		assert_near(l.sample.total.process_zombie, 0);
		assert_true(l.sample.total.process_rss_bytes >= LEADERLESS_MIB * mib);
		assert_true(l.sample.total.process_virtual_bytes >= LEADERLESS_MIB * mib);
		assert_true(l.sample.total.process_pss_upper_bytes >= LEADERLESS_MIB * mib);
		assert_true(l.sample.total.process_pss_lower_bytes <= l.sample.total.process_pss_upper_bytes);
		assert_true(l.sample.total.process_peak_rss_bytes >= LEADERLESS_MIB * mib);
		l.truth->over = 1;
		live_run(&l);
		if (!attached)
			assert_cpu(&l);
		live_close(&l);
	}
}

static void odd_name(struct truth *truth)
{
	(void)prctl(PR_SET_NAME, "a b) R 1 (c");
	fork_burner(truth, 200, true);
	burn_ms(150);
}

static void a_name_like_a_stat_line(void **state)
{
	struct live l;
	bool named = false;

	(void)state;
	live_open(&l, "odd_name", true);
	for (bool more = true; more;) {
		pause_ms(40);
		more = reap(&l);
		live_read(&l);
		for (size_t i = 0; i < l.sample.n_program; i++)
			named |= strcmp(l.sample.program[i].key, "a b) R 1 (c") == 0;
	}
	assert_true(named);
	assert_cpu(&l);
	live_close(&l);
}

static void a_process_that_is_not_there(void **state)
{
	struct source source;
	struct tree *tree = NULL;
	struct why why = { "" };
	pid_t pid = 0x3fffffff;                 /* above any pid_max */
	struct tree_options options = { .roots = &pid, .n_roots = 1 };

	(void)state;
	assert_int_equal(source_open(&source, "/", NULL), 0);
	assert_int_equal(tree_open(&tree, &source, &options, &why), -ESRCH);
	assert_null(tree);
	assert_non_null(strstr(why.text, "1073741823"));
	source_close(&source);
}

static const struct { const char *name; void (*run)(struct truth *); } commands[] = {
	{ "many_short", many_short },   { "two_long", two_long },
	{ "nested", nested },           { "at_once", at_once },
	{ "sleeps", sleeps },           { "in_a_thread", in_a_thread },
	{ "sleepers", sleepers },
	{ "daemons", daemons },         { "nobody_waits", nobody_waits },
	{ "pool", pool },               { "reads_in_children", reads_in_children },
	{ "odd_name", odd_name },       { "lends_its_memory", lends_its_memory },
	{ "leaves_what_it_lent", leaves_what_it_lent },
	{ "without_main_thread", without_main_thread },
};

static int command_main(const char *name)
{
	struct truth *truth = truth_map(TRUTH_FD);

	for (size_t i = 0; i < countof(commands); i++)
		if (strcmp(name, commands[i].name) == 0) {
			commands[i].run(truth);
			end(truth);
		}
	return 1;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(waited_children_too_short_to_be_seen, end_children),
		cmocka_unit_test_teardown(waited_children_alive_across_readings, end_children),
		cmocka_unit_test_teardown(times_of_waited_children_count_once, end_children),
		cmocka_unit_test_teardown(time_before_the_release_does_not_count, end_children),
		cmocka_unit_test_teardown(a_process_that_did_not_run_is_not_read_again, end_children),
		cmocka_unit_test_teardown(many_sleeping_processes_are_not_read, end_children),
		cmocka_unit_test_teardown(grandchildren_of_a_thread, end_children),
		cmocka_unit_test_teardown(orphans_are_reaped_here, end_children),
		cmocka_unit_test_teardown(children_of_own_threads_are_not_the_commands, end_children),
		cmocka_unit_test_teardown(children_not_waited_for_keep_their_last_reading, end_children),
		cmocka_unit_test_teardown(readings_race_with_waiting_parents, end_children),
		cmocka_unit_test_teardown(io_of_waited_children_is_counted_once, end_children),
		cmocka_unit_test_teardown(memory_shared_with_a_child_of_vfork_counts_once, end_children),
		cmocka_unit_test_teardown(shared_memory_counts_after_its_owner_execs, end_children),
		cmocka_unit_test_teardown(a_process_without_its_main_thread, end_children),
		cmocka_unit_test_teardown(a_name_like_a_stat_line, end_children),
		cmocka_unit_test_teardown(a_process_that_is_not_there, end_children),
	};
	if (argc == 2)
		return command_main(argv[1]);

	int failed = cmocka_run_group_tests_name("listening", tests, NULL, NULL);

	walked = true;
	return failed + cmocka_run_group_tests_name("walking", tests, NULL, NULL);
}
