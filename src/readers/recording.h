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

#include "progress.h"
#include "record_reader.h"

struct recording;

struct region {                                 /* of code, by its name */
	char  *name;
	uint64_t count, unfinished;             /* entered and left; entered only */
	double seconds, minimum_seconds, maximum_seconds;       /* of those that were left */
};

struct recording_facts {
	const char *format;                     /* "run record", "JSON Lines", "CSV", ... */
	const char *id;                         /* "" but in a run record */
	bool   tracked;                         /* processes were tracked, not only the machine watched */
	struct run run;
	struct host host;
	bool   tells_end;                       /* a run record has an end, if it is not cut off */
	struct run_status status;               /* RUN_RUNNING: not known */
	bool   limit_reached;
	uint64_t exits;                         /* processes that ended, as far as that is told */
	const struct moment *moments;           /* the last minute of a run that failed */
	size_t n_moments;
	const char *const *notices;             /* what could not be measured or is not known here */
	size_t n_notices;
	const char *const *problems;            /* what could not be read */
	size_t n_problems;
	const struct region *regions;           /* complete when all has been read */
	size_t n_regions;
	struct region_totals region_totals;     /* of a run record, which has more of them */
};

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
