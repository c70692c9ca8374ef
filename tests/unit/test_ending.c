/* test_ending.c - from evidence to a verdict, case by case, and evidence from captured control groups. */
#include "fixture.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "recorder/ending.h"

static const double MIB = 1 << 20;

struct given {
	enum run_end end;
	int value;
	double group_kills, group_kills_late, machine_kills, machine_kills_late, limit, limit_hits;
	bool no_group, no_machine;              /* the counters could not be read */
	double cpu, cpu_soft, cpu_hard, file_limit;     /* 0: none */
	double refused, tasks_limit, files, files_limit, address, address_limit;        /* MiB */
	int passed;
	bool late, terminal;
	const char *how;
	const char *full;
};

#define EXITED(code)   .end = RUN_EXITED, .value = (code)
#define KILLED(signal) .end = RUN_SIGNALED, .value = (signal)

static const struct {
	struct given given;
	const char *cause, *certainty, *text;
} cases[] = {
	/* A run that succeeded, or ended for a reason unknown to the recorder, needs no reason. */
	{ { EXITED(0) }, "", "", "" },
	{ { EXITED(0), .group_kills = 2, .group_kills_late = 2 }, "", "", "" },
	{ { .end = RUN_ROOTS_ENDED }, "", "", "" },
	{ { .end = RUN_STOPPED }, "", "", "" },
	{ { .end = RUN_RUNNING }, "", "", "" },

	/* SIGKILL, with every value of the counters. */
	{ { KILLED(SIGKILL), .group_kills = 1, .group_kills_late = 1, .machine_kills = 1, .machine_kills_late = 1,
	    .limit = 2048, .limit_hits = 7 },
	  "out_of_memory", "likely",
	  "killed by the kernel: out of memory in its control group (limit 2.00 GiB); at that time its group counts 1 such kill" },
	{ { KILLED(SIGKILL), .group_kills = 3, .group_kills_late = 2, .limit = 2048 },
	  "out_of_memory", "likely",
	  "killed by the kernel: out of memory on the machine or in a control group above (limit 2.00 GiB); at that time its group counts 2 such kills" },
	{ { KILLED(SIGKILL), .group_kills = 1, .group_kills_late = 1 },
	  "out_of_memory", "likely",
	  "killed by the kernel: out of memory on the machine: no control group of it has a limit; at that time its group counts 1 such kill" },
	{ { KILLED(SIGKILL) },
	  "killed", "likely", "SIGKILL sent by a process, of the job or another: the memory counters show no out-of-memory kill" },
	/* A kill of another job: the job's own group would count its own. */
	{ { KILLED(SIGKILL), .machine_kills = 1, .machine_kills_late = 1 },
	  "killed", "possible",
	  "SIGKILL sent by a process, of the job or another: its control group counts no out-of-memory kill at that time, the machine 1" },
	{ { KILLED(SIGKILL), .group_kills = 2, .limit = 2048, .limit_hits = 1 },
	  "killed", "likely",
	  "SIGKILL sent by a process, of the job or another: the memory counters show no out-of-memory kill at that time, but 2 earlier in the run" },
	{ { KILLED(SIGKILL), .no_group = true, .machine_kills = 1, .machine_kills_late = 1 },
	  "out_of_memory", "possible",
	  "perhaps killed by the kernel, for want of memory: at that time it killed 1 process somewhere on this machine" },
	{ { KILLED(SIGKILL), .no_group = true },
	  "killed", "likely", "SIGKILL sent by a process, of the job or another: the memory counters show no out-of-memory kill" },
	{ { KILLED(SIGKILL), .no_group = true, .no_machine = true },
	  "killed", "possible",
	  "by a process, of the job or another, or by the kernel for want of memory: no counter could be read" },
	/* `ulimit -t` sets both limits: the kernel kills at once, without SIGXCPU. */
	{ { KILLED(SIGKILL), .cpu = 5.004, .cpu_soft = 5, .cpu_hard = 5 },
	  "cpu_limit", "likely",
	  "killed by the kernel: its CPU time limit of 5.00s (RLIMIT_CPU, hard) was used up" },
	{ { KILLED(SIGKILL), .cpu = 4.4, .cpu_soft = 5, .cpu_hard = 5 }, "cpu_limit", "possible",
	  "perhaps killed by the kernel: of its CPU time limit of 5.00s (RLIMIT_CPU, hard) 4.40s had been used" },
	{ { KILLED(SIGKILL), .cpu = 2.4, .cpu_soft = 5, .cpu_hard = 5 },
	  "killed", "likely", "SIGKILL sent by a process, of the job or another: the memory counters show no out-of-memory kill" },

	/* Limits with signals of their own. */
	{ { KILLED(SIGXCPU), .cpu = 5.01, .cpu_soft = 6 },     /* raised one second before the limit */
	  "cpu_limit", "certain", "its limit of CPU time was used up: 5.00s (RLIMIT_CPU)" },
	{ { KILLED(SIGXCPU), .cpu = 0.5 },
	  "cpu_limit", "possible",
	  "its limit of CPU time was used up, according to the signal, but no such limit is visible" },
	{ { KILLED(SIGXFSZ), .file_limit = 1 },
	  "file_size_limit", "certain", "it wrote beyond its limit of file size: 1.00 MiB (RLIMIT_FSIZE)" },
	{ { KILLED(SIGXFSZ) },
	  "file_size_limit", "possible",
	  "it wrote beyond its limit of file size, according to the signal, but no such limit is visible" },

	/* Other signals. */
	{ { KILLED(SIGSEGV) }, "crashed", "likely",
	  "access to memory that is not its own; an overflow of the stack looks the same" },
	{ { KILLED(SIGPIPE) }, "signal", "likely", "it wrote to a pipe or socket after its reader was gone" },
	{ { KILLED(40) }, "signal", "likely", "" },
	{ { KILLED(SIGTERM) }, "signal", "likely", "asked to end" },
	{ { KILLED(SIGTERM), .passed = SIGTERM }, "asked", "certain",
	  "sent by process 77 ('slurm stepd') and passed on" },
	{ { KILLED(SIGTERM), .passed = SIGTERM, .late = true }, "asked", "likely",
	  "sent by process 77 ('slurm stepd') to the recorder, too" },
	{ { KILLED(SIGTERM), .passed = SIGTERM, .late = true, .how = " to all" }, "asked", "certain",
	  "sent by process 77 ('slurm stepd') to all" },
	{ { KILLED(SIGSEGV), .passed = SIGTERM }, "crashed", "likely",
	  "access to memory that is not its own; an overflow of the stack looks the same" },
	{ { KILLED(SIGINT), .terminal = true }, "interrupted", "certain", "^C, from the terminal" },
	{ { KILLED(SIGQUIT), .terminal = true }, "interrupted", "certain", "^\\, from the terminal" },
	{ { KILLED(SIGTERM), .terminal = true }, "signal", "likely", "asked to end" },

	/* Exit codes. */
	{ { EXITED(1) }, "failed", "certain", "" },
	{ { EXITED(124) }, "failed", "certain", "the status of timeout(1) after its time limit" },
	{ { EXITED(125) }, "failed", "certain",
	  "the status of programs that start another one, for a failure of their own" },
	{ { EXITED(126) }, "failed", "certain", "a shell's status for a command that cannot be executed" },
	{ { EXITED(127) }, "failed", "certain",
	  "a shell's status for a command that is not found; also for a missing library" },
	{ { EXITED(128) }, "failed", "certain", "" },
	{ { EXITED(130) }, "signal_below", "likely",
	  "128 + 2 is a shell's status for a command killed by SIGINT (interrupted, as by ^C)" },
	{ { EXITED(130), .terminal = true }, "interrupted", "likely",
	  "128 + 2 is a shell's status for a command killed by SIGINT (interrupted, as by ^C); after ^C or ^\\ from the terminal" },
	{ { EXITED(137) }, "signal_below", "likely",
	  "128 + 9 is a shell's status for a command killed by SIGKILL; the memory counters show no out-of-memory kill" },
	{ { EXITED(137), .machine_kills = 2, .machine_kills_late = 2 }, "signal_below", "likely",
	  "128 + 9 is a shell's status for a command killed by SIGKILL; its control group counts no out-of-memory kill at that time, the machine 2" },
	{ { EXITED(137), .group_kills = 1, .group_kills_late = 1, .limit = 512, .limit_hits = 3 },
	  "out_of_memory", "likely",
	  "128 + 9 is a shell's status for a command killed by SIGKILL; the kernel killed 1 process of its control group: out of memory in its control group (limit 512 MiB)" },
	{ { EXITED(137), .no_group = true, .no_machine = true }, "signal_below", "likely",
	  "128 + 9 is a shell's status for a command killed by SIGKILL" },
	{ { EXITED(139) }, "signal_below", "likely",
	  "128 + 11 is a shell's status for a command killed by SIGSEGV (access to memory that is not its own; an overflow of the stack looks the same)" },
	{ { EXITED(143), .passed = SIGTERM }, "asked", "likely",
	  "128 + 15 is a shell's status for a command killed by SIGTERM (asked to end); after SIGTERM sent by process 77 ('slurm stepd') and passed on" },
	{ { EXITED(255) }, "failed", "certain", "the status of ssh for a failure of its own, and of exit(-1)" },

	/* A child was killed for want of memory, and the command failed because of that, or possibly so. */
	{ { EXITED(1), .group_kills = 1, .group_kills_late = 1, .limit = 512, .limit_hits = 3 },
	  "out_of_memory", "likely",
	  "the kernel killed 1 process of its control group: out of memory in its control group (limit 512 MiB)" },
	{ { EXITED(1), .group_kills = 2, .limit = 512, .limit_hits = 3 },
	  "out_of_memory", "possible",
	  "the kernel killed 2 processes of its control group earlier in the run: out of memory in its control group (limit 512 MiB)" },
	{ { EXITED(1), .no_group = true, .machine_kills = 2, .machine_kills_late = 2 },
	  "out_of_memory", "possible",
	  "perhaps memory: at that time the kernel killed 2 processes somewhere on this machine for want of it" },
	{ { EXITED(1), .machine_kills = 2, .machine_kills_late = 2 }, "failed", "certain", "" },

	/* Limits that possibly had a part in it. */
	{ { EXITED(1), .refused = 1, .tasks_limit = 64 }, "failed", "certain",
	  "its control group refused 1 new process or thread (limit 64)" },
	{ { EXITED(1), .refused = 5 }, "failed", "certain",
	  "its control group refused 5 new processes or threads" },
	{ { EXITED(1), .files = 1000, .files_limit = 1024 }, "failed", "certain",
	  "it had 1000 of at most 1024 files open (RLIMIT_NOFILE)" },
	{ { EXITED(1), .files = 900, .files_limit = 1024 }, "failed", "certain", "" },
	{ { EXITED(1), .files = 900 }, "failed", "certain", "" },
	{ { EXITED(1), .address = 1900, .address_limit = 2048 }, "failed", "certain",
	  "its address space came to 1.86 GiB of 2.00 GiB (RLIMIT_AS)" },
	{ { EXITED(1), .address = 900, .address_limit = 2048 }, "failed", "certain", "" },
	{ { EXITED(1), .full = "/data/my disk" }, "failed", "certain",
	  "no space is left on the filesystem at '/data/my disk'" },
	{ { KILLED(SIGBUS), .full = "/dev/shm" }, "crashed", "likely",
	  "access to memory without storage behind it: a file that became shorter, a full /dev/shm; no space is left on the filesystem at /dev/shm" },
};

