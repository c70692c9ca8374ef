/* test_fork_events.c - the state built from the kernel's records: living processes, counts, and program names. */
#include "fixture.h"

#include <stdio.h>
#include <string.h>

#include "accounting/accounting_state.h"
#include "membership/membership_state.h"
#include "tree/tree_state.h"

enum { ROOT = 100 };

static struct fixture f;
static struct tree *t;
static struct membership *ms;              /* the membership under test */
static uint64_t now_ns;

static int open_tree(void **state)
{
	pid_t root = ROOT;
	struct tree_options options = { .roots = &root, .n_roots = 1 };

	(void)state;
	fixture_open(&f, "vm");
	fixture_process(&f, ROOT, 1, "tracker", 1000);
	assert_int_equal(tree_open(&t, &f.source, &options, NULL), 0);
	ms = t->membership;
	assert_true(fork_events_add(&ms->forks.fork_events, ROOT) > 0);
	ms->forks.sideband = (void *)&f;              /* opaque: never used */
	t->tracked.followed = true;
	ms->forks.fork_events.started = 1;
	t->tracked.primed = true;
	now_ns = 1000;
	return 0;
}

static int close_tree(void **state)
{
	(void)state;
	ms->forks.sideband = NULL;
	tree_close(t);
	fixture_close(&f);
	return 0;
}

static void take(struct sideband_record r)
{
	r.time_ns = now_ns++;
	fork_events_take(ms, &r);
}

static void fork_of(pid_t parent, pid_t pid)
{
	take((struct sideband_record){ .kind = SIDEBAND_FORK, .pid = pid, .thread = pid, .parent = parent });
}

static void thread_of(pid_t pid, pid_t thread)
{
	take((struct sideband_record){ .kind = SIDEBAND_FORK, .pid = pid, .thread = thread, .parent = pid });
}

static void exec_of(pid_t pid, const char *name)
{
	struct sideband_record r = { .kind = SIDEBAND_NAME, .pid = pid, .thread = pid, .exec = true };

	(void)snprintf(r.name, sizeof r.name, "%s", name);
	take(r);
}

static void name_of_thread(pid_t pid, pid_t thread, const char *name)
{
	struct sideband_record r = { .kind = SIDEBAND_NAME, .pid = pid, .thread = thread };

	(void)snprintf(r.name, sizeof r.name, "%s", name);
	take(r);
}

static void exit_of(pid_t pid, pid_t thread)
{
	take((struct sideband_record){ .kind = SIDEBAND_EXIT, .pid = pid, .thread = thread });
}

/* Reports the CPU time of a task, here in one record. */
static void used(pid_t pid, pid_t thread, uint64_t ns)
{
	take((struct sideband_record){ .kind = SIDEBAND_CPU_TIME, .pid = pid, .thread = thread, .cpu_ns = ns });
}

/* All branches of the program; nothing is reported in these tests, so it is since the beginning. */
static struct gains gained_by(const char *name)
{
	const struct branch_table *branches = &t->accounts->branches;
	struct gains sum = { 0 };

	for (uint16_t i = 0; i < branches->n; i++)
		if (strcmp(program_of(t->accounts, i)->comm, name) == 0) {
			sum.cpu_ns += branches->at[i].gained.cpu_ns;
			sum.started += branches->at[i].gained.started;
			sum.ended += branches->at[i].gained.ended;
			sum.unseen += branches->at[i].gained.unseen;
		}
	return sum;
}

static uint64_t cpu_of(const char *name)
{
	return gained_by(name).cpu_ns;
}

static void assert_total(unsigned started, unsigned ended)
{
	assert_int_equal(ms->forks.fork_events.started, started);
	assert_int_equal(ms->forks.fork_events.ended, ended);
	assert_int_equal(ms->forks.fork_events.n, started - ended);
}

static void assert_program(const char *name, unsigned started, unsigned ended)
{
	assert_int_equal(gained_by(name).started, started);
	assert_int_equal(gained_by(name).ended, ended);
}

