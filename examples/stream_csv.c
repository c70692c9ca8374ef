/*
 * stream_csv.c - CSV rows of a process (stream_csv PID [FILE]) or of the machine (stream_csv), until
 * the process ends or ^C.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include <resource_tracker.h>

static struct rt_stream *stream;

static void stop(int signal)
{
	(void)signal;
	rt_stream_stop(stream);
}

int main(int argc, char **argv)
{
	struct rt_stream_options options;
	char reason[256];
	int r;

	rt_stream_options_init(&options, sizeof options);
	options.interval_seconds = 0.2;
	options.output_path = argc > 2 ? argv[2] : NULL;
	if (argc > 1)
		r = rt_pid_tracker(&stream, (pid_t)strtol(argv[1], NULL, 10), &options, reason, sizeof reason);
	else
		r = rt_system_tracker(&stream, &options, reason, sizeof reason);
	if (r < 0) {
		fprintf(stderr, "stream_csv: %s\n", reason);
		return 1;
	}
	signal(SIGINT, stop);
	signal(SIGTERM, stop);
	r = rt_stream_run(stream);
	fprintf(stderr, "stream_csv: %s\n", rt_stream_status(stream) == RT_STREAM_EXITED ? "ended" : "stopped");
	rt_stream_close(stream);
	return r < 0;
}