static struct ending_evidence evidence_of(const struct given *g)
{
	struct ending_evidence e = ending_nothing();

	e.end = g->end;
	e.value = g->value;
	e.group_kills = g->no_group ? NONE : g->group_kills;
	e.group_kills_late = g->no_group ? NONE : g->group_kills_late;
	e.machine_kills = g->no_machine ? NONE : g->machine_kills;
	e.machine_kills_late = g->no_machine ? NONE : g->machine_kills_late;
	e.memory_limit_bytes = g->limit > 0 ? g->limit * MIB : NONE;
	e.memory_limit_hits = g->limit_hits;
	e.cpu_seconds = g->cpu > 0 ? g->cpu : NONE;
	e.cpu_limit_seconds = g->cpu_soft > 0 ? g->cpu_soft : NONE;
	e.cpu_kill_seconds = g->cpu_hard > 0 ? g->cpu_hard : NONE;
	e.file_limit_bytes = g->file_limit > 0 ? g->file_limit * MIB : NONE;
	e.tasks_refused = g->refused;
	e.tasks_limit = g->tasks_limit > 0 ? g->tasks_limit : NONE;
	e.open_files = g->files > 0 ? g->files : NONE;
	e.open_files_limit = g->files_limit > 0 ? g->files_limit : NONE;
	e.address_bytes = g->address > 0 ? g->address * MIB : NONE;
	e.address_limit_bytes = g->address_limit > 0 ? g->address_limit * MIB : NONE;
	e.passed_signal = g->passed;
	e.passed_late = g->late;
	e.passed_how = g->how;
	e.passed_from = 77;
	(void)snprintf(e.passed_name, sizeof e.passed_name, "slurm stepd");
	e.terminal = g->terminal;
	(void)snprintf(e.full, sizeof e.full, "%s", g->full ? g->full : "");
	return e;
}

