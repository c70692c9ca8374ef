/* ending.c - judges from evidence why a command ended. */
#include "ending.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "../text/human.h"
#include "ending_words.h"

enum { SHELL_SIGNAL = 128, SIGNALS_MAX = 64 };  /* a shell's status for a command killed by signal N: 128 + N */

struct verdict {
	const char *cause, *certainty;
	struct buffer text;
};

/* Sets the cause, unless one is set: later findings only add to the text. */
static void call_it(struct verdict *v, const char *cause, const char *certainty)
{
	if (v->cause)
		return;
	v->cause = cause;
	v->certainty = certainty;
}

static struct buffer *clause(struct verdict *v)
{
	if (v->text.len > 0)
		buffer_text(&v->text, "; ");
	return &v->text;
}

/*
 * The kernel checks RLIMIT_CPU against time counted in ticks, our clock counts nanoseconds: on a busy machine the two
 * differ by ten percent and more.
 */
static const double CPU_USED_UP = 0.9, CPU_PERHAPS = 0.5;
static const double NEAR_LIMIT = 0.9;           /* for limits that only samples are compared with */

/* ---- memory ------------------------------------------------------------------------------ */

/* A group counts each kill in it, whichever limit was hit; only hits of its own limit show that it was this one. */
static void where_memory_ran_out(struct buffer *text, const struct ending_evidence *e)
{
	if (is_none(e->memory_limit_bytes)) {
		buffer_text(text, "out of memory on the machine: no control group of it has a limit");
		return;
	}
	buffer_text(text, e->memory_limit_hits > 0
			  ? "out of memory in its control group (limit "
			  : "out of memory on the machine or in a control group above (limit ");
	human_bytes(text, e->memory_limit_bytes);
	buffer_char(text, ')');
}

/* A killed process can be in another group than the command, if the job created one or moved there. */
static bool killed_elsewhere(const struct ending_evidence *e)
{
	return !is_none(e->group_kills) && !(e->group_kills_late > 0) && e->machine_kills_late > 0;
}

static void no_memory_kill(struct buffer *text, const struct ending_evidence *e)
{
	if (killed_elsewhere(e)) {
		buffer_format(text, "its control group counts no out-of-memory kill at that time, the machine %.0f",
			      e->machine_kills_late);
		return;
	}

	double earlier = is_none(e->group_kills) ? e->machine_kills : e->group_kills;

	buffer_text(text, "the memory counters show no out-of-memory kill");
	if (earlier > 0) {
		buffer_text(text, " at that time, but ");
		buffer_format(text, "%.0f earlier in the run", earlier);
	}
}

/* A SIGKILL of the command itself. */
static void judge_kill(struct verdict *v, const struct ending_evidence *e)
{
	struct buffer *text = clause(v);

	if (e->cpu_seconds >= CPU_USED_UP * e->cpu_kill_seconds ||
	    (e->cpu_seconds >= CPU_PERHAPS * e->cpu_kill_seconds && !(e->group_kills_late > 0))) {
		bool used_up = e->cpu_seconds >= CPU_USED_UP * e->cpu_kill_seconds;

		call_it(v, "cpu_limit", used_up ? "likely" : "possible");
		buffer_text(text, used_up ? "killed by the kernel: its CPU time limit of "
					  : "perhaps killed by the kernel: of its CPU time limit of ");
		human_seconds(text, e->cpu_kill_seconds);
		buffer_text(text, " (RLIMIT_CPU, hard) ");
		if (!used_up)
			human_seconds(text, e->cpu_seconds);
		buffer_text(text, used_up ? "was used up" : " had been used");
	} else if (e->group_kills_late > 0) {
		call_it(v, "out_of_memory", "likely");
		buffer_text(text, "killed by the kernel: ");
		where_memory_ran_out(text, e);
		buffer_text(text, "; at that time its group counts ");
		human_count(text, e->group_kills_late, "such kill", "such kills");
	} else if (is_none(e->group_kills) && e->machine_kills_late > 0) {
		call_it(v, "out_of_memory", "possible");
		buffer_text(text, "perhaps killed by the kernel, for want of memory: at that time it killed ");
		human_count(text, e->machine_kills_late, "process", "processes");
		buffer_text(text, " somewhere on this machine");
	} else if (is_none(e->group_kills) && is_none(e->machine_kills)) {
		call_it(v, "killed", "possible");
		buffer_text(text, "by a process, of the job or another, or by the kernel for want of memory: "
			    "no counter could be read");
	} else {
		call_it(v, "killed", killed_elsewhere(e) ? "possible" : "likely");
		/* The sender is unknown, and can be the command: the kernel names it only to a signal handler. */
		buffer_text(text, "SIGKILL sent by a process, of the job or another: ");
		no_memory_kill(text, e);
	}
}

