/*
 * session_upload.h - the companion that uploads the record (--upload): it is started when the record is begun, with a
 * pipe as its stdin, and uploads when that is closed.  So it also does if the recorder is killed.
 */
#ifndef RT_SESSION_UPLOAD_H
#define RT_SESSION_UPLOAD_H

#include "../options/options.h"
#include "child.h"

struct session_upload;

/*
 * Starts it, beside the calling thread.  NULL: nothing is uploaded; `note` gets a sentence if the user asked for it.
 * record: its path, "" if there is none.  `o`, `record` and `signals` must outlive it.
 */
struct session_upload *session_upload_open(const struct options *o, const char *record,
					   const struct inherited_signals *signals, struct why *note);
/* The record is finished: lets it begin.  wanted: false: there is nothing to upload. */
void session_upload_go(struct session_upload *u, bool wanted);
/*
 * Waits for its end, at most until `until` (as seconds_now); one that is left is asked to end.  trouble: "", or a
 * sentence: it was killed, or could not be started.
 */
void session_upload_wait(struct session_upload *u, double until, struct why *trouble);
/* After session_upload_go; u is freed.  NULL is fine for all of these. */
void session_upload_close(struct session_upload *u);

#endif
