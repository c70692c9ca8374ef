/*
 * ending.h - why a command ended, judged from the kernel's counters, limits and the exit status.
 *
 * ending_judge is pure: evidence in, a verdict out.  The verdict names its certainty: for example, a parent cannot see
 * the sender of a SIGKILL, so "out of memory" is concluded from the kernel's counters of such kills.
 */
#ifndef RT_ENDING_H
#define RT_ENDING_H

#include <sys/signalfd.h>

#include "../core/aggregate.h"
#include "../core/buffer.h"
#include "../core/run.h"
#include "../core/source.h"

struct ending_evidence {
	enum run_end end;
	int    value;                           /* exit code, or signal number */

	/*
	 * The kernel's counts over the run; NONE: not read.  kills: out-of-memory kills; `late`: those of the last ten
	 * seconds.  Files: memory.events(.local), memory.oom_control, vmstat.
	 */
	double group_kills, group_kills_late, machine_kills, machine_kills_late;
	int64_t group_late_ns, machine_late_ns; /* time of the sample with the last kill */
	double memory_limit_bytes;              /* tightest limit of the group and those above; NONE: none known */
	double memory_limit_hits;               /* of the group's own limit */
	double tasks_limit, tasks_refused;      /* pids.max, pids.events */

	/* The command's own process at its end; NONE: unknown, or no limit. */
	double cpu_seconds;                     /* without its children, as RLIMIT_CPU counts */
	double cpu_limit_seconds, cpu_kill_seconds;     /* soft: SIGXCPU, hard: SIGKILL */
	double file_limit_bytes;                /* RLIMIT_FSIZE, soft */
	double address_limit_bytes, open_files_limit;   /* RLIMIT_AS, RLIMIT_NOFILE, soft */
	/* Maxima over the samples; NONE if the tree had other processes besides the command. */
	double address_bytes, open_files;

	int    passed_signal;                   /* last signal that was passed on to the command; 0: none */
	bool   passed_late;                     /* the command had ended by such a signal when the recorder got it */
	pid_t  passed_from;                     /* its sender; 0: in another PID namespace */
	char   passed_name[32];                 /* the sender's name; "": unknown */
	const char *passed_how;                 /* ends the sentence about it; NULL: as passed_late has it */
	bool   terminal;                        /* the terminal sent ^C or ^\ */
	char   full[128];                       /* mount point of a full filesystem that it used; "": none */
};

/* Evidence without any value, for the start of a run. */
struct ending_evidence ending_nothing(void);

/* Notes a signal to the recorder that is meant for the command.  src: NULL: the name of its sender stays unknown. */
void ending_passed(struct ending_evidence *e, const struct source *src, const struct signalfd_siginfo *info);
void ending_sample(struct ending_evidence *e, const struct sample *s);  /* call it for each sample, in order */
/*
 * Reads CPU time and limits of the command after its end, before it is reaped; else they stay.
 * clock_getcpuclockid(3), prlimit(2)
 */
void ending_observe(struct ending_evidence *e, pid_t zombie);
/* Takes the exit status and the counts of the run; after a failure also looks for a full filesystem. */
void ending_count(struct ending_evidence *e, const struct run_status *status, const struct aggregate *whole,
		  const struct source *src);

/* All of `ret` is "" after a success.  ret->text is "" if it would only repeat the status. */
void ending_judge(struct run_reason *ret, const struct ending_evidence *e);

/* Adds that this region was open when the command failed, cut to fit. */
void ending_died_in(struct run_reason *r, const char *path);

/*
 * ending_space.c: writes the mount point of a full filesystem with the working directory, stdout or stderr on it.
 * false: none is full.  Skips filesystems that can block.
 */
bool ending_full_filesystem(char *ret, size_t size, const struct source *src);

#endif
