/* test_births.c - what becomes of the kernel's records: who lives, how many there were, under which names. */
#include "fixture.h"

#include <stdio.h>
#include <string.h>

#include "tree/state.h"

enum { ROOT = 100 };

static struct fixture f;
static struct tree *t;
static uint64_t now_ns;

static int open_tree(void **state)
{
	pid_t root = ROOT;
	struct tree_options options = { .roots = &root, .n_roots = 1 };

	(void)state;
	fixture_open(&f, "vm");
	fixture_process(&f, ROOT, 1, "tracker", 1000);
	assert_int_equal(tree_open(&t, &f.source, &options, NULL), 0);
	assert_true(births_add(&t->births, ROOT) > 0);
	t->sideband = (void *)&f;               /* it is never asked */
	t->births.started = 1;
	t->primed = true;
	now_ns = 1000;
	return 0;
}

static int close_tree(void **state)
{
	(void)state;
	t->sideband = NULL;
	tree_close(t);
	fixture_close(&f);
	return 0;
}

static void take(struct sideband_record r)
{
	r.time_ns = now_ns++;
	births_take(t, &r);
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

static void assert_total(unsigned started, unsigned ended)
{
	assert_int_equal(t->births.started, started);
	assert_int_equal(t->births.ended, ended);
	assert_int_equal(t->births.n, started - ended);
}

static void assert_program(const char *name, unsigned started, unsigned ended)
{
	const struct program *p = &t->programs[program_named(t, name)];

	assert_int_equal(p->gained_started, started);
	assert_int_equal(p->gained_ended, ended);
}

static void processes_that_nobody_looked_at(void **state)
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

static void threads_are_no_processes(void **state)
{
	(void)state;
	fork_of(ROOT, 200);
	for (pid_t thread = 201; thread < 211; thread++)
		thread_of(200, thread);
	name_of_thread(200, 205, "worker");
	exit_of(200, 200);                      /* the first thread may end before the others */
	for (pid_t thread = 201; thread < 210; thread++)
		exit_of(200, thread);
	assert_total(2, 0);
	exit_of(200, 210);
	assert_total(2, 1);
	assert_int_equal(t->births.tasks, 11);  /* the root is not told */
	assert_program("worker", 0, 0);
}

/* A thread that execs takes the process over: the others are gone, and it has the process's number. */
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

static void a_name_on_the_way_to_another_is_not_counted(void **state)
{
	(void)state;
	exec_of(ROOT, "make");
	fork_of(ROOT, 200);
	exec_of(200, "sh");
	exec_of(200, "cc1");
	births_meet(t);                         /* a sample */
	assert_program("make", 1, 0);
	assert_program("sh", 0, 0);
	assert_program("cc1", 1, 0);
	births_meet(t);
	assert_program("cc1", 1, 0);            /* once */
	exec_of(200, "as");
	exit_of(200, 200);
	assert_program("cc1", 1, 0);
	assert_program("as", 1, 1);
	assert_total(2, 1);
}

static void one_that_lives_becomes_a_member(void **state)
{
	(void)state;
	fork_of(ROOT, 200);
	fixture_process(&f, 200, ROOT, "work", 2000);
	fork_of(200, 201);                      /* has ended before it could be read */
	births_meet(t);
	assert_non_null(members_find(&t->members, 200));
	assert_null(members_find(&t->members, 201));
	assert_true(t->births.at[births_find(&t->births, 201)].pid == 201);
}

static void a_pid_used_again_is_another_process(void **state)
{
	struct member *m;

	(void)state;
	fork_of(ROOT, 200);
	fixture_process(&f, 200, ROOT, "first", 2000);
	births_meet(t);
	exit_of(200, 200);
	fork_of(ROOT, 200);
	fixture_process(&f, 200, ROOT, "second", 3000);
	births_meet(t);
	m = members_find(&t->members, 200);
	assert_non_null(m);
	assert_int_equal(m->start_ticks, 3000);
	assert_string_equal(m->comm, "second");
	assert_total(3, 1);
}

/* An end that was lost: the same pid cannot be forked before it. */
static void a_fork_of_a_known_pid_ends_the_one_before(void **state)
{
	(void)state;
	fork_of(ROOT, 200);
	exec_of(200, "first");
	fork_of(ROOT, 200);
	assert_total(3, 1);
	assert_program("first", 1, 1);
}

static void after_a_loss_those_who_live_are_counted_once(void **state)
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
	assert_true(t->repair_due);
	assert_non_null(tree_notice(t));

	/* What walking finds: one that is known, and one whose fork was lost, or not read yet. */
	births_meet(t);
	fixture_process(&f, 202, ROOT, "new", 2000);
	assert_non_null(member_found(t, ROOT, NULL));
	assert_non_null(member_found(t, 202, NULL));
	births_repair(t);
	assert_total(4, 1);
	assert_program("gone", 1, 1);
	assert_program("lives", 1, 0);
	assert_program("new", 1, 0);
	births_take(t, &late);
	births_repair(t);
	assert_total(4, 1);
	assert_int_equal(t->births.lost, 7);
}

