/* session_regions.h - what the command tells of its regions, on its way into the record and the summary. */
#ifndef RT_SESSION_REGIONS_H
#define RT_SESSION_REGIONS_H

#include "../regions/channel.h"
#include "../regions/line_file.h"
#include "record_writer.h"

struct session_regions {
	struct channel channel;
	struct line_file file;
	struct region_lines lines;
	struct record_writer *writer;           /* while it is drained; NULL: no record */
	size_t told;                            /* lines of this pass */
	struct region_totals totals;            /* after session_regions_finish */
};

/* Before the command is forked: makes the channel and names it in the environment; without one nothing is named. */
void session_regions_offer(struct session_regions *s, bool wanted);
/* Before the command execs. */
void session_regions_start(struct session_regions *s, const struct source *src);
/* All that is new goes into the record; writer: NULL: there is none. */
void session_regions_drain(struct session_regions *s, const struct source *src, struct record_writer *writer);
/* The same for the last time, and sums up. */
void session_regions_finish(struct session_regions *s, const struct source *src, struct record_writer *writer);
void session_regions_close(struct session_regions *s);

#endif
