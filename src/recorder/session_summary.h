/* session_summary.h - where the summary of a run goes, and in which form. */
#ifndef RT_SESSION_SUMMARY_H
#define RT_SESSION_SUMMARY_H

#include "../options/options.h"
#include "../summary/summary.h"

struct session_summary { int file, step; };     /* descriptors of --summary-file, and of --ci; -1: none */

/*
 * Opens the files.  -errno with a sentence if that of --summary-file cannot be opened; `note` gets a sentence for that
 * of --ci, without which the run goes on.
 */
int  session_summary_open(struct session_summary *s, const struct options *o, struct why *why,
			  struct why *note) must_use;
/*
 * Writes the summary to stderr, or to the file, and Markdown to that of --ci.  Forms other than text are read from the
 * record, by the analysis companion; where that fails, one sentence says so, and the text takes its place.  If an
 * output blocks, the rest of the text gets at most `seconds`: its reader can have stopped reading.
 * in_history: the record is in the default folder.  After the first run there a text for a terminal names the command
 * to go on with.
 */
void session_summary_write(const struct session_summary *s, const struct options *o, const struct summary *summary,
			   bool in_history, double seconds);
void session_summary_close(struct session_summary *s);

#endif