/* A set-user-ID program: the kernel tells its end when it begins. */
static void one_that_lives_on_after_its_end_is_walked(void **state)
{
	struct member *m;

	(void)state;
	fork_of(ROOT, 200);
	fixture_process(&f, 200, ROOT, "sudo", 2000);
	births_meet(t);
	exit_of(200, 200);
	m = members_find(&t->members, 200);
	assert_true(m->exited);
	births_suspect(t, m);
	births_judge(t);
	assert_true(m->unwatched);
	assert_int_equal(t->walk_all_ns, 0);
	assert_non_null(strstr(tree_notice(t), "sudo"));

	/* What it starts is as invisible. */
	fixture_process(&f, 201, 200, "child", 2000);
	assert_true(member_found(t, 201, m)->unwatched);
	assert_total(2, 1);
}

/* Found by a list of children before its fork was told. */
static void a_record_on_its_way_clears_a_suspect(void **state)
{
	struct member *m;

	(void)state;
	fixture_process(&f, 200, ROOT, "work", 2000);
	m = member_found(t, 200, NULL);
	assert_int_equal(t->n_suspects, 1);
	fork_of(ROOT, 200);
	births_judge(t);
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
		assert_int_equal(births_find(&t->births, pid) != 0, pid % 2);
	for (pid_t pid = 10000; pid < 12500; pid++)
		fork_of(ROOT, pid);
	births_meet(t);
	assert_int_equal(t->births.at[0].after, 0);
	for (pid_t pid = 1001; pid < 6000; pid += 2)
		exit_of(pid, pid);
	for (pid_t pid = 10000; pid < 12500; pid++)
		exit_of(pid, pid);
	assert_total(7501, 7500);
}

/* Records about processes that nobody told of, and those that our namespace does not know. */
static void strangers_change_nothing(void **state)
{
	(void)state;
	exec_of(777, "x");
	exit_of(777, 777);
	thread_of(777, 778);
	exit_of(-1, -1);
	fork_of(ROOT, -1);
	fork_of(ROOT, 0);
	assert_total(1, 0);
	assert_int_equal(t->n_programs, 1);
}

/* ---- where the kernel tells of all the machine ------------------------------------------------ */

static int open_tree_of_machine(void **state)
{
	(void)open_tree(state);
	t->births.wide = true;
	return 0;
}

static void forks_of_others_are_not_the_trees(void **state)
{
	(void)state;
	fork_of(1, 700);
	exec_of(700, "other");
	thread_of(700, 701);
	fork_of(700, 702);
	exit_of(702, 702);
	exit_of(700, 701);
	exit_of(700, 700);
	/* Of another PID namespace. */
	fork_of(0, 0);
	fork_of(-1, 0);
	fork_of(0, 703);
	exec_of(0, "inner");
	exit_of(0, 0);
	exit_of(-1, -1);
	assert_total(1, 0);
	assert_int_equal(t->births.tasks, 0);
	assert_int_equal(t->births.lost, 0);
	assert_int_equal(t->n_programs, 1);
}

static void descendants_are_the_trees_whoever_has_ended(void **state)
{
	(void)state;
	fork_of(ROOT, 200);
	fork_of(700, 701);
	fork_of(200, 201);
	thread_of(201, 202);
	exit_of(200, 200);
	exit_of(ROOT, ROOT);
	fork_of(201, 203);
	assert_total(4, 2);
	assert_int_equal(t->births.tasks, 4);
	fork_of(701, ROOT);                     /* their pids are used again, elsewhere */
	fork_of(701, 200);
	fork_of(ROOT, 204);
	fork_of(200, 205);
	assert_total(4, 2);
}

static void a_fork_elsewhere_ends_who_held_the_pid(void **state)
{
	(void)state;
	fork_of(ROOT, 200);
	exec_of(200, "first");
	fork_of(700, 200);
	assert_total(2, 1);
	assert_program("first", 1, 1);
	fork_of(200, 201);
	exec_of(200, "second");
	exit_of(200, 200);
	assert_total(2, 1);
	assert_int_equal(t->births.tasks, 1);
}

/* What nobody is known to have started may have been started by one whose fork was lost. */
static void after_a_loss_unknown_forks_are_doubted_until_a_scan(void **state)
{
	(void)state;
	take((struct sideband_record){ .kind = SIDEBAND_LOST, .lost = 7 });
	fork_of(700, 701);
	thread_of(700, 702);
	assert_int_equal(t->births.lost, 8);
	assert_int_equal(t->births.tasks, 9);
	fork_of(ROOT, 200);
	fixture_process(&f, 200, ROOT, "lives", 2000);
	births_meet(t);
	fixture_process(&f, 201, ROOT, "untold", 2000);
	assert_non_null(member_found(t, ROOT, NULL));
	assert_non_null(member_found(t, 201, NULL));
	births_repair(t);
	assert_total(3, 0);
	assert_int_equal(t->births.tasks, 10);
	fork_of(700, 201);                      /* what the scan found, told late */
	assert_total(3, 0);
	assert_int_equal(t->births.lost, 8);
	fork_of(700, 703);                      /* written before the scan */
	assert_int_equal(t->births.lost, 9);
	now_ns = UINT64_MAX / 2;                /* after it */
	fork_of(700, 704);
	fork_of(201, 202);
	assert_total(4, 0);
	assert_int_equal(t->births.lost, 9);
	assert_int_equal(t->births.tasks, 13);
}

