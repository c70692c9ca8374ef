/* digest.h - all of a recording that a summary, a comparison or an advice needs, in one reading. */
#ifndef RT_DIGEST_H
#define RT_DIGEST_H

#include "../readers/recording.h"
#include "../summary/summary.h"
#include "distribution.h"
#include "quantity.h"

struct digest {
	char *path;                             /* "-": stdin */
	struct recording *recording;
	const struct recording_facts *facts;
	const struct aggregate *whole;
	double seconds;                         /* from start to end */
	struct spark cpu, memory, rss;          /* memory: PSS, or the machine's */
	char cpu_source[16];
	char gpu_source[16], gpu_visible_by[32];        /* likewise */
	struct distribution *of;                /* by metric of TABLE_TOTAL: of levels; of amounts, per second */
	struct quantity_values values;
};

/* Somebody who wants more of the recording than a digest keeps: called at each item, with the recording at it. */
struct digest_watch {
	void (*item)(void *context, const struct recording *r, enum record_item item);
	void *context;
};

/* watch: NULL for nobody.  -errno with a sentence. */
int  digest_read(struct digest *ret, const char *path, const struct digest_watch *watch, struct why *why) must_use;
/* Of the run that is called so (history.h); place: where runs are looked for. */
int  digest_named(struct digest *ret, const char *name, const char *place, struct why *why) must_use;
void digest_release(struct digest *d);

/*
 * What a summary is written from.  Its notices (what could not be measured, then what could not be read) are memory
 * of the caller's, *ret_notices; the rest is the digest's.
 */
struct summary digest_summary(const struct digest *d, const char ***ret_notices);
/* The end summary. */
void digest_text(struct buffer *out, const struct digest *d, const struct summary_style *style);
/* One object, with a newline. */
void digest_json(struct buffer *out, const struct digest *d);
/* For a step summary of a CI, or a comment: GitHub's Markdown. */
void digest_markdown(struct buffer *out, const struct digest *d);

#endif