static void processes_between_samples_are_counted(void **state)
{
	(void)state;
	exec_of(ROOT, "sh");
	for (pid_t pid = 200; pid < 300; pid++) {
		fork_of(ROOT, pid);
		exec_of(pid, pid < 260 ? "sed" : "awk");
		exit_of(pid, pid);
	}
	fork_of(ROOT, 300);                     /* a subshell */
	exit_of(300, 300);
	exit_of(ROOT, ROOT);
	assert_total(102, 102);
	assert_program("sh", 2, 2);
	assert_program("sed", 60, 60);
	assert_program("awk", 40, 40);
}

static void threads_are_not_processes(void **state)
{
	(void)state;
	fork_of(ROOT, 200);
	for (pid_t thread = 201; thread < 211; thread++)
		thread_of(200, thread);
	name_of_thread(200, 205, "worker");
	exit_of(200, 200);                      /* the first thread can end before the others */
	for (pid_t thread = 201; thread < 210; thread++)
		exit_of(200, thread);
	assert_total(2, 0);
	exit_of(200, 210);
	assert_total(2, 1);
	assert_int_equal(ms->forks.fork_events.tasks, 11);  /* no record of the root */
	assert_program("worker", 0, 0);
}

/* A thread that execs takes over the process: the other threads end, and it gets the process's number. */
static void exec_leaves_one_thread(void **state)
{
	(void)state;
	fork_of(ROOT, 200);
	thread_of(200, 201);
	thread_of(200, 202);
	exit_of(200, 202);
	exit_of(200, 200);
	exec_of(200, "next");
	assert_total(2, 0);
	exit_of(200, 200);
	assert_total(2, 1);
	assert_program("next", 1, 1);
}

static void a_name_before_a_second_exec_is_not_counted(void **state)
{
	(void)state;
	exec_of(ROOT, "make");
	fork_of(ROOT, 200);
	exec_of(200, "sh");
	exec_of(200, "cc1");
	membership_meet(ms);                         /* a sample */
	assert_program("make", 1, 0);
	assert_program("sh", 0, 0);
	assert_program("cc1", 1, 0);
	membership_meet(ms);
	assert_program("cc1", 1, 0);            /* once */
	exec_of(200, "as");
	exit_of(200, 200);
	assert_program("cc1", 1, 0);
	assert_program("as", 1, 1);
	assert_total(2, 1);
}

static void a_living_process_becomes_a_member(void **state)
{
	(void)state;
	fork_of(ROOT, 200);
	fixture_process(&f, 200, ROOT, "work", 2000);
	fork_of(200, 201);                      /* it ended before it could be read */
	membership_meet(ms);
	assert_non_null(members_find(&t->tracked.members, 200));
	assert_null(members_find(&t->tracked.members, 201));
	assert_true(ms->forks.fork_events.at[fork_events_find(&ms->forks.fork_events, 201)].pid == 201);
}

static void a_pid_used_again_is_another_process(void **state)
{
	struct member *m;

	(void)state;
	fork_of(ROOT, 200);
	fixture_process(&f, 200, ROOT, "first", 2000);
	membership_meet(ms);
	exit_of(200, 200);
	fork_of(ROOT, 200);
	fixture_process(&f, 200, ROOT, "second", 3000);
	membership_meet(ms);
	m = members_find(&t->tracked.members, 200);
	assert_non_null(m);
	assert_int_equal(m->start_ticks, 3000);
	assert_string_equal(m->comm, "second");
	assert_total(3, 1);
}

/* An exit record was lost: the kernel reuses the pid only after the exit. */
static void a_fork_of_a_known_pid_ends_its_old_process(void **state)
{
	(void)state;
	fork_of(ROOT, 200);
	exec_of(200, "first");
	fork_of(ROOT, 200);
	assert_total(3, 1);
	assert_program("first", 1, 1);
}

