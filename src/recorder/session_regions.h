/* session_regions.h - passes the command's regions on to the records and the summary. */
#ifndef RT_SESSION_REGIONS_H
#define RT_SESSION_REGIONS_H

#include "../regions/notifier.h"
#include "../regions/channel.h"
#include "../regions/line_file.h"
#include "../tree/tree.h"
#include "session_records.h"

/* Names the file that takes regions as lines; RT_REGION_VARIABLE is that of the C header. */
#define REGION_LINES_VARIABLE "RESOURCE_TRACKER_REGIONS"

/* The budget of readings between samples: one in every_ns, with a credit. */
struct reading_budget { int64_t next_ns, every_ns; };

struct session_regions {
	struct channel channel;
	struct memory_notes memory;             /* of programs, until the next reading of the tree */
	struct line_file file;
	struct region_lines lines;
	struct notifier notifier;
	bool notifier_armed, watch_armed;
	struct reading_budget budget;
	struct attribution attribution;
	double net_recv_bytes, net_sent_bytes, gpu_seconds;     /* sums over all samples; NONE: unknown */
	bool over;                              /* the command has ended */
	char died_in[REGION_PATH_SIZE];         /* the innermost region that was open at its end; "": none */
	struct session_records *records;        /* during drain; NULL: no records yet */
	size_t reported;                        /* lines in the records since reported_ns */
	int64_t reported_ns;
	uint64_t unreported;                    /* events without a line */
	struct region_totals totals;            /* after session_regions_finish */
};

/*
 * Call it before the fork, with *s zeroed: creates the channels and names them in the environment (wanted false:
 * removes the names).  Without memory for a channel it goes on without it, as the functions below.
 */
void session_regions_offer(struct session_regions *s, bool wanted);
/*
 * Call it before the command execs, after the baseline of its tree (NULL: none).  max_overhead: a part of a core; 0: no
 * limit.
 */
void session_regions_start(struct session_regions *s, const struct source *src, const struct tree *tree,
			   double max_overhead);

/*
 * The command did not end at once: enables its calls at the begin and end of regions.  Returns descriptors to poll,
 * which `s` owns; -1: none.
 */
void session_regions_listen(struct session_regions *s, int ret[2]);
/* Call it when one of them is readable: reads the tree's use now. */
void session_regions_called(struct session_regions *s, const struct source *src, struct tree *tree,
			    struct session_records *records);

/* The command has ended: a region that is still open is where it died. */
void session_regions_over(struct session_regions *s);

/*
 * Call it after the tree was read, between from_ns and now: writes the new region events to the records (NULL: none
 * yet), and attributes the tree's use to regions.  sample NULL: it was a poll between samples.
 */
void session_regions_reading(struct session_regions *s, const struct source *src, const struct tree *tree,
			     struct session_records *records, int64_t from_ns, const struct sample *sample);
/* The same for the last time; then fills s->totals, which stays empty without memory. */
void session_regions_finish(struct session_regions *s, const struct source *src, struct session_records *records);
void session_regions_close(struct session_regions *s);

#endif