/* Out-of-memory kills of other processes in the job's group; the command itself exited, perhaps with a shell's 137. */
static bool judge_kills_below(struct verdict *v, const struct ending_evidence *e, bool shell_says_kill)
{
	if (e->group_kills > 0) {
		struct buffer *text = clause(v);

		call_it(v, "out_of_memory", e->group_kills_late > 0 || shell_says_kill ? "likely" : "possible");
		buffer_text(text, "the kernel killed ");
		human_count(text, e->group_kills, "process", "processes");
		buffer_text(text, " of its control group");
		buffer_text(text, e->group_kills_late > 0 ? ": " : " earlier in the run: ");
		where_memory_ran_out(text, e);
		return true;
	}
	if (is_none(e->group_kills) && e->machine_kills_late > 0) {
		struct buffer *text = clause(v);

		call_it(v, "out_of_memory", "possible");
		buffer_text(text, "perhaps memory: at that time the kernel killed ");
		human_count(text, e->machine_kills_late, "process", "processes");
		buffer_text(text, " somewhere on this machine for want of it");
		return true;
	}
	return false;
}

/* ---- signals ----------------------------------------------------------------------------- */

static bool is_crash(int signal)
{
	static const int crashes[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS };

	for (size_t i = 0; i < countof(crashes); i++)
		if (signal == crashes[i])
			return true;
	return false;
}

static void name_sender(struct buffer *text, const struct ending_evidence *e)
{
	buffer_text(text, "sent by ");
	if (e->passed_from <= 0) {
		buffer_text(text, "a process of another PID namespace");
	} else {
		buffer_format(text, "process %d", (int)e->passed_from);
		if (e->passed_name[0]) {
			buffer_text(text, " (");
			human_word(text, e->passed_name, strlen(e->passed_name), true);
			buffer_char(text, ')');
		}
	}
	if (e->passed_how)
		buffer_text(text, e->passed_how);
	else
		buffer_text(text, e->passed_late ? " to the recorder, too" : " and passed on");
}

static void judge_limit_signal(struct verdict *v, const struct ending_evidence *e)
{
	bool cpu = e->value == SIGXCPU;
	/* The kernel raises the soft limit by 1 s as it sends the signal (check_process_timers, posix-cpu-timers.c). */
	double limit = cpu ? e->cpu_limit_seconds - 1 : e->file_limit_bytes;
	struct buffer *text = clause(v);

	call_it(v, cpu ? "cpu_limit" : "file_size_limit", is_none(limit) ? "possible" : "certain");
	buffer_text(text, ending_signal_meaning(e->value));
	if (is_none(limit)) {
		buffer_text(text, ", according to the signal, but no such limit is visible");
		return;
	}
	buffer_text(text, ": ");
	if (cpu)
		human_seconds(text, limit);
	else
		human_bytes(text, limit);
	buffer_text(text, cpu ? " (RLIMIT_CPU)" : " (RLIMIT_FSIZE)");
}

static void judge_signal(struct verdict *v, const struct ending_evidence *e)
{
	const char *meaning = ending_signal_meaning(e->value);

	if (e->passed_signal == e->value) {
		call_it(v, "asked", e->passed_late && !e->passed_how ? "likely" : "certain");
		name_sender(clause(v), e);
	} else if (e->terminal && (e->value == SIGINT || e->value == SIGQUIT)) {
		call_it(v, "interrupted", "certain");
		buffer_format(clause(v), "%s, from the terminal", e->value == SIGINT ? "^C" : "^\\");
	} else if (e->value == SIGKILL) {
		judge_kill(v, e);
	} else if (e->value == SIGXCPU || e->value == SIGXFSZ) {
		judge_limit_signal(v, e);
	} else {
		/* "likely": another process can send such a signal, but this is rare. */
		call_it(v, is_crash(e->value) ? "crashed" : "signal", "likely");
		if (meaning)
			buffer_text(clause(v), meaning);
	}
}

