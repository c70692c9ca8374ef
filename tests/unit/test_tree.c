/* test_tree.c - the tree on processes that exist only as files. */
#include "fixture.h"

#include <stdio.h>
#include <string.h>

#include "collect/process.h"
#include "tree/tree_state.h"

enum { MIB = 1 << 20, PAGES = 256 };            /* of a process, 1 MiB */

/* A process as its files describe it. */
struct acted {
	pid_t pid, parent;
	const char *name;
	char state;
	unsigned long faults, child_faults, user, system, child_user, child_system;     /* ticks */
	unsigned long start, resident, shared;  /* pages */
	unsigned long threads;                  /* 0: 1 */
	unsigned long stack;                    /* of the fork group; 0: unreadable */
	unsigned long read_chars, write_bytes;
	const char *children;
	const char *rollup;                     /* NULL: PSS is unreadable */
	bool no_io;                             /* I/O is unreadable */
	bool no_children_file;
	bool no_memory;                         /* any more: it is about to end */
};

static struct fixture f;
static struct tree_options options;
static pid_t roots[4];

static void put(pid_t pid, const char *file, const char *text)
{
	char path[96];

	(void)snprintf(path, sizeof path, "proc/%d/%s", (int)pid, file);
	fixture_write(&f, path, text);
}

static void act(const struct acted *p)
{
	char text[512], path[48];

	(void)snprintf(text, sizeof text, "%d (%s) %c %d 1 1 0 -1 0 %lu %lu 0 0 %lu %lu %lu %lu 20 0 %lu 0 %lu "
		       "10485760 %lu 1 1 2 %lu 4 5 0 0 0 0 0 0 0 17 1 0 0 0 0 0\n", (int)p->pid, p->name ? p->name : "work",
		       p->state ? p->state : 'S', (int)p->parent, p->faults, p->child_faults, p->user, p->system,
		       p->child_user, p->child_system, p->threads ? p->threads : 1,
		       p->start ? p->start : 1000, p->resident, p->stack);
	put(p->pid, "stat", text);
	(void)snprintf(text, sizeof text, "%d %lu %lu 1 0 90 0\n", p->no_memory ? 0 : 2560, p->resident, p->shared);
	put(p->pid, "statm", text);
	(void)snprintf(text, sizeof text, "rchar: %lu\nwchar: 2\nsyscr: 3\nsyscw: 4\nread_bytes: 0\nwrite_bytes: %lu\n",
		       p->read_chars, p->write_bytes);
	put(p->pid, "io", p->no_io ? NULL : text);
	put(p->pid, "smaps_rollup", p->rollup);
	(void)snprintf(text, sizeof text, "/usr/bin/%s", p->name ? p->name : "work");
	put(p->pid, "cmdline", text);
	(void)snprintf(path, sizeof path, "task/%d/children", (int)p->pid);
	put(p->pid, path, p->no_children_file ? NULL : p->children ? p->children : "");
}

static void end(pid_t pid)
{
	char path[48];

	put(pid, "stat", NULL);
	put(pid, "statm", NULL);
	put(pid, "io", NULL);
	(void)snprintf(path, sizeof path, "task/%d/children", (int)pid);
	put(pid, path, NULL);
}

static struct totals *tick(double seconds)
{
	f.now_ns += (int64_t)(seconds * 1e9);
	assert_int_equal(fixture_read(&f), 0);
	return &f.sample.total;
}

static struct tree *tree(void)
{
	return ((struct process *)f.state)->tree;
}

static int open_machine(void **state)
{
	(void)state;
	fixture_open(&f, "bare-metal");
	roots[0] = 500;
	options = (struct tree_options){ .roots = roots, .n_roots = 1, .pss = PSS_AUTO };
	f.setup.tree = &options;
	return 0;
}

static int close_machine(void **state)
{
	(void)state;
	fixture_close(&f);
	return 0;
}

static void start(void)
{
	assert_int_equal(fixture_start(&f, &collector_process), 0);
}

