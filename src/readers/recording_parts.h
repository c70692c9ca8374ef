/* recording_parts.h - the state of a recording, shared by the readers of its formats. */
#ifndef RT_RECORDING_PARTS_H
#define RT_RECORDING_PARTS_H

#include "../core/buffer.h"
#include "../core/file_time.h"
#include "../core/json_read.h"
#include "columns.h"
#include "record_reader.h"
#include "record_sentences.h"
#include "record_source.h"
#include "recording_facts.h"

enum { LINES_AHEAD = 6 };

enum line_is { LINE_ROW, LINE_REGION, LINE_FINE, LINE_BAD };    /* FINE: valid, but not an item */

struct recording {
	char *name;
	struct record_reader *record;           /* of a run record; then only facts and whole below are used */

	struct record_source source;
	struct buffer ahead[LINES_AHEAD];       /* lines read ahead */
	size_t n_ahead, next_ahead;
	enum line_is (*read_line)(struct recording *r, struct word line);
	void *state;                            /* of the format's reader; freed by close_state */
	void (*close_state)(void *state);

	struct sample *sample;
	struct region_event region;             /* after LINE_REGION */
	double interval_seconds;                /* of the last row; NONE: unknown so far */
	int64_t last_wall_ns;                   /* of the last row; 0: no row so far */
	size_t lines_left_out, rows;
	int error;                              /* -errno of reading; 0: none */

	struct recording_facts facts;
	struct record_sentences notices, problems;
	struct aggregate *whole;
	pid_t pid;
};

/* The next line, first of those read ahead; valid until the next call.  1, 0 at the end, -errno. */
int recording_line(struct recording *r, struct word *ret) must_use;
/* A line ahead, 0 (the next) to LINES_AHEAD - 1, without taking it.  false: no such line. */
bool recording_peek(struct recording *r, size_t ahead, struct word *ret);
/* The current line is the file's last and has no newline, so its last number can be truncated. */
bool recording_cut(const struct recording *r);
/*
 * Begins a row: clears r->sample and sets its times.  interval_seconds NONE: the time since the row before.
 * false: no memory.
 */
bool recording_begin_row(struct recording *r, double unix_seconds, double interval_seconds);
/* Sets a metric of `row` (struct totals or a table's row).  seconds: the row's interval, NONE if unknown. */
void recording_set(void *row, const struct column *c, double value, double seconds);
void recording_notice(struct recording *r, const char *text);          /* copied */

/*
 * Whether the file has this format, from its first lines: 1, with read_line, state and facts.format set; 0: another
 * format, and no line was taken; -errno with a sentence.
 */
int recording_try_json(struct recording *r, struct why *why) must_use;
int recording_try_csv(struct recording *r, struct why *why) must_use;
int recording_try_events(struct recording *r, struct why *why) must_use;

#endif
