/* job_member.h - one record of a folder of ranks, followed by its last bytes. */
#ifndef RT_JOB_MEMBER_H
#define RT_JOB_MEMBER_H

#include "../core/source.h"
#include "../ranks/rank.h"
#include "../readers/record_tail.h"
#include "../regions/open_regions.h"

/* NEW: it has no header yet.  OTHER: not of the selection.  LOST: its recorder ended without a last line. */
enum standing { MEMBER_NEW, MEMBER_OTHER, MEMBER_UNREADABLE, MEMBER_RUNS, MEMBER_LOST, MEMBER_ENDED };

/* Of the newest row, NONE: unknown; amounts are per second.  Other ranks can be below the same limit. */
struct member_row {
	double seconds;                         /* since it started; NONE: there is no row so far */
	double cores, pss_bytes, pss_lower_bytes, pss_upper_bytes, rss_bytes, limit_bytes;
	double disk_read_bytes, disk_write_bytes, net_recv_bytes, net_sent_bytes;
	double waiting;                         /* threads that wait for a CPU or a disk, over about the last 10 s */
};

struct job_member {                             /* zeroed, but for the name */
	char  *name;                            /* of the file, owned */
	struct record_tail tail;
	enum standing standing;
	struct rank rank;                       /* from MEMBER_UNREADABLE on; of one that runs as rank_begun has it */
	bool   here, changed;                   /* of this machine; `standing` or `rank` has changed: for the caller */
	unsigned looks;                         /* for the open regions of its recorder */
	char   id[160], last_region[64];        /* last_region: that ended; "": none */
	struct member_row row;
	double waited_seconds, waited_of;       /* for row.waiting */
	int64_t visited_ns, grown_ns;           /* CLOCK_MONOTONIC; 0: never */
	const struct rt_region_channel *channel;        /* of open regions; NULL: they are not known */
};

struct member_place {
	int fd;                                 /* the folder */
	const char *path;
	const struct selection *selection;
	const struct source *machine;           /* this one; NULL: cannot be read */
};

/*
 * Reads what is new.  It never waits, and what cannot be read is unreadable, with the reason in rank.problem, or lost.
 * -ENOMEM: it can be called again.
 */
int  member_visit(struct job_member *m, const struct member_place *place) must_use;
/* Whether its recorder is still there; to be called seldom.  A rank that was lost and grows again runs. */
void member_check(struct job_member *m, const struct member_place *place);
void member_release(struct job_member *m);

/* Since its record has grown, as this machine saw it; at the first look by the time of the file. */
double member_age(const struct job_member *m, int64_t now_ns);

#endif