static void a_waited_child_is_counted_once(void **state)
{
	struct acted parent = { .pid = 500, .faults = 100, .user = 10, .child_user = 1000, .resident = PAGES,
				.read_chars = 5000 };
	struct acted child = { .pid = 501, .parent = 500, .faults = 200, .user = 40, .system = 10,
			       .start = 2000, .resident = PAGES, .read_chars = 300 };
	struct totals *t;

	(void)state;
	act(&parent);
	start();
	t = tick(1);
	assert_none(t->process_cpu_seconds);
	assert_near(t->process_count, 1);
	assert_near(t->process_rss_bytes, MIB);

	parent.children = "501 ";
	parent.user = 12;
	act(&parent);
	act(&child);
	t = tick(1);
	assert_near(t->process_count, 2);
	assert_near(t->process_children, 1);
	assert_near(t->process_cpu_seconds, 0.52);      /* the child's whole life */
	assert_near(t->process_cpu_user_seconds, 0.42);
	assert_near(t->process_cpu_cores, 0.52);
	assert_near(t->process_minor_faults, 200);
	assert_near(t->process_read_chars, 300);

	/* It used 6 ticks, 5 faults and 7 characters more before its end. */
	end(501);
	parent.children = "";
	parent.child_user += 45;
	parent.child_system += 11;
	parent.child_faults += 205;
	parent.read_chars += 307;
	act(&parent);
	t = tick(1);
	assert_near(t->process_count, 1);
	assert_near(t->process_children, 0);
	assert_near(t->process_cpu_seconds, 0.06);
	assert_near(t->process_minor_faults, 5);
	assert_near(t->process_read_chars, 7);
	assert_near(tick(1)->process_cpu_seconds, 0);
}

static void a_child_not_waited_for_keeps_its_last_reading(void **state)
{
	struct acted parent = { .pid = 500, .faults = 100, .children = "501 ", .read_chars = 1000 };
	struct acted child = { .pid = 501, .parent = 500, .faults = 200, .user = 40, .start = 2000, .read_chars = 300 };
	struct totals *t;

	(void)state;
	act(&parent);
	act(&child);
	start();
	(void)tick(1);
	child.user = 90;
	child.read_chars = 400;
	act(&child);
	assert_near(tick(1)->process_cpu_seconds, 0.5);

	end(501);
	parent.children = "";
	parent.user = 3;
	parent.read_chars = 1500;
	act(&parent);
	t = tick(1);
	assert_near(t->process_cpu_seconds, 0.03);      /* the parent's own, and no step back */
	assert_near(t->process_read_chars, 500);
	parent.user = 5;
	act(&parent);
	assert_near(tick(1)->process_cpu_seconds, 0.02);
}

static void a_fork_group_that_ends_at_once_counts_for_its_nearest_survivor(void **state)
{
	struct acted top = { .pid = 500, .faults = 100, .children = "501 " };
	struct acted middle = { .pid = 501, .parent = 500, .faults = 50, .user = 10, .start = 2000, .children = "502 " };
	struct acted low = { .pid = 502, .parent = 501, .faults = 70, .user = 200, .start = 3000 };

	(void)state;
	act(&top);
	act(&middle);
	act(&low);
	start();
	assert_near(tick(1)->process_count, 3);
	end(501);
	end(502);
	top.children = "";
	top.child_user = 214;
	top.child_faults = 125;
	act(&top);
	assert_near(tick(1)->process_cpu_seconds, 0.04);

	/* And reversed: the middle one was waited for, the low one was not. */
	top.children = "511 ";
	act(&top);
	middle.pid = 511;
	middle.children = "512 ";
	low.pid = 512;
	low.parent = 511;
	act(&middle);
	act(&low);
	assert_near(tick(1)->process_cpu_seconds, 2.1);
	end(511);
	end(512);
	top.children = "";
	top.child_user += 12;
	top.child_faults += 51;
	act(&top);
	assert_near(tick(1)->process_cpu_seconds, 0);   /* 2 ticks of the middle's last moments are lost */
	assert_near(tick(1)->process_cpu_seconds, 0);
}

static struct acted crowded;                    /* has `left` children, pids from 501 on */
static int left;
static bool ending;

static void crowd(void)
{
	static char children[64];

	children[0] = '\0';
	for (int i = 1; i <= left; i++)
		(void)snprintf(children + strlen(children), sizeof children - strlen(children), "%d ", 500 + i);
	crowded.children = children;
	act(&crowded);
}

static void end_last_of_the_crowd(void)
{
	if (left == 0)
		return;
	end(500 + left--);
	crowded.child_user += 20;
	crowded.child_faults += 30;
	crowd();
}

