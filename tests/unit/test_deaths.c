/* test_deaths.c - whose memory it was that the kernel tells of at an end, and what is heard of at all. */
#include "fixture.h"

#include <linux/taskstats.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "tree/state.h"

enum { ROOT = 100, FAMILY = 31, MIB = 1 << 20 };

static struct fixture f;
static struct tree *t;
static int64_t now_ns;
static int kernel = -1, ours = -1;              /* the ends of a way to a kernel that is played here */

static int open_tree(void **state)
{
	pid_t root = ROOT;
	struct tree_options options = { .roots = &root, .n_roots = 1 };

	(void)state;
	fixture_open(&f, "vm");
	fixture_process(&f, ROOT, 1, "sh", 1000);
	assert_int_equal(tree_open(&t, &f.source, &options, NULL), 0);
	t->sideband = (void *)&f;               /* it is never asked */
	t->primed = true;

	uint32_t i = births_add(&t->births, ROOT);

	assert_true(i > 0);
	(void)snprintf(t->births.at[i].name, sizeof t->births.at[i].name, "sh");
	t->births.at[i].program = program_named(t, "sh");
	t->deaths = calloc(1, sizeof *t->deaths);
	assert_non_null(t->deaths);
	t->deaths->n = t->deaths->old = 1;
	now_ns = 1000;
	return 0;
}

static int close_tree(void **state)
{
	(void)state;
	deaths_close(t);
	t->sideband = NULL;
	tree_close(t);
	fixture_close(&f);
	close_p(&kernel);
	close_p(&ours);
	return 0;
}

static void fork_of(pid_t parent, pid_t pid)
{
	births_take(t, &(struct sideband_record){ .kind = SIDEBAND_FORK, .pid = pid, .thread = pid, .parent = parent,
						  .time_ns = (uint64_t)now_ns++ });
}

static void exec_of(pid_t pid, const char *name)
{
	struct sideband_record r = { .kind = SIDEBAND_NAME, .pid = pid, .thread = pid, .exec = true };

	(void)snprintf(r.name, sizeof r.name, "%s", name);
	r.time_ns = (uint64_t)now_ns++;
	births_take(t, &r);
}

static void exit_of(pid_t pid)
{
	births_take(t, &(struct sideband_record){ .kind = SIDEBAND_EXIT, .pid = pid, .thread = pid,
						  .time_ns = (uint64_t)now_ns++ });
}

/* All of it, from before anything was heard: a fork by the root, exec, the end. */
static void life_of(pid_t pid, const char *name)
{
	fork_of(ROOT, pid);
	t->births.at[births_find(&t->births, pid)].forked_ns = 500;
	exec_of(pid, name);
	exit_of(pid);
}

static void take(pid_t process, pid_t task, pid_t parent, const char *name, int mib)
{
	struct exit_message m = { .kind = EXIT_TASK, .process = process, .task = task, .parent = parent,
				  .peak_bytes = (uint64_t)mib * MIB };

	(void)snprintf(m.name, sizeof m.name, "%s", name);
	deaths_take(t->deaths, &m, now_ns++);
}

/* Its parent does not tell whose it is. */
static void heard(pid_t process, pid_t task, const char *name, int mib)
{
	take(process, task, 1, name, mib);
}

static void heard_of_child(pid_t parent, pid_t pid, const char *name, int mib)
{
	take(pid, pid, parent, name, mib);
}

static void assert_peaks(const char *program, int mib, int tree_mib, unsigned heard_of)
{
	assert_int_equal(t->programs[program_named(t, program)].largest, (int64_t)mib * MIB);
	assert_int_equal(t->peak_rss, (int64_t)tree_mib * MIB);
	assert_int_equal(t->births.heard, heard_of);
}

/* All of a life between two samples: the end is heard before its beginning is read. */
static void one_that_nobody_saw(void **state)
{
	(void)state;
	heard(200, 200, "cc1", 300);
	life_of(200, "cc1");
	assert_peaks("cc1", 300, 300, 1);
	assert_int_equal(t->peak_source, PEAK_HEARD);
	deaths_settle(t);
	assert_int_equal(t->deaths->n, 1);
}

