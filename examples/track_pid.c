/* track_pid.c - what a process and its descendants use: track_pid PID [SAMPLES], JSON each second. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <resource_tracker.h>

int main(int argc, char **argv)
{
	const struct timespec second = { .tv_sec = 1 };
	struct rt_process_stats so_far = { .size = sizeof so_far };
	struct rt_options options;
	struct rt_tracker *tracker;
	char reason[256];
	pid_t pid = argc > 1 ? (pid_t)strtol(argv[1], NULL, 10) : getpid();
	long samples = argc > 2 ? strtol(argv[2], NULL, 10) : 1;

	rt_options_init(&options, sizeof options);
	options.pids = &pid;
	options.n_pids = 1;
	options.interval_seconds = 1;
	if (rt_open(&tracker, &options, reason, sizeof reason) < 0) {
		fprintf(stderr, "track_pid: %s\n", reason);
		return 1;
	}
	rt_sample(tracker);
	while (samples-- > 0) {
		nanosleep(&second, NULL);
		rt_sample(tracker);
		if (rt_print_json(tracker, STDOUT_FILENO) < 0)
			break;
	}
	rt_close(tracker);

	/* Without a tracker: what it has used since it began. */
	if (rt_process_stats(pid, 1, &so_far) == 0)
		fprintf(stderr, "%d and %d descendants: %.2f s user, %.2f s system, %.1f MiB\n", (int)pid,
			so_far.children, so_far.user_seconds, so_far.system_seconds, so_far.pss_bytes / 1048576);
	return 0;
}