/* The clock is read as a pass begins, and each time a member is found to have ended. */
static int64_t clock_of_a_mass_exit(void *clock)
{
	if (ending)
		end_last_of_the_crowd();
	ending = true;
	return *(int64_t *)clock;
}

static void others_end_while_members_are_settled(void **state)
{
	(void)state;
	crowded = (struct acted){ .pid = 500, .faults = 100 };
	left = 9;
	for (int i = 1; i <= left; i++)
		act(&(struct acted){ .pid = 500 + i, .parent = 500, .faults = 30, .user = 20, .start = 2000 });
	crowd();
	start();
	assert_near(tick(1)->process_count, 10);

	int64_t (*clock)(void *) = f.source.monotonic_ns;

	f.source.monotonic_ns = clock_of_a_mass_exit;
	end_last_of_the_crowd();
	for (int passes = 0; left > 0; passes++) {
		assert_true(passes < 9);
		ending = false;
		assert_near(tick(1)->process_cpu_seconds, 0);
		assert_near(f.sample.total.process_minor_faults, 0);
	}
	f.source.monotonic_ns = clock;
	crowded.user += 100;
	crowd();
	assert_near(tick(1)->process_cpu_seconds, 1);
	assert_near(f.sample.total.process_count, 1);
}

/* Between EXIT_DEAD and release the parent possibly has its figures already. */
static void a_child_during_its_wait(void **state)
{
	struct acted parent = { .pid = 500, .faults = 100, .children = "501 " };
	struct acted child = { .pid = 501, .parent = 500, .faults = 70, .user = 200, .start = 2000 };

	(void)state;
	act(&parent);
	act(&child);
	start();
	assert_near(tick(1)->process_count, 2);
	child.state = 'X';
	act(&child);
	parent.user = 10;
	act(&parent);
	assert_near(tick(1)->process_cpu_seconds, 0.1);
	end(501);
	parent.child_user = 200;
	parent.child_faults = 70;
	parent.children = "";
	act(&parent);
	assert_near(tick(1)->process_cpu_seconds, 0);
	parent.user = 20;
	act(&parent);
	assert_near(tick(1)->process_cpu_seconds, 0.1);
}

static void a_recycled_pid_is_another_process(void **state)
{
	struct acted parent = { .pid = 500, .faults = 100, .children = "501 " };
	struct acted child = { .pid = 501, .parent = 500, .faults = 200, .user = 400, .start = 2000, .name = "old" };
	struct tree_exit ended;
	struct totals *t;

	(void)state;
	act(&parent);
	act(&child);
	start();
	(void)tick(1);
	child = (struct acted){ .pid = 501, .parent = 500, .faults = 10, .user = 7, .start = 9000, .name = "new" };
	act(&child);
	parent.child_user = 400;
	parent.child_faults = 200;
	act(&parent);
	t = tick(1);
	assert_near(t->process_count, 2);
	assert_near(t->process_cpu_seconds, 0.07);
	assert_true(tree_next_exit(tree(), &ended));
	assert_string_equal(ended.name, "old");
	assert_near(ended.start_seconds, 20);
	assert_near(ended.cpu_seconds, 4);
	assert_false(ended.exact);
	assert_false(tree_next_exit(tree(), &ended));

	/* Reused for a process outside of the tree. */
	child.start = 10000;
	child.parent = 1;
	act(&child);
	parent.children = "";
	act(&parent);
	t = tick(1);
	assert_near(t->process_count, 1);
	assert_near(t->process_cpu_seconds, 0);
}

static void unreadable_files_are_missing_and_counted(void **state)
{
	struct acted parent = { .pid = 500, .children = "501 ", .resident = PAGES, .read_chars = 100,
				.rollup = "Rss: 1024 kB\nPss: 512 kB\nPrivate_Dirty: 100 kB\n" };
	struct acted child = { .pid = 501, .parent = 500, .start = 2000, .resident = PAGES, .no_io = true };
	struct totals *t;

	(void)state;
	act(&parent);
	act(&child);
	start();
	t = tick(1);
	assert_near(t->process_unreadable, 1);
	assert_near(t->process_pss_bytes, 512 << 10);
	assert_near(t->process_uss_bytes, 100 << 10);
	assert_near(t->process_rss_bytes, 2 * MIB);
	parent.read_chars = 150;
	act(&parent);
	assert_near(tick(1)->process_read_chars, 50);
}