static void after_a_loss_living_processes_count_once(void **state)
{
	struct sideband_record late = {
		.kind = SIDEBAND_FORK, .pid = 202, .thread = 202, .parent = ROOT, .time_ns = 5,
	};

	(void)state;
	fork_of(ROOT, 200);
	exec_of(200, "gone");
	fork_of(ROOT, 201);
	fixture_process(&f, 201, ROOT, "lives", 2000);
	take((struct sideband_record){ .kind = SIDEBAND_LOST, .lost = 7 });
	assert_true(ms->forks.repair_due);
	assert_non_null(tree_notice(t));

	/* A walk finds one process that is known, and one with a fork record lost or not read yet. */
	membership_meet(ms);
	fixture_process(&f, 202, ROOT, "new", 2000);
	assert_non_null(member_found(ms, ROOT, NULL));
	assert_non_null(member_found(ms, 202, NULL));
	membership_repair(ms);
	assert_total(4, 1);
	assert_program("gone", 1, 1);
	assert_program("lives", 1, 0);
	assert_program("new", 1, 0);
	fork_events_take(ms, &late);
	membership_repair(ms);
	assert_total(4, 1);
	assert_int_equal(ms->forks.fork_events.lost, 7);
}

/* A set-user-ID program: the kernel reports its end when it begins. */
static void a_process_that_outlives_its_exit_record_is_walked(void **state)
{
	struct member *m;

	(void)state;
	fork_of(ROOT, 200);
	fixture_process(&f, 200, ROOT, "sudo", 2000);
	membership_meet(ms);
	exit_of(200, 200);
	m = members_find(&t->tracked.members, 200);
	assert_true(m->exited);
	membership_suspect(ms, m);
	membership_judge(ms);
	assert_true(m->unwatched);
	assert_int_equal(ms->walking.all_ns, 0);
	assert_non_null(strstr(tree_notice(t), "sudo"));

	/* Its children are as invisible. */
	fixture_process(&f, 201, 200, "child", 2000);
	assert_true(member_found(ms, 201, m)->unwatched);
	assert_total(2, 1);
}

/* Found in a list of children before its fork record arrived. */
static void a_late_fork_record_clears_a_suspect(void **state)
{
	struct member *m;

	(void)state;
	fixture_process(&f, 200, ROOT, "work", 2000);
	m = member_found(ms, 200, NULL);
	assert_int_equal(ms->forks.n_suspects, 1);
	fork_of(ROOT, 200);
	membership_judge(ms);
	assert_false(m->unwatched);
	assert_null(tree_notice(t));
}

static void thousands_come_and_go(void **state)
{
	(void)state;
	for (pid_t pid = 1000; pid < 6000; pid++)
		fork_of(ROOT, pid);
	for (pid_t pid = 1000; pid < 6000; pid += 2)
		exit_of(pid, pid);
	assert_total(5001, 2500);
	for (pid_t pid = 1000; pid < 6000; pid++)
		assert_int_equal(fork_events_find(&ms->forks.fork_events, pid) != 0, pid % 2);
	for (pid_t pid = 10000; pid < 12500; pid++)
		fork_of(ROOT, pid);
	membership_meet(ms);
	assert_int_equal(ms->forks.fork_events.at[0].after, 0);
	for (pid_t pid = 1001; pid < 6000; pid += 2)
		exit_of(pid, pid);
	for (pid_t pid = 10000; pid < 12500; pid++)
		exit_of(pid, pid);
	assert_total(7501, 7500);
}

/* Records about unknown processes, and about those unknown to the pid namespace. */
static void unknown_processes_change_nothing(void **state)
{
	(void)state;
	exec_of(777, "x");
	exit_of(777, 777);
	thread_of(777, 778);
	exit_of(-1, -1);
	fork_of(ROOT, -1);
	fork_of(ROOT, 0);
	assert_total(1, 0);
	assert_int_equal(t->accounts->programs.n, 1);
}

