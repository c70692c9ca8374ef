/* test_proc_parse.c - the files of one process: as the kernel writes them, and malformed. */
#include "fixture.h"

#include <stdio.h>
#include <string.h>

#include "kernel/proc_parse.h"

#define TEXT(literal) literal, sizeof literal - 1

static const char stat_tail[] =
	" S 41 42 43 34816 44 4194304 100 2000 3 4 50 60 700 800 20 0 7 0 123456 10485760 300 "
	"18446744073709551615 1 2 3 4 5 0 0 0 0 0 0 0 17 1 0 0 99 0 0 1 2 3 4 5 6 7 0\n";

static void check_stat(const char *name)
{
	struct proc_stat p;
	char text[512];

	(void)snprintf(text, sizeof text, "42 (%s)%s", name, stat_tail);
	assert_int_equal(proc_parse_stat(&p, text, strlen(text)), 0);
	assert_string_equal(p.comm, name);
	assert_int_equal(p.state, 'S');
	assert_int_equal(p.parent, 41);
	assert_false(p.ending);
	assert_int_equal(p.minor_faults, 100);
	assert_int_equal(p.child_minor_faults, 2000);
	assert_int_equal(p.major_faults, 3);
	assert_int_equal(p.child_major_faults, 4);
	assert_int_equal(p.user, 50);
	assert_int_equal(p.system, 60);
	assert_int_equal(p.child_user, 700);
	assert_int_equal(p.child_system, 800);
	assert_int_equal(p.threads, 7);
	assert_int_equal(p.start, 123456);
	assert_int_equal(p.virtual_bytes, 10485760);
	assert_int_equal(p.rss, 300);
	assert_int_equal(proc_block_delay(text, strlen(text)), 99);
}

static void a_name_of_any_characters(void **state)
{
	(void)state;
	check_stat("sh");
	check_stat("");
	check_stat("a b) c (d");
	check_stat(") R 1 1 1");
	check_stat("two\nlines");
	check_stat("))))");
}

static void a_process_during_its_exit(void **state)
{
	/* Read from a child between its last perf event and its state as a zombie. */
	static const char text[] = "7 (a b) c) R 1 7 7 0 -1 4194380 13 0 0 0 0 0 0 0 20 0 1 0 1499008 0 0 0\n";
	struct proc_stat p;

	(void)state;
	assert_int_equal(proc_parse_stat(&p, TEXT(text)), 0);
	assert_true(p.ending);
	assert_int_equal(p.state, 'R');
}

static void a_parent_that_ignores_sigchld(void **state)
{
	/* SIGHUP and SIGPIPE are 1 and 13, SIGCHLD is 17. */
	static const char hup_and_pipe[] = "7 (a) S 1 7 7 0 -1 0 1 0 0 0 0 0 0 0 20 0 1 0 5 1 1 1 1 1 9 9 9 65536 65536 4097 65536 0\n";
	static const char chld[] = "7 (a) S 1 7 7 0 -1 0 1 0 0 0 0 0 0 0 20 0 1 0 5 1 1 1 1 1 9 9 9 0 0 69632 0 0\n";
	struct proc_stat p;

	(void)state;
	assert_int_equal(proc_parse_stat(&p, TEXT(hup_and_pipe)), 0);
	assert_int_equal(p.stack, 9);
	assert_false(p.ignores_children);
	assert_int_equal(proc_parse_stat(&p, TEXT(chld)), 0);
	assert_true(p.ignores_children);
}

static void an_old_or_broken_stat(void **state)
{
	struct proc_stat p = { .user = 5 };
	static const char old[] = "1 (init) S 0 1 1 0 -1 0 1 2 3 4 5 6 -7 8 20 0 1 0 9 1000 -1\n";

	(void)state;
	assert_int_equal(proc_parse_stat(&p, TEXT("")), -EBADMSG);
	assert_int_equal(proc_parse_stat(&p, TEXT("1 (sh")), -EBADMSG);
	assert_int_equal(proc_parse_stat(&p, TEXT(") 1 (")), -EBADMSG);
	assert_int_equal(proc_parse_stat(&p, TEXT("1 (sh) S 1 1 1\n")), -EBADMSG);
	assert_int_equal(proc_parse_stat(&p, TEXT("1 (sh) S -3 1 1 0 -1 0 1 2 3 4 5 6 7 8 20 0 1 0 9 1 1\n")),
			 -EBADMSG);
	assert_int_equal(p.user, 5);                    /* unchanged */
	assert_int_equal(proc_parse_stat(&p, TEXT(old)), 0);
	assert_int_equal(p.child_user, 0);              /* signed in the text, never negative here */
	assert_int_equal(p.rss, 0);
	assert_int_equal(proc_block_delay(TEXT(old)), 0);
	assert_int_equal(proc_block_delay(TEXT("1 (sh")), 0);
	assert_int_equal(proc_block_delay(TEXT("")), 0);
}