static void without_readable_files_nothing_is_reported(void **state)
{
	struct acted parent = { .pid = 500, .no_io = true };
	struct totals *t;

	(void)state;
	act(&parent);
	start();
	(void)tick(1);
	t = tick(1);
	assert_none(t->process_read_chars);
	assert_none(t->process_disk_write_bytes);
	assert_none(t->process_pss_bytes);
	assert_none(t->process_pss_age_seconds);
	assert_none(t->process_run_delay_seconds);
	assert_near(t->process_cpu_seconds, 0);
	assert_near(t->process_unreadable, 1);
}

static void pss_follows_rss_between_readings(void **state)
{
	struct acted p = { .pid = 500, .resident = 100 * PAGES, .shared = 40 * PAGES, .faults = 16384 * PAGES,
			   .stack = 999,
			   .rollup = "Rss: 102400 kB\nPss: 81920 kB\nPss_Anon: 61440 kB\nPss_File: 20480 kB\nAnonymous: 61440 kB\n" };
	struct totals *t;

	(void)state;
	act(&p);
	start();
	t = tick(1);
	assert_near(t->process_pss_bytes, 80 * MIB);
	assert_near(t->process_pss_age_seconds, 0);
	p.resident = 101 * PAGES - 1;                   /* too little for a new reading */
	act(&p);
	t = tick(1);
	assert_near(t->process_pss_bytes, 81 * MIB - 4096);
	assert_near(t->process_pss_age_seconds, 1);
	p.resident = 120 * PAGES;
	p.rollup = "Rss: 122880 kB\nPss: 92160 kB\nPss_Anon: 81920 kB\nPss_File: 10240 kB\nAnonymous: 81920 kB\n";
	act(&p);
	t = tick(1);
	assert_near(t->process_pss_bytes, 90 * MIB);
	assert_near(t->process_pss_age_seconds, 0);
	/* 16 GiB of small pages would take 140 ms, in which the process's own memory calls would wait. */
	p.resident = 16384 * PAGES;
	act(&p);
	t = tick(1);
	assert_near(t->process_pss_bytes, (16384 - 30) * (double)MIB);
	assert_near(t->process_pss_age_seconds, 1);
}

static void pss_always_and_never(void **state)
{
	struct acted p = { .pid = 500, .resident = 16384 * PAGES, .rollup = "Rss: 16777216 kB\nPss: 1024 kB\n" };

	(void)state;
	options.pss = PSS_ALWAYS;
	act(&p);
	start();
	assert_near(tick(1)->process_pss_bytes, MIB);
	p.rollup = "Rss: 16777216 kB\nPss: 2048 kB\n";
	act(&p);
	assert_near(tick(1)->process_pss_bytes, 2 * MIB);

	tree_close(tree());
	options.pss = PSS_NEVER;
	assert_int_equal(tree_open(&((struct process *)f.state)->tree, &f.source, &options, NULL), 0);
	assert_none(tick(1)->process_pss_bytes);
	assert_near(f.sample.total.process_rss_bytes, 16384 * (double)MIB);
}

static void without_children_files_proc_is_scanned(void **state)
{
	struct acted parent = { .pid = 500, .no_children_file = true };
	struct acted child = { .pid = 510, .parent = 505, .user = 30, .start = 2000, .no_children_file = true };
	struct acted between = { .pid = 505, .parent = 500, .user = 20, .start = 1500, .no_children_file = true };
	struct acted stranger = { .pid = 499, .parent = 1, .user = 20, .start = 900, .no_children_file = true };

	(void)state;
	act(&parent);
	act(&stranger);
	start();
	assert_near(tick(1)->process_count, 1);
	act(&child);
	act(&between);
	assert_near(tick(1)->process_count, 3);
	assert_near(f.sample.total.process_cpu_seconds, 0.5);
}

static void no_walk_while_the_fork_counter_is_unchanged(void **state)
{
	struct acted parent = { .pid = 500 };
	struct acted child = { .pid = 501, .parent = 500, .start = 2000 };

	(void)state;
	f.forks_since_boot = 77;
	act(&parent);
	start();
	assert_near(tick(1)->process_count, 1);
	parent.children = "501 ";
	act(&parent);
	act(&child);
	assert_near(tick(1)->process_count, 1);
	f.forks_since_boot = 78;
	assert_near(tick(1)->process_count, 2);
}