/* Taking down a large memory takes longer than many a drain: it lives for births all that time. */
static void one_whose_memory_takes_long_to_go(void **state)
{
	(void)state;
	fork_of(ROOT, 200);
	exec_of(200, "big");
	heard(200, 200, "big", 900);
	for (int drain = 0; drain < 5; drain++)
		deaths_settle(t);
	exit_of(200);
	assert_peaks("big", 900, 900, 1);
}

/* Forked after the instant up to which forks are read, and gone before ends were: it is told next time. */
static void one_whose_fork_comes_with_the_next_drain(void **state)
{
	(void)state;
	heard(200, 200, "cc1", 300);
	deaths_settle(t);
	life_of(200, "cc1");
	assert_peaks("cc1", 300, 300, 1);
}

static void others_are_forgotten(void **state)
{
	(void)state;
	for (pid_t pid = 1000; pid < 1500; pid++)
		heard(pid, pid, "other", 700);
	deaths_settle(t);
	assert_int_equal(t->deaths->n, 501);
	deaths_settle(t);
	assert_int_equal(t->deaths->n, 1);
	assert_peaks("other", 0, 0, 0);
}

/* What was heard before the fork, or under another name, was another's. */
static void a_pid_used_again(void **state)
{
	(void)state;
	heard(200, 200, "cc1", 700);
	fork_of(ROOT, 200);
	exec_of(200, "cc1");
	exit_of(200);
	assert_peaks("cc1", 0, 0, 0);
	heard(201, 201, "other", 700);
	life_of(201, "cc1");
	assert_peaks("cc1", 0, 0, 0);
}

/* Threads have names of their own; the largest is the process's. */
static void threads(void **state)
{
	(void)state;
	fork_of(ROOT, 200);
	exec_of(200, "java");
	heard(200, 205, "worker", 100);
	deaths_settle(t);
	heard(200, 200, "java", 150);
	heard(200, 206, "worker", 120);
	exit_of(200);
	assert_peaks("java", 150, 150, 1);
	assert_peaks("worker", 0, 150, 1);
}

/* A program with threads that becomes another: they end with what it had. */
static void threads_that_end_at_an_exec(void **state)
{
	(void)state;
	fork_of(ROOT, 200);
	exec_of(200, "java");
	fixture_process(&f, 200, ROOT, "java", 2000);
	births_meet(t);
	heard(200, 205, "worker", 100);
	exec_of(200, "cat");
	deaths_settle(t);
	assert_peaks("cat", 0, 0, 0);
	heard(200, 200, "cat", 2);
	exit_of(200);
	assert_peaks("cat", 2, 2, 1);

	/* All of it between two samples. */
	heard(201, 206, "worker", 100);
	heard(201, 201, "dd", 3);
	life_of(201, "dd");
	assert_peaks("dd", 3, 3, 2);
}

/* Its name at the end is the one that its memory belongs to. */
static void a_member_is_told_with_its_peak(void **state)
{
	struct tree_exit e = { .pid = 0 };

	(void)state;
	fixture_process(&f, 200, ROOT, "long", 2000);
	fork_of(ROOT, 200);
	exec_of(200, "long");
	births_meet(t);
	assert_non_null(members_find(&t->members, 200));
	heard(200, 200, "long", 80);
	exit_of(200);
	tree_tell_end(t, members_find(&t->members, 200), false);
	while (tree_next_exit(t, &e) && e.pid != 200)
		;
	assert_int_equal(e.pid, 200);
	assert_near(e.peak_rss_bytes, 80.0 * MIB);
}

/* ---- programs whose events are lost at exec: what looks like their end is none ------------- */

static void lost_sight_of(pid_t pid, const char *name)
{
	fork_of(ROOT, pid);
	exec_of(pid, name);
	exit_of(pid);
	assert_int_equal(t->births.heard, 0);
	deaths_settle(t);
}

