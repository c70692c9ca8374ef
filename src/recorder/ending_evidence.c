/* ending_evidence.c - gathers the evidence of why a command ended. */
#include "ending.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "../summary/summary_parts.h"
#include "ending_words.h"

static const int64_t LATE_NS = 10 * NS_PER_SECOND;

struct ending_evidence ending_nothing(void)
{
	return (struct ending_evidence){
		.group_kills = NONE, .group_kills_late = NONE, .machine_kills = NONE, .machine_kills_late = NONE,
		.memory_limit_bytes = NONE, .memory_limit_hits = NONE, .tasks_limit = NONE, .tasks_refused = NONE,
		.cpu_seconds = NONE, .cpu_limit_seconds = NONE, .cpu_kill_seconds = NONE, .file_limit_bytes = NONE,
		.address_limit_bytes = NONE, .open_files_limit = NONE, .address_bytes = NONE, .open_files = NONE,
	};
}

/* Reads the sender's name at once: the sender has often exited by the time the command ends. */
void ending_passed(struct ending_evidence *e, const struct source *src, const struct signalfd_siginfo *info)
{
	char path[32];

	if (!ending_signal_meaning((int)info->ssi_signo))       /* such as SIGWINCH, which ends no program */
		return;
	e->passed_signal = (int)info->ssi_signo;
	e->passed_from = (pid_t)info->ssi_pid;
	e->passed_name[0] = '\0';
	(void)snprintf(path, sizeof path, "%d/comm", (int)info->ssi_pid);
	if (src && info->ssi_pid > 0)
		(void)!source_read_line(e->passed_name, sizeof e->passed_name, src->proc, path);
}

static double limit_of(rlim_t limit)
{
	return limit == RLIM_INFINITY ? NONE : (double)limit;
}

void ending_observe(struct ending_evidence *e, pid_t zombie)
{
	struct timespec used;
	struct rlimit limit;
	clockid_t clock;

	if (clock_getcpuclockid(zombie, &clock) == 0 && clock_gettime(clock, &used) == 0)
		e->cpu_seconds = (double)used.tv_sec + (double)used.tv_nsec / 1e9;
	if (prlimit(zombie, RLIMIT_CPU, NULL, &limit) == 0) {
		e->cpu_limit_seconds = limit_of(limit.rlim_cur);
		e->cpu_kill_seconds = limit_of(limit.rlim_max);
	}
	if (prlimit(zombie, RLIMIT_FSIZE, NULL, &limit) == 0)
		e->file_limit_bytes = limit_of(limit.rlim_cur);
	if (prlimit(zombie, RLIMIT_AS, NULL, &limit) == 0)
		e->address_limit_bytes = limit_of(limit.rlim_cur);
	if (prlimit(zombie, RLIMIT_NOFILE, NULL, &limit) == 0)
		e->open_files_limit = limit_of(limit.rlim_cur);
}

/* A large process takes a while to exit, so its kill can be in an earlier sample than its end. */
static void note_kills(double *late, int64_t *late_ns, double kills, int64_t now_ns)
{
	if (is_none(kills))
		return;
	if (is_none(*late) || now_ns - *late_ns > LATE_NS)
		*late = 0;
	if (kills > 0)
		*late_ns = now_ns;
	*late += kills;
}

void ending_sample(struct ending_evidence *e, const struct sample *s)
{
	note_kills(&e->group_kills_late, &e->group_late_ns, s->total.cgroup_oom_kills, s->monotonic_ns);
	note_kills(&e->machine_kills_late, &e->machine_late_ns, s->total.memory_oom_kills, s->monotonic_ns);
}

void ending_count(struct ending_evidence *e, const struct run_status *status, const struct aggregate *whole,
		  const struct source *src)
{
	e->end = status->end;
	e->value = status->value;
	e->group_kills = summary_total(whole, METRIC_cgroup_oom_kills).sum;
	e->machine_kills = summary_total(whole, METRIC_memory_oom_kills).sum;
	e->memory_limit_bytes = summary_total(whole, METRIC_cgroup_memory_limit_bytes).last;
	e->memory_limit_hits = summary_total(whole, METRIC_cgroup_memory_max_events).sum;
	e->tasks_limit = summary_total(whole, METRIC_cgroup_pids_limit).last;
	e->tasks_refused = summary_total(whole, METRIC_cgroup_pids_refused).sum;
	if (summary_total(whole, METRIC_process_count).maximum <= 1) {
		e->address_bytes = summary_total(whole, METRIC_process_virtual_bytes).maximum;
		e->open_files = summary_total(whole, METRIC_process_fds).maximum;
	}
	if (e->end == RUN_SIGNALED || (e->end == RUN_EXITED && e->value != 0))
		(void)ending_full_filesystem(e->full, sizeof e->full, src);
}
