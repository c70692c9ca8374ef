/*
 * job_files.h - the growing records of a folder, one for each rank of a job.
 *
 * The folder is listed every few seconds, and each file is looked at about once a second, its last bytes alone; both
 * more seldom where a slow file server or many files would make it cost more than a twentieth of the time.  Nothing is
 * locked or watched, so the folder can lie on any file server, and records can appear later.
 */
#ifndef RT_JOB_FILES_H
#define RT_JOB_FILES_H

#include "job_member.h"

struct job_files {
	struct member_place place;
	struct source machine;
	struct job_member *at;                  /* all records of the folder, by name */
	size_t n, room;
	size_t visited;                         /* members before it are done in this round */
	struct turn { int64_t begun_ns, spent_ns; } listing, round;
	bool   complete;                        /* every record that was listed has been read once */
};

/*
 * folder, selection: they outlive f, which is zeroed.  job_files_close is to be called in any case.  -errno with a
 * sentence: the folder cannot be read.
 */
int  job_files_open(struct job_files *f, const char *folder, const struct selection *selection,
		    struct why *why) must_use;
void job_files_close(struct job_files *f);      /* leaves it zeroed */

/* Lists and reads what is due, for at most about 30 ms; sets *ret_more if that was not enough.  -ENOMEM. */
int  job_files_step(struct job_files *f, bool *ret_more) must_use;

/* Valid until the next step; NULL: there is none. */
const struct job_member *job_files_find(const struct job_files *f, const char *name);
bool job_files_any_here(const struct job_files *f);     /* whether one is of this machine */
/* From now on /proc is not read: ranks of this machine that begin later are seen as those of others are. */
void job_files_forget_machine(struct job_files *f);

#endif
