/*
 * waiting_upload.h - a record that waits for its store: a folder .../upload/TIME-PID/ (spool.h), as old as its name.
 *
 * It has in about.json where the record is and where it goes, and as body.gz its bytes as soon as they are known.  The
 * folder is made when the run begins, so also what a killed companion left is found.
 */
#ifndef RT_WAITING_UPLOAD_H
#define RT_WAITING_UPLOAD_H

#include "../store/bucket.h"
#include "destination.h"
#include "spool.h"

struct waiting_upload {
	struct spool spool;                     /* folder -1: there is no place for it */
	char record[PATH_MAX];                  /* absolute */
	struct bucket to;
	struct destination files;               /* has certificates alone */
};

/* Makes the folder of one with all other members set.  root: of the spool; -1: none.  A full disk leaves it without. */
void waiting_upload_make(struct waiting_upload *w, int root);
/* One that another process left.  -EBUSY: it still is that one's; -errno; both with a sentence.  Then it is zeroed. */
int  waiting_upload_adopt(struct waiting_upload *ret, int root, const char *name, struct why *why) must_use;
/*
 * Keeps the bytes, if there is room.  All that wait have at most `most` bytes, and are at most UPLOADS_MAX: the oldest
 * ones are given up, each of which is reported unless quiet.
 */
void waiting_upload_keep(const struct waiting_upload *w, const struct buffer *body, uint64_t most, bool quiet);
/* The bytes that were kept.  -ENOENT: none. */
int  waiting_upload_body(const struct waiting_upload *w, struct buffer *ret) must_use;
/* done: it is delivered or given up, and the folder is removed. */
void waiting_upload_close(struct waiting_upload *w, bool done);

/* The names of all that wait, from the oldest on. */
struct waiting_names { char (*at)[64]; size_t n, size; };
void waiting_names_read(struct waiting_names *ret, int root);
void waiting_names_release(struct waiting_names *n);

#endif
