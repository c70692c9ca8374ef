/* session_samples.h - the samples as lines, for whoever asked for them: JSON or CSV, to a file, stdout or stderr. */
#ifndef RT_SESSION_SAMPLES_H
#define RT_SESSION_SAMPLES_H

#include "../core/sample_write.h"
#include "../record/destinations.h"

struct session_samples {
	struct output *output;                  /* NULL: nobody asked, or they are over */
	struct sample_writer *json;             /* NULL: CSV */
	enum csv_layout layout;
	bool header_written;
	struct buffer line;
};

/* As samples_destination. */
int  session_samples_open(struct session_samples *s, const struct options *o, struct why *why,
			  struct why *note) must_use;
void session_samples_write(struct session_samples *s, const struct sample *sample, const struct run *run);
void session_samples_close(struct session_samples *s);  /* the output is closed by then */

#endif
