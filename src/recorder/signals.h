/*
 * signals.h - signals to the recorder around a command: which of them to pass on, and stopping together with the
 * command.
 *
 * The terminal sends its signals (^C, ^\, ^Z) to the whole foreground process group, so the command gets them itself; a
 * signal that a process sends to the recorder is meant for the command.
 */
#ifndef RT_SIGNALS_H
#define RT_SIGNALS_H

#include <signal.h>
#include <sys/signalfd.h>

#include "child.h"

/*
 * Blocks the signals that the recorder handles and returns a signalfd for them, or -errno.  Resets an inherited SIG_IGN
 * of SIGCHLD, which would hide the ends of children, and ignores SIGPIPE: a reader that is gone is reported by EPIPE.
 * `inherited` gets the mask and dispositions from before, after an error too.
 */
int  signals_open(struct inherited_signals *inherited) must_use;

/* Whether a process sent it; false: the kernel did, for the terminal or for a write of ours beyond a limit. */
bool signal_from_process(const struct signalfd_siginfo *info);
/* Whether the kernel sent it because a ring of perf records is half full (kernel/sideband.h). */
bool signal_from_ring(const struct signalfd_siginfo *info);
int  signal_of_rings(void);                     /* the signal number to use for that */
bool signal_ends_watching(const struct signalfd_siginfo *info); /* INT, TERM, HUP, QUIT */

/* Sends the same signal, with its value if it has one. */
void signal_pass_on(pid_t pid, const struct signalfd_siginfo *info);

/*
 * The command was stopped by `signal`: stops the recorder as well, so that the shell notices and prints its prompt.
 * Returns true after SIGCONT, which it consumes: passed on late it would undo the next stop.  Returns false at once if
 * the command was stopped by SIGSTOP in the background: the process that stopped it will continue it, but would not
 * continue the recorder.
 */
bool signals_stop_with(int signal);

/*
 * Ends this process by `signal`, without a core file, so that a shell stops its script as it would for the command.
 * Returns only if the signal ends no process.
 */
void signals_die_by(int signal);

#endif