static void the_roots_alone(void **state)
{
	struct acted parent = { .pid = 500, .children = "501 ", .child_user = 100 };
	struct acted child = { .pid = 501, .parent = 500, .start = 2000 };

	(void)state;
	options.no_children = true;
	act(&parent);
	act(&child);
	start();
	assert_near(tick(1)->process_count, 1);
	parent.user = 5;
	parent.child_user = 200;
	act(&parent);
	assert_near(tick(1)->process_cpu_seconds, 0.05);
}

static const struct root_row *root_row(const char *key)
{
	size_t i = 0;

	while (i < f.sample.n_root && strcmp(f.sample.root[i].key, key) != 0)
		i++;
	if (i == f.sample.n_root)
		fail_msg("no row for root %s", key);
	return &f.sample.root[i];
}

static void each_root_has_its_own_row(void **state)
{
	struct acted outer = { .pid = 500, .children = "501 600 ", .name = "outer" };
	struct acted child = { .pid = 501, .parent = 500, .start = 2000, .resident = PAGES };
	struct acted inner = { .pid = 600, .parent = 500, .start = 3000, .faults = 10, .name = "inner", .resident = PAGES };

	(void)state;
	roots[0] = 600;                                 /* listed before its ancestor */
	roots[1] = 500;
	roots[2] = 600;
	options.n_roots = 3;
	act(&outer);
	act(&child);
	act(&inner);
	start();
	assert_near(tick(1)->process_count, 3);
	assert_int_equal(f.sample.n_root, 2);
	assert_near(root_row("500")->processes, 2);
	assert_near(root_row("600")->processes, 1);
	assert_string_equal(root_row("600")->command, "inner");

	inner.user = 50;
	child.user = 20;
	act(&inner);
	act(&child);
	assert_near(tick(1)->process_cpu_seconds, 0.7);
	assert_near(root_row("500")->cpu_seconds, 0.2);
	assert_near(root_row("600")->cpu_seconds, 0.5);

	/* The outer one waits for the inner one: the inner one's use stays in its own row. */
	end(600);
	outer.children = "501 ";
	outer.child_user = 55;
	outer.child_faults = 12;
	act(&outer);
	assert_near(tick(1)->process_cpu_seconds, 0.05);
	assert_near(root_row("600")->alive, 0);
	assert_near(root_row("600")->cpu_seconds, 0);
	assert_near(root_row("500")->alive, 1);
	assert_near(root_row("500")->cpu_seconds, 0.05);
	assert_int_equal(tree_alive(tree()), 2);
}

static void a_missing_root_is_refused(void **state)
{
	struct why why = { "" };
	struct tree *none = NULL;

	(void)state;
	assert_int_equal(tree_open(&none, &f.source, &options, &why), -ESRCH);
	assert_non_null(strstr(why.text, "500"));
	roots[0] = -1;
	assert_int_equal(tree_open(&none, &f.source, &options, &why), -ESRCH);
	options.n_roots = 0;
	assert_int_equal(tree_open(&none, &f.source, &options, &why), -EINVAL);
	assert_null(none);
}

static void a_zombie_is_reported_once_and_counts_until_it_is_gone(void **state)
{
	struct acted parent = { .pid = 500, .faults = 5, .children = "501 " };
	struct acted child = { .pid = 501, .parent = 500, .faults = 10, .user = 10, .start = 2000, .resident = PAGES };
	struct tree_exit ended;
	struct totals *t;

	(void)state;
	act(&parent);
	act(&child);
	start();
	(void)tick(1);
	child.state = 'Z';
	child.user = 30;
	child.resident = 0;
	act(&child);
	t = tick(1);
	assert_near(t->process_cpu_seconds, 0.2);
	assert_near(t->process_zombie, 1);
	assert_near(t->process_count, 1);
	assert_int_equal(tree_alive(tree()), 1);
	assert_true(tree_next_exit(tree(), &ended));
	assert_int_equal(ended.pid, 501);
	assert_near(ended.peak_rss_bytes, MIB);
	end(501);
	parent.children = "";
	parent.child_user = 30;
	parent.child_faults = 10;
	act(&parent);
	t = tick(1);
	assert_near(t->process_cpu_seconds, 0);
	assert_near(t->process_zombie, 0);
	assert_near(t->process_rss_bytes, 0);
	assert_false(tree_next_exit(tree(), &ended));

	/* Its use in its last interval was not read. */
	end(500);
	t = tick(1);
	assert_near(t->process_count, 0);
	assert_none(t->process_rss_bytes);
	assert_none(t->process_virtual_bytes);
	assert_none(t->process_pss_bytes);
}

