/* session_regions.h - what the command tells of its regions, on its way into the record and the summary. */
#ifndef RT_SESSION_REGIONS_H
#define RT_SESSION_REGIONS_H

#include "../regions/notifier.h"
#include "../regions/channel.h"
#include "../regions/line_file.h"
#include "../tree/tree.h"
#include "session_records.h"

/* Names the file that takes regions as lines; RT_REGION_VARIABLE is that of the C header. */
#define REGION_LINES_VARIABLE "RESOURCE_TRACKER_REGIONS"

/* So many readings between samples: one in every_ns, with a credit. */
struct reading_budget { int64_t next_ns, every_ns; };

struct session_regions {
	struct channel channel;
	struct memory_notes memory;              /* as programs told it, until the tree is read beside it */
	struct line_file file;
	struct region_lines lines;
	struct notifier notifier;
	bool notifier_armed, watch_armed;
	struct reading_budget budget;
	struct attribution attribution;
	double net_recv_bytes, net_sent_bytes, gpu_seconds;     /* of all samples so far; NONE: not known */
	bool over;                              /* the command has ended */
	char died_in[REGION_PATH_SIZE];         /* the innermost region that was open then; "": none */
	struct session_records *records;        /* while it is drained; NULL: before there are any */
	size_t reported;                            /* lines since reported_ns */
	int64_t reported_ns;
	uint64_t unreported;                        /* that had none */
	struct region_totals totals;            /* after session_regions_finish */
};

/* Before the command is forked: makes the channel and names it in the environment; without one nothing is named. */
void session_regions_offer(struct session_regions *s, bool wanted);
/* Before the command execs, after its tree's baseline (NULL: there is none).  max_overhead: of a core; 0: no limit. */
void session_regions_start(struct session_regions *s, const struct source *src, const struct tree *tree,
			   double max_overhead);

/* It lives longer than a moment: it may call us as a region begins or ends.  Descriptors to wait for, -1: none. */
void session_regions_listen(struct session_regions *s, int ret[2]);
/* One of them is readable: what the tree has used is read now. */
void session_regions_called(struct session_regions *s, const struct source *src, struct tree *tree,
			    struct session_records *records);

/* The command has ended: what is open from now on, it died in. */
void session_regions_over(struct session_regions *s);

/*
 * The tree has been read, from from_ns until now: what regions have told meanwhile goes into the records (NULL: there
 * are none yet), and what the tree used to them.  sample: NULL: it was a look between samples.
 */
void session_regions_reading(struct session_regions *s, const struct source *src, const struct tree *tree,
			     struct session_records *records, int64_t from_ns, const struct sample *sample);
/* The same for the last time, and sums up. */
void session_regions_finish(struct session_regions *s, const struct source *src, struct session_records *records);
void session_regions_close(struct session_regions *s);

#endif
