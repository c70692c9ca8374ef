/* session_regions.c - what the command tells of its regions, on its way into the record and the summary. */
#include "session_regions.h"

enum { LINES_MAX = 1000 };                      /* of a pass: they are not to push rows out of the record's queue */

void session_regions_offer(struct session_regions *s, bool wanted)
{
	char address[64];

	(void)unsetenv(RT_REGIONS_VARIABLE);
	if (!wanted || channel_open_memory(&s->channel) < 0)
		return;
	channel_address(address, sizeof address, &s->channel);
	(void)setenv(RT_REGIONS_VARIABLE, address, 1);
}

void session_regions_start(struct session_regions *s, const struct source *src)
{
	channel_start(&s->channel, src);
}

static void drain(struct session_regions *s, const struct source *src, struct record_writer *writer, bool last)
{
	struct region_event event;

	channel_drain(&s->channel, src, last);
	for (size_t n = 0; channel_next_event(&s->channel, &event); n++)
		if (writer && (n < LINES_MAX || event.unfinished))
			record_region(writer, &event);
}

void session_regions_drain(struct session_regions *s, const struct source *src, struct record_writer *writer)
{
	drain(s, src, writer, false);
}

void session_regions_finish(struct session_regions *s, const struct source *src, struct record_writer *writer)
{
	drain(s, src, writer, true);
	(void)!channel_totals(&s->totals, &s->channel, NULL);
}

void session_regions_close(struct session_regions *s)
{
	region_totals_release(&s->totals);
	channel_close(&s->channel);
}
