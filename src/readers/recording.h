/*
 * recording.h - one shape for everything that a tracker left behind: our run record, our JSON Lines and CSV and those
 * of the Rust tracker, the Python tracker's CSV, old and new, and the two logs of py-resource-monitor, of which that of
 * events has no rows.
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
 * It is read as a stream: what it needs does not grow with the file.  Pointers are good until the next call of
 * recording_next, those of struct recording_facts until it is closed.
 */
#ifndef RT_RECORDING_H
#define RT_RECORDING_H

#include "../core/tree_exit.h"
#include "progress.h"
#include "recording_facts.h"

struct recording;

/* path: "-" is stdin.  -errno with a sentence; -EBADMSG if it is nothing that we know. */
int  recording_open(struct recording **ret, const char *path, struct why *why) must_use;
/* The same from memory, which must outlive the recording. */
int  recording_of(struct recording **ret, const char *name, const char *text, size_t n, struct why *why) must_use;
void recording_close(struct recording *r);      /* NULL is fine */

bool recording_next(struct recording *r);       /* a row; false: that was all */
/* The same with the processes' ends and the regions between the rows, of recordings that have them. */
enum record_item recording_next_item(struct recording *r);
/* For after each row: shows how much of the file was read, where that is due. */
void recording_progress(const struct recording *r, struct progress *p);
/* After the last row: whether the file could not be read on, or had no row (a run record may have none). */
bool recording_failed(const struct recording *r, struct why *why);

/* Levels are means, amounts sums; interval_seconds is the time that the row stands for, NONE if that is not known. */
const struct sample *recording_sample(const struct recording *r);
size_t recording_samples(const struct recording *r);            /* how many the row stands for */
const struct sample *recording_maxima(const struct recording *r);       /* of its levels; NULL: it is one sample */
const struct tree_exit *recording_exit(const struct recording *r);      /* after RECORD_EXIT, as record_reader_exit */
const struct region_event *recording_region(const struct recording *r); /* after RECORD_REGION */

/* All rows read so far; of a run record with its last line, after all was read, the exact totals of the run. */
const struct aggregate *recording_whole(const struct recording *r);
const struct recording_facts *recording_facts(struct recording *r);

#endif