static void one_that_is_walked(void **state)
{
	struct member *m;

	(void)state;
	lost_sight_of(200, "sudo");
	fixture_process(&f, 200, ROOT, "sudo", 2000);
	m = member_found(t, 200, members_find(&t->members, ROOT));
	assert_non_null(m);
	heard(200, 205, "thread", 60);
	heard(200, 200, "sudo", 70);
	deaths_settle(t);
	assert_peaks("sudo", 70, 70, 0);
	assert_int_equal(m->peak_rss, 70 * MIB);
	/* Its start was told, and is not shown anew. */
	deaths_settle(t);
	assert_int_equal(t->deaths->n, 1);
}

/* It was a member before: its exec looked like its end. */
static void one_that_is_found_to_live_on(void **state)
{
	(void)state;
	fixture_process(&f, 200, ROOT, "sh", 2000);
	fork_of(ROOT, 200);
	births_meet(t);
	exec_of(200, "sudo");
	exit_of(200);
	fixture_process(&f, 200, ROOT, "sudo", 2000);
	assert_int_equal(member_read(t, members_find(&t->members, 200), -1), 0);
	births_suspect(t, members_find(&t->members, 200));
	births_judge(t);
	assert_true(t->unwatched);
	heard_of_child(200, 201, "cc1", 300);
	heard(200, 200, "sudo", 70);
	deaths_settle(t);
	assert_peaks("sudo", 70, 300, 0);
	assert_peaks("cc1", 300, 300, 0);
}

/* Nobody looked at it, and it is not called as its exec told any more. */
static void one_that_became_another(void **state)
{
	(void)state;
	lost_sight_of(200, "sudo");
	heard_of_child(ROOT, 200, "make", 80);
	deaths_settle(t);
	assert_peaks("make", 80, 80, 0);
	assert_peaks("sudo", 0, 80, 0);
}

static void what_it_started(void **state)
{
	(void)state;
	heard_of_child(201, 202, "cc1", 300);
	heard_of_child(200, 201, "make", 30);
	heard_of_child(ROOT, 200, "sudo", 20);
	heard_of_child(7, 204, "other", 900);
	life_of(200, "sudo");
	deaths_settle(t);
	assert_peaks("cc1", 300, 300, 1);
	assert_peaks("make", 30, 300, 1);
	assert_peaks("sudo", 20, 300, 1);
	assert_peaks("other", 0, 300, 1);
	assert_true(t->programs[program_named(t, "cc1")].heard);
}

/* It came to us, and has ended. */
static void adopt(pid_t pid, const char *name)
{
	t->self = 50;
	t->ours = true;
	fixture_process(&f, pid, t->self, name, 2000);
	tree_zombie(t, pid);
	assert_non_null(members_find(&t->members, pid));
}

static void what_it_left_to_us(void **state)
{
	(void)state;
	heard_of_child(50, 203, "zpool", 40);
	deaths_settle(t);
	assert_peaks("zpool", 0, 0, 0);         /* our child, but not the command's */
	heard_of_child(50, 204, "orphan", 40);
	adopt(204, "orphan");
	deaths_settle(t);
	assert_peaks("orphan", 40, 40, 0);
}

/* Its end was told, and it was not looked at since: its pid may be another's, and that one's children are. */
static void a_member_whose_pid_is_used_again(void **state)
{
	(void)state;
	fixture_process(&f, 200, ROOT, "long", 2000);
	fork_of(ROOT, 200);
	exec_of(200, "long");
	births_meet(t);
	heard(200, 200, "long", 80);
	exit_of(200);
	deaths_settle(t);
	heard_of_child(200, 301, "other", 700);
	heard(200, 200, "other", 900);
	deaths_settle(t);
	deaths_settle(t);
	assert_peaks("other", 0, 80, 1);
	assert_int_equal(members_find(&t->members, 200)->peak_rss, 80 * MIB);
}

/* ---- where nobody tells of forks ---------------------------------------------------------- */

static void walked(void)
{
	t->sideband = NULL;
	births_release(&t->births);
	assert_non_null(members_find(&t->members, ROOT));
}

