/* sentinel_body.h - what the service Sentinel is sent: a run as it begins, and as it ends. */
#ifndef RT_SENTINEL_BODY_H
#define RT_SENTINEL_BODY_H

#include "../core/buffer.h"
#include "../core/devices.h"
#include "../readers/record_facts.h"
#include "sentinel_answer.h"

/*
 * The body of POST /runs: metadata that was given, the facts of host and cloud, null where they are unknown.  It has
 * the members that the service knows and no others, as it refuses those.
 */
void sentinel_write_begin(struct buffer *out, const struct record_facts *facts, const struct devices *devices);
/* How and when it ended, an object.  A run that was cut off has failed, and its exit code is unknown. */
void sentinel_write_end(struct buffer *out, const struct record_facts *facts);
/*
 * The body of POST /runs/ID/finish: this object, and where the rows are: `sent` objects; without any, none inline.
 */
void sentinel_write_finish(struct buffer *out, const char *end, size_t n, const struct sentinel_run *run,
			   uint64_t sent);

/* The same with rows, CSV, inline. */
void sentinel_write_inline(struct buffer *out, const char *end, size_t n, const struct buffer *rows);

/* The object of this number, from 0 on, within the place of the run: "ID/000000.csv.gz". */
void sentinel_write_name(struct buffer *out, const struct sentinel_run *run, uint64_t number);

#endif