static void every_ending_has_its_reason(void **state)
{
	(void)state;
	for (size_t i = 0; i < countof(cases); i++) {
		struct ending_evidence e = evidence_of(&cases[i].given);
		struct run_reason reason;

		ending_judge(&reason, &e);
		if (strcmp(reason.cause, cases[i].cause) != 0 || strcmp(reason.certainty, cases[i].certainty) != 0 ||
		    strcmp(reason.text, cases[i].text) != 0)
			fail_msg("case %zu: %s, %s: '%s'\nexpected %s, %s: '%s'", i, reason.cause, reason.certainty,
				 reason.text, cases[i].cause, cases[i].certainty, cases[i].text);
	}
}

static void a_name_cannot_steer_or_overflow(void **state)
{
	struct ending_evidence e = ending_nothing();
	struct run_reason reason;

	(void)state;
	e.end = RUN_SIGNALED;
	e.value = e.passed_signal = SIGTERM;
	e.passed_from = 1;
	(void)snprintf(e.passed_name, sizeof e.passed_name, "a\033[2J\nb");
	memset(e.full, '\'', sizeof e.full - 1);
	ending_judge(&reason, &e);
	assert_null(strchr(reason.text, '\033'));
	assert_null(strchr(reason.text, '\n'));
	assert_true(strlen(reason.text) < sizeof reason.text);
}