static void descendants_are_found_by_their_parents(void **state)
{
	(void)state;
	walked();
	heard_of_child(201, 202, "cc1", 300);   /* the root's grandchild: its parent ends after it */
	heard_of_child(ROOT, 201, "gcc", 20);
	heard_of_child(50, 203, "orphan", 40);
	adopt(203, "orphan");
	heard_of_child(50, 205, "zpool", 900);  /* what we started ourselves */
	heard_of_child(7, 204, "other", 900);
	deaths_settle(t);
	assert_peaks("cc1", 300, 300, 0);
	assert_peaks("gcc", 20, 300, 0);
	assert_peaks("orphan", 40, 300, 0);
	assert_peaks("other", 0, 300, 0);
	assert_true(t->programs[program_named(t, "cc1")].heard);
	deaths_settle(t);
	deaths_settle(t);
	assert_int_equal(t->deaths->n, 1);
}

/* One that was born after the last walk is no member yet, and its child's end comes first. */
static void a_parent_that_is_found_later(void **state)
{
	(void)state;
	walked();
	heard_of_child(201, 202, "cc1", 300);
	deaths_settle(t);
	assert_peaks("cc1", 0, 0, 0);
	heard_of_child(ROOT, 201, "gcc", 20);
	deaths_settle(t);
	assert_peaks("cc1", 300, 300, 0);
}

static void others_with_parents_in_a_ring(void **state)
{
	(void)state;
	walked();
	heard_of_child(302, 301, "a", 300);
	heard_of_child(301, 302, "b", 300);
	deaths_settle(t);
	assert_int_equal(t->peak_rss, 0);
}

static void the_root_itself(void **state)
{
	(void)state;
	walked();
	assert_int_equal(member_read(t, members_find(&t->members, ROOT), -1), 0);
	heard(ROOT, ROOT, "sh", 70);
	heard(ROOT, ROOT + 1, "thread", 90);
	deaths_settle(t);
	assert_peaks("sh", 90, 90, 0);
	assert_int_equal(members_find(&t->members, ROOT)->peak_rss, 90 * MIB);
}

static void more_than_there_is_room_for(void **state)
{
	(void)state;
	for (pid_t pid = 1; pid < DEATHS + 10; pid++)
		heard(1000 + pid, 1000 + pid, "other", 1);
	assert_true(t->deaths->lost);
	assert_int_equal(t->deaths->n, DEATHS);
	deaths_settle(t);
	deaths_settle(t);
	assert_int_equal(t->deaths->n, 1);
}

static void the_budget(void **state)
{
	(void)state;
	assert_int_equal(deaths_allowed(DEATHS_BURST, 0, 60 * NS_PER_SECOND), DEATHS_BURST);
	assert_int_equal(deaths_allowed(0, 100, NS_PER_SECOND), 400);
	/* What came in a long interval at a rate that is allowed is allowed, too. */
	assert_int_equal(deaths_allowed(DEATHS_BURST, 30000, 60 * NS_PER_SECOND), DEATHS_BURST);
	assert_int_equal(deaths_allowed(DEATHS_BURST, 3000, NS_PER_SECOND), -1500);
}

/* ---- the way to the kernel --------------------------------------------------------------- */

static int to_the_kernel(const struct source *s)
{
	int fd = ours;

	(void)s;
	ours = -1;
	return fd;
}

static int to_nobody(const struct source *s)
{
	(void)s;
	return -EPERM;
}

static void say(const char *recording)
{
	char path[256], bytes[4096];
	FILE *file;

	(void)snprintf(path, sizeof path, "%s/../fuzz/corpus/exits/%s", FIXTURES, recording);
	file = fopen(path, "rb");
	assert_non_null(file);

	size_t n = fread(bytes, 1, sizeof bytes, file);

	assert_int_equal(fclose(file), 0);
	assert_int_equal(send(kernel, bytes, n, 0), n);
}