static void the_other_files(void **state)
{
	struct proc_statm m;
	struct proc_io io;
	struct proc_status s;
	struct proc_rollup r;
	struct proc_schedstat sched;

	(void)state;
	assert_int_equal(proc_parse_statm(&m, TEXT("1000 300 200 1 0 90 0\n")), 0);
	assert_int_equal(m.resident, 300);
	assert_int_equal(m.shared, 200);
	assert_int_equal(proc_parse_statm(&m, TEXT("1000 300")), -EBADMSG);

	assert_int_equal(proc_parse_io(&io, TEXT("rchar: 1\nwchar: 2\nsyscr: 3\nsyscw: 4\nread_bytes: 5\n"
						 "write_bytes: 6\ncancelled_write_bytes: 7\n")), 0);
	assert_int_equal(io.read_chars, 1);
	assert_int_equal(io.write_calls, 4);
	assert_int_equal(io.write_bytes, 6);
	assert_int_equal(io.cancelled_write_bytes, 7);
	assert_int_equal(proc_parse_io(&io, TEXT("")), -EBADMSG);

	assert_int_equal(proc_parse_status(&s, TEXT("Name:\tsh\nVmHWM:\t   20 kB\nVmSwap:\t  4 kB\n"
						    "voluntary_ctxt_switches:\t7\n"
						    "nonvoluntary_ctxt_switches:\t8\n")), 0);
	assert_true(s.has_memory && s.has_switches);
	assert_int_equal(s.peak_rss_bytes, 20480);
	assert_int_equal(s.swap_bytes, 4096);
	assert_int_equal(s.involuntary, 8);
	assert_int_equal(proc_parse_status(&s, TEXT("voluntary_ctxt_switches:\t7\n")), 0);
	assert_false(s.has_memory);
	assert_int_equal(proc_parse_status(&s, TEXT("Name:\tVmHWM: 7 kB\n")), -EBADMSG);

	assert_int_equal(proc_parse_rollup(&r, TEXT("5-7 ---p 0 00:00 0    [rollup]\nRss: 100 kB\nPss: 60 kB\n"
						    "Pss_Anon: 1 kB\nPrivate_Clean: 4 kB\nPrivate_Dirty: 5 kB\n")), 0);
	assert_int_equal(r.pss_bytes, 61440);
	assert_int_equal(r.uss_bytes, 9216);
	assert_int_equal(proc_parse_rollup(&r, TEXT("")), -EBADMSG);

	assert_int_equal(proc_parse_schedstat(&sched, TEXT("123 456 7\n")), 0);
	assert_int_equal(sched.ran_ns, 123);
	assert_int_equal(sched.delay_ns, 456);
	assert_int_equal(proc_parse_schedstat(&sched, TEXT("123\n")), -EBADMSG);
}

static void children_and_names(void **state)
{
	struct scan s = scan_of(TEXT("12 4567 8 "));
	pid_t pid;
	char name[8];

	(void)state;
	assert_true(proc_next_child(&s, &pid) && pid == 12);
	assert_true(proc_next_child(&s, &pid) && pid == 4567);
	assert_true(proc_next_child(&s, &pid) && pid == 8);
	assert_false(proc_next_child(&s, &pid));
	assert_true(proc_pid("77", &pid) && pid == 77);
	assert_false(proc_pid("77x", &pid));
	assert_false(proc_pid("self", &pid));
	assert_false(proc_pid("", &pid));
	assert_false(proc_pid("99999999999", &pid));

	proc_command(name, sizeof name, TEXT("/usr/bin/make\0-j8\0"));
	assert_string_equal(name, "make");
	proc_command(name, sizeof name, TEXT("/opt/my app/run\0x\0"));
	assert_string_equal(name, "run");
	proc_command(name, sizeof name, TEXT("nginx: worker process\0"));
	assert_string_equal(name, "nginx:");
	proc_command(name, sizeof name, TEXT(""));
	assert_string_equal(name, "");
	proc_command(name, sizeof name, TEXT("dir/\0"));
	assert_string_equal(name, "dir/");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_of_any_characters),
		cmocka_unit_test(a_process_during_its_exit),
		cmocka_unit_test(a_parent_that_ignores_sigchld),
		cmocka_unit_test(an_old_or_broken_stat),
		cmocka_unit_test(the_other_files),
		cmocka_unit_test(children_and_names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
