/*
 * digest.h - the data of a recording that a summary, a comparison or an advice needs, in one pass.
 *
 * The digest keeps the recording open: `facts` and `whole` belong to it, and are valid until digest_release.
 */
#ifndef RT_DIGEST_H
#define RT_DIGEST_H

#include "../core/devices.h"
#include "../readers/recording.h"
#include "../summary/summary.h"
#include "distribution.h"
#include "past_run.h"
#include "../summary/quantity.h"

struct digest {
	char *path;                             /* "-": stdin */
	struct recording *recording;
	const struct recording_facts *facts;
	enum run_state state;                   /* STATE_RUNNING included; STATE_COUNT: the format has no end */
	const struct aggregate *whole;
	double seconds;                         /* from start to end */
	struct spark cpu, memory, rss;          /* memory: PSS, or the machine's */
	char cpu_source[16];                    /* "": unknown, as the next two */
	char gpu_source[16], gpu_visible_by[32];        /* as last reported */
	struct distribution *of;                /* by metric of TABLE_TOTAL, in its unit; amounts per second */
	struct quantity_values values;
	struct devices devices;                 /* of the machine; from its rows */
	const struct run_cost *cost;            /* NULL: unknown; the caller sets it, and it is the caller's */
	struct buffer ends;                     /* the text behind a recording of header and end alone */
};

/* Receives items that a digest does not keep: called at each item, with the recording positioned at it. */
struct digest_watch {
	void (*item)(void *context, const struct recording *r, enum record_item item);
	void *context;
};

/*
 * path: "-" is stdin.  watch: can be NULL.  -errno with a sentence if it cannot be read; -EBADMSG: it is broken, or has
 * no sample.  A record that was cut off is read as far as it goes: facts->problems says what is missing.  A terminal at
 * stderr gets the progress.
 */
int  digest_read(struct digest *ret, const char *path, const struct digest_watch *watch, struct why *why) must_use;
/*
 * The same from a record's header and end alone, if it has an end: without its rows, exits, single regions and devices.
 * Of the percentiles those of the outline's quantities are known, over its points.  path: a regular file.
 */
int  digest_read_ends(struct digest *ret, const char *path, struct why *why) must_use;
/* As digest_read for the run of this name (history.h); place: the folder of runs.  -ENOENT: there is no such run. */
int  digest_named(struct digest *ret, const char *name, const char *place, struct why *why) must_use;
void digest_release(struct digest *d);

/*
 * The input of a summary.  The caller frees the array of notices (first what could not be measured, then what could
 * not be read), *ret_notices, NULL if memory is short; the rest belongs to the digest.
 */
struct summary digest_summary(const struct digest *d, const char ***ret_notices);
/* Writes the end summary.  All append; errors are those of the buffer. */
void digest_text(struct buffer *out, const struct digest *d, const struct summary_style *style);
/* Writes one object and a newline. */
void digest_json(struct buffer *out, const struct digest *d);
/* Writes GitHub's Markdown, for a step summary of a CI, or a comment. */
void digest_markdown(struct buffer *out, const struct digest *d);
/* Writes a table of which program started which, or a sentence if the recording does not contain it. */
void digest_programs(struct buffer *out, const struct digest *d);
/* Writes a line by a template (text/template.h). */
void digest_template(struct buffer *out, const struct digest *d, const char *template);

#endif
