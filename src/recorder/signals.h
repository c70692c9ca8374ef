/*
 * signals.h - signals as the wrapper sees them: what to pass on, what has arrived already, and
 * stopping together with the command.
 *
 * What the terminal sends (^C, ^\, ^Z) goes to the whole foreground process group, so the command
 * has it already; what a process sends to us is meant for the command.
 */
#ifndef RT_SIGNALS_H
#define RT_SIGNALS_H

#include <signal.h>
#include <sys/signalfd.h>

#include "child.h"

/*
 * Blocks what we handle and returns a signalfd for it, or -errno.  Resets an inherited SIG_IGN of
 * SIGCHLD (we must hear of children) and ignores SIGPIPE (a gone reader is an error to handle).
 * `inherited` is how it was before.
 */
int  signals_open(struct inherited_signals *inherited) must_use;

/* Did a process send it, rather than the kernel on behalf of the terminal, or for what we wrote beyond a limit? */
bool signal_from_process(const struct signalfd_siginfo *info);
/* Did the kernel send it because a ring is half full (kernel/sideband.h)?  Its number is what it should be sent by. */
bool signal_from_ring(const struct signalfd_siginfo *info);
int  signal_of_rings(void);
bool signal_ends_watching(const struct signalfd_siginfo *info);        /* INT, TERM, HUP, QUIT */

/* Sends the same signal, with its value if it has one. */
void signal_pass_on(pid_t pid, const struct signalfd_siginfo *info);

/*
 * The command was stopped by `signal`: stop as well, so that the shell notices and gives its prompt;
 * returns true after SIGCONT, which is used up by that: passed on late it would undo the next stop.
 * false: a command stopped by SIGSTOP in the background is left alone; whoever stopped it will continue
 * it, and would not know to continue us.
 */
bool signals_stop_with(int signal);

/* Ends this process by `signal`, without a core file: a shell then stops its script as for the command. */
void signals_die_by(int signal);

#endif