static size_t program_at(const char *key)
{
	size_t i = 0;

	while (i < f.sample.n_program && strcmp(f.sample.program[i].key, key) != 0)
		i++;
	return i;
}

static const struct program_row *program_row(const char *key)
{
	size_t i = program_at(key);

	if (i == f.sample.n_program)
		fail_msg("no row for program %s", key);
	return &f.sample.program[i];
}

static void assert_no_memory(const struct totals *t)
{
	assert_none(t->process_rss_bytes);
	assert_none(t->process_virtual_bytes);
	assert_none(t->process_shared_bytes);
	assert_none(t->process_pss_bytes);
	assert_none(t->process_uss_bytes);
	assert_none(t->process_pss_lower_bytes);
	assert_none(t->process_pss_upper_bytes);
	assert_none(t->process_pss_age_seconds);
	assert_none(t->process_swap_bytes);
	assert_none(t->process_fds);
	for (size_t i = 0; i < f.sample.n_program; i++) {
		assert_none(f.sample.program[i].rss_bytes);
		assert_none(f.sample.program[i].pss_bytes);
	}
	for (size_t i = 0; i < f.sample.n_root; i++) {
		assert_none(f.sample.root[i].rss_bytes);
		assert_none(f.sample.root[i].pss_bytes);
	}
}

/* Regression: the last rows had 0 bytes, and charts had a slope down to it. */
static void memory_given_back_at_the_end_is_not_zero_bytes(void **state)
{
	struct acted parent = { .pid = 500, .name = "big", .user = 10, .children = "501 ", .resident = 9 * PAGES,
				.rollup = "Rss: 9216 kB\nPss: 8192 kB\nPrivate_Dirty: 100 kB\n" };
	struct acted child = { .pid = 501, .parent = 500, .name = "small", .user = 10, .start = 2000, .resident = PAGES,
			       .rollup = "Rss: 1024 kB\nPss: 512 kB\n" };
	struct totals *t;

	(void)state;
	act(&parent);
	act(&child);
	put(500, "status", "VmHWM:\t9216 kB\nVmSwap:\t64 kB\n");
	put(500, "fd/0", "");
	start();
	t = tick(1);
	assert_near(t->process_rss_bytes, 10 * MIB);
	assert_near(t->process_pss_bytes, 8704 << 10);
	assert_near(t->process_fds, 1);
	assert_near(t->process_swap_bytes, 64 << 10);

	/* exit_mm() of the larger one; the other has all memory of the tree. */
	parent.no_memory = true;
	parent.resident = 0;
	parent.user++;
	act(&parent);
	put(500, "status", "State:\tR (running)\n");
	t = tick(6);
	assert_near(t->process_count, 2);
	assert_near(t->process_rss_bytes, MIB);
	assert_near(t->process_pss_bytes, 512 << 10);
	assert_none(t->process_swap_bytes);
	assert_none(program_row("big")->rss_bytes);
	assert_none(program_row("big")->pss_bytes);
	assert_near(program_row("small")->rss_bytes, MIB);

	parent.state = 'Z';
	act(&parent);
	t = tick(1);
	assert_near(t->process_count, 1);
	assert_near(program_row("big")->rss_bytes, 0);  /* none of its processes is left, which is known */
	assert_near(program_row("big")->pss_bytes, 0);

	child.no_memory = true;
	child.resident = 0;
	child.user++;
	act(&child);
	put(501, "smaps_rollup", NULL);
	t = tick(1);
	assert_near(t->process_count, 1);
	assert_no_memory(t);
	child.state = 'Z';
	act(&child);
	t = tick(1);
	assert_near(t->process_zombie, 2);
	assert_no_memory(t);
	end(500);
	end(501);
	assert_no_memory(tick(1));
}

