/* ending_words.c - usual meanings of signals and exit codes, in plain words. */
#include "ending_words.h"

#include <signal.h>

#include "../core/base.h"

const char *ending_signal_meaning(int signal)
{
	static const struct { int signal; const char *meaning; } meanings[] = {
		{ SIGHUP, "its terminal or session was closed" },
		{ SIGINT, "interrupted, as by ^C" },
		{ SIGQUIT, "asked to quit, as by ^\\" },
		{ SIGILL, "an instruction that this CPU does not have: a program built for another CPU, or damaged" },
		{ SIGTRAP, "a trap without a debugger: a failed check of the program itself" },
		{ SIGABRT, "it gave up itself by abort(): a failed assertion, damaged heap or uncaught exception" },
		{ SIGBUS, "access to memory without storage behind it: a file that became shorter, a full /dev/shm" },
		{ SIGFPE, "impossible arithmetic, such as a whole number divided by zero" },
		{ SIGKILL, "killed without warning" },
		{ SIGUSR1, "a signal that the program did not expect" },
		{ SIGSEGV, "access to memory that is not its own; an overflow of the stack looks the same" },
		{ SIGUSR2, "a signal that the program did not expect" },
		{ SIGPIPE, "it wrote to a pipe or socket after its reader was gone" },
		{ SIGALRM, "a timer of its own ran out" },
		{ SIGTERM, "asked to end" },
		{ SIGXCPU, "its limit of CPU time was used up" },
		{ SIGXFSZ, "it wrote beyond its limit of file size" },
		{ SIGVTALRM, "a timer of its own ran out" },
		{ SIGPROF, "a timer of its own ran out" },
		{ SIGSYS, "a system call that is forbidden here (seccomp)" },
	};

	for (size_t i = 0; i < countof(meanings); i++)
		if (meanings[i].signal == signal)
			return meanings[i].meaning;
	return NULL;
}

const char *ending_code_meaning(int code)
{
	switch (code) {
	case 124: return "the status of timeout(1) after its time limit";
	case 125: return "the status of programs that start another one, for a failure of their own";
	case 126: return "a shell's status for a command that cannot be executed";
	case 127: return "a shell's status for a command that is not found; also for a missing library";
	case 255: return "the status of ssh for a failure of its own, and of exit(-1)";
	default: return NULL;
	}
}
