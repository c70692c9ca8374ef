/* session_record.c - one of the records of a run. */
#include "session_record.h"

#include <string.h>
#include <time.h>

enum { ENDING_SECONDS = 5 };                    /* for a program between the close of its input and its end */

bool session_record_put(void *context, const char *line, size_t n, bool needed)
{
	struct session_record *r = context;

	if (needed)
		return output_put_needed(r->output, line, n);
	output_put(r->output, line, n);
	return true;
}

/* Before the next line that the output accepts, a line with the number of lines lost here. */
bool session_record_put_to_feed(void *context, const char *line, size_t n, bool needed)
{
	struct session_record *r = context;
	uint64_t lost = output_dropped(r->output);

	if (lost > r->lost_reported) {
		struct buffer line_of_lost = { 0 };

		record_lost_line(&line_of_lost, *r->seconds, lost - r->lost_reported);
		if (!line_of_lost.failed && output_put_needed(r->output, line_of_lost.at, line_of_lost.len))
			r->lost_reported = lost;
		buffer_release(&line_of_lost);
	}
	return session_record_put(context, line, n, needed);
}

static void set_reader_gone(struct session_record *feed)
{
	(void)why_set(&feed->trouble, 0, "the feed to %s ended before the run: nothing reads it any more", feed->name);
}

/*
 * The kernel closes the descriptors of a process that ends before it can be waited for, on a busy machine long before:
 * how it ended says more.
 */
static bool reader_can_be_ending(struct session_record *feed)
{
	double now = seconds_now();

	if (feed->gone_seconds == 0)
		feed->gone_seconds = now;
	return feed->is_program && now - feed->gone_seconds < ENDING_SECONDS;
}

/*
 * Keeps the output open until the run is over: if its thread ended, the kernel would make a running program a child of
 * the first thread, like an orphan of the command.
 */
void session_record_poll(struct session_record *feed)
{
	struct why how;

	if (!feed->writer)
		return;
	if (feed->is_program && atomic_load(&feed->program.pid) > 0 && feed_program_ended(&feed->program, &how))
		(void)why_set(&feed->trouble, 0, "the feed to %s ended before the run: it %s", feed->name,
			      how.text[0] ? how.text : "ended");
	else if (output_reader_gone(feed->output) && !reader_can_be_ending(feed))
		set_reader_gone(feed);
	else
		return;
	record_close(feed->writer);
	feed->writer = NULL;
}

void session_record_end(struct session_record *record, const struct session_end *end, const struct aggregate *whole)
{
	record_last_minute(record->writer, end->moments, end->n_moments);
	record_regions(record->writer, end->regions);
	record_programs(record->writer, end->programs);
	record_finish(record->writer, end->status, whole);
	record_close(record->writer);
	record->writer = NULL;
}

double seconds_now(void)
{
	struct timespec now = { 0 };

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void session_record_close(struct session_record *feed, bool written, double until)
{
	static const struct timespec little = { .tv_nsec = 1000000 };
	struct output_end end = { 0 };
	double left = until - seconds_now();
	uint64_t lost = output_close(feed->output, left > 0 ? left : 0, &end);
	struct why how = { "" };
	bool ended = !feed->is_program;

	feed->output = NULL;
	while (!ended && !(ended = feed_program_ended(&feed->program, &how)) && seconds_now() < until)
		(void)nanosleep(&little, NULL);
	if (!ended) {
		feed_program_ask_to_end(&feed->program);
		(void)why_set(&how, 0, "still ran when recording ended, and was asked to end");
	}
	if (!written)
		return;
	if (how.text[0])
		(void)why_set(&feed->trouble, 0, "the feed to %s: it %s", feed->name, how.text);
	else if (end.reader_gone && feed->is_program)
		set_reader_gone(feed);
	else if (end.failure.text[0] && !end.reader_gone)
		feed->trouble = end.failure;
	else if (lost > 0)
		(void)why_set(&feed->trouble, 0, "the feed to %s lost %llu lines: it was read too slowly", feed->name,
			      (unsigned long long)lost);
}
