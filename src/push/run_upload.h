/* run_upload.h - uploads the record of a run as soon as the run is over (--upload), and those that wait. */
#ifndef RT_RUN_UPLOAD_H
#define RT_RUN_UPLOAD_H

#include "record_upload.h"

/*
 * Waits until stdin ends: then the recorder has finished the record, or is gone.  A byte before that says that there is
 * nothing to upload.  Signals end it only after that.  All that goes wrong is printed, unless quiet; what was not
 * delivered waits in the spool.  to: s3://BUCKET[/PREFIX].
 */
void run_upload(struct upload_options *o, const char *record, const char *to, const struct push_files *files);

/* Uploads what waits, for at most drain_seconds.  -errno with a sentence; *ret_left: something still waits. */
int  uploads_send_waiting(struct upload_options *o, bool *ret_left, struct why *why) must_use;

#endif