/* volatile: the compiler would drop writes to memory that is freed next. */
static void scribble(volatile char *at, size_t n)
{
	while (n-- > 0)
		at[n] = 'A';
}

/* The table is allocated as it grows, and memory of malloc holds old bytes. */
static void a_repair_reads_no_unused_entry(void **state)
{
	enum { BYTES = 100000, CHILDREN = 70 };
	char *old = malloc(BYTES);

	(void)state;
	assert_non_null(old);
	scribble(old, BYTES);
	free(old);
	fork_events_release(&ms->forks.fork_events);
	assert_true(fork_events_add(&ms->forks.fork_events, ROOT) > 0);
	for (pid_t pid = 1; pid <= CHILDREN; pid++)
		fork_of(ROOT, ROOT + pid);
	assert_int_equal(ms->forks.fork_events.n, 1 + CHILDREN);
	ms->forks.repair_due = true;
	membership_repair(ms);                       /* only the first of them is visible */
	assert_int_equal(ms->forks.fork_events.ended, CHILDREN);
	assert_int_equal(ms->forks.fork_events.n, 1);
}

/* ---- branches --------------------------------------------------------------------------------- */

/* "make/sh/cc": the programs from the root to this process, "?" below an unknown parent. */
static void assert_place(pid_t pid, const char *expected)
{
	const struct branch_table *branches = &t->accounts->branches;
	uint16_t i = ms->forks.fork_events.at[fork_events_find(&ms->forks.fork_events, pid)].branch;
	char place[200] = "", rest[200] = "";

	for (; i >= BRANCHES_FIRST; i = branches->at[i].above) {
		(void)snprintf(place, sizeof place, "/%.16s%.150s", program_of(t->accounts, i)->comm, rest);
		memcpy(rest, place, sizeof rest);
	}
	(void)snprintf(place, sizeof place, "%s%s", i == BRANCH_UNKNOWN ? "?" : "", rest);
	assert_string_equal(place, expected);
}

static void a_branch_is_below_the_program_that_forked_it(void **state)
{
	(void)state;
	exec_of(ROOT, "make");
	assert_place(ROOT, "/make");
	fork_of(ROOT, 200);
	assert_place(200, "/make/make");
	exec_of(200, "sh");
	fork_of(200, 300);
	exec_of(300, "cc");
	assert_place(300, "/make/sh/cc");
	fork_of(200, 301);                      /* a subshell, which then runs the last command itself */
	assert_place(301, "/make/sh/sh");
	exec_of(301, "cc");
	assert_int_equal(ms->forks.fork_events.at[fork_events_find(&ms->forks.fork_events, 300)].branch,
			 ms->forks.fork_events.at[fork_events_find(&ms->forks.fork_events, 301)].branch);
	exec_of(200, "ld");                     /* instead of the shell: what it started stays below that */
	assert_place(200, "/make/ld");
	assert_place(300, "/make/sh/cc");
	fork_of(200, 302);
	assert_place(302, "/make/ld/ld");
	exit_of(200, 200);
	fork_of(300, 303);                      /* the parent of its parent is gone */
	exec_of(303, "cc1");
	assert_place(303, "/make/sh/cc/cc1");
	exec_of(ROOT, "env");
	assert_place(ROOT, "/env");
}

static void a_member_is_on_the_branch_of_its_fork(void **state)
{
	const struct branch_table *branches = &t->accounts->branches;
	struct member *m;

	(void)state;
	exec_of(ROOT, "make");
	fork_of(ROOT, 200);
	fixture_process(&f, 200, ROOT, "work", 2000);
	membership_meet(ms);
	m = members_find(&t->tracked.members, 200);
	assert_string_equal(program_of(t->accounts, m->branch)->comm, "work");
	assert_string_equal(program_of(t->accounts, branches->at[m->branch].above)->comm, "make");

	/* Walked, for its fork record is not there. */
	fixture_process(&f, 201, 200, "child", 2000);
	m = member_found(ms, 201, m);
	assert_int_equal(branches->at[m->branch].above, members_find(&t->tracked.members, 200)->branch);
	fixture_process(&f, 202, 1, "orphan", 2000);
	m = member_found(ms, 202, NULL);
	assert_int_equal(branches->at[m->branch].above, BRANCH_UNKNOWN);
	fork_of(201, 203);
	exec_of(203, "leaf");
	assert_place(203, "/make/work/child/leaf");
	fork_of(777, 204);                      /* not ours */
	exec_of(204, "leaf");
	assert_place(204, "?/leaf");
}

