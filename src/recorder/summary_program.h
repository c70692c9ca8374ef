/*
 * summary_program.h - the summary in a form that the recorder itself does not write: it runs
 * `resource-tracker-analysis summary RECORD --form FORM` and takes what that prints.
 */
#ifndef RT_SUMMARY_PROGRAM_H
#define RT_SUMMARY_PROGRAM_H

#include "../core/buffer.h"
#include "../core/why.h"

/* Appends the summary.  Waits for the program, and ends it after `seconds`.  -errno with a sentence; no text then. */
int summary_program_read(struct buffer *out, const char *record, const char *form, double seconds,
			 struct why *why) must_use;

#endif