/* A large process takes a while to end: the kill can stand some samples before the last. */
static void kills_of_the_last_seconds_are_late(void **state)
{
	struct ending_evidence e = ending_nothing();
	static const double kills[] = { 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0 };
	static const double late[] = { 0, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 0, 0, 1, 1, 1, 2, 2 };
	static struct sample s;

	(void)state;
	sample_clear(&s);
	ending_sample(&e, &s);
	assert_none(e.group_kills_late);                /* not reported so far */
	for (int i = 0; i < (int)countof(kills); i++) {
		s.monotonic_ns = i * NS_PER_SECOND;
		s.total.cgroup_oom_kills = kills[i];
		ending_sample(&e, &s);
		assert_near(e.group_kills_late, late[i]);
	}
	assert_none(e.machine_kills_late);
}

static void a_zombie_still_has_its_limits(void **state)
{
	struct ending_evidence e = ending_nothing();
	siginfo_t info;
	pid_t pid = fork();

	(void)state;
	if (pid == 0) {
		(void)setrlimit(RLIMIT_CPU, &(struct rlimit){ 70, 80 });
		(void)setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 77, 99 });
		(void)setrlimit(RLIMIT_AS, &(struct rlimit){ 3000000000, RLIM_INFINITY });
		(void)setrlimit(RLIMIT_FSIZE, &(struct rlimit){ 4096, RLIM_INFINITY });
		for (volatile unsigned i = 0; i < 20000000; i++)
			;
		_exit(0);
	}
	assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
	ending_observe(&e, pid);
	assert_near(e.cpu_limit_seconds, 70);
	assert_near(e.cpu_kill_seconds, 80);
	assert_near(e.file_limit_bytes, 4096);
	assert_near(e.open_files_limit, 77);
	assert_near(e.address_limit_bytes, 3e9);
	assert_true(e.cpu_seconds > 0.001 && e.cpu_seconds < 60);
	assert_int_equal(waitpid(pid, NULL, 0), pid);

	e = ending_nothing();
	ending_observe(&e, pid);                        /* reaped: nothing is known of it */
	assert_none(e.cpu_seconds);
	assert_none(e.cpu_limit_seconds);
}