static void after_a_loss_a_stranger_with_a_pid_of_ours_is_not_followed(void **state)
{
	(void)state;
	fork_of(ROOT, 200);                     /* has ended, and its end was lost */
	take((struct sideband_record){ .kind = SIDEBAND_LOST, .lost = 2 });
	fixture_process(&f, 300, 1, "stranger", 3000);
	fork_of(200, 201);
	fixture_process(&f, 201, 300, "foreign", 3000);
	fork_of(ROOT, 202);
	fixture_process(&f, 202, ROOT, "ours", 3000);
	births_meet(t);
	assert_null(members_find(&t->members, 201));
	assert_non_null(members_find(&t->members, 202));
	assert_non_null(member_found(t, ROOT, NULL));
	births_repair(t);
	assert_int_equal(births_find(&t->births, 200), 0);
	assert_int_equal(births_find(&t->births, 201), 0);
	assert_true(births_find(&t->births, 202) > 0);
}

/* volatile: what is freed at once would not be written to. */
static void scribble(volatile char *at, size_t n)
{
	while (n-- > 0)
		at[n] = 'A';
}

/* The table is allocated as it grows, and what malloc gives holds what was there before. */
static void a_repair_looks_at_no_place_that_never_held_a_birth(void **state)
{
	enum { BYTES = 100000, CHILDREN = 70 };
	char *old = malloc(BYTES);

	(void)state;
	assert_non_null(old);
	scribble(old, BYTES);
	free(old);
	births_release(&t->births);
	assert_true(births_add(&t->births, ROOT) > 0);
	for (pid_t pid = 1; pid <= CHILDREN; pid++)
		fork_of(ROOT, ROOT + pid);
	assert_int_equal(t->births.n, 1 + CHILDREN);
	births_repair(t);                       /* none of them is to be seen but the first */
	assert_int_equal(t->births.ended, CHILDREN);
	assert_int_equal(t->births.n, 1);
}

int main(void)
{
#define TREE_TEST(test) cmocka_unit_test_setup_teardown(test, open_tree, close_tree)
#define MACHINE_TEST(test) { "machine: " #test, test, open_tree_of_machine, close_tree, NULL }
	const struct CMUnitTest tests[] = {
		TREE_TEST(processes_that_nobody_looked_at),
		TREE_TEST(threads_are_no_processes),
		TREE_TEST(exec_leaves_one_thread),
		TREE_TEST(a_name_on_the_way_to_another_is_not_counted),
		TREE_TEST(one_that_lives_becomes_a_member),
		TREE_TEST(a_pid_used_again_is_another_process),
		TREE_TEST(a_fork_of_a_known_pid_ends_the_one_before),
		TREE_TEST(after_a_loss_those_who_live_are_counted_once),
		TREE_TEST(one_that_lives_on_after_its_end_is_walked),
		TREE_TEST(a_record_on_its_way_clears_a_suspect),
		TREE_TEST(thousands_come_and_go),
		TREE_TEST(strangers_change_nothing),
		TREE_TEST(a_repair_looks_at_no_place_that_never_held_a_birth),
		MACHINE_TEST(processes_that_nobody_looked_at),
		MACHINE_TEST(threads_are_no_processes),
		MACHINE_TEST(exec_leaves_one_thread),
		MACHINE_TEST(a_name_on_the_way_to_another_is_not_counted),
		MACHINE_TEST(one_that_lives_becomes_a_member),
		MACHINE_TEST(a_pid_used_again_is_another_process),
		MACHINE_TEST(a_fork_of_a_known_pid_ends_the_one_before),
		MACHINE_TEST(after_a_loss_those_who_live_are_counted_once),
		MACHINE_TEST(one_that_lives_on_after_its_end_is_walked),
		MACHINE_TEST(a_record_on_its_way_clears_a_suspect),
		MACHINE_TEST(thousands_come_and_go),
		MACHINE_TEST(strangers_change_nothing),
		MACHINE_TEST(forks_of_others_are_not_the_trees),
		MACHINE_TEST(descendants_are_the_trees_whoever_has_ended),
		MACHINE_TEST(a_fork_elsewhere_ends_who_held_the_pid),
		MACHINE_TEST(after_a_loss_unknown_forks_are_doubted_until_a_scan),
		MACHINE_TEST(after_a_loss_a_stranger_with_a_pid_of_ours_is_not_followed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