/* Regression: a process without its main thread had no memory and no descriptors. */
static void memory_is_read_from_a_thread_after_the_main_one_ended(void **state)
{
	struct acted p = { .pid = 500, .state = 'Z', .threads = 3, .no_memory = true, .user = 10 };
	struct totals *t;

	(void)state;
	act(&p);
	put(500, "task/500/stat", "500 (work) Z 1\n");
	put(500, "task/501/stat", "501 (dying) X 1 1 1 0 -1 4 0 0 0 0 0 0 0 0 20 0 3 0 1001 0 0 1 1 2 0 4 5\n");
	put(500, "task/502/stat", "502 (lives) R 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 3 0 1002 1 1 1 1 2 77 4 5\n");
	put(500, "task/502/statm", "2560 512 256 1 0 90 0\n");
	put(500, "task/502/smaps_rollup", "Rss: 2048 kB\nPss: 1536 kB\n");
	put(500, "task/502/status", "VmHWM:\t3072 kB\nVmSwap:\t64 kB\n");
	put(500, "task/502/cmdline", "/usr/bin/lives");
	put(500, "task/502/fd/0", "");
	put(500, "task/502/fd/1", "");
	start();
	t = tick(1);
	assert_near(t->process_count, 1);
	assert_near(t->process_zombie, 0);
	assert_near(t->process_running, 1);
	assert_near(t->process_rss_bytes, 2 * MIB);
	assert_near(t->process_virtual_bytes, 10 * MIB);
	assert_near(t->process_pss_bytes, 1536 << 10);
	assert_near(t->process_swap_bytes, 64 << 10);
	assert_near(t->process_peak_rss_bytes, 3 * MIB);
	assert_near(t->process_fds, 2);
	assert_string_equal(program_row("work")->command, "lives");
}

/* The kernel keeps one mark of a process.  One from before says nothing of the time since, unless it has risen. */
static void a_peak_from_before_the_baseline_does_not_count(void **state)
{
	struct acted p = { .pid = 500, .name = "part", .user = 10, .resident = 2 * PAGES };
	struct totals *t;

	(void)state;
	options.peaks_from_baseline = options.no_children = true;
	act(&p);
	put(500, "status", "VmHWM:\t9216 kB\n");
	start();
	t = tick(1);
	assert_near(t->process_peak_rss_bytes, 2 * MIB);
	assert_near(t->process_peak_rss_incomplete, 1);
	assert_near(program_row("part")->peak_rss_bytes, 2 * MIB);

	p.user += 10;
	p.faults += 4 * PAGES;
	p.resident = 3 * PAGES;
	act(&p);
	t = tick(6);
	assert_near(t->process_peak_rss_bytes, 3 * MIB);        /* seen */
	assert_near(t->process_peak_rss_incomplete, 1);

	p.user += 10;
	p.faults += 4 * PAGES;
	act(&p);
	put(500, "status", "VmHWM:\t11264 kB\n");
	t = tick(6);
	assert_near(t->process_peak_rss_bytes, 11 * MIB);
	assert_near(t->process_peak_rss_incomplete, 0);

	/* Another program in it has a mark of its own. */
	p.name = "next";
	p.user += 10;
	p.resident = PAGES;
	act(&p);
	put(500, "status", "VmHWM:\t4096 kB\n");
	t = tick(6);
	assert_near(program_row("next")->peak_rss_bytes, 4 * MIB);
}

/* Without children nothing that ended is missing: what the process has is its peak. */
static void a_peak_that_is_now_counts(void **state)
{
	struct acted p = { .pid = 500, .name = "part", .user = 10, .resident = 9 * PAGES };
	struct totals *t;

	(void)state;
	options.peaks_from_baseline = options.no_children = true;
	act(&p);
	put(500, "status", "VmHWM:\t9216 kB\n");
	start();
	t = tick(1);
	assert_near(t->process_peak_rss_bytes, 9 * MIB);
	assert_near(t->process_peak_rss_incomplete, 0);
}