/* What we asked for: the attribute of the last request; 0: nothing. */
static uint16_t asked(void)
{
	struct exit_request r = { .attribute = { .nla_type = 0 } };

	return recv(kernel, &r, sizeof r, MSG_DONTWAIT) > 0 ? r.attribute.nla_type : 0;
}

static void listen_to_one(void)
{
	int pair[2];

	deaths_close(t);
	t->clocks = true;
	assert_int_equal(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, pair), 0);
	kernel = pair[0];
	ours = pair[1];
	fixture_write(&f, "sys/devices/system/cpu/possible", "0-1\n");
	f.source.task_stats = to_the_kernel;
	say("family");
	deaths_listen(t);
	assert_non_null(t->deaths);
	assert_int_equal(asked(), CTRL_ATTR_FAMILY_NAME);
	assert_int_equal(asked(), TASKSTATS_CMD_ATTR_REGISTER_CPUMASK);
}

static void what_is_heard_is_kept_until_it_is_known_whose_it_is(void **state)
{
	(void)state;
	listen_to_one();
	say("task");
	say("threads");
	deaths_hear(t);
	assert_int_equal(t->deaths->n, 3);
	assert_int_equal(t->deaths->at[1].process, 0x69ed);
	deaths_close(t);
	assert_int_equal(asked(), TASKSTATS_CMD_ATTR_DEREGISTER_CPUMASK);
}

static void who_is_refused_is_silent(void **state)
{
	(void)state;
	listen_to_one();
	say("error");
	deaths_hear(t);
	assert_null(t->deaths);
	assert_null(tree_notice(t));
	f.source.task_stats = to_nobody;
	deaths_listen(t);
	assert_null(t->deaths);
	assert_null(tree_notice(t));
}

static void too_many_are_not_listened_to_for_a_while(void **state)
{
	enum { AT_ONCE = 8 };

	(void)state;
	listen_to_one();
	for (int i = 0; i < DEATHS_BURST + AT_ONCE; i += AT_ONCE) {
		for (int k = 0; k < AT_ONCE; k++)
			say("task");
		deaths_hear(t);
	}
	assert_int_equal(asked(), TASKSTATS_CMD_ATTR_DEREGISTER_CPUMASK);
	f.now_ns += NS_PER_SECOND;
	deaths_hear(t);
	assert_int_equal(asked(), 0);
	f.now_ns += 2 * NS_PER_SECOND;
	deaths_hear(t);
	assert_int_equal(asked(), TASKSTATS_CMD_ATTR_REGISTER_CPUMASK);
	deaths_hear(t);
	assert_int_equal(asked(), 0);
}

int main(void)
{
#define TREE_TEST(test) cmocka_unit_test_setup_teardown(test, open_tree, close_tree)
	const struct CMUnitTest tests[] = {
		TREE_TEST(one_that_nobody_saw),
		TREE_TEST(one_whose_memory_takes_long_to_go),
		TREE_TEST(one_whose_fork_comes_with_the_next_drain),
		TREE_TEST(others_are_forgotten),
		TREE_TEST(a_pid_used_again),
		TREE_TEST(threads),
		TREE_TEST(threads_that_end_at_an_exec),
		TREE_TEST(a_member_is_told_with_its_peak),
		TREE_TEST(one_that_is_walked),
		TREE_TEST(one_that_is_found_to_live_on),
		TREE_TEST(one_that_became_another),
		TREE_TEST(what_it_started),
		TREE_TEST(what_it_left_to_us),
		TREE_TEST(a_member_whose_pid_is_used_again),
		TREE_TEST(descendants_are_found_by_their_parents),
		TREE_TEST(a_parent_that_is_found_later),
		TREE_TEST(others_with_parents_in_a_ring),
		TREE_TEST(the_root_itself),
		TREE_TEST(more_than_there_is_room_for),
		TREE_TEST(the_budget),
		TREE_TEST(what_is_heard_is_kept_until_it_is_known_whose_it_is),
		TREE_TEST(who_is_refused_is_silent),
		TREE_TEST(too_many_are_not_listened_to_for_a_while),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
