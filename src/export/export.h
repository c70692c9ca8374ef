/*
 * export.h - a run in a form that other programs read: one writer for each form, each in a file of its own.
 *
 * A writer receives the run as a stream, in the order of the record: begin, then rows, each after the exits of
 * processes and the regions before it, then end.  Text goes into `out`, which is flushed as it grows; a form with a
 * file format of its own (SQLite) writes to `path` itself.  A writer's memory does not grow with the number of rows.
 */
#ifndef RT_EXPORT_H
#define RT_EXPORT_H

#include "../core/file_time.h"
#include "../core/sample_write.h"
#include "../readers/recording.h"

struct export {
	const char *name;                       /* of the run: its id, else the file's name */
	enum csv_layout layout;                 /* of a table; CSV_LAYOUTS: all columns */
	const char *input;                      /* the path of the run; "-": stdin */
	const char *path;                       /* of --output; NULL: stdout */
	const struct recording_facts *facts;    /* complete only at `end` */
	const struct aggregate *whole;          /* at `end` */
	const struct sample *sample, *maxima;   /* the row; maxima of its levels, NULL: the row is one sample */
	size_t samples;                         /* in the row */
	struct buffer out;
	/* Consumes `out`; `to` is its own context.  -errno with a sentence. */
	int  (*write)(void *to, const void *bytes, size_t n, struct why *why);
	void  *to;
	void *state;                            /* the writer's */
	struct why *why;
	const char *notice;                     /* a note for the user about the result; NULL: none */
};

/* Functions return 0, or -errno with a sentence.  NULL: the form does not need the event. */
struct export_form {
	const char *name, *help;
	bool several;                           /* it can hold several runs */
	bool own_file;                          /* it writes to `path` itself, which is required */
	int  (*begin)(struct export *e);
	int  (*row)(struct export *e);
	int  (*process)(struct export *e, const struct tree_exit *process);
	int  (*region)(struct export *e, const struct region_event *event);
	int  (*end)(struct export *e);
	void (*release)(struct export *e);      /* also after a failure */
};

extern const struct export_form export_csv, export_jsonl, export_sqlite, export_openmetrics, export_perfetto,
	export_events;

/* ---- shared by several writers -------------------------------------------------------------- */

/* Whether a table's rows are exported: all tables except the tracker's own collectors. */
static inline bool export_table(enum table t)
{
	return t != TABLE_TOTAL && t != TABLE_COLLECTOR;
}

/* Whether a metric is exported: counters since boot are not; their differences are metrics of their own. */
static inline bool export_metric(const struct metric *m)
{
	return m->kind != KIND_COUNTER;
}

/* The decimals for a value: the mean of whole numbers can have a fraction; trailing zeros are trimmed. */
static inline int export_decimals(const struct metric *m, double value)
{
	return m->decimals == 0 && floor(value) >= value ? 0 : m->decimals + 2;
}

/* The end of an event, in nanoseconds; an invalid duration counts as 0. */
static inline int64_t export_end_ns(int64_t start_ns, double seconds)
{
	return seconds > 0 ? start_ns + span_ns(seconds) : start_ns;
}

/* Passes `out` to `write`, and empties it, also after an error; flush: only if it is long enough, for a long end. */
int export_write(struct export *e) must_use;
int export_flush(struct export *e) must_use;

static inline int export_no_memory(struct export *e)
{
	return why_set(e->why, -ENOMEM, "out of memory");
}

#endif
