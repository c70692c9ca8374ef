/*
 * summary.h - the end summary: what people read after a run.
 */
#ifndef RT_SUMMARY_H
#define RT_SUMMARY_H

#include "../core/aggregate.h"
#include "../core/buffer.h"
#include "../core/regions.h"
#include "../core/run.h"
#include "../core/why.h"
#include "../text/page.h"
#include "../text/spark.h"

struct summary {
	struct run run;
	struct run_status status;
	bool tracked;                           /* processes, even if the run does not say which */
	const struct aggregate *whole;
	struct spark cpu, memory, rss;          /* memory: PSS, or the machine's */
	char cpu_source[16];                    /* of the last sample; "": unknown */
	char gpu_source[16], gpu_visible_by[32];        /* process.gpu_source and the like, as last told */
	const struct moment *moments;           /* the last minute of a run that failed */
	size_t n_moments;
	const char *record_path;                /* NULL: none */
	const char *const *notices;             /* what could not be read, and why */
	size_t n_notices;
	struct region_totals regions;
};

/* From the terminal behind fd and the environment: NO_COLOR, TERM=dumb, COLUMNS, LC_ALL/LC_CTYPE/LANG. */
struct summary_style summary_style(int fd);
void summary_write(struct buffer *out, const struct summary *s, const struct summary_style *style);

#endif
