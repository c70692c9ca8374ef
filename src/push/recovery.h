/*
 * recovery.h - the points that a killed process did not read from the feed, from the record of the run.
 *
 * A box knows the time of its newest points: later rows of the record are put into it.
 */
#ifndef RT_RECOVERY_H
#define RT_RECOVERY_H

#include "sheet.h"

/* Whether a recorder still writes the record. */
bool record_is_written(const char *path);
/* Keeps the counters of a batch in the folder, before it is put into its boxes: recover_rows goes on above them. */
void recovery_note(const struct spool *spool, const struct points *p);
/*
 * Puts what is missing into the boxes, one for each destination.  record: its path; "": there is none.  sheet: of the
 * service among them.  false: the recorder still writes the record, and the rest is for the next process.
 */
bool recover_rows(const struct spool *spool, const char *record, struct outbox *boxes, const struct destination *to,
		  size_t n, struct sheet *sheet);

#endif
