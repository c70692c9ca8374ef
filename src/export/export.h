/*
 * export.h - a run in a form that other programs read: one writer for each form, each in a file of its own.
 *
 * A writer gets the run as a stream, in the order of the record: begin, then rows with the ends of processes and the
 * regions before them, then end.  Text goes into `out`, which is taken away as it grows; a form with a file of its
 * own kind (SQLite) writes to `path` itself.  What a writer needs does not grow with the rows.
 */
#ifndef RT_EXPORT_H
#define RT_EXPORT_H

#include "../core/file_time.h"
#include "../core/sample_write.h"
#include "../readers/recording.h"

struct export {
	const char *name;                       /* of the run: its id, else its file's name */
	enum csv_layout layout;                 /* of a table; CSV_LAYOUTS: all columns */
	const char *path;                       /* of --output; NULL: stdout */
	const struct recording_facts *facts;    /* at `end` all of them are known */
	const struct aggregate *whole;          /* at `end` */
	const struct sample *sample, *maxima;   /* the row; maxima of its levels, NULL: it is one sample */
	size_t samples;                         /* in the row */
	struct buffer out;
	/* Takes `out` away: where to is its business.  -errno with a sentence. */
	int  (*write)(void *to, const void *bytes, size_t n, struct why *why);
	void  *to;
	void *state;                            /* the writer's */
	struct why *why;
	const char *notice;                     /* what the user should know of the result; NULL: nothing */
};

/* Functions return 0, or -errno with a sentence.  NULL: the form has nothing of it. */
struct export_form {
	const char *name, *help;
	bool several;                           /* runs in one file */
	bool own_file;                          /* writes to path itself, which has to be given */
	int  (*begin)(struct export *e);
	int  (*row)(struct export *e);
	int  (*process)(struct export *e, const struct tree_exit *process);
	int  (*region)(struct export *e, const struct region_event *event);
	int  (*end)(struct export *e);
	void (*release)(struct export *e);      /* also after a failure */
};

extern const struct export_form export_csv, export_jsonl, export_sqlite, export_openmetrics, export_perfetto,
	export_events;

/* ---- what several writers need --------------------------------------------------------------- */

/* Whether a table's rows are part of a run's rows: all but the tracker's own collectors. */
static inline bool export_table(enum table t)
{
	return t != TABLE_TOTAL && t != TABLE_COLLECTOR;
}

/* Whether rows have a value of it: what only grows since boot is told by what happened in between. */
static inline bool export_metric(const struct metric *m)
{
	return m->kind != KIND_COUNTER;
}

/* Means of whole numbers may stand between two; trimmed, a whole one is written as such. */
static inline int export_decimals(const struct metric *m, double value)
{
	return m->decimals == 0 && floor(value) >= value ? 0 : m->decimals + 2;
}

/* When something ended, in nanoseconds; a time that cannot be is none. */
static inline int64_t export_end_ns(int64_t start_ns, double seconds)
{
	return seconds > 0 ? start_ns + span_ns(seconds) : start_ns;
}

/* Hands `out` to `write`, and empties it; flush: once it is worth it, for writers whose end is long. */
int export_write(struct export *e) must_use;
int export_flush(struct export *e) must_use;

static inline int export_no_memory(struct export *e)
{
	return why_set(e->why, -ENOMEM, "out of memory");
}

#endif
