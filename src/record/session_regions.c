/* session_regions.c - what the command tells of its regions, on its way into the record and the summary. */
#include "session_regions.h"

#define LINES_VARIABLE "RESOURCE_TRACKER_REGIONS"

enum { LINES_MAX = 1000 };                      /* of a pass: they are not to push rows out of the record's queue */

void session_regions_offer(struct session_regions *s, bool wanted)
{
	char address[64];

	(void)unsetenv(RT_REGIONS_VARIABLE);
	(void)unsetenv(LINES_VARIABLE);
	s->file.fd = -1;
	if (!wanted)
		return;
	if (channel_open_memory(&s->channel) == 0) {
		channel_address(address, sizeof address, &s->channel);
		(void)setenv(RT_REGIONS_VARIABLE, address, 1);
	}
	if (line_file_open(&s->file) == 0) {
		line_file_address(address, sizeof address, &s->file);
		(void)setenv(LINES_VARIABLE, address, 1);
	}
}

void session_regions_start(struct session_regions *s, const struct source *src)
{
	s->lines.first_ns = src->monotonic_ns(src->clock);
	channel_start(&s->channel, src);
}

static void tell(void *context, const struct region_event *event)
{
	struct session_regions *s = context;

	if (s->writer && (s->told++ < LINES_MAX || event->unfinished))
		record_region(s->writer, event);
}

static void drain(struct session_regions *s, const struct source *src, struct record_writer *writer, bool last)
{
	struct region_event event;

	s->writer = writer;
	s->told = 0;
	channel_drain(&s->channel, src, last);
	while (channel_next_event(&s->channel, &event))
		tell(s, &event);
	s->lines.now_ns = src->monotonic_ns(src->clock);
	s->lines.tell = tell;
	s->lines.context = s;
	line_file_read(&s->file, &s->lines, last);
	if (last)
		region_lines_end(&s->lines);
}

void session_regions_drain(struct session_regions *s, const struct source *src, struct record_writer *writer)
{
	drain(s, src, writer, false);
}

void session_regions_finish(struct session_regions *s, const struct source *src, struct record_writer *writer)
{
	drain(s, src, writer, true);
	(void)!channel_totals(&s->totals, &s->channel, &s->lines.sums);
}

void session_regions_close(struct session_regions *s)
{
	region_totals_release(&s->totals);
	region_lines_release(&s->lines);
	line_file_close(&s->file);
	channel_close(&s->channel);
}