/* Each shell runs 500 programs: only the first have a place, and all are counted. */
static void beyond_the_places_programs_are_below_an_unknown_parent(void **state)
{
	enum { SHELLS = 6, EACH = 500 };
	static struct program_tree tree;
	char name[16];

	(void)state;
	exec_of(ROOT, "make");
	for (int shell = 0; shell < SHELLS; shell++) {
		fork_of(ROOT, 200 + shell);
		(void)snprintf(name, sizeof name, "shell%d", shell);
		exec_of(200 + shell, name);
		for (int i = 0; i < EACH; i++) {
			fork_of(200 + shell, 1000);
			(void)snprintf(name, sizeof name, "p%d", i);
			exec_of(1000, name);
			exit_of(1000, 1000);
			used(1000, 1000, 10);
		}
	}
	assert_true(t->accounts->branches.full);
	assert_true(t->accounts->branches.n <= BRANCHES);
	fork_of(205, 1000);
	exec_of(1000, "p499");
	assert_place(1000, "?/p499");
	assert_int_equal(cpu_of("p499"), SHELLS * 10);
	assert_program("p7", SHELLS, SHELLS);
	accounts_report_programs(t->accounts, &f.sample);
	assert_int_equal(accounts_program_tree(t->accounts, &tree), 0);
	assert_true(tree.full && tree.n == BRANCH_MAX);
}

/* ---- CPU times -------------------------------------------------------------------------------- */

static void cpu_time_of_an_unseen_process_counts_for_its_program(void **state)
{
	(void)state;
	fork_of(ROOT, 200);
	exec_of(200, "cc1");
	thread_of(200, 201);
	exit_of(200, 201);
	used(200, 201, 2000);
	exit_of(200, 200);
	assert_int_equal(fork_events_find(&ms->forks.fork_events, 200), 0);
	used(200, 200, 3000);                   /* arrives after the exit */
	membership_settle_records(ms);
	assert_int_equal(cpu_of("cc1"), 5000);
	assert_int_equal(gained_by("cc1").unseen, 2);
	assert_int_equal(fork_events_find_ended(&ms->forks.fork_events, 200), 0);
	membership_settle_records(ms);
	assert_int_equal(cpu_of("cc1"), 5000);
}

static struct member *member_that_used(pid_t pid, uint64_t ns)
{
	struct member *m;
	struct figures now;

	fixture_process(&f, pid, ROOT, "work", 2000);
	membership_meet(ms);
	m = members_find(&t->tracked.members, pid);
	assert_non_null(m);
	now = m->figures;
	now.own[CPU_NS] = ns;
	accounts_set(t->accounts, m, &now);
	return m;
}

static void member_vanishes(struct member *m)
{
	char path[32];

	(void)snprintf(path, sizeof path, "proc/%d/stat", (int)m->pid);
	fixture_write(&f, path, "");            /* no other process has its pid */
	membership_gone(ms, m);
	membership_settle(ms);
}

/* CPU time that was read during its life counts once. */
static void cpu_time_after_the_last_reading_is_added(void **state)
{
	struct member *m;

	(void)state;
	fork_of(ROOT, 200);
	exec_of(200, "work");
	m = member_that_used(200, 40000000);
	assert_int_equal(cpu_of("work"), 40000000);
	exit_of(200, 200);
	used(200, 200, 70000000);
	membership_settle_records(ms);                       /* it can still be read as a zombie */
	assert_int_equal(cpu_of("work"), 40000000);
	member_vanishes(m);
	membership_settle_records(ms);
	assert_int_equal(cpu_of("work"), 70000000);
}

