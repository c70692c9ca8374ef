/* recording_parts.h - what the readers of a recording's formats share. */
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

enum line_is { LINE_ROW, LINE_REGION, LINE_FINE, LINE_BAD };    /* FINE: understood, and nothing to tell */

struct recording {
	char *name;
	struct record_reader *record;           /* a run record; all below but facts and whole is of the others */

	struct record_source source;
	struct buffer ahead[LINES_AHEAD];       /* lines looked at before their time */
	size_t n_ahead, next_ahead;
	enum line_is (*read_line)(struct recording *r, struct word line);
	void *state;                            /* of the format */
	void (*close_state)(void *state);

	struct sample *sample;
	struct region_event region;             /* after LINE_REGION */
	double interval_seconds;                /* of the last row; NONE: not known as yet */
	int64_t last_wall_ns;                   /* of the last row; 0: there was none */
	size_t lines_left_out, rows;
	int error;                              /* -errno of reading */

	struct recording_facts facts;
	struct record_sentences notices, problems;
	struct aggregate *whole;
	pid_t pid;
};

/* The next line: those looked at ahead first.  1, 0 at the end, -errno. */
int recording_line(struct recording *r, struct word *ret) must_use;
/* The line so many after the current one, 0 to LINES_AHEAD - 1, which stays to be read.  false: there is none. */
bool recording_peek(struct recording *r, size_t ahead, struct word *ret);
/* The current line is the file's last and has no newline: it may have been cut off in its last number. */
bool recording_cut(const struct recording *r);
/* The row begins: an empty sample at this time, with the time since the row before.  false: no memory. */
bool recording_begin_row(struct recording *r, double unix_seconds, double interval_seconds);
void recording_set(void *row, const struct column *c, double value, double seconds);
void recording_notice(struct recording *r, const char *text);

/* Whether the file is one of these, from its first lines; then read_line is set.  0: it is not; 1; -errno. */
int recording_try_json(struct recording *r, struct why *why) must_use;
int recording_try_csv(struct recording *r, struct why *why) must_use;
int recording_try_events(struct recording *r, struct why *why) must_use;

#endif
