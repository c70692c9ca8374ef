/* session_samples.h - writes samples as lines of JSON or CSV, to a file, stdout or stderr. */
#ifndef RT_SESSION_SAMPLES_H
#define RT_SESSION_SAMPLES_H

#include "../core/sample_write.h"
#include "../record/destinations.h"

struct session_samples {
	struct output *output;                  /* NULL: not requested, or closed */
	struct sample_writer *json;             /* NULL: CSV */
	enum csv_layout layout;
	bool header_written;
	struct buffer line;
};

/* *s is zeroed.  Errors, `why` and `note` as in samples_destination. */
int  session_samples_open(struct session_samples *s, const struct options *o, struct why *why,
			  struct why *note) must_use;
void session_samples_write(struct session_samples *s, const struct sample *sample, const struct run *run);
void session_samples_close(struct session_samples *s);  /* after the caller has closed the output */

#endif