/* Its own clock is more exact: it goes on while perf's events are torn down. */
static void the_clock_of_a_zombie_counts(void **state)
{
	struct member *m;
	struct figures now;

	(void)state;
	fork_of(ROOT, 200);
	exec_of(200, "work");
	m = member_that_used(200, 40000000);
	exit_of(200, 200);
	used(200, 200, 70000000);
	now = m->figures;
	now.own[CPU_NS] = 69000000;
	now.state = 'Z';
	accounts_set(t->accounts, m, &now);
	membership_settle_records(ms);
	assert_int_equal(cpu_of("work"), 69000000);
	assert_int_equal(fork_events_find_ended(&ms->forks.fork_events, 200), 0);
}

static void a_member_that_left_before_its_end_was_reported(void **state)
{
	struct member *m;

	(void)state;
	fork_of(ROOT, 200);
	exec_of(200, "work");
	m = member_that_used(200, 40000000);
	member_vanishes(m);
	exit_of(200, 200);
	used(200, 200, 45000000);
	membership_settle_records(ms);
	assert_int_equal(cpu_of("work"), 45000000);
}

static void a_pid_used_again_has_a_cpu_time_of_its_own(void **state)
{
	(void)state;
	fork_of(ROOT, 200);
	exec_of(200, "one");
	exit_of(200, 200);
	used(200, 200, 1000);
	fork_of(ROOT, 200);
	exec_of(200, "two");
	exit_of(200, 200);
	used(200, 200, 300);
	membership_settle_records(ms);
	assert_int_equal(cpu_of("one"), 1000);
	assert_int_equal(cpu_of("two"), 300);
}

static void cpu_time_of_an_unknown_process_is_dropped(void **state)
{
	(void)state;
	used(777, 777, 1000);
	used(-1, -1, 1000);
	membership_settle_records(ms);
	assert_int_equal(t->accounts->programs.n, 1);
	assert_int_equal(t->accounts->programs.at[0].cpu_ns, 0);
}

int main(void)
{
#define TREE_TEST(test) cmocka_unit_test_setup_teardown(test, open_tree, close_tree)
	const struct CMUnitTest tests[] = {
		TREE_TEST(processes_between_samples_are_counted),
		TREE_TEST(threads_are_not_processes),
		TREE_TEST(a_branch_is_below_the_program_that_forked_it),
		TREE_TEST(a_member_is_on_the_branch_of_its_fork),
		TREE_TEST(beyond_the_places_programs_are_below_an_unknown_parent),
		TREE_TEST(exec_leaves_one_thread),
		TREE_TEST(a_name_before_a_second_exec_is_not_counted),
		TREE_TEST(a_living_process_becomes_a_member),
		TREE_TEST(a_pid_used_again_is_another_process),
		TREE_TEST(a_fork_of_a_known_pid_ends_its_old_process),
		TREE_TEST(after_a_loss_living_processes_count_once),
		TREE_TEST(a_process_that_outlives_its_exit_record_is_walked),
		TREE_TEST(a_late_fork_record_clears_a_suspect),
		TREE_TEST(thousands_come_and_go),
		TREE_TEST(unknown_processes_change_nothing),
		TREE_TEST(a_repair_reads_no_unused_entry),
		TREE_TEST(cpu_time_of_an_unseen_process_counts_for_its_program),
		TREE_TEST(cpu_time_after_the_last_reading_is_added),
		TREE_TEST(the_clock_of_a_zombie_counts),
		TREE_TEST(a_member_that_left_before_its_end_was_reported),
		TREE_TEST(a_pid_used_again_has_a_cpu_time_of_its_own),
		TREE_TEST(cpu_time_of_an_unknown_process_is_dropped),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