static void the_ten_programs_that_used_most(void **state)
{
	struct acted parent = { .pid = 500, .name = "top", .children = "501 502 503 504 505 506 507 508 509 510 511 512 " };
	char name[16];

	(void)state;
	act(&parent);
	for (int i = 1; i <= 12; i++) {
		(void)snprintf(name, sizeof name, "job%d", i);
		act(&(struct acted){ .pid = 500 + i, .parent = 500, .start = 2000, .name = name, .faults = 1,
				     .resident = PAGES, .user = 1 });
	}
	start();
	(void)tick(1);
	for (int i = 1; i <= 12; i++) {
		(void)snprintf(name, sizeof name, "job%d", i);
		act(&(struct acted){ .pid = 500 + i, .parent = 500, .start = 2000, .name = name, .faults = 1,
				     .resident = PAGES, .user = 1 + 100 * (unsigned long)i, .write_bytes = 4096 });
	}
	(void)tick(1);
	assert_int_equal(f.sample.n_program, 11);
	assert_int_equal(program_at("job1"), f.sample.n_program);
	assert_int_equal(program_at("job2"), f.sample.n_program);
	assert_int_equal(program_at("top"), f.sample.n_program);
	assert_near(program_row("job12")->cpu_seconds, 12);
	assert_near(program_row("job12")->rss_bytes, MIB);
	assert_near(program_row("job12")->disk_write_bytes, 4096);
	assert_string_equal(program_row("job12")->command, "job12");
	assert_near(program_row("others")->cpu_seconds, 3);
	assert_near(program_row("others")->processes, 3);

	/* The output of a child that was waited for moves into its parent's figure, but not to the parent's program. */
	end(512);
	parent.children = "501 502 503 504 505 506 507 508 509 510 511 ";
	parent.child_faults = 1;
	parent.child_user = 1201;
	parent.write_bytes = 4096;
	act(&parent);
	assert_near(tick(1)->process_disk_write_bytes, 0);
	assert_near(program_row("job12")->processes, 0);
	assert_near(program_row("others")->disk_write_bytes, 0);
	assert_near(f.sample.total.process_cpu_seconds, 0);
}

/* Children of 1..30 ms, all waited for and seen to their end: the reported time never exceeds the true one. */
static void rounding_to_ticks_neither_adds_up_nor_steps_back(void **state)
{
	uint64_t remainder = 0, user = 0, ticks = 0, reported = 0;
	unsigned seed = 7;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		uint64_t lost[COUNTERS] = { 0 }, gain[APART] = { 0 }, kept[COUNTERS];

		seed = seed * 1103515245 + 12345;
		lost[CPU_NS] = 1000000 * (1 + seed / 65536 % 30) + seed % 1000;
		lost[MINOR_FAULTS] = gain[MINOR_FAULTS] = 50;
		user += lost[CPU_NS];
		gain[CPU_NS] = user / 10000000 * 10000000 - ticks;
		ticks += gain[CPU_NS];
		assert_true(settle_share(kept, lost, gain, &remainder, 10000000) == 0);
		assert_int_equal(kept[CPU_NS], 0);
		assert_true(ticks + remainder >= reported);
		reported = ticks + remainder;
		assert_true(reported <= user);
		assert_true(user - reported < 10000000);
	}
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_machine, close_machine)
	const struct CMUnitTest tests[] = {
		TEST(a_waited_child_is_counted_once),
		TEST(a_child_not_waited_for_keeps_its_last_reading),
		TEST(a_fork_group_that_ends_at_once_counts_for_its_nearest_survivor),
		TEST(others_end_while_members_are_settled),
		TEST(a_child_during_its_wait),
		TEST(a_recycled_pid_is_another_process),
		TEST(unreadable_files_are_missing_and_counted),
		TEST(without_readable_files_nothing_is_reported),
		TEST(pss_follows_rss_between_readings),
		TEST(pss_always_and_never),
		TEST(without_children_files_proc_is_scanned),
		TEST(no_walk_while_the_fork_counter_is_unchanged),
		TEST(the_roots_alone),
		TEST(each_root_has_its_own_row),
		TEST(a_missing_root_is_refused),
		TEST(a_zombie_is_reported_once_and_counts_until_it_is_gone),
		TEST(memory_given_back_at_the_end_is_not_zero_bytes),
		TEST(memory_is_read_from_a_thread_after_the_main_one_ended),
		TEST(a_peak_from_before_the_baseline_does_not_count),
		TEST(a_peak_that_is_now_counts),
		TEST(the_ten_programs_that_used_most),
		cmocka_unit_test(rounding_to_ticks_neither_adds_up_nor_steps_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
