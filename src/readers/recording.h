/*
 * recording.h - one interface to the files of all trackers: our run record, our JSON Lines and CSV and those of the
 * Rust tracker, the Python tracker's CSV, old and new, and the two logs of py-resource-monitor (its event log has no
 * rows).
 *
 *	struct recording *r;
 *
 *	if (recording_open(&r, path, &why) < 0) ...
 *	while (recording_next(r))
 *		use(recording_sample(r));
 *	if (recording_failed(r, &why)) ...
 *	... recording_whole(r), recording_facts(r) ...
 *	recording_close(r);
 *
 * The file is read as a stream, in constant memory.  Returned pointers are valid until the next call of recording_next,
 * those in struct recording_facts until recording_close.
 */
#ifndef RT_RECORDING_H
#define RT_RECORDING_H

#include "../core/tree_exit.h"
#include "progress.h"
#include "recording_facts.h"

struct recording;

/* path: "-" is stdin.  -errno with a sentence; -EBADMSG: empty, or of an unknown format.  Waits for a pipe's input. */
int  recording_open(struct recording **ret, const char *path, struct why *why) must_use;
/* The same from memory, which must outlive the recording.  name: for messages; copied. */
int  recording_of(struct recording **ret, const char *name, const char *text, size_t n, struct why *why) must_use;
void recording_close(struct recording *r);      /* r can be NULL */

bool recording_next(struct recording *r);       /* reads the next row; false: no more */
/* Reads the next row, exit of a process, or region; RECORD_OVER: no more. */
enum record_item recording_next_item(struct recording *r);
/* Call it after each row: shows how much of the file was read, if that is due. */
void recording_progress(const struct recording *r, struct progress *p);
/* After the last row: true with a sentence if reading failed, or if there was no row (a run record can have none). */
bool recording_failed(const struct recording *r, struct why *why);

/* The row: levels are means, amounts sums; interval_seconds is the time it covers, NONE if unknown.  NULL before it. */
const struct sample *recording_sample(const struct recording *r);
size_t recording_samples(const struct recording *r);            /* number of samples in the row */
const struct sample *recording_maxima(const struct recording *r);       /* of its levels; NULL: it is one sample */
const struct tree_exit *recording_exit(const struct recording *r);      /* after RECORD_EXIT, as record_reader_exit */
const struct region_event *recording_region(const struct recording *r); /* after RECORD_REGION */

/* Statistics over the rows so far; after the end line of a run record, the exact totals of the run. */
const struct aggregate *recording_whole(const struct recording *r);
const struct recording_facts *recording_facts(struct recording *r);

#endif