/* ---- exit codes -------------------------------------------------------------------------- */

static void judge_code(struct verdict *v, const struct ending_evidence *e)
{
	int signal = e->value - SHELL_SIGNAL;
	bool shell = signal > 0 && signal < SIGNALS_MAX && ending_signal_meaning(signal);
	const char *meaning = shell ? ending_signal_meaning(signal) : ending_code_meaning(e->value);

	if (shell) {
		struct buffer *text = clause(v);

		buffer_format(text, "128 + %d is a shell's status for a command killed by ", signal);
		human_signal(text, signal);
		if (signal != SIGKILL)
			buffer_format(text, " (%s)", meaning);
	} else if (meaning) {
		buffer_text(clause(v), meaning);
	}
	if (!judge_kills_below(v, e, shell && signal == SIGKILL) && shell && signal == SIGKILL &&
	    !(is_none(e->group_kills) && is_none(e->machine_kills)))
		no_memory_kill(clause(v), e);
	if (e->passed_signal > 0) {
		struct buffer *text = clause(v);

		call_it(v, "asked", "likely");
		buffer_text(text, "after ");
		human_signal(text, e->passed_signal);
		buffer_char(text, ' ');
		name_sender(text, e);
	} else if (e->terminal) {
		call_it(v, "interrupted", "likely");
		buffer_text(clause(v), "after ^C or ^\\ from the terminal");
	}
	call_it(v, shell ? "signal_below" : "failed", shell ? "likely" : "certain");
}

/* ---- limits that are only possible causes ------------------------------------------------- */

static void add_hints(struct verdict *v, const struct ending_evidence *e)
{
	if (e->tasks_refused > 0) {
		struct buffer *text = clause(v);

		buffer_text(text, "its control group refused ");
		human_count(text, e->tasks_refused, "new process or thread", "new processes or threads");
		if (!is_none(e->tasks_limit))
			buffer_format(text, " (limit %.0f)", e->tasks_limit);
	}
	if (e->open_files >= NEAR_LIMIT * e->open_files_limit)
		buffer_format(clause(v), "it had %.0f of at most %.0f files open (RLIMIT_NOFILE)", e->open_files,
			      e->open_files_limit);
	if (e->address_bytes >= NEAR_LIMIT * e->address_limit_bytes) {
		struct buffer *text = clause(v);

		buffer_text(text, "its address space came to ");
		human_bytes(text, e->address_bytes);
		buffer_text(text, " of ");
		human_bytes(text, e->address_limit_bytes);
		buffer_text(text, " (RLIMIT_AS)");
	}
	if (e->full[0]) {
		struct buffer *text = clause(v);

		buffer_text(text, "no space is left on the filesystem at ");
		human_word(text, e->full, strlen(e->full), true);
	}
}

void ending_judge(struct run_reason *ret, const struct ending_evidence *e)
{
	struct verdict v = { 0 };
	bool failed = e->end == RUN_SIGNALED || (e->end == RUN_EXITED && e->value != 0);

	*ret = (struct run_reason){ 0 };
	if (!failed)
		return;
	if (e->end == RUN_SIGNALED)
		judge_signal(&v, e);
	else
		judge_code(&v, e);
	add_hints(&v, e);

	size_t n = v.text.failed ? 0 : size_min(v.text.len, sizeof ret->text - 1);

	memcpy(ret->cause, v.cause, size_min(strlen(v.cause), sizeof ret->cause - 1));
	memcpy(ret->certainty, v.certainty, size_min(strlen(v.certainty), sizeof ret->certainty - 1));
	memcpy(ret->text, v.text.at ? v.text.at : "", n);
	buffer_release(&v.text);
}

void ending_died_in(struct run_reason *r, const char *path)
{
	size_t n = strlen(r->text);

	(void)snprintf(r->text + n, sizeof r->text - n, "%sdied in region %s", n > 0 ? "; " : "", path);
}
