/*
 * ending.h - why a command ended, as far as what the kernel tells about it can say.
 *
 * ending_judge is pure: evidence in, a verdict out.  What cannot be proven is worded as what it is: a SIGKILL
 * has no sender that a parent could see, so "out of memory" rests on the kernel's counters of such kills.
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
	int    value;                           /* exit code, or the signal's number */

	/*
	 * What the kernel counted during the run; NONE: not read.  Kills for want of memory: `late` are those of
	 * the last ten seconds.  memory.events(.local), memory.oom_control, vmstat.
	 */
	double group_kills, group_kills_late, machine_kills, machine_kills_late;
	int64_t group_late_ns, machine_late_ns; /* when the last was seen */
	double memory_limit_bytes;              /* the tightest above the group; NONE: no limit, or not known */
	double memory_limit_hits;               /* of the group itself */
	double tasks_limit, tasks_refused;      /* pids.max, pids.events */

	/* The command's own process, as it was when it had ended; NONE: not known, or no limit. */
	double cpu_seconds;                     /* without its children: what RLIMIT_CPU is held against */
	double cpu_limit_seconds, cpu_kill_seconds;     /* soft: SIGXCPU, hard: SIGKILL */
	double file_limit_bytes;                /* RLIMIT_FSIZE, soft */
	double address_limit_bytes, open_files_limit;   /* RLIMIT_AS, RLIMIT_NOFILE, soft */
	/* The most that samples saw of it; NONE where the tree had more processes than the command. */
	double address_bytes, open_files;

	int    passed_signal;                   /* last one that a process sent us for the command; 0: none */
	pid_t  passed_from;
	char   passed_name[32];                 /* that process's; "": not known */
	bool   terminal;                        /* ^C or ^\ came from the terminal */
	char   full[128];                       /* a full filesystem that it worked on: its mount point; "": none */
};

/* Nothing known of a run that goes on. */
struct ending_evidence ending_nothing(void);

/* A signal that we pass on to the command.  src: NULL if there is none. */
void ending_passed(struct ending_evidence *e, const struct source *src, const struct signalfd_siginfo *info);
void ending_sample(struct ending_evidence *e, const struct sample *s);  /* every one, in its order */
/* A child that has ended and was not reaped yet: its own CPU time and its limits.  getrlimit(2), prlimit(2) */
void ending_observe(struct ending_evidence *e, pid_t zombie);
/* How it ended, and what was counted over the run; where that was no success, filesystems are looked at. */
void ending_count(struct ending_evidence *e, const struct run_status *status, const struct aggregate *whole,
		  const struct source *src);

/* ret->text is "" where there is nothing to say that the status does not. */
void ending_judge(struct run_reason *ret, const struct ending_evidence *e);

/* It failed, and this region was open as it did. */
void ending_died_in(struct run_reason *r, const char *path);

/*
 * ending_space.c: the mount point of a filesystem without room that the working directory, stdout or stderr
 * is on.  Filesystems that may block are not asked.
 */
bool ending_full_filesystem(char *ret, size_t size, const struct source *src);

#endif