/* The run of a captured machine's two frames, as the session passes it. */
static void judge_fixture(struct run_reason *ret, const char *machine, pid_t pid, struct run_status status,
			  const char *file, const char *text)
{
	struct ending_evidence e = ending_nothing();
	struct aggregate *whole = aggregate_open();
	struct fixture f;

	fixture_open(&f, machine);
	f.setup.pid = pid;
	assert_int_equal(fixture_start(&f, &collector_cgroup), 0);
	for (int frame = 0; frame < 2; frame++) {
		if (frame == 1)
			fixture_turn(&f, 1, 1);
		if (frame == 1 && file)
			fixture_write(&f, file, text);
		assert_int_equal(fixture_read(&f), 0);
		ending_sample(&e, &f.sample);
		aggregate_add(whole, &f.sample);
	}
	ending_count(&e, &status, whole, &f.source);
	ending_judge(ret, &e);
	aggregate_close(whole);
	fixture_close(&f);
}

static void evidence_from_control_groups(void **state)
{
	struct run_status killed = { .end = RUN_SIGNALED, .value = SIGKILL }, one = { .end = RUN_EXITED, .value = 1 };
	struct run_reason reason;

	(void)state;
	/* Version 2, memory.events; the limit is that of the slice above. */
	judge_fixture(&reason, "vm", 4711, killed, NULL, NULL);
	assert_string_equal(reason.text, "killed by the kernel: out of memory in its control group (limit 4.00 GiB); at "
					 "that time its group counts 1 such kill; its control group refused 7 new "
					 "processes or threads (limit 512)");
	/* Version 2, memory.events.local. */
	judge_fixture(&reason, "container-v2", 0, one, NULL, NULL);
	assert_string_equal(reason.text, "the kernel killed 2 processes of its control group: out of memory in its "
					 "control group (limit 1.00 GiB)");
	/* Version 1, memory.oom_control. */
	judge_fixture(&reason, "container-v1", 0, killed, NULL, NULL);
	assert_string_equal(reason.text, "killed by the kernel: out of memory in its control group (limit 2.00 GiB); at "
					 "that time its group counts 1 such kill; its control group refused 3 new "
					 "processes or threads");
	judge_fixture(&reason, "container-v1", 0, killed, "sys/fs/cgroup/memory/memory.oom_control",
		      "oom_kill_disable 0\nunder_oom 0\noom_kill 0\n");
	assert_string_equal(reason.cause, "killed");
	/* The root of version 1 has no oom_kill on old kernels, and the machine's counter was not read here. */
	judge_fixture(&reason, "no-pressure", 0, killed, NULL, NULL);
	assert_string_equal(reason.certainty, "possible");
	assert_string_equal(reason.cause, "killed");
	/* pids.max, in both versions. */
	judge_fixture(&reason, "vm", 4711, one, "sys/fs/cgroup/batch.slice/job-17.service/memory.events", "oom_kill 1\n");
	assert_string_equal(reason.text, "its control group refused 7 new processes or threads (limit 512)");
	judge_fixture(&reason, "container-v1", 0, one, "sys/fs/cgroup/memory/memory.oom_control", "oom_kill 0\n");
	assert_string_equal(reason.text, "its control group refused 3 new processes or threads");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_ending_has_its_reason),
		cmocka_unit_test(a_name_cannot_steer_or_overflow),
		cmocka_unit_test(kills_of_the_last_seconds_are_late),
		cmocka_unit_test(a_zombie_still_has_its_limits),
		cmocka_unit_test(evidence_from_control_groups),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
